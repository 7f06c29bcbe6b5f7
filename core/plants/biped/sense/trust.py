"""Whether the estimate is plausible: a foot that lies flat on the ground must look flat."""

import math

from core.compiled import compiled
from devices.interface import Bools, Floats

# Ground that is walked on tilts a foot by less than 4°, the line between two feet only briefly.
STEEP_ALONG = math.sin(math.radians(6.0))
STEEP_ACROSS = math.sin(math.radians(4.5))
LARGEST_GYRO_BIAS = 0.05  # several times that of a unit in order [rad/s]
LARGEST_ACCEL_BIAS = 0.5  # [m/s²]


@compiled
def is_believable(switches: Bools, soles: Floats, rotations: Floats, biases: Floats) -> bool:
    """Return whether the estimated soles and IMU biases are plausible.

    A foot whose switches are all pressed lies along the ground; two such feet lie on one ground,
    which is not steep. If the estimate contradicts that, the attitude is wrong: the IMU has come
    loose, or an encoder of a leg has slipped. The roll of a foot is not judged, because a foot
    without ankle roll leans with its leg.

    Args:
        switches: of the left and then of the right foot (2 s).
        soles: their positions in the world (2, 3) [m].
        rotations: their axes in the world, the first forward (2, 3, 3).
        biases: of gyro [rad/s] and accelerometer [m/s²] (6).
    """
    for i in range(3):
        # NaN is not plausible either.
        if not (abs(biases[i]) <= LARGEST_GYRO_BIAS and abs(biases[3 + i]) <= LARGEST_ACCEL_BIAS):
            return False
    flat, count = 0, switches.size // 2
    for side in range(2):
        pressed = 0
        for switch in range(count * side, count * (side + 1)):
            pressed += switches[switch]
        if count > 1 and pressed == count:
            flat += 1
            if abs(rotations[side, 2, 0]) > STEEP_ALONG:
                return False
    if flat < 2:
        return True
    x, y, z = soles[1, 0] - soles[0, 0], soles[1, 1] - soles[0, 1], soles[1, 2] - soles[0, 2]
    level: bool = z * z <= STEEP_ACROSS**2 * (x * x + y * y + z * z)
    return level
