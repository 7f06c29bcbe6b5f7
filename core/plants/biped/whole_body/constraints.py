"""The constraints of the QP: equations of motion, torque bounds, friction and contact forces."""

import numpy as np

from core.compiled import bind, compiled
from core.plants.biped.whole_body.problem import INFINITE
from core.plants.biped.whole_body.task import TaskContext
from core.records import Record, record_of
from devices.interface import Floats

NEAR_END = 0.1  # of a joint [rad]
AWAY = 0.1  # of stall torque, away from an end that is passed


@compiled
def bound_forces(
    load_limit: Floats, force_min: float, contacts: Record, lower: Floats, upper: Floats
) -> None:
    """Write the bounds of the contact forces.

    A foot whose limit is zero has no forces; the other forces of the others are bounded by their
    friction cones only.

    Args:
        load_limit: largest of each vertical force of a foot (2) [N].
        force_min: least vertical force [N].
        contacts: `Contacts.record`.
        lower: output.
        upper: output.
    """
    normals, width = contacts[0].normals, contacts[0].jacobians.shape[1]
    for side in range(2):
        lifted = load_limit[side] == 0.0
        for column in range(width * side, width * (side + 1)):
            lower[column], upper[column] = (0.0, 0.0) if lifted else (-INFINITE, INFINITE)
        for i in range(normals.size):
            column = width * side + normals[i]
            lower[column] = min(force_min, load_limit[side])
            upper[column] = load_limit[side]


@compiled
def write_constraints(
    mass_matrix: Floats,
    bias: Floats,
    contacts: Record,
    q: Floats,
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
        contacts: `Contacts.record`.
        q: joint positions (n or more) [rad].
        dq: joint velocities (n or more) [rad/s].
        limits: `stall`, the torque at standstill (n) [N·m], `no_load`, the speed without torque
            (n) [rad/s], and `first` and `last`, the ends of the legs' joints (n) [rad].
        rows: of the friction cones (constant), of the joints' torques, and of the base.
        lower: bounds; they begin with those of the forces.
        upper: likewise.
        load_limit: see `bound_forces`.
        force_min: see `bound_forces`.
    """
    jacobians, stall, no_load = contacts[0].jacobians, limits[0].stall, limits[0].no_load
    nv, width = mass_matrix.shape[0], jacobians.shape[1]
    joints, forces = nv - 6, 2 * width
    base = rows.shape[0] - 6
    first = base - joints
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
        # Near the end of a joint of a leg the torque toward it fades. A knee at its end is beyond a
        # straight leg: to the QP its torque shortens the leg, and holds it against the stop.
        room = (limits[0].last[i] - q[i]) / NEAR_END
        if room < 1.0:
            fading = stall[i] * max(-AWAY, room) - bias[6 + i]
            upper[bound] = max(lower[bound], min(upper[bound], fading))
        room = (q[i] - limits[0].first[i]) / NEAR_END
        if room < 1.0:
            fading = -stall[i] * max(-AWAY, room) - bias[6 + i]
            lower[bound] = min(upper[bound], max(lower[bound], fading))
    for i in range(6):
        bound = forces + base + i
        upper[bound] = lower[bound] = -bias[i]
    bound_forces(load_limit, force_min, contacts, lower, upper)


class Constraints:
    """Writes the constraints of one problem; owns the torque limits."""

    def __init__(self, context: TaskContext) -> None:
        profile, model, contacts, problem, state, legs = context
        settings, n = profile.as_biped.constraints, model.joint_count
        self._force_min = settings.force_min
        self._full_stall = profile.actuator_column("stall_torque")[:n] * settings.torque_fraction
        first, last = np.full(n, -1e9), np.full(n, 1e9)
        joints = model.leg_joints.ravel()
        first[joints], last[joints] = model.lower[joints], model.upper[joints]
        limits = record_of(
            stall=self._full_stall, no_load=profile.no_load_speed()[:n], first=first, last=last
        )
        self._stall: Floats = limits["stall"][0]
        self._write = bind(
            write_constraints,
            model.mass_matrix,
            model.bias,
            contacts.record,
            state.q,
            state.dq,
            limits,
            problem.rows,
            problem.lower,
            problem.upper,
            legs.load_limit,
        )
        count, width = contacts.cone.shape
        for side in range(2):
            columns = slice(width * side, width * (side + 1))
            problem.rows[count * side : count * (side + 1), columns] = contacts.cone
        problem.upper[2 * width : 2 * (width + count)] = 0.0

    def derate(self, shares: Floats) -> None:
        """Limit the joints' torques to a share of the actuators' limits (n or more)."""
        np.multiply(self._full_stall, shares[: self._full_stall.size], out=self._stall)

    def write(self) -> None:
        """Write the constraints of a tick."""
        self._write(self._force_min)
