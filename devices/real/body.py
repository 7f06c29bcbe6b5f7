"""The robot as the core sees it: every device in one tick."""

from collections.abc import Sequence
from typing import Protocol

from devices.compiled import compiled
from devices.errors import DeviceError
from devices.families.interface import Actuators
from devices.interface import Clock, Floats, JointCommand, Sample, StopChannel, Timekeeper, Trouble

LARGEST = 1e6  # no angle, speed, torque or gain of a robot comes near
LAST_STOPS = 3  # at the end: the first may run into the replies to the last command
LAST_PAUSE_S = 0.002


@compiled
def can_be_followed(q: Floats, dq: Floats, tau: Floats, kp: Floats, kd: Floats) -> bool:
    """Tell whether every number of a command is finite and sane."""
    total = 0.0  # a sum of squares is finite and small only if every number is
    for i in range(q.size):
        total += q[i] ** 2 + dq[i] ** 2 + tau[i] ** 2 + kp[i] ** 2 + kd[i] ** 2
    return total < LARGEST**2


class Sensor(Protocol):
    """A device that tells something. No method waits or raises."""

    def read_into(self, sample: Sample, now_s: float) -> None:
        """Take in what came by now [s] and write what is known to the sample, with its age."""

    def troubles(self) -> tuple[Trouble, ...]:
        """Return what is wrong with it."""

    def close(self) -> None:
        """Give its line up."""


class Actor(Sensor, Protocol):
    """A device that moves joints which are on no actuator bus: a hand."""

    def write(self, command: JointCommand, now_s: float) -> None:
        """Send its part of a command, whose numbers are finite."""

    def damp(self, now_s: float) -> None:
        """Let its joints resist motion and nothing else, or take their torque."""

    def stop(self, now_s: float) -> None:
        """Take the torque from its joints."""


class StopChain(Sensor, Protocol):
    """Whoever reads the hardware E-stop chain."""

    def channels(self) -> tuple[StopChannel, ...]:
        """Return every channel, in the chain's order; one that is not heard is open."""


class Supply(Protocol):
    """Whoever switches the motors' supply. No method waits or raises."""

    @property
    def closed(self) -> bool:
        """The motors have their supply."""

    def restore(self, now_s: float) -> None:
        """Give it to them, as a person has asked."""


class RealBody:
    """A robot on its wires, or a twin's.

    A tick is a pipeline: `write` asks every actuator for its reading, and the replies come while
    the core waits for its next tick, whose `read` takes them in. So a sample is one tick old.

    Attributes:
        clock: the time that the devices live in.
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
        """Compose devices; nothing is sent yet.

        Args:
            size: numbers of joints, hands included, and of contact switches.
            timekeeper: the time.
            actuators: drivers of the actuators on buses, one for each family.
            sensors: such as the IMU.
            actors: such as the boards of hands.
            chain: reads the E-stop chain; without one the chain counts as open.
            supply: of the motors; without one it is always there.
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
        can_be_followed(nothing, nothing, nothing, nothing, nothing)  # is compiled now

    def read(self) -> Sample:
        """Return the newest sample, whose arrays the next call overwrites; ages tell what is old.

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
        if channels is not self._channels:  # a chain that has not changed returns the same
            self._channels = channels
            self._estop_closed = bool(channels) and all(channel.closed for channel in channels)
        sample.estop_closed = self._estop_closed
        return sample

    def write(self, command: JointCommand) -> None:
        """Send a command to every joint.

        Raises:
            DeviceError: it holds a number that no joint can follow, or the body is closed;
                then nothing is sent.
        """
        self._check_open()
        if not can_be_followed(command.q, command.dq, command.tau, command.kp, command.kd):
            raise DeviceError("body", "the command holds a number that no joint can follow")
        now_s = self._timekeeper.now_s()
        for group in self.actuators:
            group.write(command, now_s)
        for actor in self._actors:
            actor.write(command, now_s)

    def damp(self) -> None:
        """Let every joint resist motion and nothing else.

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
        """Take the torque from every joint. Never raises, never waits, may be repeated."""
        if self._closed:
            return
        try:
            now_s = self._timekeeper.now_s()
        except Exception:  # a twin that is gone has no time, and no motors either
            now_s = self._sample.stamp_s
        stops = [device.stop for device in self.actuators]
        stops += [device.stop for device in self._actors]
        for stop in stops:
            try:
                stop(now_s)
            except Exception:  # one device's fault shall not keep the next one's torque on
                continue

    def troubles(self) -> tuple[Trouble, ...]:
        """Return what is wrong with the devices, each thing once."""
        powered = self.powered()
        found = [trouble for group in self.actuators for trouble in group.troubles(powered)]
        for sensor in self._sensors:
            found.extend(sensor.troubles())
        return tuple(dict.fromkeys(found))

    def stop_channels(self) -> tuple[StopChannel, ...]:
        """Return the channels of the hardware E-stop chain."""
        return () if self._chain is None else self._chain.channels()

    def powered(self) -> bool:
        """Tell whether the motors have their supply."""
        return self._supply is None or self._supply.closed

    def restore(self) -> None:
        """Give the motors their supply, as a person has asked with RESET. Never raises or waits."""
        if self._supply is not None:
            self._supply.restore(self._sample.stamp_s)

    def close(self) -> None:
        """Take the torque from every joint and give up every device."""
        if self._closed:
            return
        self.stop()
        for _ in range(LAST_STOPS - 1):
            try:
                self._timekeeper.wait_until(self._timekeeper.now_s() + LAST_PAUSE_S)
            except Exception:  # a twin that is gone has no time
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
