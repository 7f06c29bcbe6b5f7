"""The arrays of the record that only a robot with feet has."""

import math
from typing import Any

from core.compiled import compiled
from core.plants.biped.walk import pendulum
from core.record.tape import Row
from devices.interface import Floats

LOWEST_M = 0.2  # of the centre of mass above the ground, for a capture point
ERRORS = 9  # of orientation, velocity and position

_natural_frequency = compiled(pendulum.natural_frequency)
_capture_point = compiled(pendulum.capture_point)


@compiled
def write_balance(
    rows: Row,
    com: Floats,
    com_velocity: Floats,
    soles: Floats,
    sole_rotations: Floats,
    forces: Floats,
    covariance: Floats,
    balances: bool,
    place: int,
) -> None:
    """Write centre of mass, capture point, soles, planned forces and the estimate's deviations.

    Args:
        rows: `Tape.block`.
        com: centre of mass in the world (3) [m].
        com_velocity: its velocity (3) [m/s].
        soles: origins of the soles in the world (feet, 3) [m].
        sole_rotations: their axes (feet, 3, 3).
        forces: planned force at each contact point (feet points, 3) [N].
        covariance: of the estimator's error, which begins with orientation [rad²], velocity and
            position (21, 21).
        balances: forces are planned in this tick.
        place: of the row in the block.
    """
    out: Any = rows[place]
    ground = soles[:, 2].min()
    omega = _natural_frequency(max(LOWEST_M, com[2] - ground))
    for i in range(3):
        out.com_est[i] = com[i]
        out.com_velocity_est[i] = com_velocity[i]
    for i in range(2):
        out.capture_point_est[i] = _capture_point(com[i], com_velocity[i], omega)
    points = out.contact_force_plan.shape[1]
    for foot in range(soles.shape[0]):
        toe = sole_rotations[foot]
        out.sole_yaw_est[foot] = math.atan2(toe[1, 0], toe[0, 0])
        for i in range(3):
            out.sole_position_est[foot, i] = soles[foot, i]
            for point in range(points):
                force = forces[points * foot + point, i] if balances else 0.0
                out.contact_force_plan[foot, point, i] = force
    for i in range(ERRORS):
        out.deviation_est[i] = math.sqrt(max(0.0, covariance[i, i]))
