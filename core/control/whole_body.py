"""The whole-body controller: one weighted QP a tick (paper, equations 6 to 8)."""

import math

import numpy as np

from core.control import tasks
from core.control.qp import DaqpSolver, QpResult, QpSolver, QuadraticProgram, make_solver
from core.control.tasks import FORCES, POINTS, POSTURE, Gains, Wishes
from core.robot.model import RobotModel
from core.robot.profile import Profile
from core.robot.state import State
from core.walk.reference import LegReference
from devices.interface import Floats


def gains_of(profile: Profile) -> Gains:
    """Return the profile's task gains as the kernels want them."""
    t, feet = profile.tasks, profile.feet
    return Gains(
        heel=feet.heel_from_sole,
        toe=feet.toe_from_sole,
        contact_root=math.sqrt(t.contact_weight),
        com_horizontal_root=math.sqrt(t.com_horizontal_weight),
        com_kp=t.com_vertical.kp,
        com_kd=t.com_vertical.kd,
        com_root=math.sqrt(t.com_vertical.weight),
        spin_kd=t.angular_momentum.kd,
        spin_root=math.sqrt(t.angular_momentum.weight),
        torso_kp=t.torso_orientation.kp,
        torso_kd=t.torso_orientation.kd,
        torso_root=math.sqrt(t.torso_orientation.weight),
        swing_kp=t.swing_position.kp,
        swing_kd=t.swing_position.kd,
        swing_root=math.sqrt(t.swing_position.weight),
        turn_kp=t.swing_orientation.kp,
        turn_kd=t.swing_orientation.kd,
        turn_root=math.sqrt(t.swing_orientation.weight),
        posture_kp=t.posture.kp,
        posture_kd=t.posture.kd,
        posture_root=math.sqrt(t.posture.weight),
    )


class WholeBody:
    """Builds and solves the QP over accelerations and contact forces; owns its arrays.

    Attributes:
        problem: the QP of the last tick.
        result: what the solver made of it.
        torque: joint torques of the last solved tick (driven joints) [N·m].
        forces: contact forces of the last solved tick (4, 3) [N].
        fallbacks: ticks on which the first solver failed and DAQP did not.
    """

    def __init__(self, profile: Profile, model: RobotModel) -> None:
        n = model.joint_count
        self._gains = gains_of(profile)
        self._force_min = profile.tasks.force_min
        self._force_weight = profile.tasks.force_weight
        half = 0.5 * (profile.feet.toe_from_sole - profile.feet.heel_from_sole)
        self._pressure_weight = profile.tasks.pressure_weight * half**2
        self._nv = nv = n + 6
        self._upper_joints = k = model.first_leg_joint
        self._rows = np.zeros((POSTURE + k, nv))
        self._rows[POSTURE:, 6 : 6 + k] = np.eye(k)
        self._wish = np.zeros(POSTURE + k)
        self._root = np.zeros(POSTURE + k)
        self._scratch = np.zeros(nv)
        self._contact = np.zeros((FORCES, nv))
        t = profile.tasks
        self._regularisation = np.full(nv, t.acceleration_weight)
        self._stall = profile.actuator_column("stall_torque")[:n] * t.torque_fraction
        self._no_load = profile.no_load_speed()[:n]
        self.problem = QuadraticProgram.zeros(nv + FORCES, 4 * POINTS + n, 6)
        self._write_cones(t.friction)
        forces = np.arange(nv, nv + FORCES)
        self.problem.hessian[forces, forces] = t.force_weight
        self._solver: QpSolver = make_solver(self.problem, profile.qp)
        self._spare: QpSolver = DaqpSolver(self.problem)
        self.result = QpResult(np.zeros(nv + FORCES), False, 0)
        self.torque: Floats = np.zeros(n)
        self.forces: Floats = np.zeros((POINTS, 3))
        self.fallbacks = 0

    def _write_cones(self, friction: float) -> None:
        slope = friction / math.sqrt(2.0)  # the pyramid inside the cone
        variables = self._nv + FORCES
        for point in range(POINTS):
            column = self._nv + 3 * point
            for k, (axis, sign) in enumerate(((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0))):
                row = 4 * point + k
                self.problem.rows[row, column + axis] = sign
                self.problem.rows[row, column + 2] = -slope
                self.problem.upper[variables + row] = 0.0

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
            upper_q: desired positions of the driven joints above the legs first [rad].
            upper_dq: desired velocities [rad/s].
            upper_ddq: desired accelerations [rad/s²].
        """
        self._write(state, model, legs, upper_q, upper_dq, upper_ddq)
        self.result = self._solver.solve(self.problem)
        if not self.result.solved:
            self.result = self._spare.solve(self.problem)
            self.fallbacks += self.result.solved
        if self.result.solved:
            x = self.result.x
            tasks.read_torque(model.mass_matrix, model.bias, self._contact, x, self.torque)
            self.forces[:] = x[self._nv :].reshape(POINTS, 3)
        return self.result.solved

    def _write(
        self,
        state: State,
        model: RobotModel,
        legs: LegReference,
        upper_q: Floats,
        upper_dq: Floats,
        upper_ddq: Floats,
    ) -> None:
        gains, rows, wish, root = self._gains, self._rows, self._wish, self._root
        problem, contact = self.problem, self._contact
        height = float(model.com[2]) - legs.ground_height
        wishes = Wishes(
            swing_side=legs.swing_side,
            stance_side=legs.stance_side,
            swing_yaw=legs.swing_yaw,
            swing_yaw_rate=legs.swing_yaw_rate,
            com_height_error=legs.com_height - height,
            com_height_rate_error=legs.com_height_rate - float(model.com_velocity[2]),
            roll=float(legs.torso_rpy[0]),
            pitch=float(legs.torso_rpy[1]),
            yaw=float(legs.torso_rpy[2]),
            yaw_rate=legs.torso_yaw_rate,
            mass=model.mass,
        )
        tasks.write_feet(
            gains,
            wishes,
            legs.swing,
            model.soles,
            model.sole_rotations,
            model.sole_jacobians,
            model.sole_velocities,
            model.sole_drifts,
            rows,
            wish,
            root,
            contact,
        )
        tasks.write_body(
            gains,
            wishes,
            legs.com_acceleration,
            model.momentum_matrix,
            model.momentum,
            model.momentum_drift,
            state.rotation_base_to_world,
            state.angular_velocity_base_in_base,
            rows,
            wish,
            root,
        )
        count = self._upper_joints
        tasks.write_posture(
            gains, state.q, state.dq, upper_q, upper_dq, upper_ddq, count, wish, root
        )
        tasks.write_cost(
            rows,
            wish,
            root,
            self._regularisation,
            self._scratch,
            problem.hessian,
            problem.gradient,
        )
        tasks.write_constraints(
            model.mass_matrix,
            model.bias,
            contact,
            state.dq,
            self._stall,
            self._no_load,
            problem.rows,
            problem.lower,
            problem.upper,
        )
        forces = self._nv
        for side in (0, 1):
            # One foot alone carries the robot on its middle, as the footsteps' pendulum has it.
            weight = self._pressure_weight if side == legs.stance_side else 0.0
            heel, toe = forces + 6 * side + 2, forces + 6 * side + 5
            problem.hessian[heel, heel] = problem.hessian[toe, toe] = self._force_weight + weight
            problem.hessian[heel, toe] = problem.hessian[toe, heel] = -weight
            limit = legs.load_limit[side]
            for k in (2, 5):
                column = self._nv + 6 * side + k
                problem.lower[column] = min(self._force_min, limit)
                problem.upper[column] = limit
