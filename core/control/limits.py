"""The last word before a command leaves the core."""

import numpy as np

from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Floats, JointCommand

VELOCITY_SHARE = 0.9  # of the no-load speed that a command may ask for


class Limits:
    """Clips commands to what the joints and actuators may be asked for.

    Attributes:
        clipped: joints whose command was changed at the last tick.
    """

    def __init__(self, profile: Profile, lower: Floats, upper: Floats) -> None:
        self._lower, self._upper = lower, upper
        self._torque = profile.actuator_column("stall_torque")
        self._speed = profile.no_load_speed() * VELOCITY_SHARE
        self._kp, self._kd = profile.column("kp"), profile.column("kd")
        self.clipped = 0

    def clip(self, command: JointCommand, state: State) -> bool:
        """Clip a command in place and tell whether it was fit to be sent at all.

        A command with a number that is not finite is not mended but replaced by damping.
        """
        total = command.q.sum() + command.dq.sum() + command.tau.sum()
        if not np.isfinite(total + command.kp.sum() + command.kd.sum()):
            damping(command, self._kd)
            return False
        before = command.tau.copy()
        np.clip(command.q, self._lower, self._upper, out=command.q)
        np.clip(command.dq, -self._speed, self._speed, out=command.dq)
        np.clip(command.tau, -self._torque, self._torque, out=command.tau)
        np.clip(command.kp, 0.0, self._kp, out=command.kp)
        np.clip(command.kd, 0.0, self._kd, out=command.kd)
        self.clipped = int((before != command.tau).sum())
        return True


def damping(command: JointCommand, kd: Floats) -> None:
    """Make a command that resists motion and nothing else."""
    command.q[:] = 0.0
    command.dq[:] = 0.0
    command.tau[:] = 0.0
    command.kp[:] = 0.0
    command.kd[:] = kd


def joint_limits(profile: Profile) -> tuple[Floats, Floats]:
    """Return every joint's lower and upper limit in the profile's order (n) [rad]."""
    import pinocchio as pin

    full = pin.buildModelFromMJCF(str(profile.model_path))
    index = [full.joints[full.getJointId(name)].idx_q for name in profile.joint_names]
    return full.lowerPositionLimit[index].copy(), full.upperPositionLimit[index].copy()


