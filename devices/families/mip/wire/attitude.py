"""Conversion between the frames of the unit and of the robot.

The unit's axes point forward, right and down, the robot's forward, left and up.
With S = diag(1, -1, -1), half a turn about x, a vector v of its body or world becomes S v in the
robot's frames, and a rotation R from its body to north-east-down becomes S R S. Half a turn about x
conjugates a quaternion (w, x, y, z) into (w, x, -y, -z), and Euler angles into roll, -pitch, -yaw.
The robot's x then points north: heading is counted from there, counter-clockwise.
"""

from typing import TypeAlias

Three: TypeAlias = tuple[float, float, float]
Four: TypeAlias = tuple[float, float, float, float]


def turn_vector(x: float, y: float, z: float) -> Three:
    """Return a vector of the unit's frame in the robot's frame, or the reverse: S v."""
    return x, -y, -z


def turn_quaternion(w: float, x: float, y: float, z: float) -> Four:
    """Return the unit's rotation from body to world in the robot's frames, or the reverse."""
    return w, x, -y, -z


def turn_euler(roll: float, pitch: float, yaw: float) -> Three:
    """Return the unit's roll, pitch and yaw in the robot's frames, or the reverse [rad]."""
    return roll, -pitch, -yaw
