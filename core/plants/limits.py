"""The limits of commands, applied before a command leaves the core."""

import math

import numpy as np

from core.compiled import compiled
from core.robot.profile import Profile
from devices.interface import Floats, JointCommand

VELOCITY_SHARE = 0.9  # share of the no-load speed that a command may use


@compiled
def clip_command(
    q: Floats,
    dq: Floats,
    tau: Floats,
    kp: Floats,
    kd: Floats,
    limits: Floats,
) -> int:
    """Clip a command in place; return how many torques changed, -1 if a number is not finite.

    `limits` are lowest and highest position, largest speed, torque, stiffness and damping (6, n).
    """
    lower, upper, speed, torque = limits[0], limits[1], limits[2], limits[3]
    kp_limit, kd_limit = limits[4], limits[5]
    changed = 0
    for i in range(q.size):
        if not math.isfinite(q[i] + dq[i] + tau[i] + kp[i] + kd[i]):
            return -1
        q[i] = min(upper[i], max(lower[i], q[i]))
        dq[i] = min(speed[i], max(-speed[i], dq[i]))
        if abs(tau[i]) > torque[i]:
            tau[i] = math.copysign(torque[i], tau[i])
            changed += 1
        kp[i] = min(kp_limit[i], max(0.0, kp[i]))
        kd[i] = min(kd_limit[i], max(0.0, kd[i]))
    return changed


class Limits:
    """Clips commands to the limits of the joints and actuators.

    Attributes:
        clipped: number of joints whose torque was clipped at the last tick.
    """

    def __init__(self, profile: Profile, lower: Floats, upper: Floats) -> None:
        speed = profile.no_load_speed() * VELOCITY_SHARE
        torque = profile.actuator_column("stall_torque")
        kp, kd = profile.column("kp"), profile.column("kd")
        self._limits: Floats = np.array((lower, upper, speed, torque, kp, kd))
        self.clipped = 0

    def clip(self, command: JointCommand) -> bool:
        """Clip a command in place and return whether it is valid.

        A command with a value that is not finite is replaced by damping.
        """
        self.clipped = clip_command(
            command.q,
            command.dq,
            command.tau,
            command.kp,
            command.kd,
            self._limits,
        )
        if self.clipped < 0:
            damping(command, self._limits[5])
            return False
        return True


def damping(command: JointCommand, kd: Floats) -> None:
    """Make a command that only damps."""
    command.q[:] = 0.0
    command.dq[:] = 0.0
    command.tau[:] = 0.0
    command.kp[:] = 0.0
    command.kd[:] = kd
