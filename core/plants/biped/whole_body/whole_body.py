"""The whole-body controller: one weighted QP a tick (paper, equations 6 to 8)."""

import math

import numpy as np

from core.plants.biped.model import RobotModel
from core.plants.biped.walk.reference import LegReference
from core.plants.biped.whole_body import tasks
from core.plants.biped.whole_body.problem import QuadraticProgram
from core.plants.biped.whole_body.qp import QpResult, make_solvers
from core.plants.biped.whole_body.tasks import FORCES, GAINS, POINTS, POSTURE, Gains
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Floats


def gains_of(profile: Profile) -> Gains:
    """Return the profile's task gains as the kernels want them."""
    t, feet = profile.as_biped.tasks, profile.contacts[0]
    return Gains(
        heel=feet.heel,
        toe=feet.toe,
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
        yaw_kp=t.torso_yaw.kp,
        yaw_kd=t.torso_yaw.kd,
        yaw_root=math.sqrt(t.torso_yaw.weight),
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
        fallbacks: ticks on which the first solver failed and the spare one did not.
    """

    def __init__(self, profile: Profile, model: RobotModel) -> None:
        n = model.joint_count
        self._gains = np.array([gains_of(profile)], dtype=GAINS)
        nv = n + 6
        k = model.first_leg_joint
        self._rows = np.zeros((POSTURE + k, nv))
        self._rows[POSTURE:, 6 : 6 + k] = np.eye(k)
        self._aims = np.zeros((2, POSTURE + k))
        self._scratch = np.zeros(nv)
        self._contact = np.zeros((FORCES, nv))
        t = profile.as_biped.tasks
        self._regularisation = np.full(nv, t.acceleration_weight)
        stall = profile.actuator_column("stall_torque")
        self._full_stall = stall[:n] * t.torque_fraction
        effort = np.zeros(n)
        effort[k:] = t.effort_weight / stall[k:n] ** 2
        self._joints = np.array((self._full_stall, profile.no_load_speed()[:n], effort))
        half = 0.5 * (profile.contacts[0].toe - profile.contacts[0].heel)
        self._bounds = np.array([t.force_min, t.force_weight, t.pressure_weight * half**2])
        self.problem = QuadraticProgram.zeros(FORCES, nv, 4 * POINTS + n, 6)
        self._write_cones(t.friction)
        self._solver, self._spare = make_solvers(self.problem, profile.as_biped.qp)
        self.result = QpResult(np.zeros(nv + FORCES), False, 0)
        self.torque: Floats = np.zeros(n)
        self.forces: Floats = np.zeros((POINTS, 3))
        self.fallbacks = 0

    def derate(self, shares: Floats) -> None:
        """Bound the joints' torques by a share of what the actuators can give (n or more)."""
        np.multiply(self._full_stall, shares[: self._full_stall.size], out=self._joints[0])

    def _write_cones(self, friction: float) -> None:
        slope = friction / math.sqrt(2.0)  # the pyramid inside the cone
        for point in range(POINTS):
            column = 3 * point
            for k, (axis, sign) in enumerate(((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0))):
                row = 4 * point + k
                self.problem.rows[row, column + axis] = sign
                self.problem.rows[row, column + 2] = -slope
                self.problem.upper[FORCES + row] = 0.0

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
            tasks.read_solution(
                model.mass_matrix, model.bias, self._contact, x, self.torque, self.forces
            )
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
        problem = self.problem
        tasks.assemble(
            self._gains,
            legs.swing_side,
            legs.stance_side,
            legs.swing_yaw,
            legs.swing_yaw_rate,
            legs.com_height - (model.com_height - legs.ground_height),
            legs.com_height_rate - model.com_rise,
            legs.torso_rpy,
            legs.torso_yaw_rate,
            model.mass,
            legs.swing,
            legs.com_acceleration,
            legs.load_limit,
            upper_q,
            upper_dq,
            upper_ddq,
            state.q,
            state.dq,
            state.rotation_base_to_world,
            state.angular_velocity_base_in_base,
            model.soles,
            model.sole_rotations,
            model.sole_jacobians,
            model.sole_velocities,
            model.sole_drifts,
            model.momentum_matrix,
            model.momentum,
            model.momentum_drift,
            model.mass_matrix,
            model.bias,
            self._joints,
            self._bounds,
            self._regularisation,
            self._scratch,
            self._rows,
            self._aims,
            self._contact,
            problem.hessian,
            problem.gradient,
            problem.rows,
            problem.lower,
            problem.upper,
        )
