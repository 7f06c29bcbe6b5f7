"""The path of a transition: one cubic, unless it would leave a joint's range.

A cubic that starts fast toward the end of a range can leave the range, and the soft limits would
stop the joint there within a few degrees. Such a joint comes to rest at the end of its range first,
with constant deceleration, and continues from there. The same holds in reverse for a path that ends
in motion.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.behave.hermite import fill_basis, new_basis, transition_duration
from devices.interface import Floats

Mask: TypeAlias = NDArray[np.bool_]

_OUTSIDE = 1e-6  # rad by which a cubic may leave the range
_SLOW = 0.01  # rad/s at which a joint need not brake
_SHORTEST_S = 1e-6  # of a segment, which rounding would distort


class Bounds(NamedTuple):
    """What a path respects as far as its ends do.

    Attributes:
        lower: smallest positions (n) [rad].
        upper: largest positions (n) [rad].
        velocity: largest speeds (n) [rad/s].
        acceleration: largest acceleration of each joint [rad/s²].
        longest_s: duration at which a path is not lengthened any more [s].
    """

    lower: Floats
    upper: Floats
    velocity: Floats
    acceleration: float
    longest_s: float

    def of(self, joint: int) -> "Bounds":
        """Return the bounds of one joint."""
        lower, upper, velocity = (bound[[joint]] for bound in self[:3])
        return Bounds(lower, upper, velocity, self.acceleration, self.longest_s)


class Segment(NamedTuple):
    """One cubic of a path.

    Attributes:
        knots: position and velocity at the start and at the end (4, n) [rad], [rad/s].
        duration_s: [s].
    """

    knots: Floats
    duration_s: float


def path_between(knots: Floats, duration_s: float, bounds: Bounds) -> tuple[Segment, ...]:
    """Return the cubics of the shortest path from `duration_s` on that respects its bounds.

    Args:
        knots: position and velocity at the start and at the end (4, n) [rad], [rad/s].
        duration_s: requested duration [s].
        bounds: of the path.
    """
    while True:
        duration_s = _calm_s(knots, duration_s, bounds)
        leaving = _leaves(knots, duration_s, bounds)[0]
        leaving = leaving | _leaves(_reversed(knots), duration_s, bounds)[0]
        detours = {
            joint: _detour(knots[:, [joint]], duration_s, bounds.of(joint))
            for joint in np.flatnonzero(leaving).tolist()
        }
        missing_s = max((missing_s for _, missing_s in detours.values()), default=0.0)
        if missing_s == 0.0 or duration_s >= bounds.longest_s:
            break
        duration_s = min(duration_s + missing_s, bounds.longest_s)
    return _merged(knots, duration_s, {joint: path for joint, (path, _) in detours.items()})


def _detour(knots: Floats, duration_s: float, bounds: Bounds) -> tuple[tuple[Segment, ...], float]:
    """Return the path of one joint that would leave its range, and the time that it lacks [s]."""
    brake_s, stopped = _brake(knots, duration_s, bounds)
    rest = np.concatenate((stopped, knots[2:]))
    start_s, leaving = _brake(_reversed(rest), duration_s - brake_s, bounds)
    leaving = _reversed(leaving)
    if brake_s == 0.0:  # it may leave its range only because it comes to rest later
        rest = np.concatenate((stopped, leaving))
        brake_s, stopped = _brake(rest, duration_s - start_s, bounds)
    middle, middle_s = np.concatenate((stopped, leaving)), duration_s - brake_s - start_s
    path = (
        Segment(np.concatenate((knots[:2], stopped)), brake_s),
        Segment(middle, middle_s),
        Segment(np.concatenate((leaving, knots[2:])), start_s),
    )
    missing_s = _calm_s(middle, middle_s, bounds) - middle_s
    return tuple(segment for segment in path if segment.duration_s > 0.0), missing_s


def _merged(
    knots: Floats, duration_s: float, own: dict[int, tuple[Segment, ...]]
) -> tuple[Segment, ...]:
    """Return one path of all joints, of which some have their own; a part of a cubic is a cubic."""
    times_s = [0.0]
    for end_s in sorted(float(end_s) for path in own.values() for end_s in _ends_s(path)[:-1]):
        if end_s - times_s[-1] > _SHORTEST_S:
            times_s.append(end_s)
    times_s.append(duration_s)
    states = np.array([_state(knots, time_s, duration_s) for time_s in times_s])
    states[0], states[-1] = knots[:2], knots[2:]
    for joint, path in own.items():
        ends_s = _ends_s(path)
        for row, time_s in enumerate(times_s[1:-1], start=1):
            number = int(np.searchsorted(ends_s[:-1], time_s))
            segment = path[number]
            into_s = time_s - ends_s[number] + segment.duration_s
            states[row, :, [joint]] = _state(segment.knots, into_s, segment.duration_s).T
    return tuple(
        Segment(np.concatenate((states[i], states[i + 1])), times_s[i + 1] - times_s[i])
        for i in range(len(times_s) - 1)
    )


def _ends_s(path: tuple[Segment, ...]) -> Floats:
    """Return the time at which each segment ends, from the start of the path [s]."""
    return np.cumsum([segment.duration_s for segment in path])


def _state(knots: Floats, time_s: float, duration_s: float) -> Floats:
    """Return position and velocity at a time of a cubic (2, n)."""
    basis, flat = new_basis()
    fill_basis(flat, time_s / duration_s, duration_s, 1.0)
    state: Floats = (basis @ knots)[:2]
    return state


def _calm_s(knots: Floats, duration_s: float, bounds: Bounds) -> float:
    """Return the shortest duration of one cubic from `duration_s` on that respects the bounds."""
    return transition_duration(
        knots, bounds.velocity, bounds.acceleration, duration_s, bounds.longest_s
    )


def _reversed(knots: Floats) -> Floats:
    """Return knots of the same path in reverse: positions and velocities, two rows a knot."""
    turned = np.empty_like(knots)
    turned[::2], turned[1::2] = knots[-2::-2], -knots[::-2]
    return turned


def _leaves(knots: Floats, duration_s: float, bounds: Bounds) -> tuple[Mask, Floats]:
    """Return which joints leave their range at their first turn, and the room before its end."""
    q0, v0, q1, v1 = knots
    side = np.sign(v0)
    end = np.where(side > 0.0, bounds.upper, bounds.lower)
    room = np.maximum(side * (end - q0), 0.0)
    # The velocity along the start's direction is a s² + b s + c; its first root is the turn.
    way, c = side * (q1 - q0), duration_s * np.abs(v0)
    a = 3.0 * (duration_s * side * (v0 + v1) - 2.0 * way)
    b = 6.0 * way - 2.0 * duration_s * side * (2.0 * v0 + v1)
    root = b * b - 4.0 * a * c
    below = np.sqrt(np.maximum(root, 0.0)) - b
    turns = (root > 0.0) & (below > 2.0 * c) & (np.abs(v0) > _SLOW)
    turn = 2.0 * c / np.where(turns, below, 1.0)
    farthest = turn * (c + turn * (0.5 * b + turn * a / 3.0))
    leaves: Mask = turns & (farthest > np.maximum(room, way) + _OUTSIDE)
    return leaves, room


def _brake(knots: Floats, duration_s: float, bounds: Bounds) -> tuple[float, Floats]:
    """Return when a joint has come to rest that would leave its range, and its state (2, 1) then.

    Args:
        knots: of one cubic of one joint (4, 1).
        duration_s: of the cubic [s].
        bounds: of the joint.

    Returns:
        0 and the first knot if it does not leave its range at its first turn.
    """
    leaves, room = _leaves(knots, duration_s, bounds)
    if not leaves[0]:
        return 0.0, knots[:2]
    q0, v0 = knots[0, 0], knots[1, 0]
    brake_s = max(2.0 * room[0] / abs(v0), abs(v0) / bounds.acceleration)
    brake_s = min(brake_s, 0.5 * duration_s)
    return float(brake_s), np.array([[q0 + 0.5 * brake_s * v0], [0.0]])
