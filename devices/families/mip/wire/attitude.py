"""From the unit's frames to ours: its axes point forward, right and down, ours forward, left, up.

With S = diag(1, -1, -1), half a turn about x, a vector v of its body or world becomes S v in ours,
and a rotation R from its body to north-east-down becomes S R S. Half a turn about x conjugates a
quaternion (w, x, y, z) into (w, x, -y, -z), and Euler angles into roll, -pitch, -yaw. Our x then
points north: heading is counted from there, counter-clockwise.
"""

from typing import TypeAlias

Three: TypeAlias = tuple[float, float, float]
Four: TypeAlias = tuple[float, float, float, float]


def turn_vector(x: float, y: float, z: float) -> Three:
    """Return a vector in our frame, or ours in the unit's: S v."""
    return x, -y, -z


def turn_quaternion(w: float, x: float, y: float, z: float) -> Four:
    """Return the rotation from body to world in our frames, or ours in the unit's: S q S."""
    return w, x, -y, -z


def turn_euler(roll: float, pitch: float, yaw: float) -> Three:
    """Return roll, pitch and yaw in our frames, or ours in the unit's [rad]."""
    return roll, -pitch, -yaw
