"""The path of a transition: one cubic, unless it would leave a joint's range.

A cubic that starts fast toward the end of a range can leave the range, and the soft limits would
stop the joint there within a few degrees. Such a joint comes to rest at the end of its range first,
with constant deceleration, and continues from there. The same holds in reverse for a path that ends
in motion.
"""

from typing import NamedTuple

import numpy as np

from core.behave.hermite import least_duration, state_of
from devices.interface import Bools, Floats

_OUTSIDE = 1e-6  # rad by which a cubic may leave the range
_SLOW = 0.01  # rad/s at which a joint need not brake
_SHORTEST_S = 1e-6  # of a segment, which rounding would distort
_CLOSE = 1.001  # a path may be shorter than it should be by this factor
_HARDER = 1.5  # deceleration where the room is short, as a multiple of the acceleration


class Bounds(NamedTuple):
    """What a path respects as far as its ends, and its longest duration, allow.

    Attributes:
        lower: smallest positions (n) [rad].
        upper: largest positions (n) [rad].
        velocity: largest speeds (n) [rad/s].
        acceleration: largest acceleration of a joint that leaves rest or comes to it, but for one
            that brakes in a short room [rad/s²].
        longest_s: duration at which a path is not lengthened any more [s].
    """

    lower: Floats
    upper: Floats
    velocity: Floats
    acceleration: float
    longest_s: float

    def of(self, joints: Bools) -> "Bounds":
        """Return the bounds of some joints (n)."""
        lower, upper, velocity = (bound[joints] for bound in self[:3])
        return Bounds(lower, upper, velocity, self.acceleration, self.longest_s)


class Segment(NamedTuple):
    """One cubic of a path.

    Attributes:
        knots: position and velocity at the start and at the end (4, n) [rad], [rad/s].
        duration_s: [s].
    """

    knots: Floats
    duration_s: float


class _Detour(NamedTuple):
    """The paths of joints that would leave their range, three cubics each.

    Attributes:
        knots: position and velocity at the start, after it braked, before it starts again, and at
            the end (8, m) [rad], [rad/s].
        durations_s: of the cubics; 0: there is none (3, m) [s].
        least_s: duration that the whole path needs (m) [s].
    """

    knots: Floats
    durations_s: Floats
    least_s: Floats


def path_between(knots: Floats, duration_s: float, bounds: Bounds) -> tuple[Segment, ...]:
    """Return a path that takes `duration_s`, or as much longer as its bounds need.

    Args:
        knots: position and velocity at the start and at the end (4, n) [rad], [rad/s].
        duration_s: requested duration [s].
        bounds: of the path.
    """
    direct_s = least_duration(knots, bounds.velocity, bounds.acceleration)
    while True:
        whole_s = np.full(knots.shape[1], duration_s)
        leaving = _leaves(knots, whole_s, bounds) | _leaves(_reversed(knots), whole_s, bounds)
        least_s = max(duration_s, float(direct_s[~leaving].max(initial=0.0)))
        if leaving.any():
            detour = _detour(knots[:, leaving], whole_s[leaving], bounds.of(leaving))
            least_s = max(least_s, float(detour.least_s.max()))
        least_s = min(least_s, max(duration_s, bounds.longest_s))
        if least_s <= duration_s * _CLOSE:
            break
        duration_s = least_s
    if not leaving.any():
        return (Segment(knots, duration_s),)
    return _merged(knots, duration_s, leaving, detour)


def _detour(knots: Floats, duration_s: Floats, bounds: Bounds) -> _Detour:
    """Return the paths of joints of which each would leave its range (m)."""
    brake_s, stopped, needed_s = _brake(knots, duration_s, bounds)
    least_s = needed_s
    rest = np.concatenate((stopped, knots[2:]))
    start_s, leaving, needed_s = _brake(_reversed(rest), duration_s - brake_s, bounds)
    least_s = np.maximum(least_s, brake_s + needed_s)
    leaving = _reversed(leaving)
    # With a stop before its end, a path may leave the range where the cubic did not.
    rest = np.concatenate((knots[:2], leaving))
    later_s, later, needed_s = _brake(rest, duration_s - start_s, bounds)
    straight = brake_s == 0.0
    least_s = np.where(straight, np.maximum(least_s, start_s + needed_s), least_s)
    brake_s = np.where(straight, later_s, brake_s)
    stopped = np.where(straight, later, stopped)
    middle = np.concatenate((stopped, leaving))
    middle_s = duration_s - brake_s - start_s
    calm_s = least_duration(middle, bounds.velocity, bounds.acceleration)
    # A stop that takes half of the time there is takes half of a longer time, too.
    halves = np.maximum(brake_s, start_s + 0.5 * brake_s) > 0.499 * duration_s
    longer_s = np.where(halves, duration_s * calm_s / middle_s, brake_s + calm_s + start_s)
    least_s = np.maximum(least_s, longer_s)
    durations_s = np.stack((brake_s, middle_s, start_s))
    return _Detour(np.concatenate((knots[:2], middle, knots[2:])), durations_s, least_s)


def _merged(
    knots: Floats, duration_s: float, leaving: Bools, detour: _Detour
) -> tuple[Segment, ...]:
    """Return one path of all joints; a part of a cubic is a cubic."""
    ends_s = np.cumsum(detour.durations_s, axis=0)
    times_s = [0.0]
    for end_s in np.unique(ends_s[:2]).tolist():
        if times_s[-1] + _SHORTEST_S < end_s < duration_s - _SHORTEST_S:
            times_s.append(end_s)
    times_s.append(duration_s)
    inner_s = np.array(times_s[1:-1])[:, None]
    own = np.zeros((2, inner_s.size, ends_s.shape[1]))
    begin_s = np.zeros_like(ends_s[0])
    for number, end_s in enumerate(ends_s):
        cubic = detour.knots[2 * number : 2 * number + 4]
        length_s = detour.durations_s[number]
        state = state_of(cubic, inner_s - begin_s, np.where(length_s > 0.0, length_s, 1.0))
        own = np.where((inner_s > begin_s) & (length_s > 0.0), state, own)
        begin_s = end_s
    states = np.empty((len(times_s), 2, knots.shape[1]))
    states[1:-1] = state_of(knots, inner_s, duration_s).swapaxes(0, 1)
    states[1:-1, :, leaving] = own.swapaxes(0, 1)
    states[0], states[-1] = knots[:2], knots[2:]
    return tuple(
        Segment(np.concatenate((states[i], states[i + 1])), times_s[i + 1] - times_s[i])
        for i in range(len(times_s) - 1)
    )


def _reversed(knots: Floats) -> Floats:
    """Return knots of the same path in reverse: positions and velocities, two rows a knot."""
    turned = np.empty_like(knots)
    turned[::2], turned[1::2] = knots[-2::-2], -knots[::-2]
    return turned


def _leaves(knots: Floats, duration_s: Floats, bounds: Bounds) -> Bools:
    """Return which joints leave their range at their first turn (n)."""
    q0, v0, q1, v1 = knots
    side = np.sign(v0)
    # The velocity along the start's direction is a s² + b s + c; its first root is the turn.
    way, c = side * (q1 - q0), duration_s * np.abs(v0)
    a = 3.0 * (duration_s * side * (v0 + v1) - 2.0 * way)
    b = 6.0 * way - 2.0 * duration_s * side * (2.0 * v0 + v1)
    root = b * b - 4.0 * a * c
    below = np.sqrt(np.maximum(root, 0.0)) - b
    turns = (root > 0.0) & (below > 2.0 * c) & (np.abs(v0) > _SLOW)
    turn = 2.0 * c / np.where(turns, below, 1.0)
    farthest = turn * (c + turn * (0.5 * b + turn * a / 3.0))
    leaves: Bools = turns & (farthest > np.maximum(_room(q0, v0, bounds), way) + _OUTSIDE)
    return leaves


def _room(q0: Floats, v0: Floats, bounds: Bounds) -> Floats:
    """Return how far joints are from the end of the range that they approach (n) [rad]."""
    room: Floats = np.maximum(np.where(v0 > 0.0, bounds.upper - q0, q0 - bounds.lower), 0.0)
    return room


def _brake(knots: Floats, duration_s: Floats, bounds: Bounds) -> tuple[Floats, Floats, Floats]:
    """Return when joints that would leave their range have come to rest.

    Args:
        knots: of one cubic each (4, m).
        duration_s: of the cubics (m) [s].
        bounds: of the joints.

    Returns:
        The times, at most half of the durations (m) [s], the positions and velocities then (2, m),
        and the durations that a joint needs to brake in time (m) [s]. A joint that does not leave
        its range at its first turn has the time 0.
    """
    q0, v0 = knots[:2]
    leaves = _leaves(knots, duration_s, bounds)
    speed = np.where(leaves, np.abs(v0), 1.0)
    hard_s = speed / (_HARDER * bounds.acceleration)
    brake_s = np.minimum(2.0 * _room(q0, v0, bounds) / speed, 0.5 * duration_s)
    brake_s = np.maximum(brake_s, np.minimum(hard_s, 0.5 * duration_s))
    brake_s = np.where(leaves, brake_s, 0.0)
    stopped = np.stack((q0 + 0.5 * brake_s * v0, np.where(leaves, 0.0, v0)))
    return brake_s, stopped, np.where(leaves, 2.0 * hard_s, 0.0)
