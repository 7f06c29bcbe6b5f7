"""A line of BEAR actuators behind a pty, just enough of them to test a driver.

Nothing here runs by itself: `Line.serve` answers what was written by then, so that a test's time
is its own and the bytes still go over a real terminal.
"""

import array
import fcntl
import os
import pty
import select
import struct
import termios
import time
import tty
from collections.abc import Sequence
from functools import reduce
from operator import and_
from pathlib import Path

from devices.families.bear.setup import BearPlan
from devices.families.bear.wire.bulk import BulkLayout
from devices.families.bear.wire.faults import HEALTHY
from devices.families.bear.wire.packet import (
    BROADCAST,
    Instruction,
    Reply,
    decode_request,
    decode_writes,
)
from devices.families.bear.wire.registers import (
    CONFIG,
    MODE,
    PRESENT_POSITION,
    STATUS,
    TORQUE_ENABLE,
    WINDING_TEMPERATURE,
    Register,
)
from devices.families.bear.wire.stream import RequestStream
from devices.real.port import Port

PATIENCE_S = 20.0  # of the wall, for bytes to get through the kernel


class Bear:
    """One actuator.

    Attributes:
        id: of it.
        silent: it hears and does not answer.
        deaf: it does neither: its supply is off.
        error: its error byte.
        torque: every value its torque was set to, in order.
        woken_at: its goal position when its torque was switched on last.
    """

    def __init__(self, actuator_id: int, position: float = 0.0) -> None:
        self.id = actuator_id
        self.silent = self.deaf = False
        self.error = HEALTHY
        self.torque: list[int] = []
        self.woken_at = 0.0
        self.power_on()
        self.set(PRESENT_POSITION, position)
        self.set(WINDING_TEMPERATURE, 30.0)

    def power_on(self) -> None:
        """Forget everything that was not saved."""
        self.status = {register.address: bytes(4) for register in STATUS}
        self.config = {register.address: bytes(4) for register in CONFIG}
        self.error = HEALTHY

    def set(self, register: Register, value: float) -> None:
        kind = "<I" if register.integer else "<f"
        table = self.status if register in STATUS else self.config
        table[register.address] = struct.pack(kind, value)

    def get(self, register: Register) -> float:
        kind = "<I" if register.integer else "<f"
        table = self.status if register in STATUS else self.config
        value: float = struct.unpack(kind, table[register.address])[0]
        return value

    @property
    def driven(self) -> bool:
        return self.get(TORQUE_ENABLE) == 1 and self.get(MODE) == 3

    def write_status(self, address: int, data: bytes) -> None:
        self.status[address] = data
        if address == TORQUE_ENABLE.address:
            word = int(self.get(TORQUE_ENABLE))
            self.torque.append(word)
            if word == 1:
                self.woken_at = struct.unpack("<f", self.status[0x05])[0]

    def write_config(self, address: int, data: bytes) -> None:
        assert self.get(TORQUE_ENABLE) == 0 or address in (0x10, 0x12), "config with torque on"
        self.config[address] = data
        if address == 0x00:
            self.id = data[0]


class Bus:
    """Actuators that answer requests, without a line.

    Attributes:
        bears: on it.
        saved: ids whose settings were to be kept, in order.
    """

    def __init__(self, bears: Sequence[Bear]) -> None:
        self.bears = list(bears)
        self.saved: list[int] = []

    def answer(self, packet: bytes) -> bytes:
        if packet[2] == BROADCAST:
            return self._answer_bulk(packet)
        bears = [bear for bear in self.bears if bear.id == packet[2] and not bear.deaf]
        answers = [self._answer_single(bear, packet) for bear in bears]
        # Two that speak at once: who drives the line low wins.
        return bytes(reduce(and_, octets) for octets in zip(*answers, strict=True))

    def _answer_bulk(self, packet: bytes) -> bytes:
        layout = BulkLayout.of(packet)
        start = 7 + len(layout.reads) + len(layout.writes)
        answer = b""
        for i, actuator_id in enumerate(layout.ids):
            for bear in self.bears:
                if bear.id != actuator_id or bear.deaf:
                    continue
                entry = packet[start + i * layout.entry_size + 1 :][: layout.entry_size - 1]
                data = b"".join(bear.status[register.address] for register in layout.reads)
                for j, register in enumerate(layout.writes):
                    bear.write_status(register.address, entry[4 * j : 4 * j + 4])
                if layout.reads and not bear.silent:
                    answer += Reply(bear.id, bear.error, data).encode()
        return answer

    def _answer_single(self, bear: Bear, packet: bytes) -> bytes:
        request = decode_request(packet)
        data: bytes | None = None
        if request.instruction is Instruction.PING:
            data = b"\x01\x02\x03\x04"
        elif request.instruction is Instruction.READ_STATUS:
            data = b"".join(bear.status[address] for address in request.parameters)
        elif request.instruction is Instruction.READ_CONFIG:
            data = b"".join(bear.config[address] for address in request.parameters)
        elif request.instruction is Instruction.WRITE_STATUS:
            for address, value in decode_writes(request):
                bear.write_status(address, value)
        elif request.instruction is Instruction.WRITE_CONFIG:
            for address, value in decode_writes(request):
                bear.write_config(address, value)
        elif request.instruction is Instruction.SAVE_CONFIG:
            self.saved.append(bear.id)
        if data is None or bear.silent:
            return b""
        return Reply(bear.id, bear.error, data).encode()


class Line(Bus):
    """A pty with actuators at its far end.

    Attributes:
        path: a link to the terminal, for a driver to open.
        held_back: replies wait so many serves.
    """

    def __init__(self, path: Path, bears: Sequence[Bear]) -> None:
        super().__init__(bears)
        self.path = path
        self.held_back = 0
        self._queue: list[tuple[int, bytes]] = []
        self._serves = 0
        self._master = -1
        self.plug_in()

    def plug_in(self) -> None:
        """Make a new terminal under the same name."""
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(self._slave))
        self._stream = RequestStream()
        self._taken = self._sent = 0
        self._queue.clear()

    def unplug(self) -> None:
        """Hang up."""
        self.path.unlink(missing_ok=True)
        os.close(self._slave)
        os.close(self._master)
        self._master = -1

    def expect(self, count: int) -> bytes:
        """Return so many bytes that the driver wrote."""
        data = b""
        deadline_s = time.monotonic() + PATIENCE_S
        while len(data) < count and time.monotonic() < deadline_s:
            if select.select([self._master], [], [], 0.1)[0]:
                data += os.read(self._master, 65536)
        assert len(data) == count, "what a driver wrote did not come through"
        return data

    def serve(self, port: Port) -> None:
        """Answer what a driver has written since, and see that it can be read."""
        if self._master < 0 or port.descriptor < 0:
            return
        self._serves += 1
        written = port.bytes_out - self._taken
        packets = self._stream.feed(self.expect(written)) if written else []
        packets += self._stream.end()
        self._taken = port.bytes_out
        answer = b"".join(map(self.answer, packets))
        if answer:
            self._queue.append((self._serves + self.held_back, answer))
        while self._queue and self._queue[0][0] <= self._serves:
            self.say(self._queue.pop(0)[1], port)

    def say(self, data: bytes, port: Port) -> None:
        """Put bytes on the line and wait until they arrived."""
        before = waiting(port.descriptor)
        assert os.write(self._master, data) == len(data)
        deadline_s = time.monotonic() + PATIENCE_S
        while waiting(port.descriptor) < before + len(data):
            assert time.monotonic() < deadline_s, "bytes were lost in the terminal"
            time.sleep(1e-5)

    def begin(self, port: Port) -> None:
        """A driver has opened the line: count its bytes from here."""
        self._taken = port.bytes_out


def waiting(descriptor: int) -> int:
    """Return how many bytes a terminal holds for its reader."""
    count = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, count)
    return count[0]


def plan(row: int, **changes: float) -> BearPlan:
    """Return an actuator of joint number `row`, id one more."""
    values = {
        "joint": f"joint_{row}",
        "place": row,
        "id": row + 1,
        "gear": 1.0,
        "sign": 1,
        "zero_rad": 0.0,
        "torque_constant": 1.16,
        "current_a": 6.9,
        "kp": 20.0,
        "kd": 1.0,
        "watchdog": 0,
        "warm_c": 90.0,
        "hot_c": 110.0,
    }
    return BearPlan(**{**values, **changes})  # type: ignore[arg-type]
