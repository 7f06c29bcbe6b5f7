"""A driver's port whose far end is a script of bytes: what it says, in which pieces, and when.

    operation u8 = number | size << 3, then its bytes

Whatever the bytes are, they are a script; what is missing at its end is left out.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

from devices.interface import Trouble
from devices.real.port import CHUNK, Port
from tests.devices.real.rig import StillTime

MOST_READS = 24  # of a port in a tick
MOST_TICKS = 300  # of a script
LONG = 0x3F  # one script in so many is repeated
REPEATS = 4  # of it, after which the driver is measured once more
MOST_GROWN = 512  # bytes and entries that may be kept more after them
MOST_GROWTHS = 8  # in a row
MOST_KEPT = 3000  # bytes and entries more than at first; no honest driver keeps 1500
STEPS_S = (0.001, 0.001, 0.01, 0.05)  # between what a sound device says
PAUSES_S = (0.0, 0.0002, 0.001, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 4000.0)


class FedPort(Port):
    """A port that reads what it is fed.

    Attributes:
        plugged: its device is there.
        flood: what comes without end, until the tick ends; empty if nothing.
        reads: since the tick began.
        taken: bytes read since the tick began.
        told: bytes written since the tick began.
        sent: the same, until the device has heard them.
    """

    def __init__(self, baud: int = 1_000_000) -> None:
        super().__init__("fed line", Path("fed"), baud)
        self.plugged = True
        self.flood = b""
        self.reads = 0
        self.taken = b""
        self.told = b""
        self.sent = b""
        self.waiting = bytearray()

    def read(self, now_s: float, awaited: bool = False) -> bytes:
        self.reads += 1
        assert self.reads <= MOST_READS, "a tick reads without end"
        if self.descriptor < 0:
            if self.plugged:
                self.descriptor = 0
                self.openings += 1
                self._troubles = ()
            return b""
        if not self.plugged:
            self.descriptor = -1
            self._troubles = (Trouble(self.device, "unplugged", grave=True),)
            return b""
        if self.flood:
            self.waiting += self.flood * (CHUNK // len(self.flood) + 1)
        data = bytes(self.waiting[:CHUNK])
        del self.waiting[:CHUNK]
        self.bytes_in += len(data)
        self.taken += data
        return data

    def write(self, data: bytes | bytearray | memoryview) -> bool:
        if self.descriptor < 0:
            return False
        self.told += data
        self.sent = (self.sent + data)[-CHUNK:]
        self.bytes_out += len(data)
        return True

    def retune(self, baud: int) -> None:
        self.waiting.clear()

    def close(self) -> None:
        self.descriptor = -1


def size_of(operation: int) -> int:
    """Return how many bytes belong to an operation."""
    number, size = operation & 7, operation >> 3
    return (0, size + 1, 8 * (size + 1), 2 * (size + 1))[number] if number < 4 else 0


class FedTime(StillTime):
    """Time in which looking at a port that has bytes costs a little."""

    def __init__(self, port: FedPort) -> None:
        super().__init__()
        self._port = port

    def wait_readable(self, descriptors: Sequence[int], until_s: float) -> bool:
        if self._port.waiting or self._port.flood:
            self.time_s += 5e-5
            return True
        return super().wait_readable(descriptors, until_s)


class Bench(ABC):
    """A driver, its fed port, and what must hold whatever the port was fed.

    Attributes:
        port: of the driver.
        time: of the driver.
        driver: what must not grow.
        ticks: so many there were.
    """

    driver: object

    def __init__(self, baud: int = 1_000_000) -> None:
        self.port = FedPort(baud)
        self.time = FedTime(self.port)
        self.ticks = 0

    @property
    def now_s(self) -> float:
        return self.time.time_s

    @abstractmethod
    def run(self) -> None:
        """Let the driver do what it does in a tick."""

    @abstractmethod
    def check(self) -> None:
        """See that nothing is amiss after a tick."""

    @abstractmethod
    def seal(self, content: bytes) -> bytes:
        """Return a packet that passes its check, with any content."""

    @abstractmethod
    def answer(self, sent: bytes) -> bytes:
        """Return what a sound device says by now, to what it was sent."""

    @abstractmethod
    def act(self, number: int) -> None:
        """Let the core want something else from now on."""

    def tick(self, passed_s: float) -> None:
        self.ticks += 1
        self.time.time_s += passed_s
        self.port.reads = 0
        self.port.taken = self.port.told = b""
        self.run()
        self.port.flood = b""
        self.check()

    def feed(self, data: bytes) -> None:
        """Put bytes on the line, if it is there."""
        if self.port.plugged and self.port.descriptor >= 0:
            self.port.waiting += data

    def honest(self) -> bytes:
        """Return what the device answers to all that it was sent."""
        sent, self.port.sent = self.port.sent, b""
        return self.answer(sent)

    def play(self, script: bytes) -> None:
        """Do what a script says, for so many ticks at most."""
        at, last = 0, self.ticks + MOST_TICKS
        while at < len(script) and self.ticks < last:
            number, size = script[at] & 7, script[at] >> 3
            length = size_of(script[at])
            content = script[at + 1 : at + 1 + length]
            at += 1 + length
            if number == 0:
                self.tick(PAUSES_S[size % len(PAUSES_S)])
            elif number < 3:
                self.feed(content)
            elif number == 3:
                self.feed(self.seal(content))
            elif number == 4:  # what is said is cut short, or bent, or comes twice
                said = bytearray(self.honest())
                if said and size & 1:
                    said[size * 7 % len(said)] ^= 1 << (size >> 1) % 8
                elif size & 2:
                    del said[-size:]
                self.feed(bytes(said) * (1 + (size >> 4)))
            elif number == 5:
                self._plug(size)
            elif number == 6:
                self.act(size)
            else:
                for _ in range((size >> 2) + 1):
                    self.feed(self.honest())
                    self.tick(STEPS_S[size & 3])

    def _plug(self, size: int) -> None:
        if size % 4 == 3:
            self.port.flood = bytes((size * 8 + 5, size, size * 3 & 0xFF))
            return
        self.port.plugged = size % 4 == 1
        self.port.waiting.clear()
        if size % 4 == 2:  # put in again at once
            self.tick(0.001)
            self.port.plugged = True


def endure(bench: Bench, script: bytes) -> None:
    """Play a script once, and one in some for long, and see that nothing grows."""
    bench.play(script)
    if crc32(script) & LONG:
        return
    first = after = kept(bench.driver)
    for _ in range(MOST_GROWTHS):
        before = after
        for _ in range(REPEATS):
            bench.play(script)
        after = kept(bench.driver)
        if after - before <= MOST_GROWN:
            break
    grown = after - first
    assert after - before <= MOST_GROWN, f"{grown} bytes and entries are kept more, and more follow"
    assert grown <= MOST_KEPT, f"{grown} bytes and entries are kept more than at first"


def kept(root: object) -> int:
    """Return how many bytes and entries an object and what it refers to hold, ports aside."""
    seen: set[int] = set()
    total = 0
    left = [root]
    while left:
        one = left.pop()
        if id(one) in seen or isinstance(one, Port):
            continue
        seen.add(id(one))
        if isinstance(one, bytes | bytearray | str):
            total += len(one)
        elif isinstance(one, list | tuple | set | frozenset | deque):
            total += len(one)
            left.extend(one)
        elif isinstance(one, dict):
            total += len(one)
            left.extend(one.values())
        elif type(one).__module__.startswith("devices."):
            left.extend(getattr(one, "__dict__", {}).values())
            slots = (s for kind in type(one).__mro__ for s in getattr(kind, "__slots__", ()))
            left.extend(getattr(one, slot, None) for slot in slots)
    return total
