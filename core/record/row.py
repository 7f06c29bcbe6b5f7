"""One tick's row of the record, written by compiled kernels.

They take the whole block and the place of the row in it, so that they can be bound to their
arrays.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from core.compiled import compiled
from core.record.tape import Row
from core.records import Record
from devices.interface import Bools, Floats


@compiled
def measure_joints(
    q: Floats,
    q_desired: Floats,
    kp: Floats,
    applied: Floats,
    stall: Floats,
    first_leg: int,
    last_leg: int,
    worst: Floats,
) -> None:
    """Update the largest error and load of the run.

    `worst` holds the largest position error of a joint outside the legs [rad], its joint, the
    largest share of the stall torque, its joint.
    """
    for i in range(q.size):
        error = abs(q_desired[i] - q[i])
        if kp[i] > 0.0 and (i < first_leg or i >= last_leg) and error > worst[0]:
            worst[0], worst[1] = error, i
        load = abs(applied[i]) / stall[i]
        if load > worst[2]:
            worst[2], worst[3] = load, i


@compiled
def write_joints(
    rows: Row,
    q: Floats,
    dq: Floats,
    applied: Floats,
    q_desired: Floats,
    dq_desired: Floats,
    tau: Floats,
    kp: Floats,
    kd: Floats,
    winding_c: Floats,
    run: Record,
    place: int,
) -> None:
    """Write the joints of a row, and update the run's worst values.

    Args:
        rows: `Tape.block`.
        q: measured positions (n) [rad].
        dq: measured velocities (n) [rad/s].
        applied: torques after the actuators' limits (n) [N·m].
        q_desired: commanded positions (n) [rad].
        dq_desired: commanded velocities (n) [rad/s].
        tau: feed-forward torques (n) [N·m].
        kp: stiffness (n) [N·m/rad].
        kd: damping (n) [N·m·s/rad].
        winding_c: winding temperatures (n) [°C].
        run: `stall` torques (n) [N·m], `first_leg`, `last_leg` and the run's `worst` values (4),
            as in `measure_joints`.
        place: of the row in the block.
    """
    out: Any = rows[place]
    robot: Any = run[0]
    first_leg, last_leg = robot.first_leg, robot.last_leg
    measure_joints(q, q_desired, kp, applied, robot.stall, first_leg, last_leg, robot.worst)
    for i in range(q.size):
        out.q[i] = q[i]
        out.dq[i] = dq[i]
        out.q_command[i] = q_desired[i]
        asked = tau[i] + kp[i] * (q_desired[i] - q[i]) + kd[i] * (dq_desired[i] - dq[i])
        out.tau_command[i] = asked
        out.tau_applied[i] = applied[i]
        out.winding_c[i] = winding_c[i]


@compiled
def write_tick(
    rows: Row,
    base: Floats,
    contact: Bools,
    states: npt.NDArray[np.int8],
    velocity: Floats,
    now_s: float,
    time_us: float,
    mode: int,
    qp_status: int,
    qp_iterations: int,
    qp_time_us: float,
    place: int,
) -> None:
    """Write the part of a row that every body has besides its joints.

    Args:
        rows: `Tape.block`.
        base: `State.base` (7, 3).
        contact: each foot carries weight (feet).
        states: a MotionState for each limb.
        velocity: commanded velocity in the heading frame (3) [m/s, m/s, rad/s].
        now_s: time of the tick [s].
        time_us: processor time of the tick before it [µs].
        mode: of the robot.
        qp_status: result of the QP.
        qp_iterations: of the QP.
        qp_time_us: wall time of the QP [µs].
        place: of the row in the block.
    """
    out: Any = rows[place]
    out.t = now_s
    out.tick_cpu_us = time_us
    out.mode = mode
    out.qp_status = qp_status
    out.qp_iterations = qp_iterations
    out.qp_time_us = qp_time_us
    for i in range(3):
        out.base_position_est[i] = base[3, i]
        out.base_velocity_est[i] = base[4, i]
        out.rpy_est[i] = base[6, i]
        out.velocity_command[i] = velocity[i]
    for i in range(contact.size):
        out.contact_est[i] = 1.0 if contact[i] else 0.0
    for i in range(states.size):
        out.motion_state[i] = states[i]


@compiled
def write_truth(
    rows: Row,
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
    place: int,
) -> None:
    """Write the true state of a simulation; the arguments are those of `Truth`, world frame."""
    out: Any = rows[place]
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
    feet, points = out.contact_force_true.shape[0], out.contact_force_true.shape[1]
    for foot in range(feet):
        touches = False
        for point in range(points):
            touches = touches or contacts[points * foot + point]
            for i in range(3):
                out.contact_force_true[foot, point, i] = contact_force[points * foot + point, i]
        out.contact_true[foot] = 1.0 if touches else 0.0
