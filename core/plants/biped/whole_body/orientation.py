"""Orientation errors of soles and torso."""

import math

from core.compiled import compiled
from devices.interface import Floats


@compiled
def sole_error(rotation: Floats, yaw: float) -> tuple[float, float, float, float, float]:
    """Return the level forward axis of a sole (x, y) and its pitch, yaw and roll errors [rad].

    Args:
        rotation: the sole's axes in the world (3, 3).
        yaw: the desired yaw; the desired pitch and roll are zero.
    """
    x, y, z = rotation[0, 0], rotation[1, 0], rotation[2, 0]
    level = math.sqrt(x * x + y * y) + 1e-12
    pitch = math.atan2(-z, level)
    error = math.atan2(y, x) - yaw
    turn = math.atan2(math.sin(error), math.cos(error))
    roll = math.atan2(rotation[2, 1], rotation[2, 2])
    return x / level, y / level, -pitch, -turn, -roll


@compiled
def orientation_error(
    rotation: Floats, roll: float, pitch: float, yaw: float
) -> tuple[float, float, float]:
    """Return the rotation vector, in the world, that leads to roll, pitch and yaw [rad].

    First order: half the sum of the cross products of present and desired axes, exact in
    direction and short by the sine of the angle.
    """
    cr, sr = math.cos(roll), math.sin(roll)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    desired = (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )
    x = y = z = 0.0
    for k in range(3):
        a, b, c = rotation[0, k], rotation[1, k], rotation[2, k]
        d, e, f = desired[0][k], desired[1][k], desired[2][k]
        x += b * f - c * e
        y += c * d - a * f
        z += a * e - b * d
    return 0.5 * x, 0.5 * y, 0.5 * z
