"""Cubic Hermite segments, defined by positions and velocities at both ends.

A segment of duration h between knots (q0, v0) and (q1, v1) is, with s = t/h in [0, 1],

    q(s) = (1 - 3s² + 2s³) q0 + h (s - 2s² + s³) v0 + (3s² - 2s³) q1 + h (s³ - s²) v1.

Every motion of the upper body consists of such segments. One product with a 3-by-4 matrix
(position, velocity, acceleration by q0, v0, q1, v1) evaluates a segment.
"""

import numpy as np

from core.compiled import compiled
from devices.interface import Floats


def new_basis() -> tuple[Floats, Floats]:
    """Return a basis (3, 4) and its flat view (12), which is faster to fill."""
    basis = np.zeros((3, 4))
    return basis, basis.reshape(12)


@compiled
def fill_basis(flat: Floats, s: float, h: float, speed: float) -> None:
    """Write the basis at a time of a segment.

    Args:
        flat: the flat view of a basis (12).
        s: share of the segment's duration, 0 to 1.
        h: duration of the segment [s].
        speed: rate of the segment's time [s/s], 1 for real time; scales velocity and
            acceleration.
    """
    s2 = s * s
    h01 = s2 * (3.0 - 2.0 * s)
    flat[0] = 1.0 - h01
    flat[1] = h * s * (1.0 - s) * (1.0 - s)
    flat[2] = h01
    flat[3] = h * s2 * (s - 1.0)
    slope = 6.0 * (s - s2) * speed / h
    flat[4] = -slope
    flat[5] = (1.0 - 4.0 * s + 3.0 * s2) * speed
    flat[6] = slope
    flat[7] = (3.0 * s2 - 2.0 * s) * speed
    bend_speed = speed * speed / h
    bend = (6.0 - 12.0 * s) * bend_speed / h
    flat[8] = -bend
    flat[9] = (6.0 * s - 4.0) * bend_speed
    flat[10] = bend
    flat[11] = (6.0 * s - 2.0) * bend_speed


def peak_velocity(q0: Floats, v0: Floats, q1: Floats, v1: Floats, h: float) -> Floats:
    """Return the largest speed inside segments, element by element [rad/s].

    The velocity is a parabola in s: its extremes lie at the ends and at its vertex.

    Args:
        q0: positions at the start, any shape [rad].
        v0: velocities at the start [rad/s].
        q1: positions at the end [rad].
        v1: velocities at the end [rad/s].
        h: duration [s].
    """
    mean = (q1 - q0) / h
    a = 3.0 * (v0 + v1) - 6.0 * mean
    b = 6.0 * mean - 4.0 * v0 - 2.0 * v1
    vertex = np.clip(-b / (2.0 * np.where(a == 0.0, np.inf, a)), 0.0, 1.0)
    inside = np.abs((a * vertex + b) * vertex + v0)
    peak: Floats = np.maximum(np.maximum(np.abs(v0), np.abs(v1)), inside)
    return peak


def state_of(knots: Floats, time_s: Floats, duration_s: Floats | float) -> Floats:
    """Return position and velocity at times of segments (2, ...) [rad], [rad/s].

    Args:
        knots: position and velocity at the start and at the end (4, n) [rad], [rad/s].
        time_s: since the start, any shape that fits the segments [s].
        duration_s: of the segments [s].
    """
    q0, v0, q1, v1 = knots
    s, mean = time_s / duration_s, (q1 - q0) / duration_s
    left = 1.0 - s
    state: Floats = np.stack(
        (
            q0 + time_s * (s * (3.0 - 2.0 * s) * mean + left * left * v0 - s * left * v1),
            6.0 * s * left * mean + left * (1.0 - 3.0 * s) * v0 + s * (3.0 * s - 2.0) * v1,
        )
    )
    return state


def least_duration(knots: Floats, velocity_limit: Floats, acceleration_limit: float) -> Floats:
    """Return the shortest duration of each segment that respects the limits (n) [s].

    With the mean velocity m, the velocity of a segment stays below V as long as
    3 m <= v0 + v1 + V + sqrt((V - v0) (V - v1)). A joint that exceeds its limit at one end has its
    speed there for a limit. The acceleration is limited as far as its own velocity does not cause
    it at an end: so where it leaves rest, and where it comes to rest.

    Args:
        knots: position and velocity at the start and at the end (4, n) [rad], [rad/s].
        velocity_limit: largest speeds (n) [rad/s].
        acceleration_limit: largest acceleration of each joint [rad/s²].
    """
    q0, v0, q1, v1 = knots
    side, way = np.sign(q1 - q0), np.abs(q1 - q0)
    v0, v1 = side * v0, side * v1
    fastest = np.maximum(velocity_limit, np.maximum(np.abs(v0), np.abs(v1)))
    mean = (v0 + v1 + fastest + np.sqrt((fastest - v0) * (fastest - v1))) / 3.0
    # The deceleration at the end is (6 way / h - 2 v0 - 4 v1) / h; at the start v0 and v1 change.
    other = np.minimum(v0, v1)
    calm_s = (np.sqrt(other * other + 6.0 * acceleration_limit * way) - other) / acceleration_limit
    least_s: Floats = np.maximum(way / mean, calm_s)
    return least_s
