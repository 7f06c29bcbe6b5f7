"""Simulated time of a twin: advances lines and robot in order."""

import select
from collections.abc import Callable
from pathlib import Path

from devices.families.interface import Device
from devices.twin.line import Line
from devices.twin.robot import Robot
from devices.twin.settings import TwinSettings

_MOST_ROUNDS = 64  # most reads of written bytes before the time advances


class Clockwork:
    """Advances the time, only as far as requested.

    Bytes that the computer wrote count from the instant at which it requests more time. A step of
    the
    robot is taken when the first answer needs it, or at the end of its tick: so a command written
    at
    an instant drives the joints from then on, and its reply holds the measurements of that instant,
    before the next one.

    Attributes:
        robot: the devices and their body.
        lines: lines by name.
        now_us: the time [µs].
        tick_us: start of the present tick [µs].
        felt_us: instant of the last step [µs]; -1 before the first.
        on_tick: called at the start of each tick with its time [µs].
    """

    def __init__(self, settings: TwinSettings, folder: Path) -> None:
        """Switch all devices on and plug them in, at time zero.

        Args:
            settings: settings of the twin.
            folder: folder of the lines' links.

        Raises:
            DeviceError: the settings make no body.
        """
        self.robot = Robot(settings)
        self.lines = {line.name: Line(line, folder, settings.seed) for line in settings.lines}
        self.now_us = 0
        self.tick_us = 0
        self.felt_us = -1
        self.on_tick: Callable[[int], None] = lambda now_us: None
        self._pairs: list[tuple[Line, Device]] = [
            (self.lines[name], device) for name, device in self.robot.devices.items()
        ]
        self._poller = select.poll()
        self._by_descriptor: dict[int, Line] = {}
        for name in self.lines:
            self.plug(name)
        self._ticked_us = -1

    def plug(self, name: str) -> None:
        """Plug a line in; no effect if it is plugged in."""
        line = self.lines[name]
        line.plug()
        self._by_descriptor[line.descriptor] = line
        self._poller.register(line.descriptor, select.POLLIN)

    def unplug(self, name: str) -> None:
        """Unplug a line; no effect if it is unplugged."""
        line = self.lines[name]
        if line.descriptor >= 0:
            self._poller.unregister(line.descriptor)
            del self._by_descriptor[line.descriptor]
            line.unplug()

    def close(self) -> None:
        """Unplug every line."""
        for name in self.lines:
            self.unplug(name)

    def go(self, until_us: int, stop_at_bytes: bool = False) -> None:
        """Advance the time.

        Args:
            until_us: target time; an earlier one has no effect [µs].
            stop_at_bytes: stop as soon as a line has bytes for the computer.

        Raises:
            DeviceError: the simulation has diverged.
        """
        self._listen()
        while True:
            if self._ticked_us != self.tick_us:
                self._ticked_us = self.tick_us
                self.on_tick(self.tick_us)
            end_us = self.tick_us + self.robot.tick_us
            horizon_us = min(until_us, end_us)
            self._hand_over()
            if stop_at_bytes and self._deliver_first(min(horizon_us, end_us - 1)):
                return
            if horizon_us == end_us:
                self._finish(end_us)
            if stop_at_bytes and self._deliver_first(horizon_us):
                return
            self._deliver(horizon_us)
            if horizon_us > self.now_us:
                self.now_us = horizon_us
            if horizon_us == end_us:
                self.tick_us = end_us
            if self.now_us >= until_us:
                return

    def _listen(self) -> None:
        """Read all written bytes. A poll also makes the kernel forward buffered ones."""
        for _ in range(_MOST_ROUNDS):
            ready = self._poller.poll(0)
            if not ready:
                return
            for descriptor, _ in ready:
                self._by_descriptor[descriptor].hear(self.now_us)

    def _hand_over(self) -> None:
        """Pass received bytes to the devices, and send the replies to requests."""
        now_us = self.now_us
        for line, device in self._pairs:
            data = line.down.take(now_us)
            if data:
                device.take(data, now_us)
        for line, device in self._pairs:
            if device.asked:
                self._step()
                line.answer(device.answer(), now_us)

    def _step(self) -> None:
        """Take the step of the present tick, once."""
        if self.felt_us != self.tick_us:
            self.robot.step(self.tick_us)
            self.felt_us = self.tick_us

    def _finish(self, end_us: int) -> None:
        """End the present tick: all devices have sent their messages."""
        self._step()
        for line, device in self._pairs:
            sent = device.tell(self.tick_us)
            if sent:
                line.up.put(sent, end_us)

    def _deliver(self, until_us: int) -> None:
        for line, _ in self._pairs:
            line.deliver(until_us)

    def _deliver_first(self, until_us: int) -> bool:
        """Advance to the first time at which bytes are due and deliver them; return if any were."""
        dues = [due for line, _ in self._pairs if (due := line.up.due_us()) is not None]
        first_us = max(min(dues, default=until_us + 1), self.now_us)
        if first_us > until_us:
            return False
        self.now_us = first_us
        if first_us == self.tick_us + self.robot.tick_us:
            self.tick_us = first_us
        return any([line.deliver(first_us) for line, _ in self._pairs])
