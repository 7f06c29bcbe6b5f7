"""One tick's row of the record, written by machine code in one call a source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from core.compiled import compiled
from core.record.tape import Row
from devices.interface import Bools, Floats


@compiled
def measure_joints(
    q: Floats,
    q_wish: Floats,
    kp: Floats,
    applied: Floats,
    stall: Floats,
    first_leg: int,
    last_leg: int,
    worst: Floats,
) -> None:
    """Update the worst error and load of the run.

    `worst` is largest error of a joint that is no leg [rad], its joint, largest share of stall
    torque, its joint.
    """
    for i in range(q.size):
        error = abs(q_wish[i] - q[i])
        if kp[i] > 0.0 and (i < first_leg or i >= last_leg) and error > worst[0]:
            worst[0], worst[1] = error, i
        load = abs(applied[i]) / stall[i]
        if load > worst[2]:
            worst[2], worst[3] = load, i


@compiled
def write_tick(
    row: Row,
    now_s: float,
    time_us: float,
    mode: int,
    qp_status: int,
    qp_iterations: int,
    q: Floats,
    dq: Floats,
    q_wish: Floats,
    dq_wish: Floats,
    tau: Floats,
    kp: Floats,
    kd: Floats,
    applied: Floats,
    stall: Floats,
    first_leg: int,
    last_leg: int,
    position: Floats,
    velocity: Floats,
    rpy: Floats,
    contact: Bools,
    states: npt.NDArray[np.int8],
    command: Floats,
    worst: Floats,
) -> None:
    """Write what every body's row has, and update the figures of `measure_joints`.

    Args:
        row: where to, as a tape gives it.
        now_s: the tick's time [s].
        time_us: processor time of the tick before it [µs].
        mode: of the robot.
        qp_status: how the QP ended.
        qp_iterations: of the QP.
        q: measured joint positions (n) [rad].
        dq: measured velocities (n) [rad/s].
        q_wish: commanded positions (n) [rad].
        dq_wish: commanded velocities (n) [rad/s].
        tau: feed-forward torques (n) [N·m].
        kp: stiffness (n) [N·m/rad].
        kd: damping (n) [N·m·s/rad].
        applied: torques after the actuators' limits (n) [N·m].
        stall: torques that the actuators have at standstill (n) [N·m].
        first_leg: place of the first leg joint.
        last_leg: place behind the last one.
        position: estimated torso position in the world (3) [m].
        velocity: its velocity (3) [m/s].
        rpy: the torso's roll, pitch and yaw (3) [rad].
        contact: the left and the right foot carry weight (2).
        states: a MotionState for each limb group.
        command: velocity in the heading frame (3) [m/s, m/s, rad/s].
        worst: figures of the run (4).
    """
    measure_joints(q, q_wish, kp, applied, stall, first_leg, last_leg, worst)
    out: Any = row[0]
    out.t = now_s
    out.tick_cpu_us = time_us
    out.mode = mode
    out.qp_status = qp_status
    out.qp_iterations = qp_iterations
    for i in range(q.size):
        out.q[i] = q[i]
        out.dq[i] = dq[i]
        out.q_command[i] = q_wish[i]
        asked = tau[i] + kp[i] * (q_wish[i] - q[i]) + kd[i] * (dq_wish[i] - dq[i])
        out.tau_command[i] = asked
        out.tau_applied[i] = applied[i]
    for i in range(3):
        out.base_position_est[i] = position[i]
        out.base_velocity_est[i] = velocity[i]
        out.rpy_est[i] = rpy[i]
        out.velocity_command[i] = command[i]
    for i in range(2):
        out.contact_est[i] = 1.0 if contact[i] else 0.0
    for i in range(states.size):
        out.motion_state[i] = states[i]


@compiled
def write_truth(
    row: Row,
    q: Floats,
    dq: Floats,
    position: Floats,
    velocity: Floats,
    rpy: Floats,
    com: Floats,
    com_velocity: Floats,
    contacts: Bools,
    contact_force: Floats,
    external_force: Floats,
) -> None:
    """Write what only a simulator knows; the arguments are those of `Truth`, world frame."""
    out: Any = row[0]
    for i in range(q.size):
        out.q_true[i] = q[i]
        out.dq_true[i] = dq[i]
    for i in range(3):
        out.base_position_true[i] = position[i]
        out.base_velocity_true[i] = velocity[i]
        out.rpy_true[i] = rpy[i]
        out.com_true[i] = com[i]
        out.com_velocity_true[i] = com_velocity[i]
        out.external_force[i] = external_force[i]
    for side in range(2):
        touches = contacts[2 * side] or contacts[2 * side + 1]
        out.contact_true[side] = 1.0 if touches else 0.0
        for point in range(2):
            for i in range(3):
                out.contact_force_true[side, point, i] = contact_force[2 * side + point, i]
