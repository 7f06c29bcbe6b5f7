"""A motion through poses: it travels to each, and waits there."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import PchipInterpolator

from shows.errors import ShowError
from shows.fields import MAX_MOTION_S
from shows.joints import Floats, JointTable
from shows.motion import Motion, check_motion
from shows.pose import Pose, check_pose
from shows.process.curves import Curve, Key, bake

RATE_HZ = 100.0
SHORTEST_S = 0.1  # of a way
LEAST_HOLD_S = 0.005  # a shorter one is none
MARGIN = 1.005  # a stretched way keeps the limits by this factor
MOST_ROUNDS = 200
TAIL_S = 0.1  # of standing still at both ends, for the acceleration there to be measured


@dataclass(frozen=True, slots=True)
class Stop:
    """One pose of a motion.

    Attributes:
        pose: where the robot stops, or what it passes.
        travel_s: time from the pose before; that of the first counts for nothing [s].
        hold_s: time in the pose; 0 passes it without a stop, but at both ends [s].
    """

    pose: Pose
    travel_s: float
    hold_s: float


@dataclass(frozen=True, slots=True, eq=False)
class PoseMotion:
    """A motion through poses.

    Attributes:
        motion: the motion.
        curves: its keys, by joint.
        travel_s: time of the way to each stop, as the limits allow it; that of the first is 0 [s].
        stretched: indices of the stops to which the way was made longer.
    """

    motion: Motion
    curves: dict[str, Curve]
    travel_s: tuple[float, ...]
    stretched: tuple[int, ...]


def motion_of_poses(name: str, stops: Sequence[Stop], joints: JointTable) -> PoseMotion:
    """Return the motion through poses, within the limits of speed and acceleration.

    Velocities are continuous. They are zero at both ends and where the robot waits; in a pose
    that it passes they follow from the neighbours (Fritsch and Carlson's monotone cubic), so that
    no joint goes beyond the poses. A joint that a pose does not name keeps its angle; before the
    first pose that names it, it has the angle of that pose. A way on which a joint would be too
    fast takes longer.

    Args:
        name: of the motion.
        stops: at least two.
        joints: limits of the robot's joints.

    Raises:
        ShowError: there are fewer than two stops, a pose does not fit the robot, a time is not
            within its bounds, or the motion becomes too long.
    """
    if len(stops) < 2:
        raise ShowError(name, "", "a motion needs two poses at least", "choose more poses")
    for i, stop in enumerate(stops):
        check_pose(stop.pose, joints)
        for word, value in (("travel time", stop.travel_s), ("hold time", stop.hold_s)):
            if not (math.isfinite(value) and 0.0 <= value <= MAX_MOTION_S):
                place = f"pose {i + 1} ({stop.pose.label})"
                reason = f"its {word} of {value:g} s is not within 0 to {MAX_MOTION_S:g} s"
                raise ShowError(name, place, reason, "choose another time")
    names, values = _angles(stops, joints)
    holds = [stop.hold_s if stop.hold_s >= LEAST_HOLD_S else 0.0 for stop in stops]
    travel = [0.0, *(max(SHORTEST_S, _on_grid(stop.travel_s)) for stop in stops[1:])]
    wanted = list(travel)
    for _ in range(MOST_ROUNDS):
        motion, curves, spans = _made(name, names, values, travel, holds)
        factors = _factors(motion, spans, joints)
        if max(factors) <= 1.0:
            break
        travel = [
            _on_grid(time_s * max(1.0, factor) * (MARGIN if factor > 1.0 else 1.0))
            for time_s, factor in zip(travel, factors, strict=True)
        ]
    check_motion(motion, joints)
    stretched = tuple(i for i, time_s in enumerate(travel) if time_s > wanted[i] + 1e-9)
    return PoseMotion(motion, curves, tuple(travel), stretched)


def _angles(stops: Sequence[Stop], joints: JointTable) -> tuple[tuple[str, ...], Floats]:
    """Return the joints that the poses name, in the table's order, and their angles (k, m)."""
    named = {joint for stop in stops for joint in stop.pose.angles}
    names = tuple(joint for joint in joints.names if joint in named)
    rows = np.full((len(stops), len(names)), np.nan)
    for row, stop in zip(rows, stops, strict=True):
        for column, joint in enumerate(names):
            row[column] = stop.pose.angles.get(joint, np.nan)
    for angles in rows.T:
        known = np.flatnonzero(np.isfinite(angles))
        before = np.searchsorted(known, np.arange(len(angles)), side="right") - 1
        angles[:] = angles[known[np.maximum(before, 0)]]
    return names, rows


def _made(
    name: str, names: tuple[str, ...], values: Floats, travel: list[float], holds: list[float]
) -> tuple[Motion, dict[str, Curve], list[tuple[float, float]]]:
    """Return the motion of these times, its curves, and begin and end of the way to each stop."""
    arrivals, leaves, spans = [], [], []
    time_s = 0.0
    for way_s, hold_s in zip(travel, holds, strict=True):
        spans.append((time_s, time_s + way_s))
        time_s += way_s
        arrivals.append(time_s)
        time_s += hold_s
        leaves.append(time_s)
    if time_s > MAX_MOTION_S:
        reason = f"lasts {time_s:.0f} s, more than {MAX_MOTION_S:.0f} s"
        raise ShowError(name, "", reason, "choose fewer poses or shorter times")
    last = len(values) - 1
    rests = [i in (0, last) or hold_s > 0.0 for i, hold_s in enumerate(holds)]
    slopes = _slopes(np.array(arrivals), np.array(leaves), values, rests)
    curves = {}
    for column, joint in enumerate(names):
        keys = []
        for i, value in enumerate(values[:, column].tolist()):
            slope = float(slopes[i, column])
            keys.append(Key(arrivals[i], value, slope, slope))
            if leaves[i] > arrivals[i]:
                keys.append(Key(leaves[i], value))
        curves[joint] = Curve(tuple(keys))
    count = max(2, math.ceil(time_s * RATE_HZ - 1e-6) + 1)
    like = Motion(name, names, RATE_HZ, np.zeros((count, len(names))), source="keyed")
    motion = bake(list(curves.values()), like)
    lower, upper = values.min(axis=0), values.max(axis=0)
    return replace(motion, positions=np.clip(motion.positions, lower, upper)), curves, spans


def _slopes(arrivals: Floats, leaves: Floats, values: Floats, rests: list[bool]) -> Floats:
    """Return each joint's velocity at each stop (k, m) [rad/s]; zero where it rests."""
    slopes = np.zeros_like(values)
    first = 0
    for i in range(1, len(values)):
        if not rests[i]:
            continue
        run = slice(first, i + 1)
        if i - first > 1:
            times_s = arrivals[run].copy()
            times_s[0] = leaves[first]
            slopes[run] = PchipInterpolator(times_s, values[run]).derivative()(times_s)
            slopes[[first, i]] = 0.0
        first = i
    return slopes


def _factors(motion: Motion, spans: list[tuple[float, float]], joints: JointTable) -> list[float]:
    """Return the factor by which the way to each stop must be longer; at most 1 if it need not.

    Both are measured as `check_motion` does, with the robot at rest before and after.
    """
    columns = [joints.index[joint] for joint in motion.joint_names]
    tail = round(TAIL_S * RATE_HZ)
    padded = replace(motion, positions=np.pad(motion.positions, ((tail, tail), (0, 0)), "edge"))
    speed = np.abs(np.diff(padded.positions, axis=0)) * RATE_HZ / joints.velocity_limit[columns]
    bend, stride = padded.accelerations()
    share = np.abs(bend) / joints.acceleration[columns]
    fast = speed.max(axis=1)
    hard = np.sqrt(share.max(axis=1))
    found = []
    for start_s, end_s in spans:
        if end_s <= start_s:
            found.append(1.0)
            continue
        first, last = (round(moment_s * RATE_HZ) + tail for moment_s in (start_s, end_s))
        near = slice(max(0, first - 2 * stride), last + 1)  # windows that touch the way
        found.append(max(float(fast[first:last].max()), float(hard[near].max(initial=0.0))))
    return found


def _on_grid(time_s: float) -> float:
    """Return a time rounded up to a sample [s]."""
    return math.ceil(time_s * RATE_HZ - 1e-6) / RATE_HZ
