"""Leg positions and velocities that follow the references (paper, equations 9 and 10)."""

from typing import Any

import numpy as np

from core.compiled import bind, compiled
from core.plants.biped.least_squares import damped_least_squares
from core.plants.biped.model import RobotModel
from core.plants.biped.walk.reference import LegReference
from core.plants.biped.whole_body.orientation import orientation_error, sole_error
from core.records import Indices, Record
from core.robot.state import State
from devices.interface import Floats

DAMPING = 0.03
LONGEST_STEP = 0.15  # of a joint from its position, so that its stiffness stays harmless [rad]


@compiled
def solve_legs(
    targets: Record,
    base: Floats,
    feet: Record,
    legs: Indices,
    q: Floats,
    out: Floats,
    forces: Floats,
    swing_side: int,
    rise: float,
    rise_rate: float,
    yaw_rate: float,
) -> None:
    """Write desired positions and velocities of both legs.

    A stance leg holds its sole and brings the body to height and attitude; a swing leg follows
    the path of its foot. A sole with little load would slide if its leg moved the body: where
    `LegReference.full_load` is set it holds its place, and its leg takes part as its load grows.
    Each leg solves for the position, pitch and yaw of its sole, and for roll if it has a joint for
    it.

    Args:
        targets: `LegReference.record`.
        base: `State.base` (7, 3).
        feet: `RobotModel.feet`.
        legs: indices of the joints of each leg (2, k).
        q: measured joint positions (n) [rad].
        out: positions and velocities, output (2, 2, k) [rad], [rad/s].
        forces: planned force at each contact point, left foot first (2 p, 3) [N].
        swing_side: the foot in the air, -1 if none is.
        rise: desired height of the CoM, or of the base, minus its height [m].
        rise_rate: desired rate of the height [m/s].
        yaw_rate: desired yaw rate of the torso, without that of the body's motion [rad/s].
    """
    target: Any = targets[0]
    frames: Any = feet[0]
    swing, rpy = target.swing, target.torso_rpy
    swing_yaw, swing_yaw_rate = target.swing_turn
    soles, rotations, jacobians = frames.positions, frames.rotations, frames.jacobians
    rotation, position, base_velocity, base_omega = base[:3], base[3], base[4], base[5]
    tx, ty, tz = orientation_error(rotation, rpy[0], rpy[1], rpy[2])
    rows = legs.shape[1]
    jacobian = np.zeros((rows, rows))
    error = np.zeros((rows, 2))
    steps = np.zeros((rows, 2))
    omega = np.zeros(3)
    points = forces.shape[0] // 2
    for side in range(2):
        ax, ay, az = (
            soles[side, 0] - position[0],
            soles[side, 1] - position[1],
            soles[side, 2] - position[2],
        )
        fx, fy, pitch, yaw, roll = sole_error(rotations[side], swing_yaw)
        px, py = -fy, fx
        for j in range(rows):
            column = 6 + legs[side, j]
            for i in range(3):
                jacobian[i, j] = jacobians[side, i, column]
            jacobian[3, j] = px * jacobians[side, 3, column]
            jacobian[3, j] += py * jacobians[side, 4, column]
            jacobian[4, j] = jacobians[side, 5, column]
            if rows > 5:
                jacobian[5, j] = fx * jacobians[side, 3, column] + fy * jacobians[side, 4, column]
        share = 0.0 if side == swing_side else 1.0
        if share > 0.0 and target.full_load[side] > 0.0:
            load = 0.0
            for k in range(side * points, (side + 1) * points):
                load += forces[k, 2]
            share = min(1.0, max(0.0, load / target.full_load[side]))
        for i in range(3):
            omega[i] = share * target.torso_turn[0, i]
            for k in range(3):
                omega[i] += (1.0 - share) * rotation[i, k] * base_omega[k]
        omega[2] += share * yaw_rate
        if side == swing_side:
            for i in range(3):
                error[i, 0] = swing[0, i] - soles[side, i]
                error[i, 1] = swing[1, i] - base_velocity[i]
            error[3, 0], error[4, 0] = pitch, yaw
            turn = swing_yaw_rate
        else:
            sx, sy, sz = share * tx, share * ty, share * tz
            error[0, 0] = -(sy * az - sz * ay)
            error[1, 0] = -(sz * ax - sx * az)
            error[2, 0] = -(sx * ay - sy * ax) - share * rise
            error[3, 0], error[4, 0] = -(px * sx + py * sy), -sz
            roll = -(fx * sx + fy * sy)
            error[0, 1], error[1, 1] = -base_velocity[0], -base_velocity[1]
            error[2, 1] = -share * rise_rate - (1.0 - share) * base_velocity[2]
            turn = 0.0
        error[0, 1] -= omega[1] * az - omega[2] * ay
        error[1, 1] -= omega[2] * ax - omega[0] * az
        error[2, 1] -= omega[0] * ay - omega[1] * ax
        error[3, 1] = -(px * omega[0] + py * omega[1])
        error[4, 1] = turn - omega[2]
        if rows > 5:
            error[5, 0] = roll
            error[5, 1] = -(fx * omega[0] + fy * omega[1])
        damped_least_squares(jacobian, error, DAMPING, steps)
        for j in range(rows):
            step = min(LONGEST_STEP, max(-LONGEST_STEP, steps[j, 0]))
            out[0, side, j] = q[legs[side, j]] + step
            out[1, side, j] = steps[j, 1]


class LegKinematics:
    """Damped least squares from the measured state, one row for each joint of a leg.

    Args:
        model: dynamics and kinematics at the state.
        state: the estimated state.
        legs: reference of legs and body.
        forces: planned force at each contact point, overwritten at every tick (2 p, 3) [N].

    Attributes:
        solution: the attributes that follow, which are its rows (2, 2, k).
        q: desired positions of the joints of the legs (2, k) [rad].
        dq: desired velocities of the joints of the legs (2, k) [rad/s].
    """

    def __init__(self, model: RobotModel, state: State, legs: LegReference, forces: Floats) -> None:
        self.solution: Floats = np.zeros((2, *model.leg_joints.shape))
        self.q, self.dq = self.solution
        self._model, self._legs = model, legs
        self._solve = bind(
            solve_legs,
            legs.record,
            state.base,
            model.feet,
            model.leg_joints,
            state.q,
            self.solution,
            forces,
        )

    def solve(self) -> None:
        """Solve both legs at the state."""
        model, legs = self._model, self._legs
        self._solve(
            legs.swing_side,
            legs.height - (model.height - legs.ground_height),
            legs.height_rate,
            legs.torso_yaw_rate,
        )
