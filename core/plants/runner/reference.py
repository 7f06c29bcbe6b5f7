"""The body that follows a plan: joint motion by the momentum rows, torques by inverse dynamics."""

import math
from typing import Any

import numpy as np

from core.compiled import bind, compiled
from core.constants import GRAVITY
from core.plants.biped.model import RobotModel
from core.plants.biped.sense.invariant_filter import exp_so3
from core.plants.biped.walk.body import HEIGHT
from core.plants.dynamics_filter.gait import Gait
from core.plants.dynamics_filter.score import LEFT, RIGHT, Pose
from core.plants.dynamics_filter.strider import StrideReference
from core.plants.runner.lead import shift_in_world
from core.plants.runner.settings import Follow
from core.plants.runner.solver import solve_in_place
from core.records import Record, record_of
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Floats

LEAST_AXIS = 0.3  # horizontal part of a joint's axis about which the base can turn
END_RAD = 0.02  # before its limit, a joint of a reference is at its end
LEAST_PIVOT = 1e-6  # below it the legs are straight or crossed
FASTEST = 30.0  # joint speed of a reference, at most [rad/s]


@compiled
def follow_plan(
    mass_matrix: Floats,
    bias: Floats,
    body: Record,
    feet: Record,
    base: Floats,
    joints: Floats,
    upper: Floats,
    plan: Record,
    numbers: Record,
    out: Record,
    support: int,
    flies: bool,
) -> bool:
    """Write the reference's velocity and acceleration, its torques, and its next configuration.

    Equation 22 of the paper: base and legs are moved so that the CoM, both soles and the angular
    momentum are as planned, beside the motion of the joints above the legs. The paper's rows have
    no feedback of the drift; here each follows its error.

    Args:
        mass_matrix: of the model at the reference (n_v, n_v).
        bias: Coriolis, centrifugal and gravity forces (n_v).
        body: `RobotModel.body`.
        feet: `RobotModel.feet`.
        base: of the reference's state, in place (7, 3).
        joints: of the reference's state, in place (3, n).
        upper: position, velocity and acceleration of the joints above the legs (3, m).
        plan: `com` (3, 3), `pressure` (2), `soles` (2, 3, 3) and `yaws` (2, 3); and `turn`: roll,
            pitch and yaw of the base from upright and the soles' heading, with rates (2, 3).
        numbers: settings, and the indices of the joints; see `BodyReference`.
        out: `torques` (n), wrench on each sole (2, 6), `forces` at their corners (2, 4, 3).
        support: feet on the ground, as bits.
        flies: the gait has flights.

    Returns:
        Whether the equations have a solution that makes sense.
    """
    centroid: Any = body[0]
    frames: Any = feet[0]
    want: Any = plan[0]
    own: Any = numbers[0]
    result: Any = out[0]
    nv = mass_matrix.shape[0]
    legs, others = own.legs, own.others
    count = 6 + legs.size
    mass = mass_matrix[0, 0]
    rate, dt = own.position_rate, own.dt
    columns = np.empty(count, dtype=np.int64)
    for i in range(6):
        columns[i] = i
    for i in range(legs.size):
        columns[6 + i] = 6 + legs[i]
    matrix, sides = np.empty((count, count)), np.empty((count, 2))
    # Attitude of the base, by its yaw between the soles.
    yaw = math.atan2(base[1, 0], base[0, 0])
    first = want.yaws[0, 0] - yaw
    second = want.yaws[1, 0] - yaw
    first -= 2.0 * math.pi * math.floor(first / (2.0 * math.pi) + 0.5)
    second -= 2.0 * math.pi * math.floor(second / (2.0 * math.pi) + 0.5)
    off_yaw = 0.5 * (first + second) + want.turn[0, 2]
    # The base's z axis shall be that of the posture: the rotation that brings it there is z × z′.
    cr, sr = math.cos(want.turn[0, 0]), math.sin(want.turn[0, 0])
    cp, sp = math.cos(want.turn[0, 1]), math.sin(want.turn[0, 1])
    cy, sy = math.cos(yaw + off_yaw), math.sin(yaw + off_yaw)
    to_x, to_y, to_z = cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr
    tilt_x = base[1, 2] * to_z - base[2, 2] * to_y
    tilt_y = base[2, 2] * to_x - base[0, 2] * to_z
    omega = np.empty(3)
    for i in range(3):
        omega[i] = 0.0
        for k in range(3):
            omega[i] += base[i, k] * base[5, k]
    spin = (tilt_x, tilt_y, off_yaw)
    yaw_rate = 0.5 * (want.yaws[0, 1] + want.yaws[1, 1])
    roll_rate, pitch_rate = want.turn[1, 0], want.turn[1, 1]
    turn_rate = (
        cy * roll_rate - sy * pitch_rate,
        sy * roll_rate + cy * pitch_rate,
        yaw_rate + want.turn[1, 2],
    )
    spin_rate = (turn_rate[0] - omega[0], turn_rate[1] - omega[1], turn_rate[2] - omega[2])
    grounded = support != 0
    # At the rate of a run, a slow step tilts the base until a hip is at its end.
    spin_gain = own.spin_inertia * (own.spin_rate if flies else own.level_rate)
    if not grounded:
        spin_gain = 0.0
    for i in range(3):
        for j in range(count):
            column = columns[j]
            matrix[i, j] = centroid.momentum_matrix[i, column] / mass
            angular = centroid.momentum_matrix[3 + i, column]
            if own.holds_spin == 0:  # the base's angular velocity in the world instead
                angular = base[i, j - 3] if 3 <= j < 6 else 0.0
            matrix[3 + i, j] = angular
        error = want.com[0, i] - centroid.com[i]
        sides[i, 0] = want.com[1, i] + rate * error
        sides[i, 1] = want.com[2, i] - rate * rate * error
        sides[i, 1] -= centroid.momentum_drift[i] / mass
        feed = own.spin_inertia * turn_rate[i] if grounded else 0.0
        sides[3 + i, 0] = spin_gain * spin[i] + feed
        sides[3 + i, 1] = spin_gain * spin_rate[i] - centroid.momentum_drift[3 + i]
        if own.holds_spin == 0:
            sides[3 + i, 0] = rate * spin[i] + turn_rate[i]
            sides[3 + i, 1] = -rate * rate * spin[i]
    for side in range(2):
        rotation, place = frames.rotations[side], frames.positions[side]
        jacobian, drift = frames.jacobians[side], frames.drifts[side]
        c, s = math.cos(want.yaws[side, 0]), math.sin(want.yaws[side, 0])
        # Rotation error: half of the sum of the cross products of the axes.
        turn = np.zeros(3)
        for axis in range(3):
            x, y, z = rotation[0, axis], rotation[1, axis], rotation[2, axis]
            a = c if axis == 0 else (-s if axis == 1 else 0.0)
            b = s if axis == 0 else (c if axis == 1 else 0.0)
            d = 1.0 if axis == 2 else 0.0
            turn[0] += 0.5 * (y * d - z * b)
            turn[1] += 0.5 * (z * a - x * d)
            turn[2] += 0.5 * (x * b - y * a)
        for i in range(3):
            row = 6 + 6 * side + i
            for j in range(count):
                matrix[row, j] = jacobian[i, columns[j]]
                matrix[row + 3, j] = jacobian[3 + i, columns[j]]
            error = want.soles[side, 0, i] - place[i]
            sides[row, 0] = want.soles[side, 1, i] + rate * error
            sides[row, 1] = want.soles[side, 2, i] - rate * rate * error - drift[i]
            speed = want.yaws[side, 1] if i == 2 else 0.0
            bend = want.yaws[side, 2] if i == 2 else 0.0
            sides[row + 3, 0] = speed + rate * turn[i]
            sides[row + 3, 1] = bend - rate * rate * turn[i] - drift[3 + i]
    for k in range(others.size):
        column = 6 + others[k]
        v, a = upper[1, k], upper[2, k]
        if v == 0.0 and a == 0.0:
            continue
        for i in range(3):
            linear = centroid.momentum_matrix[i, column] / mass
            angular = centroid.momentum_matrix[3 + i, column]
            sides[i, 0] -= linear * v
            sides[i, 1] -= linear * a
            if own.holds_spin != 0:
                sides[3 + i, 0] -= angular * v
                sides[3 + i, 1] -= angular * a
    again, sides_again = matrix.copy(), sides.copy()
    if not solve_in_place(matrix, sides) > LEAST_PIVOT:
        return False
    ended, end = -1, 0.0
    for i in range(legs.size):
        if not support >> (0 if i < legs.size // 2 else 1) & 1:
            continue
        place = joints[0, legs[i]] + dt * sides[6 + i, 0]
        beyond = max(place - own.highest[i], own.lowest[i] - place)
        if beyond > 0.0:
            ended, end = i, own.highest[i] if place > own.highest[i] else own.lowest[i]
            break
    if ended >= 0:
        # A joint of a leg that stands stays at its end: of the rows of the angular momentum, that
        # about its axis gives way, so that the base turns and the soles stay in place.
        side = 0 if ended < legs.size // 2 else 1
        x = frames.jacobians[side, 3, 6 + legs[ended]]
        y = frames.jacobians[side, 4, 6 + legs[ended]]
        norm = math.sqrt(x * x + y * y)
        if norm > LEAST_AXIS:
            x, y = x / norm, y / norm
            for j in range(count):
                again[3, j] = x * again[4, j] - y * again[3, j]
                again[4, j] = 1.0 if j == 6 + ended else 0.0
            for k in range(2):
                sides_again[3, k] = x * sides_again[4, k] - y * sides_again[3, k]
            sides_again[4, 0] = rate * (end - joints[0, legs[ended]])
            sides_again[4, 1] = 0.0
            if not solve_in_place(again, sides_again) > LEAST_PIVOT:
                return False
            sides[:] = sides_again
    # Legs that are nearly straight would have to move faster than any servo.
    fastest = 0.0
    for j in range(6, count):
        fastest = max(fastest, abs(sides[j, 0]))
    if not math.isfinite(fastest):
        return False
    slower = min(1.0, FASTEST / max(fastest, 1e-9))
    acceleration = np.zeros(nv)
    for j in range(count):
        sides[j, 0] *= slower
        acceleration[columns[j]] = slower * sides[j, 1]
    for k in range(others.size):
        acceleration[6 + others[k]] = upper[2, k]
    # Wrenches of the soles: the force by the pressure's place between them.
    share_left, share_right = 0.0, 0.0
    if support == 3:
        lx, ly = frames.positions[0, 0], frames.positions[0, 1]
        wx, wy = frames.positions[1, 0] - lx, frames.positions[1, 1] - ly
        along = (want.pressure[0] - lx) * wx + (want.pressure[1] - ly) * wy
        share_right = min(1.0, max(0.0, along / (wx * wx + wy * wy)))
        share_left = 1.0 - share_right
    elif support == 1:
        share_left = 1.0
    elif support == 2:
        share_right = 1.0
    force = np.empty(3)
    for i in range(3):
        force[i] = mass * want.com[2, i] if grounded else 0.0
    if grounded:
        force[2] += mass * GRAVITY
    moment = np.empty(3)
    for i in range(3):
        moment[i] = spin_gain * spin_rate[i]
    for side in range(2):
        share = share_left if side == 0 else share_right
        rx = frames.positions[side, 0] - centroid.com[0]
        ry = frames.positions[side, 1] - centroid.com[1]
        rz = frames.positions[side, 2] - centroid.com[2]
        moment[0] -= share * (ry * force[2] - rz * force[1])
        moment[1] -= share * (rz * force[0] - rx * force[2])
        moment[2] -= share * (rx * force[1] - ry * force[0])
    for side in range(2):
        share = share_left if side == 0 else share_right
        for i in range(3):
            result.wrenches[side, i] = share * force[i]
            result.wrenches[side, 3 + i] = share * moment[i]
    for joint in range(joints.shape[1]):
        if joint >= nv - 6:
            break
        total = bias[6 + joint]
        for j in range(nv):
            total += mass_matrix[6 + joint, j] * acceleration[j]
        for side in range(2):
            for i in range(6):
                total -= frames.jacobians[side, i, 6 + joint] * result.wrenches[side, i]
        result.torques[joint] = own.feed_forward * total
    # The next configuration.
    turned, unused, before = np.empty((3, 3)), np.empty((3, 3)), base[:3].copy()
    for i in range(3):
        base[5, i] = sides[3 + i, 0]
    for i in range(3):
        base[4, i] = 0.0
        for k in range(3):
            base[4, i] += before[i, k] * sides[k, 0]
        base[3, i] += dt * base[4, i]
    exp_so3(dt * base[5, 0], dt * base[5, 1], dt * base[5, 2], turned, unused)
    for i in range(3):
        for k in range(3):
            base[i, k] = 0.0
            for m in range(3):
                base[i, k] += before[i, m] * turned[m, k]
    for column in range(3):  # rounding must not gather
        for other in range(column):
            part = 0.0
            for i in range(3):
                part += base[i, column] * base[i, other]
            for i in range(3):
                base[i, column] -= part * base[i, other]
        norm = 0.0
        for i in range(3):
            norm += base[i, column] ** 2
        norm = 1.0 / math.sqrt(norm)
        for i in range(3):
            base[i, column] *= norm
    for i in range(legs.size):
        speed = sides[6 + i, 0]
        joints[1, legs[i]] = speed
        place = joints[0, legs[i]] + dt * speed
        joints[0, legs[i]] = min(own.highest[i], max(own.lowest[i], place))
    for k in range(others.size):
        joints[0, others[k]], joints[1, others[k]] = upper[0, k], upper[1, k]
    return True


@compiled
def spread_forces(out: Record, feet: Record, corners: Floats) -> None:
    """Write the forces at the corners of the soles whose sum is the wrench, for the record.

    Args:
        out: `wrenches` (2, 6), and `forces`, output (2, 4, 3).
        feet: `RobotModel.feet`.
        corners: of the sole in its frame: rear left, rear right, front left, front right (4, 2).
    """
    result: Any = out[0]
    frames: Any = feet[0]
    rear, front, left, right = corners[0, 0], corners[2, 0], corners[0, 1], corners[1, 1]
    for side in range(2):
        wrench, rotation = result.wrenches[side], frames.rotations[side]
        fz = wrench[2]
        x = y = 0.0
        if fz > 1e-6:
            mx = rotation[0, 0] * wrench[3] + rotation[1, 0] * wrench[4]
            my = rotation[0, 1] * wrench[3] + rotation[1, 1] * wrench[4]
            x, y = -my / fz, mx / fz
        u = min(1.0, max(0.0, (x - rear) / (front - rear)))
        w = min(1.0, max(0.0, (y - right) / (left - right)))
        for corner in range(4):
            share = (u if corner >= 2 else 1.0 - u) * (w if corner % 2 == 0 else 1.0 - w)
            for i in range(3):
                result.forces[side, corner, i] = share * wrench[i]


class BodyReference:
    """Owns the reference of the whole body, which is integrated from plan to joints.

    Attributes:
        model: dynamics and kinematics at the reference.
        state: joints and base of the reference.
        legs: indices of the joints of both legs (2 k).
        torques: of the driven joints (n) [N·m].
        forces: at the corners of both soles (8, 3) [N].
        unsolved: ticks in sequence without a solution.
    """

    def __init__(self, profile: Profile, follow: Follow) -> None:
        self.model = model = RobotModel(profile)
        self.state = State.upright(len(profile.joint_names))
        self._dt = profile.tick_s
        self.legs = model.leg_joints.ravel()
        self._others = model.upper_joints
        self._numbers = record_of(
            legs=self.legs,
            others=self._others,
            dt=profile.tick_s,
            position_rate=follow.position_rate,
            spin_rate=follow.spin_rate,
            spin_inertia=follow.spin_inertia,
            level_rate=follow.level_rate,
            lowest=model.lower[self.legs] + END_RAD,
            highest=model.upper[self.legs] - END_RAD,
            holds_spin=follow.holds_spin,
            feed_forward=follow.feed_forward,
        )
        self._upper: Floats = np.zeros((3, self._others.size))
        self._plan = record_of(
            com=np.zeros((3, 3)),
            pressure=np.zeros(2),
            soles=np.zeros((2, 3, 3)),
            yaws=np.zeros((2, 3)),
            turn=np.zeros((2, 3)),
        )
        self._wanted = {name: self._plan[name][0] for name in self._plan.dtype.names or ()}
        out = record_of(
            torques=np.zeros(model.joint_count),
            wrenches=np.zeros((2, 6)),
            forces=np.zeros((2, 4, 3)),
        )
        self.torques: Floats = out["torques"][0]
        self.forces: Floats = out["forces"][0].reshape(8, 3)
        contact = profile.contacts[0]
        heel, toe, half = contact.heel, contact.toe, contact.half_width
        corners = np.array(((heel, half), (heel, -half), (toe, half), (toe, -half)))
        state = self.state
        self._follow = bind(
            follow_plan,
            model.mass_matrix,
            model.bias,
            model.body,
            model.feet,
            state.base,
            state.joints,
            self._upper,
            self._plan,
            self._numbers,
            out,
        )
        self._spread = bind(spread_forces, out, model.feet, corners)
        self._sink: Floats = np.zeros(2)
        self.unsolved = 0

    def start(self, measured: State) -> tuple[Pose, Pose, Floats]:
        """Take over a measured posture on the ground, upright.

        Returns:
            The places of both soles, and the CoM above them (3) [m].
        """
        state, model = self.state, self.model
        self._sink[:] = 0.0
        state.base[:] = 0.0
        state.base[:3] = np.eye(3)
        state.joints[:] = 0.0
        state.q[:] = measured.q
        model.update(state)
        yaw = float(measured.rpy[2])
        c, s = math.cos(yaw), math.sin(yaw)
        state.base[:3] = ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))
        state.base[3] = measured.position_base_in_world
        state.base[3, 2] = -0.5 * (model.left_sole_height + model.right_sole_height)
        model.update(state)
        soles, axes = model.soles, model.sole_rotations[:, :, 0]
        left, right = (
            Pose(
                float(soles[foot, 0]),
                float(soles[foot, 1]),
                math.atan2(axes[foot, 1], axes[foot, 0]),
            )
            for foot in (LEFT, RIGHT)
        )
        self.unsolved = 0
        return left, right, model.com.copy()

    def _lean(self, lead: Floats, heading: float) -> None:
        """Add a motion of the body to what is wanted; the soles head as told [rad]."""
        wanted, shift = self._wanted, shift_in_world(lead, heading)
        height = float(wanted["com"][0, 2])
        wanted["turn"][:] = lead[:2, :HEIGHT]
        wanted["com"][:, :2] += shift
        wanted["com"][:, 2] += lead[:, HEIGHT]
        wanted["pressure"] += shift[0] - shift[2] * height / GRAVITY

    def update(
        self, plan: StrideReference, upper: Floats, sink: Floats, lead: Floats | None = None
    ) -> None:
        """Advance by a tick.

        Args:
            plan: reference of the strider.
            upper: position, velocity and acceleration of the joints above the legs (3, m).
            sink: how much lower each sole shall be than planned (2) [m].
            lead: motion of the body beside the plan, see `BodyLead` (3, 6); None: there is none.
        """
        wanted = self._wanted
        wanted["com"][:], wanted["pressure"][:] = plan.com, plan.pressure
        wanted["soles"][:], wanted["yaws"][:] = plan.soles, plan.yaws
        wanted["turn"][:] = 0.0
        if lead is not None:
            self._lean(lead, plan.heading)
        wanted["soles"][:, 0, 2] -= sink
        wanted["soles"][:, 1, 2] -= (sink - self._sink) / self._dt
        self._sink[:] = sink
        self._upper[:] = upper
        self.model.update(self.state)
        flies = plan.gait in (Gait.RUN, Gait.JUMP)
        if self._follow(plan.support, flies):
            self.unsolved = 0
            self._spread()
        else:
            self.unsolved += 1
