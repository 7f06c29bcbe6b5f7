"""A real body whose devices are a twin's: it knows the truth about itself."""

from devices.interface import (
    Clock,
    Floats,
    JointCommand,
    Sample,
    StopChannel,
    Trouble,
    Truth,
)
from devices.real.body import RealBody
from devices.twin.client import TwinTimekeeper


class TwinBody:
    """Hands everything on to the real body, and adds what only a simulation can tell.

    Attributes:
        clock: the twin's time.
        actuators: drivers of the actuators on buses, one for each family.
    """

    def __init__(self, real: RealBody, timekeeper: TwinTimekeeper) -> None:
        """Compose.

        Args:
            real: the robot's devices, on the twin's lines and in its time.
            timekeeper: that time.
        """
        self.clock: Clock = timekeeper
        self._real = real
        self.actuators = real.actuators
        self._timekeeper = timekeeper

    def read(self) -> Sample:
        """Return the newest sample."""
        return self._real.read()

    def write(self, command: JointCommand) -> None:
        """Send a command to every joint."""
        self._real.write(command)

    def damp(self) -> None:
        """Let every joint resist motion and nothing else."""
        self._real.damp()

    def stop(self) -> None:
        """Take the torque from every joint. Never raises, never waits, may be repeated."""
        self._real.stop()

    def troubles(self) -> tuple[Trouble, ...]:
        """Return what is wrong with the devices, and whether the machine is too slow."""
        return self._real.troubles() + self._timekeeper.troubles()

    def stop_channels(self) -> tuple[StopChannel, ...]:
        """Return the channels of the hardware E-stop chain."""
        return self._real.stop_channels()

    def powered(self) -> bool:
        """Tell whether the motors have their supply."""
        return self._real.powered()

    def restore(self) -> None:
        """Give the motors their supply, as a person has asked with RESET."""
        self._real.restore()

    def truth(self) -> Truth:
        """Return the true state at the time of what the devices told last."""
        return self._timekeeper.truth()

    def push(self, force_in_world: Floats, duration_s: float, hand: str = "") -> None:
        """Push the torso with a constant force (3) [N] for a time [s], starting now."""
        self._timekeeper.push(force_in_world, duration_s, hand)

    def close(self) -> None:
        """Stop and release every device, and let go of the twin."""
        self._real.close()
        self._timekeeper.close()
