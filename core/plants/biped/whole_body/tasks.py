"""The whole-body controller's kernels: task rows, and the QP made of them."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.compiled import compiled
from core.plants.biped.whole_body.problem import INFINITE
from devices.interface import Floats

POINTS = 4  # left heel, left toe, right heel, right toe
FORCES = 3 * POINTS
CONTACT, COM, SPIN, TORSO, POSTURE = 0, 12, 15, 18, 21  # first rows of the tasks
CONTACT_DAMPING = 10.0  # of a stance point that moves in the estimate [1/s]


class Gains(NamedTuple):
    """Stiffness [1/s²], damping [1/s] and root of the weight of every task."""

    heel: float
    toe: float
    contact_root: float
    com_horizontal_root: float
    com_kp: float
    com_kd: float
    com_root: float
    spin_kd: float
    spin_root: float
    torso_kp: float
    torso_kd: float
    torso_root: float
    yaw_kp: float
    yaw_kd: float
    yaw_root: float
    swing_kp: float
    swing_kd: float
    swing_root: float
    turn_kp: float
    turn_kd: float
    turn_root: float
    posture_kp: float
    posture_kd: float
    posture_root: float


GAINS = np.dtype([(name, np.float64) for name in Gains._fields])
"""The gains as one record: a kernel takes an array of one quicker than a tuple."""


class Wishes(NamedTuple):
    """The scalar references of one tick."""

    swing_side: int
    stance_side: int
    swing_yaw: float
    swing_yaw_rate: float
    com_height_error: float
    com_height_rate_error: float
    roll: float
    pitch: float
    yaw: float
    yaw_rate: float
    mass: float


@compiled
def sole_error(rotation: Floats, yaw: float) -> tuple[float, float, float, float]:
    """Return the level pitch axis of a sole (x, y) and its pitch and yaw errors [rad].

    Args:
        rotation: the sole's axes in the world (3, 3).
        yaw: the yaw asked for; the pitch asked for is zero.
    """
    x, y, z = rotation[0, 0], rotation[1, 0], rotation[2, 0]
    level = math.sqrt(x * x + y * y) + 1e-12
    pitch = math.atan2(-z, level)
    error = math.atan2(y, x) - yaw
    turn = math.atan2(math.sin(error), math.cos(error))
    return -y / level, x / level, -pitch, -turn


@compiled
def orientation_error(
    rotation: Floats, roll: float, pitch: float, yaw: float
) -> tuple[float, float, float]:
    """Return the rotation vector, in the world, that leads to roll, pitch and yaw [rad].

    First order: half the sum of the cross products of present and desired axes, exact in
    direction and short by the sine of the angle.
    """
    cr, sr = math.cos(roll), math.sin(roll)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    desired = (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )
    x = y = z = 0.0
    for k in range(3):
        a, b, c = rotation[0, k], rotation[1, k], rotation[2, k]
        d, e, f = desired[0][k], desired[1][k], desired[2][k]
        x += b * f - c * e
        y += c * d - a * f
        z += a * e - b * d
    return 0.5 * x, 0.5 * y, 0.5 * z


@compiled
def write_feet(
    gains: Gains,
    wishes: Wishes,
    swing: Floats,
    soles: Floats,
    rotations: Floats,
    jacobians: Floats,
    twists: Floats,
    drifts: Floats,
    rows: Floats,
    wish: Floats,
    root: Floats,
    contact: Floats,
) -> None:
    """Write the contact Jacobian (12, n_v) and the feet's task rows.

    A stance foot's rows keep heel and toe where they are; a swing foot's are its position,
    then pitch about the sole's level axis and yaw, which is all that a leg without ankle roll
    can command; its sixth row has no weight.
    """
    nv = rows.shape[1]
    for side in range(2):
        jacobian, twist, drift = jacobians[side], twists[side], drifts[side]
        fx, fy, fz = rotations[side, 0, 0], rotations[side, 1, 0], rotations[side, 2, 0]
        wx, wy, wz = twist[3], twist[4], twist[5]
        for k in range(2):
            reach = gains.heel if k == 0 else gains.toe
            ax, ay, az = reach * fx, reach * fy, reach * fz
            place = 6 * side + 3 * k
            for j in range(nv):
                jx, jy, jz = jacobian[3, j], jacobian[4, j], jacobian[5, j]
                contact[place, j] = jacobian[0, j] + jy * az - jz * ay
                contact[place + 1, j] = jacobian[1, j] + jz * ax - jx * az
                contact[place + 2, j] = jacobian[2, j] + jx * ay - jy * ax
            # velocity of the point, and its acceleration at zero joint acceleration
            vx, vy, vz = wy * az - wz * ay, wz * ax - wx * az, wx * ay - wy * ax
            cx = drift[0] + drift[4] * az - drift[5] * ay + wy * vz - wz * vy
            cy = drift[1] + drift[5] * ax - drift[3] * az + wz * vx - wx * vz
            cz = drift[2] + drift[3] * ay - drift[4] * ax + wx * vy - wy * vx
            if side != wishes.swing_side:
                wish[place] = -CONTACT_DAMPING * (twist[0] + vx) - cx
                wish[place + 1] = -CONTACT_DAMPING * (twist[1] + vy) - cy
                wish[place + 2] = -CONTACT_DAMPING * (twist[2] + vz) - cz
                for i in range(place, place + 3):
                    root[i] = gains.contact_root
                    for j in range(nv):
                        rows[i, j] = contact[i, j]
        if side == wishes.swing_side:
            first = 6 * side
            for i in range(3):
                position = gains.swing_kp * (swing[0, i] - soles[side, i])
                velocity = gains.swing_kd * (swing[1, i] - twist[i])
                wish[first + i] = swing[2, i] + position + velocity - drift[i]
                root[first + i] = gains.swing_root
            px, py, pitch_error, yaw_error = sole_error(rotations[side], wishes.swing_yaw)
            rate = px * wx + py * wy
            wish[first + 3] = gains.turn_kp * pitch_error - gains.turn_kd * rate
            wish[first + 3] -= px * drift[3] + py * drift[4]
            wish[first + 4] = gains.turn_kp * yaw_error - drift[5]
            wish[first + 4] += gains.turn_kd * (wishes.swing_yaw_rate - wz)
            root[first + 3] = root[first + 4] = gains.turn_root
            root[first + 5] = 0.0
            for j in range(nv):
                for i in range(3):
                    rows[first + i, j] = jacobian[i, j]
                rows[first + 3, j] = px * jacobian[3, j] + py * jacobian[4, j]
                rows[first + 4, j] = jacobian[5, j]


@compiled
def write_body(
    gains: Gains,
    wishes: Wishes,
    com_acceleration: Floats,
    momentum_matrix: Floats,
    momentum: Floats,
    momentum_drift: Floats,
    rotation: Floats,
    angular_velocity: Floats,
    rows: Floats,
    wish: Floats,
    root: Floats,
) -> None:
    """Write the rows of CoM, angular momentum and torso attitude.

    Horizontal CoM acceleration counts only while both feet stand: on one foot without ankle
    roll it is the footsteps' business.
    """
    nv = rows.shape[1]
    for i in range(3):
        for j in range(nv):
            rows[COM + i, j] = momentum_matrix[i, j] / wishes.mass
            rows[SPIN + i, j] = momentum_matrix[3 + i, j]
        wish[SPIN + i] = -gains.spin_kd * momentum[3 + i] - momentum_drift[3 + i]
        root[SPIN + i] = gains.spin_root
        omega = 0.0
        for k in range(3):
            rows[TORSO + i, 3 + k] = rotation[i, k]
            omega += rotation[i, k] * angular_velocity[k]
        wish[TORSO + i] = -(gains.torso_kd if i < 2 else gains.yaw_kd) * omega
        root[TORSO + i] = gains.torso_root if i < 2 else gains.yaw_root
    x, y, z = orientation_error(rotation, wishes.roll, wishes.pitch, wishes.yaw)
    wish[TORSO] += gains.torso_kp * x
    wish[TORSO + 1] += gains.torso_kp * y
    wish[TORSO + 2] += gains.yaw_kp * z + gains.yaw_kd * wishes.yaw_rate
    standing = wishes.stance_side < 0
    for i in range(2):
        wish[COM + i] = com_acceleration[i] - momentum_drift[i] / wishes.mass
        root[COM + i] = gains.com_horizontal_root if standing else 0.0
    wish[COM + 2] = gains.com_kp * wishes.com_height_error - momentum_drift[2] / wishes.mass
    wish[COM + 2] += gains.com_kd * wishes.com_height_rate_error
    root[COM + 2] = gains.com_root


@compiled
def write_posture(
    gains: Gains,
    q: Floats,
    dq: Floats,
    q_wish: Floats,
    dq_wish: Floats,
    ddq_wish: Floats,
    count: int,
    wish: Floats,
    root: Floats,
) -> None:
    """Write what the first `count` joints shall do; their rows are constant."""
    for i in range(count):
        error = gains.posture_kp * (q_wish[i] - q[i])
        wish[POSTURE + i] = ddq_wish[i] + error + gains.posture_kd * (dq_wish[i] - dq[i])
        root[POSTURE + i] = gains.posture_root


@compiled
def write_cost(
    rows: Floats,
    wish: Floats,
    root: Floats,
    regularisation: Floats,
    scratch: Floats,
    hessian: Floats,
    gradient: Floats,
) -> None:
    """Write the QP's cost, the weighted squares of the tasks' errors plus regularisation.

    The posture rows are unit vectors, so only their diagonal is touched.
    """
    nv = rows.shape[1]
    gradient[:] = 0.0
    hessian[:] = 0.0
    for row in range(POSTURE):
        weight = root[row]
        if weight == 0.0:
            continue
        for j in range(nv):
            scratch[j] = weight * rows[row, j]
        value = weight * wish[row]
        for i in range(nv):
            a = scratch[i]
            if a != 0.0:
                gradient[FORCES + i] -= value * a
                for j in range(nv):
                    hessian[FORCES + i, FORCES + j] += a * scratch[j]
    for row in range(POSTURE, rows.shape[0]):
        i = FORCES + 6 + row - POSTURE
        weight = root[row] * root[row]
        hessian[i, i] += weight
        gradient[i] -= weight * wish[row]
    for i in range(nv):
        hessian[FORCES + i, FORCES + i] += regularisation[i]


@compiled
def write_constraints(
    mass_matrix: Floats,
    bias: Floats,
    contact: Floats,
    dq: Floats,
    stall: Floats,
    no_load: Floats,
    rows: Floats,
    lower: Floats,
    upper: Floats,
) -> None:
    """Write the floating base's equations and the torque bounds into the QP's rows.

    `rows` are the friction cones' (constant), the joints' torques, then the base's equations;
    `lower` and `upper` begin with the bounds of the forces.
    """
    nv = mass_matrix.shape[0]
    joints = nv - 6
    first = 4 * POINTS
    base = first + joints
    for i in range(nv):
        row = base + i if i < 6 else first + i - 6
        for j in range(FORCES):
            rows[row, j] = -contact[j, i]
        for j in range(nv):
            rows[row, FORCES + j] = mass_matrix[i, j]
    for i in range(joints):
        speed = dq[i] / no_load[i]
        place = FORCES + first + i
        upper[place] = stall[i] * min(1.0, max(0.0, 1.0 - speed)) - bias[6 + i]
        lower[place] = -stall[i] * min(1.0, max(0.0, 1.0 + speed)) - bias[6 + i]
    for i in range(6):
        place = FORCES + base + i
        upper[place] = lower[place] = -bias[i]


@compiled
def write_forces(
    wishes: Wishes, limits: Floats, bounds: Floats, hessian: Floats, lower: Floats, upper: Floats
) -> None:
    """Add what forces and a lone foot's uneven load cost; write the forces' bounds.

    `limits` are the feet's (2); `bounds` are the least force, the forces' weight and the weight
    of the pressure's offset. A foot that may carry nothing has no forces at all; sideways those
    of the others end at the cones. One foot alone carries the robot on its middle, as the
    footsteps' pendulum has it.
    """
    for side in range(2):
        weight = bounds[2] if side == wishes.stance_side else 0.0
        heel, toe = 6 * side + 2, 6 * side + 5
        for column in range(6 * side, 6 * side + 6):
            hessian[column, column] += bounds[1]
        hessian[heel, heel] += weight
        hessian[toe, toe] += weight
        hessian[heel, toe] -= weight
        hessian[toe, heel] -= weight
        lifted = limits[side] == 0.0
        for column in range(6 * side, 6 * side + 6):
            lower[column], upper[column] = (0.0, 0.0) if lifted else (-INFINITE, INFINITE)
        for column in (heel, toe):
            lower[column] = min(bounds[0], limits[side])
            upper[column] = limits[side]


@compiled
def write_effort(
    constraints: Floats, bias: Floats, effort: Floats, hessian: Floats, gradient: Floats
) -> None:
    """Add what the joints' torques cost, `effort` (n) times their squares.

    Standing on two feet leaves the forces between them free; this lets them take the load off
    the hips, whose windings would otherwise heat up for nothing.
    """
    first, size = 4 * POINTS, hessian.shape[0]
    for joint in range(effort.size):
        if effort[joint] == 0.0:
            continue
        row = first + joint
        for i in range(size):
            a = effort[joint] * constraints[row, i]
            if a != 0.0:
                gradient[i] += a * bias[6 + joint]
                for j in range(size):
                    hessian[i, j] += a * constraints[row, j]


@compiled
def assemble(
    table: npt.NDArray[np.void],
    swing_side: int,
    stance_side: int,
    swing_yaw: float,
    swing_yaw_rate: float,
    com_height_error: float,
    com_height_rate_error: float,
    torso_rpy: Floats,
    torso_yaw_rate: float,
    mass: float,
    swing: Floats,
    com_acceleration: Floats,
    limits: Floats,
    q_wish: Floats,
    dq_wish: Floats,
    ddq_wish: Floats,
    q: Floats,
    dq: Floats,
    rotation: Floats,
    angular_velocity: Floats,
    soles: Floats,
    sole_rotations: Floats,
    sole_jacobians: Floats,
    sole_velocities: Floats,
    sole_drifts: Floats,
    momentum_matrix: Floats,
    momentum: Floats,
    momentum_drift: Floats,
    mass_matrix: Floats,
    bias: Floats,
    joints: Floats,
    bounds: Floats,
    regularisation: Floats,
    scratch: Floats,
    rows: Floats,
    aims: Floats,
    contact: Floats,
    hessian: Floats,
    gradient: Floats,
    constraints: Floats,
    lower: Floats,
    upper: Floats,
) -> None:
    """Write the whole QP of one tick; in one call, for every array costs time at the border.

    `table` is the record of the gains (1); the numbers and the torso's angles are `Wishes`.
    `joints` are their stall torques, no-load speeds and what their effort costs (3, n); `aims`
    are the task rows' wishes and the roots of their weights (2, k).
    """
    gains = table[0]
    stall, no_load, effort = joints[0], joints[1], joints[2]
    wish, root = aims[0], aims[1]
    wishes = Wishes(
        swing_side,
        stance_side,
        swing_yaw,
        swing_yaw_rate,
        com_height_error,
        com_height_rate_error,
        torso_rpy[0],
        torso_rpy[1],
        torso_rpy[2],
        torso_yaw_rate,
        mass,
    )
    write_feet(
        gains,
        wishes,
        swing,
        soles,
        sole_rotations,
        sole_jacobians,
        sole_velocities,
        sole_drifts,
        rows,
        wish,
        root,
        contact,
    )
    write_body(
        gains,
        wishes,
        com_acceleration,
        momentum_matrix,
        momentum,
        momentum_drift,
        rotation,
        angular_velocity,
        rows,
        wish,
        root,
    )
    count = rows.shape[0] - POSTURE
    write_posture(gains, q, dq, q_wish, dq_wish, ddq_wish, count, wish, root)
    write_cost(rows, wish, root, regularisation, scratch, hessian, gradient)
    write_constraints(mass_matrix, bias, contact, dq, stall, no_load, constraints, lower, upper)
    write_forces(wishes, limits, bounds, hessian, lower, upper)
    write_effort(constraints, bias, effort, hessian, gradient)


@compiled
def read_solution(
    mass_matrix: Floats, bias: Floats, contact: Floats, x: Floats, torque: Floats, forces: Floats
) -> None:
    """Write joint torques [N·m] and point forces (4, 3) [N] of a solution x (12 + n_v)."""
    nv = mass_matrix.shape[0]
    for point in range(POINTS):
        for i in range(3):
            forces[point, i] = x[3 * point + i]
    for i in range(torque.size):
        total = bias[6 + i]
        for j in range(nv):
            total += mass_matrix[6 + i, j] * x[FORCES + j]
        for j in range(FORCES):
            total -= contact[j, 6 + i] * x[j]
        torque[i] = total
