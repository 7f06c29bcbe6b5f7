"""The whole-body controller: one weighted QP a tick (paper, equations 6 to 8)."""

import math

import numpy as np

from core.control.qp import DaqpSolver, QpResult, QpSolver, QuadraticProgram, make_solver
from core.robot.model import RobotModel
from core.robot.profile import Profile, Task
from core.robot.state import State
from core.sense.invariant_filter import skew
from core.walk.reference import LegReference
from devices.interface import Floats

POINTS = 4  # left heel, left toe, right heel, right toe
_FORCES = 3 * POINTS
_CONTACT, _COM, _SPIN, _TORSO, _POSTURE = 0, 12, 15, 18, 21
CONTACT_DAMPING = 10.0  # of a stance point that moves in the estimate [1/s]


class WholeBody:
    """Builds and solves the QP over accelerations and contact forces; owns its arrays.

    Attributes:
        problem: the QP of the last tick.
        result: what the solver made of it.
        torque: joint torques of the last solved tick (driven joints) [N·m].
        acceleration: joint accelerations of the last solved tick (driven joints) [rad/s²].
        forces: contact forces of the last solved tick (4, 3) [N].
        fallbacks: ticks on which the first solver failed and DAQP did not.
    """

    def __init__(self, profile: Profile, model: RobotModel) -> None:
        tasks, n = profile.tasks, model.joint_count
        self._tasks, self._feet = tasks, profile.feet
        self._nv = nv = n + 6
        self._upper_joints = model.first_leg_joint
        variables = nv + _FORCES
        rows = _POSTURE + self._upper_joints
        self._jacobian = np.zeros((rows, nv))
        self._jacobian[_POSTURE:, 6 : 6 + self._upper_joints] = np.eye(self._upper_joints)
        self._wish = np.zeros(rows)
        self._root_weight = np.zeros(rows)
        self._contact_jacobian = np.zeros((_FORCES, nv))
        self.problem = QuadraticProgram.zeros(variables, 6, 4 * POINTS + n)
        self._write_constants(profile)
        self._solver: QpSolver = make_solver(self.problem, profile.qp)
        self._spare: QpSolver = DaqpSolver(self.problem, profile.qp)
        self._stall = profile.actuator_column("stall_torque")[:n] * tasks.torque_fraction
        self._no_load = profile.no_load_speed()[:n]
        self.result = QpResult(np.zeros(variables), False, 0)
        self.torque: Floats = np.zeros(n)
        self.acceleration: Floats = np.zeros(n)
        self.forces: Floats = np.zeros((POINTS, 3))
        self.fallbacks = 0

    def _write_constants(self, profile: Profile) -> None:
        tasks, problem, nv = self._tasks, self.problem, self._nv
        self._regularisation = np.concatenate(
            [np.full(nv, tasks.acceleration_weight), np.full(_FORCES, tasks.force_weight)]
        )
        mu = tasks.friction / math.sqrt(2.0)  # a pyramid inside the cone
        for point in range(POINTS):
            column = nv + 3 * point
            for k, (axis, sign) in enumerate(((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0))):
                row = 4 * point + k
                problem.inequality[row, column + axis] = sign
                problem.inequality[row, column + 2] = -mu
                problem.upper[row] = 0.0

    def solve(
        self,
        state: State,
        model: RobotModel,
        legs: LegReference,
        upper_q: Floats,
        upper_dq: Floats,
        upper_ddq: Floats,
    ) -> bool:
        """Solve one tick and tell whether a solution was found.

        Args:
            state: the estimated state.
            model: dynamics and kinematics at that state.
            legs: reference of legs and body.
            upper_q: desired positions of the driven joints above the legs [rad].
            upper_dq: desired velocities [rad/s].
            upper_ddq: desired accelerations [rad/s²].
        """
        self._write_feet(model, legs)
        self._write_body(state, model, legs)
        posture, k = self._tasks.posture, self._upper_joints
        error, error_rate = upper_q - state.q[:k], upper_dq - state.dq[:k]
        self._wish[_POSTURE:] = upper_ddq + posture.kp * error + posture.kd * error_rate
        self._root_weight[_POSTURE:] = math.sqrt(posture.weight)
        self._write_problem(state, model, legs)
        self.result = self._solver.solve(self.problem)
        if not self.result.solved:
            self.result = self._spare.solve(self.problem)
            self.fallbacks += self.result.solved
        if self.result.solved:
            self._read_solution(model)
        return self.result.solved

    def _write_feet(self, model: RobotModel, legs: LegReference) -> None:
        tasks = self._tasks
        contact_root = math.sqrt(tasks.contact_weight)
        for side in (0, 1):
            row = _CONTACT + 6 * side
            jacobian = model.sole_jacobians[side]
            drift, twist = model.sole_drifts[side], model.sole_velocities[side]
            forward = model.sole_rotations[side, :, 0]
            spin = skew(twist[3:])
            turn = skew(forward)
            turned = turn @ jacobian[3:]
            for k, reach in enumerate((self._feet.heel_from_sole, self._feet.toe_from_sole)):
                place = slice(6 * side + 3 * k, 6 * side + 3 * k + 3)
                self._contact_jacobian[place] = jacobian[:3] - reach * turned
                if side != legs.swing_side:
                    arm = reach * forward
                    self._wish[place] = (
                        -CONTACT_DAMPING * (twist[:3] + spin @ arm)
                        - drift[:3]
                        - spin @ (spin @ arm)
                        + reach * (turn @ drift[3:])
                    )
            if side == legs.swing_side:
                self._write_swing(row, model, legs, side)
            else:
                self._jacobian[row : row + 6] = self._contact_jacobian[6 * side : 6 * side + 6]
                self._root_weight[row : row + 6] = contact_root

    def _write_swing(self, row: int, model: RobotModel, legs: LegReference, side: int) -> None:
        position, turn = self._tasks.swing_position, self._tasks.swing_orientation
        twist, drift = model.sole_velocities[side], model.sole_drifts[side]
        self._jacobian[row : row + 6] = model.sole_jacobians[side]
        place, wish = slice(row, row + 3), self._wish
        wish[place] = legs.swing[2] - drift[:3]
        wish[place] += position.kp * (legs.swing[0] - model.soles[side])
        wish[place] += position.kd * (legs.swing[1] - twist[:3])
        axis, error = sole_error(model.sole_rotations[side], legs.swing_yaw)
        rate = legs.swing_yaw_rate
        # Row 3 is pitch about the sole's level y axis, row 4 yaw; the leg cannot command roll.
        angular = model.sole_jacobians[side][3:]
        self._jacobian[row + 3] = axis[0] * angular[0] + axis[1] * angular[1]
        self._jacobian[row + 4] = angular[2]
        pitch_rate = axis[0] * twist[3] + axis[1] * twist[4]
        wish[row + 3] = turn.kp * error[0] - turn.kd * pitch_rate
        wish[row + 3] -= axis[0] * drift[3] + axis[1] * drift[4]
        wish[row + 4] = turn.kp * error[1] + turn.kd * (rate - twist[5]) - drift[5]
        self._root_weight[place] = math.sqrt(position.weight)
        self._root_weight[row + 3 : row + 5] = math.sqrt(turn.weight)
        self._root_weight[row + 5] = 0.0

    def _write_body(self, state: State, model: RobotModel, legs: LegReference) -> None:
        tasks, wish, root = self._tasks, self._wish, self._root_weight
        centroidal, drift = model.momentum_matrix, model.momentum_drift
        self._jacobian[_COM : _COM + 3] = centroidal[:3] / model.mass
        self._jacobian[_SPIN : _SPIN + 3] = centroidal[3:]
        vertical = tasks.com_vertical
        height = float(model.com[2]) - legs.ground_height
        wish[_COM : _COM + 2] = legs.com_acceleration
        wish[_COM + 2] = vertical.kp * (legs.com_height - height)
        wish[_COM + 2] += vertical.kd * (legs.com_height_rate - float(model.com_velocity[2]))
        wish[_COM : _COM + 3] -= drift[:3] / model.mass
        standing = legs.swing_side < 0
        root[_COM : _COM + 2] = math.sqrt(tasks.com_horizontal_weight) if standing else 0.0
        root[_COM + 2] = math.sqrt(vertical.weight)
        spin: Task = tasks.angular_momentum
        wish[_SPIN : _SPIN + 3] = -spin.kd * model.momentum[3:] - drift[3:]
        root[_SPIN : _SPIN + 3] = math.sqrt(spin.weight)
        torso, rotation = tasks.torso_orientation, state.rotation_base_to_world
        omega = rotation @ state.angular_velocity_base_in_base
        self._jacobian[_TORSO : _TORSO + 3, 3:6] = rotation
        error = orientation_error(rotation, legs.torso_rpy)
        wish[_TORSO : _TORSO + 3] = torso.kp * error - torso.kd * omega
        wish[_TORSO + 2] += torso.kd * legs.torso_yaw_rate
        root[_TORSO : _TORSO + 3] = math.sqrt(torso.weight)

    def _write_problem(self, state: State, model: RobotModel, legs: LegReference) -> None:
        nv, problem, tasks = self._nv, self.problem, self._tasks
        weighted = self._jacobian * self._root_weight[:, None]
        problem.hessian[:nv, :nv] = weighted.T @ weighted
        problem.hessian.reshape(-1)[:: nv + _FORCES + 1] = self._regularisation
        problem.hessian.reshape(-1)[: nv * (nv + _FORCES) : nv + _FORCES + 1] += (
            weighted * weighted
        ).sum(axis=0)
        problem.gradient[:nv] = -(self._wish * self._root_weight) @ weighted
        contact = self._contact_jacobian
        mass, bias = model.mass_matrix, model.bias
        problem.equality[:, :nv] = mass[:6]
        problem.equality[:, nv:] = -contact[:, :6].T
        problem.equality_value[:] = -bias[:6]
        first = 4 * POINTS
        problem.inequality[first:, :nv] = mass[6:]
        problem.inequality[first:, nv:] = -contact[:, 6:].T
        speed = state.dq[: nv - 6] / self._no_load
        problem.upper[first:] = self._stall * np.clip(1.0 - speed, 0.0, 1.0) - bias[6:]
        problem.lower[first:] = -self._stall * np.clip(1.0 + speed, 0.0, 1.0) - bias[6:]
        for side in (0, 1):
            limit = legs.load_limit[side]
            least = min(tasks.force_min, limit)
            for k in (2, 5):
                column = nv + 6 * side + k
                problem.variable_lower[column] = least
                problem.variable_upper[column] = limit

    def _read_solution(self, model: RobotModel) -> None:
        nv = self._nv
        acceleration, forces = self.result.x[:nv], self.result.x[nv:]
        torque = model.mass_matrix[6:] @ acceleration + model.bias[6:]
        torque -= self._contact_jacobian[:, 6:].T @ forces
        self.torque[:] = torque
        self.acceleration[:] = acceleration[6:]
        self.forces[:] = forces.reshape(POINTS, 3)


def sole_error(rotation: Floats, yaw: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the level pitch axis of a sole (x, y) and its pitch and yaw errors [rad].

    Args:
        rotation: the sole's axes in the world (3, 3).
        yaw: the yaw asked for; the pitch asked for is zero.
    """
    x, y, z = rotation[:, 0]
    level = math.hypot(x, y) or 1.0
    pitch = math.atan2(-z, level)
    error = math.atan2(y, x) - yaw
    turn = math.atan2(math.sin(error), math.cos(error))
    return (-y / level, x / level), (-pitch, -turn)


def orientation_error(rotation: Floats, rpy: Floats) -> Floats:
    """Return the rotation vector, in the world, from a rotation to roll, pitch, yaw (3) [rad].

    It is the first-order error 1/2 sum of r_i x d_i over the axes, which is exact in direction.
    """
    cr, sr = math.cos(rpy[0]), math.sin(rpy[0])
    cp, sp = math.cos(rpy[1]), math.sin(rpy[1])
    cy, sy = math.cos(rpy[2]), math.sin(rpy[2])
    desired = np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )
    d = desired @ rotation.T
    return 0.5 * np.array([d[2, 1] - d[1, 2], d[0, 2] - d[2, 0], d[1, 0] - d[0, 1]])
