"""The body of a real robot: all its devices in one tick."""

from collections.abc import Sequence
from typing import Protocol

from devices.compiled import compiled
from devices.errors import DeviceError
from devices.families.interface import Actuators
from devices.interface import Clock, Floats, JointCommand, Sample, StopChannel, Timekeeper, Trouble

LARGEST = 1e6  # larger than any angle, velocity, torque or gain of a robot
LAST_STOPS = 3  # at the end: the first may collide with the replies to the last command
LAST_PAUSE_S = 0.002


@compiled
def can_be_followed(q: Floats, dq: Floats, tau: Floats, kp: Floats, kd: Floats) -> bool:
    """Return whether every number of a command is finite and below the limit."""
    total = 0.0  # a sum of squares is finite and small only if every number is
    for i in range(q.size):
        total += q[i] ** 2 + dq[i] ** 2 + tau[i] ** 2 + kp[i] ** 2 + kd[i] ** 2
    return total < LARGEST**2


class Sensor(Protocol):
    """A device that measures. No method waits or raises."""

    def read_into(self, sample: Sample, now_s: float) -> None:
        """Process the bytes received by now [s]; write the newest values and ages to the sample."""

    def troubles(self) -> tuple[Trouble, ...]:
        """Return its faults."""

    def close(self) -> None:
        """Release its line."""


class Actor(Sensor, Protocol):
    """A device that moves joints without an actuator bus, such as a hand."""

    def write(self, command: JointCommand, now_s: float) -> None:
        """Send its part of a command, which is finite."""

    def damp(self, now_s: float) -> None:
        """Let its joints only resist motion, or switch their torque off."""

    def stop(self, now_s: float) -> None:
        """Switch the torque of its joints off."""


class StopChain(Sensor, Protocol):
    """The interface of the hardware E-stop chain's reader."""

    def channels(self) -> tuple[StopChannel, ...]:
        """Return every channel, in the chain's order; a silent channel is open."""


class Supply(Protocol):
    """The interface of the motors' supply. No method waits or raises."""

    @property
    def closed(self) -> bool:
        """Whether the motors have their supply."""

    def restore(self, now_s: float) -> None:
        """Switch the supply on at an operator's request."""


class RealBody:
    """A robot on its serial lines, or on a twin's.

    A tick is a pipeline: `write` requests every actuator's reading, and the replies arrive while
    the core waits for its next tick, whose `read` processes them. So a sample is one tick old.

    Attributes:
        clock: clock of the devices.
        actuators: drivers of the actuators on buses, one for each family.
    """

    def __init__(
        self,
        size: tuple[int, int],
        timekeeper: Timekeeper,
        actuators: Sequence[Actuators],
        sensors: Sequence[Sensor] = (),
        actors: Sequence[Actor] = (),
        chain: StopChain | None = None,
        supply: Supply | None = None,
    ) -> None:
        """Compose the devices; send nothing.

        Args:
            size: numbers of joints, hands included, and of contact switches.
            timekeeper: the clock.
            actuators: drivers of the actuators on buses, one for each family.
            sensors: sensors such as the IMU.
            actors: devices such as the boards of hands.
            chain: reads the E-stop chain; without one the chain counts as open.
            supply: supply of the motors; without one it counts as on.
        """
        self.clock: Clock = timekeeper
        self.actuators = tuple(actuators)
        self._timekeeper = timekeeper
        self._actors = tuple(actors)
        self._chain = chain
        self._supply = supply
        chains = () if chain is None else (chain,)
        self._sensors: tuple[Sensor, ...] = (*sensors, *actors, *chains)
        self._sample = Sample.zeros(*size)
        self._channels: tuple[StopChannel, ...] = ()
        self._estop_closed = False
        self._closed = False
        nothing = self._sample.q
        can_be_followed(nothing, nothing, nothing, nothing, nothing)  # compiles the kernel

    def read(self) -> Sample:
        """Return the newest sample, whose arrays the next call overwrites; ages mark old readings.

        Raises:
            DeviceError: the body is closed.
        """
        self._check_open()
        sample = self._sample
        now_s = self._timekeeper.now_s()
        sample.stamp_s = now_s
        for group in self.actuators:
            group.read_into(sample, now_s)
        for sensor in self._sensors:
            sensor.read_into(sample, now_s)
        channels = self.stop_channels()
        if channels is not self._channels:  # an unchanged chain returns the same tuple
            self._channels = channels
            self._estop_closed = bool(channels) and all(channel.closed for channel in channels)
        sample.estop_closed = self._estop_closed
        return sample

    def write(self, command: JointCommand) -> None:
        """Send a command to every joint.

        Raises:
            DeviceError: a number is not finite or too large, or the body is closed; then nothing is
                sent.
        """
        self._check_open()
        if not can_be_followed(command.q, command.dq, command.tau, command.kp, command.kd):
            raise DeviceError("body", "the command holds a number that is not finite or too large")
        now_s = self._timekeeper.now_s()
        for group in self.actuators:
            group.write(command, now_s)
        for actor in self._actors:
            actor.write(command, now_s)

    def damp(self) -> None:
        """Let every joint only resist motion.

        Raises:
            DeviceError: the body is closed.
        """
        self._check_open()
        now_s = self._timekeeper.now_s()
        for group in self.actuators:
            group.damp(now_s)
        for actor in self._actors:
            actor.damp(now_s)

    def stop(self) -> None:
        """Switch the torque of every joint off. Never raises, never waits, may be repeated."""
        if self._closed:
            return
        try:
            now_s = self._timekeeper.now_s()
        except Exception:  # a twin that has ended has no clock and no motors
            now_s = self._sample.stamp_s
        stops = [device.stop for device in self.actuators]
        stops += [device.stop for device in self._actors]
        for stop in stops:
            try:
                stop(now_s)
            except Exception:  # a fault of one device must not keep the torque of the next one on
                continue

    def troubles(self) -> tuple[Trouble, ...]:
        """Return the faults of the devices, each once."""
        powered = self.powered()
        found = [trouble for group in self.actuators for trouble in group.troubles(powered)]
        for sensor in self._sensors:
            found.extend(sensor.troubles())
        return tuple(dict.fromkeys(found))

    def stop_channels(self) -> tuple[StopChannel, ...]:
        """Return the channels of the hardware E-stop chain."""
        return () if self._chain is None else self._chain.channels()

    def powered(self) -> bool:
        """Return whether the motors have their supply."""
        return self._supply is None or self._supply.closed

    def restore(self) -> None:
        """Switch the motors' supply on after an operator's RESET. Never raises or waits."""
        if self._supply is not None:
            self._supply.restore(self._sample.stamp_s)

    def close(self) -> None:
        """Switch every torque off and release every device."""
        if self._closed:
            return
        self.stop()
        for _ in range(LAST_STOPS - 1):
            try:
                self._timekeeper.wait_until(self._timekeeper.now_s() + LAST_PAUSE_S)
            except Exception:  # a twin that has ended has no clock
                break
            self.stop()
        self._closed = True
        for group in self.actuators:
            group.close()
        for sensor in self._sensors:
            sensor.close()

    def _check_open(self) -> None:
        if self._closed:
            raise DeviceError("body", "it is closed; start the core again")
