"""Virtual time of a twin: what happens on the lines and in the robot, in order."""

import select
from collections.abc import Callable
from pathlib import Path

from devices.families.interface import Device
from devices.twin.line import Line
from devices.twin.robot import Robot
from devices.twin.settings import TwinSettings

_MOST_ROUNDS = 64  # of reading what was written, before time goes on in any case


class Clockwork:
    """Lets time go on, only as far as it is asked.

    What the computer wrote counts from the instant at which it asks for more time. A step of the
    robot is taken when the first answer needs it, or at the end of its tick: so a command
    written at an instant drives the joints from there on, and is answered with what was measured
    at that instant, before the next one.

    Attributes:
        robot: the devices and their body.
        lines: by name.
        now_us: the time [µs].
        tick_us: begin of the present tick [µs].
        felt_us: instant of the last step [µs]; -1 before the first.
        on_tick: called at the start of each tick with its time [µs].
    """

    def __init__(self, settings: TwinSettings, folder: Path) -> None:
        """Switch everything on and plug it in, at time zero.

        Args:
            settings: of the twin.
            folder: where the lines' links are to be.

        Raises:
            DeviceError: no body can be made of the settings.
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
        """Plug a line in; nothing if it is."""
        line = self.lines[name]
        line.plug()
        self._by_descriptor[line.descriptor] = line
        self._poller.register(line.descriptor, select.POLLIN)

    def unplug(self, name: str) -> None:
        """Pull a line's plug; nothing if it is out."""
        line = self.lines[name]
        if line.descriptor >= 0:
            self._poller.unregister(line.descriptor)
            del self._by_descriptor[line.descriptor]
            line.unplug()

    def close(self) -> None:
        """Pull every plug."""
        for name in self.lines:
            self.unplug(name)

    def go(self, until_us: int, stop_at_bytes: bool = False) -> None:
        """Let time go on.

        Args:
            until_us: up to this time, or not at all if it is over [µs].
            stop_at_bytes: stop as soon as some line has bytes for the computer.

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
        """Read all that was written. A poll also lets the kernel pass on what it still holds."""
        for _ in range(_MOST_ROUNDS):
            ready = self._poller.poll(0)
            if not ready:
                return
            for descriptor, _ in ready:
                self._by_descriptor[descriptor].hear(self.now_us)

    def _hand_over(self) -> None:
        """Let the devices have what has come, and answer if they are asked."""
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
        """End the present tick: all devices have told what there is to tell of it."""
        self._step()
        for line, device in self._pairs:
            told = device.tell(self.tick_us)
            if told:
                line.up.put(told, end_us)

    def _deliver(self, until_us: int) -> None:
        for line, _ in self._pairs:
            line.deliver(until_us)

    def _deliver_first(self, until_us: int) -> bool:
        """Go to the first time at which bytes are due, and deliver these; tell if there are any."""
        dues = [due for line, _ in self._pairs if (due := line.up.due_us()) is not None]
        first_us = max(min(dues, default=until_us + 1), self.now_us)
        if first_us > until_us:
            return False
        self.now_us = first_us
        if first_us == self.tick_us + self.robot.tick_us:
            self.tick_us = first_us
        return any([line.deliver(first_us) for line, _ in self._pairs])
