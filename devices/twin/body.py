"""A real body on a twin's devices, with the true state of the simulation."""

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
    """Forwards everything to the real body, and adds the true state and pushes.

    Attributes:
        clock: the twin's clock.
        actuators: drivers of the actuators on buses, one for each family.
    """

    def __init__(self, real: RealBody, timekeeper: TwinTimekeeper) -> None:
        """Compose real body and twin.

        Args:
            real: the robot's devices, on the twin's lines and clock.
            timekeeper: the twin's clock.
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
        """Let every joint only resist motion."""
        self._real.damp()

    def stop(self) -> None:
        """Switch the torque of every joint off. Never raises, never waits, may be repeated."""
        self._real.stop()

    def troubles(self) -> tuple[Trouble, ...]:
        """Return the faults of the devices, and whether the computer is too slow."""
        return self._real.troubles() + self._timekeeper.troubles()

    def stop_channels(self) -> tuple[StopChannel, ...]:
        """Return the channels of the hardware E-stop chain."""
        return self._real.stop_channels()

    def powered(self) -> bool:
        """Return whether the motors have their supply."""
        return self._real.powered()

    def restore(self) -> None:
        """Switch the motors' supply on after an operator's RESET."""
        self._real.restore()

    def truth(self) -> Truth:
        """Return the true state at the time of the devices' last measurements."""
        return self._timekeeper.truth()

    def push(self, force_in_world: Floats, duration_s: float, hand: str = "") -> None:
        """Push the torso with a constant force (3) [N] for a time [s], starting now."""
        self._timekeeper.push(force_in_world, duration_s, hand)

    def pull(
        self,
        link: str,
        point_in_link: Floats,
        target_in_world: Floats,
        duration_s: float,
        hand: str = "",
    ) -> None:
        """Pull a point of a link toward a position for a time [s], as a hand does."""
        self._timekeeper.pull(link, point_in_link, target_in_world, duration_s, hand)

    def put_back(self) -> None:
        """Put the robot back where it started, at rest in its initial posture."""
        self._timekeeper.put_back()

    def close(self) -> None:
        """Stop and release every device, and disconnect from the twin."""
        self._real.close()
        self._timekeeper.close()
