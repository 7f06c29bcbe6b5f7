"""Leg positions and velocities that go with the references (paper, equations 9 and 10)."""

import numpy as np

from core.compiled import compiled
from core.plants.biped.model import RobotModel
from core.plants.biped.walk.reference import LegReference
from core.plants.biped.whole_body.tasks import orientation_error, sole_error
from core.robot.state import State
from devices.interface import Floats

DAMPING = 0.03
LONGEST_STEP = 0.15  # of a joint away from where it is, so that stiffness stays harmless [rad]
LEG = 5  # joints of a leg


@compiled
def damped_least_squares(jacobian: Floats, errors: Floats, damping: float, steps: Floats) -> None:
    """Write J' (J J' + damping² 1)^-1 errors into `steps` (n, k); J is square (n, n).

    By Cholesky factors, which the damping makes exist.
    """
    n, k = errors.shape
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            total = damping * damping if i == j else 0.0
            for m in range(n):
                total += jacobian[i, m] * jacobian[j, m]
            for m in range(j):
                total -= low[i, m] * low[j, m]
            low[i, j] = np.sqrt(total) if i == j else total / low[j, j]
    y = np.zeros(n)
    for column in range(k):
        for i in range(n):
            total = errors[i, column]
            for m in range(i):
                total -= low[i, m] * y[m]
            y[i] = total / low[i, i]
        for i in range(n - 1, -1, -1):
            total = y[i]
            for m in range(i + 1, n):
                total -= low[m, i] * y[m]
            y[i] = total / low[i, i]
        for i in range(n):
            total = 0.0
            for m in range(n):
                total += jacobian[m, i] * y[m]
            steps[i, column] = total


@compiled
def solve_legs(
    swing_side: int,
    swing: Floats,
    swing_yaw: float,
    swing_yaw_rate: float,
    rise: float,
    rise_rate: float,
    rpy: Floats,
    yaw_rate: float,
    rotation: Floats,
    base: Floats,
    base_velocity: Floats,
    base_spin: Floats,
    soles: Floats,
    rotations: Floats,
    jacobians: Floats,
    first_column: int,
    q: Floats,
    q_out: Floats,
    dq_out: Floats,
) -> None:
    """Write desired positions and velocities of both legs (2, 5).

    A stance leg holds its sole and brings the body to height and attitude; a swing leg
    follows the foot's path. `rise` is how much higher the CoM shall be.
    """
    tx, ty, tz = orientation_error(rotation, rpy[0], rpy[1], rpy[2])
    jacobian = np.zeros((LEG, LEG))
    wish = np.zeros((LEG, 2))
    steps = np.zeros((LEG, 2))
    spin = np.zeros(3)
    for side in range(2):
        ax, ay, az = (
            soles[side, 0] - base[0],
            soles[side, 1] - base[1],
            soles[side, 2] - base[2],
        )
        swings = side == swing_side
        px, py, pitch, yaw = sole_error(rotations[side], swing_yaw)
        column = first_column + LEG * side
        for j in range(LEG):
            for i in range(3):
                jacobian[i, j] = jacobians[side, i, column + j]
            jacobian[3, j] = px * jacobians[side, 3, column + j]
            jacobian[3, j] += py * jacobians[side, 4, column + j]
            jacobian[4, j] = jacobians[side, 5, column + j]
        if swings:
            for i in range(3):
                spin[i] = 0.0
                for k in range(3):
                    spin[i] += rotation[i, k] * base_spin[k]
                wish[i, 0] = swing[0, i] - soles[side, i]
                wish[i, 1] = swing[1, i] - base_velocity[i]
            wish[3, 0], wish[4, 0] = pitch, yaw
            turn = swing_yaw_rate
        else:
            spin[0] = spin[1] = 0.0
            spin[2] = yaw_rate
            wish[0, 0] = -(ty * az - tz * ay)
            wish[1, 0] = -(tz * ax - tx * az)
            wish[2, 0] = -(tx * ay - ty * ax) - rise
            wish[3, 0], wish[4, 0] = -(px * tx + py * ty), -tz
            wish[0, 1], wish[1, 1] = -base_velocity[0], -base_velocity[1]
            wish[2, 1] = -rise_rate
            turn = 0.0
        wish[0, 1] -= spin[1] * az - spin[2] * ay
        wish[1, 1] -= spin[2] * ax - spin[0] * az
        wish[2, 1] -= spin[0] * ay - spin[1] * ax
        wish[3, 1] = -(px * spin[0] + py * spin[1])
        wish[4, 1] = turn - spin[2]
        damped_least_squares(jacobian, wish, DAMPING, steps)
        for j in range(LEG):
            step = min(LONGEST_STEP, max(-LONGEST_STEP, steps[j, 0]))
            q_out[side, j] = q[column - 6 + j] + step
            dq_out[side, j] = steps[j, 1]


class LegKinematics:
    """Damped least squares from the measured state, five rows a leg.

    The rows are the sole's position, its pitch about its level axis, and its yaw; a leg
    without ankle roll can command no more.

    Attributes:
        q: desired leg joint positions (2, 5) [rad].
        dq: desired leg joint velocities (2, 5) [rad/s].
    """

    def __init__(self) -> None:
        self.q: Floats = np.zeros((2, LEG))
        self.dq: Floats = np.zeros((2, LEG))

    def solve(self, state: State, model: RobotModel, legs: LegReference) -> None:
        """Solve both legs at a state."""
        solve_legs(
            legs.swing_side,
            legs.swing,
            legs.swing_yaw,
            legs.swing_yaw_rate,
            legs.com_height - (model.com_height - legs.ground_height),
            legs.com_height_rate,
            legs.torso_rpy,
            legs.torso_yaw_rate,
            state.rotation_base_to_world,
            state.position_base_in_world,
            state.velocity_base_in_world,
            state.angular_velocity_base_in_base,
            model.soles,
            model.sole_rotations,
            model.sole_jacobians,
            6 + model.first_leg_joint,
            state.q,
            self.q,
            self.dq,
        )
