"""Whether the estimate can be believed: a foot that lies flat on the ground must look flat."""

import math

from core.compiled import compiled
from devices.interface import Bools, Floats

# Grounds that are walked on show less than 4°, along a foot for long, from foot to foot briefly.
STEEP_ALONG = math.sin(math.radians(6.0))
STEEP_ACROSS = math.sin(math.radians(4.5))
LARGEST_GYRO_BIAS = 0.05  # of a unit that is in order, with much to spare [rad/s]
LARGEST_ACCEL_BIAS = 0.5  # [m/s²]


@compiled
def is_believable(switches: Bools, soles: Floats, rotations: Floats, biases: Floats) -> bool:
    """Tell whether what the estimate makes of soles on the ground and of the IMU can be true.

    A foot whose heel and toe are both pressed lies along the ground; two such feet lie on one
    ground, which is not steep. If they seem to, the attitude is wrong: the IMU has come loose, or
    an encoder of a leg has slipped. Feet without ankle roll lean sideways as the legs do, which
    tells nothing.

    Args:
        switches: left heel, left toe, right heel, right toe (4).
        soles: their positions in the world (2, 3) [m].
        rotations: their axes in the world, the first forward (2, 3, 3).
        biases: of gyro [rad/s] and accelerometer [m/s²] (6).
    """
    for i in range(3):
        # A bias that is no number is none to be believed.
        if not (abs(biases[i]) <= LARGEST_GYRO_BIAS and abs(biases[3 + i]) <= LARGEST_ACCEL_BIAS):
            return False
    flat = 0
    for side in range(2):
        if switches[2 * side] and switches[2 * side + 1]:
            flat += 1
            if abs(rotations[side, 2, 0]) > STEEP_ALONG:
                return False
    if flat < 2:
        return True
    x, y, z = soles[1, 0] - soles[0, 0], soles[1, 1] - soles[0, 1], soles[1, 2] - soles[0, 2]
    level: bool = z * z <= STEEP_ACROSS**2 * (x * x + y * y + z * z)
    return level
