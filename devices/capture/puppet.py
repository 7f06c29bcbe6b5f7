"""A take of a person as the datagrams of a source, and a network's faults: pure, by a seed."""

import heapq
import itertools
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from devices.capture.errors import CaptureError
from devices.capture.rotation import quaternions, rotations
from devices.capture.skeleton import BONES, INDEX, PARENTS, SIDES
from devices.capture.source import Protocol
from devices.capture.wire import mvn, natnet, recording, vmc
from devices.capture.wire.recording import Stamped
from devices.errors import DeviceError
from devices.interface import Floats

EASE_S: Final = 1.0
"""Time from the T-pose to the first posture of a take."""


@dataclass(frozen=True, eq=False)
class Performance:
    """Motion of a person, orientations as shows/human.py defines them.

    Attributes:
        rate_hz: samples by time [Hz].
        positions: of the joints in the world (k, 22, 3) [m].
        orientations: bone to world (k, 22, 3, 3).
    """

    rate_hz: float
    positions: Floats = field(repr=False)
    orientations: Floats = field(repr=False)

    @property
    def duration_s(self) -> float:
        """Time from the first to the last sample [s]."""
        return (len(self.positions) - 1) / self.rate_hz

    def at(self, time_s: float) -> tuple[Floats, Floats]:
        """Return the positions (22, 3) and orientations (22, 3, 3) at a time within it [s]."""
        place = min(max(time_s * self.rate_hz, 0.0), len(self.positions) - 1.0)
        before = min(int(place), len(self.positions) - 2)
        share = place - before
        points = (1.0 - share) * self.positions[before] + share * self.positions[before + 1]
        pair = self.orientations[before : before + 2]
        return points, _between(pair[0], pair[1], share)


def _between(start: Floats, end: Floats, share: float) -> Floats:
    """Return rotations (n, 3, 3) between two, by a share of the way from 0 to 1."""
    first, second = quaternions(start), quaternions(end)
    second = np.where((first * second).sum(axis=1, keepdims=True) < 0.0, -second, second)
    mixed = (1.0 - share) * first + share * second
    lengths = np.linalg.norm(mixed, axis=1, keepdims=True)
    return rotations(np.where(lengths > 1e-6, mixed / np.maximum(lengths, 1e-6), first))


def _sideways() -> Floats:
    """Return how the bones are turned in the T-pose, from hanging arms (22, 3, 3)."""
    turns = np.tile(np.eye(3), (len(BONES), 1, 1))
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        for part in ("upper_arm", "lower_arm", "hand"):
            turn = [[1.0, 0.0, 0.0], [0.0, 0.0, -sign], [0.0, sign, 0.0]]
            turns[INDEX[f"{side}_{part}"]] = turn
    return turns


T_POSE: Final = _sideways()


def with_t_pose(performance: Performance, hold_s: float) -> Performance:
    """Return a performance before which the person stands in the T-pose, and eases out of it.

    The person stands where the performance begins, upright, with its heading and its bones.

    Args:
        performance: what follows.
        hold_s: time in the T-pose [s]; 1 s more leads to the performance.
    """
    points, turns = performance.positions[0], performance.orientations[0]
    offsets = [turns[p].T @ (points[i] - points[p]) for i, p in enumerate(PARENTS[1:], start=1)]
    left = points[INDEX["left_upper_leg"]] - points[INDEX["right_upper_leg"]]
    across = np.array([left[0], left[1], 0.0])
    across = across / max(float(np.linalg.norm(across)), 1e-9)
    facing = np.column_stack((np.cross(across, [0.0, 0.0, 1.0]), across, [0.0, 0.0, 1.0]))
    feet = [INDEX[f"{side}_{part}"] for side in SIDES for part in ("foot", "toe")]

    def posture(share: float) -> tuple[Floats, Floats]:
        axes = _between(facing @ T_POSE, turns, share)
        joints = np.zeros_like(points)
        joints[0] = points[0]
        for i, parent in enumerate(PARENTS[1:], start=1):
            joints[i] = joints[parent] + axes[parent] @ offsets[i - 1]
        joints[:, 2] += points[feet, 2].min() - joints[feet, 2].min()
        return joints, axes

    holds = round(hold_s * performance.rate_hz)
    eases = max(1, round(EASE_S * performance.rate_hz))
    u = np.concatenate((np.zeros(holds), np.arange(eases) / eases))
    lead = [posture(share) for share in (u * u * (3.0 - 2.0 * u)).tolist()]
    return Performance(
        performance.rate_hz,
        np.concatenate((np.array([one for one, _ in lead]), performance.positions)),
        np.concatenate((np.array([one for _, one in lead]), performance.orientations)),
    )


def _frames(
    protocol: Protocol,
    performance: Performance,
    rate_hz: float,
    loops: int,
    again_s: float,
    begun: Callable[[], bool],
) -> Iterator[Stamped]:
    """Yield the datagrams of a source that shows a performance, each with its time [s].

    Args:
        protocol: of the source.
        performance: of the person.
        rate_hz: frames by time [Hz].
        loops: how often the performance is shown.
        again_s: where in it a repetition begins [s].
        begun: whether the performance may begin; the person keeps its first posture until then.
    """
    count = int(performance.duration_s * rate_hz + 1e-9) + 1
    again = itertools.repeat(range(round(again_s * rate_hz), count), loops - 1)
    held = itertools.takewhile(lambda _: not begun(), itertools.repeat(0))
    places = itertools.chain(held, range(count), itertools.chain.from_iterable(again))
    for number, place in enumerate(places):
        stamp_s = number / rate_hz
        points, turns = performance.at(place / rate_hz)
        # Sources measure from the T-pose.
        turns = turns @ np.swapaxes(T_POSE, 1, 2)
        if protocol == "vmc":
            datagrams = vmc.encode(stamp_s, points, turns)
        else:
            encode = mvn.encode if protocol == "mvn" else natnet.encode
            datagrams = encode(number, stamp_s, points, turns)
        for datagram in datagrams:
            yield stamp_s, datagram


def _replayed(stamped: list[Stamped], loops: int) -> Iterator[Stamped]:
    """Yield the datagrams of a recording, from 0 s on; each loop follows one mean gap later."""
    if not stamped:
        return
    begin_s, end_s = stamped[0][0], stamped[-1][0]
    gap_s = (end_s - begin_s) / max(1, len(stamped) - 1)
    for loop in range(loops):
        start_s = loop * (end_s - begin_s + gap_s) - begin_s
        for stamp_s, datagram in stamped:
            yield start_s + stamp_s, datagram


@dataclass(frozen=True)
class Playing:
    """How a performance or a recording is played.

    Attributes:
        source: protocol of the source, or a recording, whose datagrams are sent as they are.
        rate_hz: frames by time, of a performance [Hz].
        loops: how often it is played; a performance jumps from its end to its beginning.
        t_pose_s: time for which the person first stands in the T-pose, of a performance [s]; it is
            not repeated.
        waits: a performance keeps its first posture until the standard input ends.
    """

    source: Protocol | Literal["recording"]
    rate_hz: float = 60.0
    loops: int = 1
    t_pose_s: float = 0.0
    waits: bool = False

    def planned(
        self, content: Performance | bytes, begun: Callable[[], bool] = lambda: True
    ) -> Iterator[Stamped]:
        """Return the datagrams of a performance, or of a recording's file, with their times [s].

        Args:
            content: what is played.
            begun: whether a performance may begin; it is asked frame by frame until then.

        Raises:
            DeviceError: the recording is damaged.
        """
        if isinstance(content, bytes):
            try:
                return _replayed(recording.decode(content), self.loops)
            except CaptureError as error:
                text = f"{error}; record it again"
                raise DeviceError("recording", text) from None
        assert self.source != "recording"
        again_s = 0.0
        if self.t_pose_s > 0.0:
            content = with_t_pose(content, self.t_pose_s)
            again_s = self.t_pose_s + EASE_S
        return _frames(self.source, content, self.rate_hz, self.loops, again_s, begun)


@dataclass(frozen=True)
class Faults:
    """What a network does to datagrams.

    Attributes:
        loss: share of them that it loses, 0 to 1.
        jitter_s: longest delay; the order stays [s].
        reorder: share of them that others overtake, 0 to 1.
        seed: of the draw.
    """

    loss: float = 0.0
    jitter_s: float = 0.0
    reorder: float = 0.0
    seed: int = 0


OVERTAKEN_S: Final = 0.05
"""Delay of a datagram that others overtake: three frames of 60 a second."""


def disturbed(datagrams: Iterable[Stamped], faults: Faults) -> Iterator[Stamped]:
    """Yield the datagrams that arrive, each with its time [s], in the order of these times.

    Args:
        datagrams: with the times at which they are sent, ascending [s].
        faults: of the network.
    """
    draw = random.Random(faults.seed)
    waiting: list[tuple[float, int, bytes]] = []
    last_s = 0.0
    for number, (sent_s, datagram) in zip(itertools.count(), datagrams, strict=False):
        # Three draws each, so that one fault does not change the places of the others.
        lost, delay, overtaken = draw.random(), draw.random(), draw.random()
        while waiting and waiting[0][0] <= sent_s:
            arrival_s, _, earlier = heapq.heappop(waiting)
            yield arrival_s, earlier
        if lost < faults.loss:
            continue
        arrival_s = last_s = max(last_s, sent_s + delay * faults.jitter_s)
        if overtaken < faults.reorder:
            arrival_s += OVERTAKEN_S
        heapq.heappush(waiting, (arrival_s, number, datagram))
    for arrival_s, _, datagram in sorted(waiting):
        yield arrival_s, datagram
