"""The torques that a motion needs, and those that the actuators have."""

import numpy as np

from core.stage.body import PreflightBody
from devices.interface import Floats

LEAST_SHARE = 1e-3  # of the stall torque that is counted as left at and beyond the no-load speed


def torques(body: PreflightBody, q: Floats, dq: Floats, ddq: Floats) -> tuple[Floats, Floats]:
    """Return the torque that each joint needs, with friction, and has (k, u) [N·m].

    A driving motor has less torque at speed; a braking one has all of its stall torque.

    Args:
        body: the robot; its legs stand still.
        q: positions of the upper joints in upper order (k, u) [rad].
        dq: their velocities (k, u) [rad/s].
        ddq: their accelerations (k, u) [rad/s²].
    """
    states = zip(q, dq, ddq, strict=True)
    torque = np.array([body.dynamics.torque(*state) for state in states])
    torque += body.friction_coulomb * np.sign(dq) + body.friction_viscous * dq
    drives = torque * dq > 0.0
    share = np.where(drives, 1.0 - np.abs(dq) / body.no_load_speed, 1.0)
    return torque, body.stall_torque * np.maximum(share, LEAST_SHARE)
