"""Performers for experiments: a person whom a simulated robot follows."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from core.link.partner import Posture
from core.partner.follower import Follower
from core.partner.robot import Robot
from core.retouch.shift import RetouchedShift
from core.retouch.stream import BodySample
from core.tick.performer import Performer
from devices.interface import Floats, PoseFrame
from shows.bvh_human import load_bvh
from shows.human import BONES, chain_height

INPUT_S = 0.030  # between two postures
FRAME_S = 1.0 / 60.0  # between two frames of a source
AGE_S = 0.020  # of a posture when it arrives
NOISE_M = 0.002  # of a captured joint
HALF_M = 0.105  # from the middle to each foot of a performer, where no other is told
SHIFT_S, STEP_S, APEX_M = 0.4, 0.5, 0.08  # of a performer's step
SHIFTED = 0.7  # of the way from the middle to the stance foot
SEEN = 0.1, 0.93  # shares of a step between which the foot is seen in the air
STEP_EVERY_S = 2.5


def beside(half_m: float = HALF_M) -> Floats:
    """Return two feet side by side, so far from the middle [m] (2, 3) [m]."""
    return np.array([[0.0, half_m, 0.0], [0.0, -half_m, 0.0]])


@dataclass(frozen=True, eq=False)
class Lead:
    """What a performer does at one instant, in the robot's scale and heading frame.

    Attributes:
        com: position, velocity and acceleration (3, 3) [m].
        joints: of the robot's arms and head, in upper order; None: at rest [rad].
        trunk: roll, pitch and yaw (3) [rad].
        feet: left and right (2, 3) [m].
        on: whether each stands.
    """

    com: Floats
    joints: Floats | None = None
    trunk: Floats = field(default_factory=lambda: np.zeros(3))
    feet: Floats = field(default_factory=beside)
    on: tuple[bool, bool] = (True, True)


Leading = Callable[[float], Lead | None]
"""What a performer does at a time since the first posture [s]; None: nothing is captured."""


def swaying(amplitude: Sequence[float], rate_hz: float) -> Leading:
    """Return a performer who shifts the weight as a sine, and begins gently.

    Args:
        amplitude: forward and to the left [m].
        rate_hz: [Hz].
    """
    side, omega = np.array([*amplitude, 0.0]), 2.0 * math.pi * rate_hz

    def lead(time_s: float) -> Lead:
        share, angle = min(max(time_s - 1.0, 0.0) / 2.0, 1.0), omega * (time_s - 1.0)
        sine, cosine = math.sin(angle), math.cos(angle)
        com = np.stack((sine * side, omega * cosine * side, -omega * omega * sine * side))
        return Lead(share * com)

    return lead


def stepping(
    ways: Sequence[tuple[int, float, float]], half_m: float = HALF_M, begin_s: float = 1.0
) -> Leading:
    """Return a performer who makes a step every 2.5 s.

    Args:
        ways: foot, and its way forward and to the left [m], of each step.
        half_m: from the middle to each foot [m].
        begin_s: when the first step begins [s].
    """
    stances = [beside(half_m)]
    for foot, ahead, left in ways:
        stances.append(stances[-1].copy())
        stances[-1][foot, :2] += (ahead, left)

    def place(time_s: float) -> tuple[Floats, Floats, tuple[bool, bool]]:
        """Return the CoM (3), the feet (2, 3) and which of them stand."""
        count, phase_s = divmod(max(time_s - begin_s, 0.0), STEP_EVERY_S)
        step = int(count)
        if time_s < begin_s or step >= len(ways):
            feet = stances[min(step, len(ways)) if time_s >= begin_s else 0]
            return feet.mean(axis=0), feet, (True, True)
        foot, before, after = ways[step][0], stances[step], stances[step + 1]
        middle, end = before.mean(axis=0), after.mean(axis=0)
        over = middle + SHIFTED * (before[1 - foot] - middle)
        feet, on = before.copy(), [True, True]
        swung = min(max((phase_s - SHIFT_S) / STEP_S, 0.0), 1.0)
        com = middle + (over - middle) * smooth(phase_s / SHIFT_S)
        if swung > 0.0:
            feet[foot] += (after[foot] - before[foot]) * smooth(swung)
            feet[foot, 2] += APEX_M * math.sin(math.pi * swung)
            on[foot] = not SEEN[0] < swung < SEEN[1]
            com = over + (end - over) * smooth((phase_s - SHIFT_S - STEP_S) / STEP_S)
        return com, feet, (on[0], on[1])

    def lead(time_s: float) -> Lead:
        step_s = 1e-3
        com, feet, on = place(time_s)
        later, earlier = place(time_s + step_s)[0], place(time_s - step_s)[0]
        rate, curve = (later - earlier) / (2.0 * step_s), (later - 2.0 * com + earlier) / step_s**2
        return Lead(np.stack((com, rate, curve)), feet=feet, on=on)

    return lead


def smooth(share: float) -> float:
    """Return the minimum-jerk way at a share of its time, from 0 to 1."""
    s = min(max(share, 0.0), 1.0)
    return s**3 * (10.0 - 15.0 * s + 6.0 * s * s)


def performing(paths: Sequence[Path], robot: Robot, mirror: bool, seed: int) -> Leading:
    """Return a performer who makes takes one after the other, as a noisy source sees it.

    Args:
        paths: BVH files.
        robot: that follows.
        mirror: the robot's left follows the person's right.
        seed: of the noise.
    """
    random, leads = np.random.default_rng(seed), list[Lead]()
    for path in paths:
        leads += [_lead_of(told) for told in captured(path, robot, mirror, random)]
    return lambda time_s: leads[min(int(max(time_s, 0.0) / INPUT_S), len(leads) - 1)]


def captured(
    path: Path, robot: Robot, mirror: bool, random: np.random.Generator | None
) -> Iterator[Posture]:
    """Yield the postures of a take, as the partner's process tells them.

    Args:
        path: BVH file.
        robot: that follows.
        mirror: the robot's left follows the person's right.
        random: draws the noise of the source; None: it has none.
    """
    take = load_bvh(path).take
    lengths = take.bone_lengths()
    height_m = chain_height(dict(zip(BONES, lengths.tolist(), strict=True)))
    scale = robot.height_m / height_m
    follower = Follower(robot, lengths, scale)
    follower.restart(mirror)
    for count in range(int(take.duration_s / FRAME_S)):
        at = min(round(count * FRAME_S * take.rate_hz), len(take.positions) - 1)
        seen = take.positions[at]
        if random is not None:
            seen = seen + random.normal(0.0, NOISE_M, seen.shape)
        stamp_s = 1.0 + count * FRAME_S
        told = follower.follow([PoseFrame(stamp_s, stamp_s, seen, take.orientations[at])], 0)
        if told is not None:
            yield told


def _lead_of(told: Posture) -> Lead:
    """Return what a posture tells."""
    com = np.array((told.com, told.com_velocity, told.com_acceleration))
    return Lead(com, np.array(told.joints), np.array(told.trunk), np.array(told.feet), told.on)


class Source:
    """Gives the postures of a performer to a robot that follows; call it before every tick.

    Args:
        leading: the performer.
        seed: of loss and jitter.
        loss: share of the postures that are lost.
        jitter_s: largest delay beyond the usual one [s].

    Attributes:
        begun_s: core's time of the first posture [s]; infinite before.
        stamp_s: of the newest posture [s].
        on: which of the performer's feet stand.
        orders: orders to follow that have ended.
    """

    def __init__(
        self,
        leading: Leading,
        seed: int = 0,
        loss: float = 0.0,
        jitter_s: float = 0.0,
    ) -> None:
        self._leading = leading
        self._random = np.random.default_rng(seed)
        self._loss, self._jitter_s = loss, jitter_s
        self._next_s = 0.0
        self._waiting: list[tuple[float, float, Lead]] = []
        self.begun_s = math.inf
        self.stamp_s, self.on = 0.0, (True, True)
        self.orders = 0
        self._follows = False

    def __call__(self, performer: Performer) -> None:
        """Give what arrives until now."""
        now_s, follow = performer.plant.state.stamp_s, performer.hand.follow
        if follow.order is None:
            self.orders += self._follows
            self._follows = False
            return
        self._follows = True
        if self.begun_s == math.inf:
            self.begun_s = self._next_s = now_s
        if now_s >= self._next_s:
            self._next_s += INPUT_S
            lead = self._leading(now_s - self.begun_s)
            delay_s = AGE_S + self._jitter_s * float(self._random.random())
            if lead is not None and self._random.random() >= self._loss:
                self._waiting.append((now_s + delay_s, now_s, lead))
        while self._waiting and self._waiting[0][0] <= now_s:
            _, stamp_s, lead = self._waiting.pop(0)
            rest = performer.manager.position(now_s)[: performer.manager.joints.joint_count]
            q = rest if lead.joints is None else lead.joints
            self.stamp_s, self.on = stamp_s, lead.on
            follow.hear(now_s, stamp_s, posture_of(follow.number, stamp_s, q, lead))


def posture_of(number: int, stamp_s: float, joints: Floats, lead: Lead) -> Posture:
    """Return the message of what a performer does."""
    com, rate, curve = (tuple(row) for row in lead.com.tolist())
    feet = tuple(tuple(foot) for foot in lead.feet.tolist())
    q, trunk = tuple(joints.tolist()), tuple(lead.trunk.tolist())
    return Posture(number, stamp_s, q, com, rate, curve, trunk, feet, lead.on)


class DirectShift(RetouchedShift):
    """The performer's motion as it is, without a plan: a negative control."""

    _newest = BodySample(0.0, np.zeros(2), np.zeros(2), np.zeros(2))

    def receive(self, motion_s: float, sample: BodySample) -> None:
        """Take a sample of the performer."""
        if motion_s >= self._begun_s:
            self._newest = sample

    def write(self, motion_s: float, out: Floats) -> None:
        """Write the newest sample, led on by its rates to the present."""
        newest = self._newest
        ahead_s = min(max(motion_s - newest.stamp_s, 0.0), 2.0 * INPUT_S)
        out[0] = newest.position + ahead_s * newest.velocity
        out[1], out[2] = newest.velocity, newest.acceleration
