"""The constraints of the QP: equations of motion, torque bounds, friction and contact forces."""

import math

import numpy as np

from core.compiled import bind, compiled
from core.plants.biped.whole_body.problem import INFINITE
from core.plants.biped.whole_body.task import TaskContext
from core.records import Record, record_of
from devices.interface import Floats

CONE_ROWS = 4  # of the friction pyramid of a point


@compiled
def bound_forces(
    load_limit: Floats, force_min: float, points: int, lower: Floats, upper: Floats
) -> None:
    """Write the bounds of the contact forces.

    A foot whose limit is zero has no forces; the horizontal forces of the others are bounded by
    their friction pyramids only.

    Args:
        load_limit: largest vertical force at each point of a foot (2) [N].
        force_min: least vertical force at a point [N].
        points: of a foot.
        lower: output.
        upper: output.
    """
    for side in range(2):
        lifted = load_limit[side] == 0.0
        for point in range(points * side, points * (side + 1)):
            for column in range(3 * point, 3 * point + 3):
                lower[column], upper[column] = (0.0, 0.0) if lifted else (-INFINITE, INFINITE)
            lower[3 * point + 2] = min(force_min, load_limit[side])
            upper[3 * point + 2] = load_limit[side]


@compiled
def write_constraints(
    mass_matrix: Floats,
    bias: Floats,
    points: Record,
    dq: Floats,
    limits: Record,
    rows: Floats,
    lower: Floats,
    upper: Floats,
    load_limit: Floats,
    force_min: float,
) -> None:
    """Write the equations of the floating base, and the bounds of torques and forces.

    Args:
        mass_matrix: M(q) (n_v, n_v).
        bias: (n_v).
        points: `ContactPoints.record`.
        dq: joint velocities (n or more) [rad/s].
        limits: `stall`, the torque at standstill (n) [N·m], and `no_load`, the speed without
            torque (n) [rad/s].
        rows: of the friction pyramids (constant), of the joints' torques, and of the base.
        lower: bounds; they begin with those of the forces.
        upper: likewise.
        load_limit: see `bound_forces`.
        force_min: see `bound_forces`.
    """
    jacobians, stall, no_load = points[0].jacobians, limits[0].stall, limits[0].no_load
    nv, width = mass_matrix.shape[0], jacobians.shape[1]
    joints, forces = nv - 6, 2 * width
    first = CONE_ROWS * forces // 3
    base = first + joints
    for i in range(nv):
        row = base + i if i < 6 else first + i - 6
        for side in range(2):
            for j in range(width):
                rows[row, side * width + j] = -jacobians[side, j, i]
        for j in range(nv):
            rows[row, forces + j] = mass_matrix[i, j]
    for i in range(joints):
        speed = dq[i] / no_load[i]
        bound = forces + first + i
        upper[bound] = stall[i] * min(1.0, max(0.0, 1.0 - speed)) - bias[6 + i]
        lower[bound] = -stall[i] * min(1.0, max(0.0, 1.0 + speed)) - bias[6 + i]
    for i in range(6):
        bound = forces + base + i
        upper[bound] = lower[bound] = -bias[i]
    bound_forces(load_limit, force_min, width // 3, lower, upper)


class Constraints:
    """Writes the constraints of one problem; owns the torque limits."""

    def __init__(self, context: TaskContext) -> None:
        profile, model, points, problem, state, legs = context
        settings, n = profile.as_biped.constraints, model.joint_count
        self._force_min = settings.force_min
        self._full_stall = profile.actuator_column("stall_torque")[:n] * settings.torque_fraction
        limits = record_of(stall=self._full_stall, no_load=profile.no_load_speed()[:n])
        self._stall: Floats = limits["stall"][0]
        self._write = bind(
            write_constraints,
            model.mass_matrix,
            model.bias,
            points.record,
            state.dq,
            limits,
            problem.rows,
            problem.lower,
            problem.upper,
            legs.load_limit,
        )
        slope = settings.friction / math.sqrt(2.0)  # the pyramid inside the cone
        count = 2 * points.count
        for point in range(count):
            column = 3 * point
            for k, (axis, sign) in enumerate(((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0))):
                row = CONE_ROWS * point + k
                problem.rows[row, column + axis] = sign
                problem.rows[row, column + 2] = -slope
                problem.upper[3 * count + row] = 0.0

    def derate(self, shares: Floats) -> None:
        """Limit the joints' torques to a share of the actuators' limits (n or more)."""
        np.multiply(self._full_stall, shares[: self._full_stall.size], out=self._stall)

    def write(self) -> None:
        """Write the constraints of a tick."""
        self._write(self._force_min)
