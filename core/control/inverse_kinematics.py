"""Leg positions and velocities that go with the references (paper, equations 9 and 10)."""

import numpy as np

from core.control.whole_body import orientation_error, sole_error
from core.robot.model import RobotModel
from core.robot.state import State
from core.walk.reference import LegReference
from devices.interface import Floats

DAMPING = 0.03
LONGEST_STEP = 0.15  # of a joint away from where it is, so that stiffness stays harmless [rad]


class LegKinematics:
    """Damped least squares from the measured state, five rows a leg.

    The rows are the sole's position, its pitch about its level axis, and its yaw; a leg
    without ankle roll can command no more. A stance leg holds its sole where it is and brings
    the body to height and attitude; a swing leg follows the foot's path.

    Attributes:
        q: desired leg joint positions (2, 5) [rad].
        dq: desired leg joint velocities (2, 5) [rad/s].
    """

    def __init__(self, model: RobotModel) -> None:
        first = model.first_leg_joint
        self._legs = [slice(first, first + 5), slice(first + 5, first + 10)]
        self._jacobians = np.zeros((2, 5, 5))
        self._errors = np.zeros((2, 5, 2))
        self._damping = np.eye(5) * DAMPING**2
        self.q: Floats = np.zeros((2, 5))
        self.dq: Floats = np.zeros((2, 5))

    def solve(self, state: State, model: RobotModel, legs: LegReference) -> None:
        """Solve both legs at a state."""
        rise = legs.com_height - (float(model.com[2]) - legs.ground_height)
        tilt = orientation_error(state.rotation_base_to_world, legs.torso_rpy)
        omega = state.rotation_base_to_world @ state.angular_velocity_base_in_base
        for side in (0, 1):
            arm = model.soles[side] - state.position_base_in_world
            swings = side == legs.swing_side
            yaw = legs.swing_yaw if swings else 0.0
            axis, error = sole_error(model.sole_rotations[side], yaw)
            jacobian = model.sole_jacobians[side][:, 6:][:, self._legs[side]]
            self._jacobians[side, :3] = jacobian[:3]
            self._jacobians[side, 3] = axis[0] * jacobian[3] + axis[1] * jacobian[4]
            self._jacobians[side, 4] = jacobian[5]
            wish = self._errors[side]
            if swings:
                spin = omega
                wish[:3, 0] = legs.swing[0] - model.soles[side]
                wish[3, 0], wish[4, 0] = error
                wish[:3, 1] = legs.swing[1] - state.velocity_base_in_world
                turn = legs.swing_yaw_rate
            else:
                spin = np.array([0.0, 0.0, legs.torso_yaw_rate])
                wish[:3, 0] = -_cross(tilt, arm)
                wish[2, 0] -= rise
                wish[3, 0] = -(axis[0] * tilt[0] + axis[1] * tilt[1])
                wish[4, 0] = -tilt[2]
                wish[:3, 1] = -state.velocity_base_in_world
                wish[2, 1] = -legs.com_height_rate
                turn = 0.0
            wish[:3, 1] -= _cross(spin, arm)
            wish[3, 1] = -(axis[0] * spin[0] + axis[1] * spin[1])
            wish[4, 1] = turn - spin[2]
        transposed = self._jacobians.transpose(0, 2, 1)
        gram = self._jacobians @ transposed + self._damping
        steps = transposed @ np.linalg.solve(gram, self._errors)
        for side in (0, 1):
            step = np.clip(steps[side, :, 0], -LONGEST_STEP, LONGEST_STEP)
            self.q[side] = state.q[self._legs[side]] + step
            self.dq[side] = steps[side, :, 1]


def _cross(a: Floats, b: Floats) -> Floats:
    return np.array(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )
