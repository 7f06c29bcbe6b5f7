"""Every target takes some inputs without the fuzzer, so that none is broken unseen."""

import random
from collections.abc import Callable
from types import FunctionType
from zlib import crc32

import numpy as np
import pytest

from devices.families.bear.wire import bulk
from devices.families.crsf.wire import packed
from devices.families.mip.wire import commands
from devices.families.safe_remote import wire as safe_remote
from tests.fuzz.__main__ import as_written
from tests.fuzz.drivers import DRIVERS
from tests.fuzz.fed import LONG, Bench, FedPort, endure, kept, size_of
from tests.fuzz.targets import TARGETS

GOOD = (
    commands.ping(),
    packed.encode((992,) * 16),
    safe_remote.our_heartbeat(False),
    b"\xff\xff\x01\x02\x01\xfb",
)

FOUND = {  # scripts on which a driver or its check once failed
    "a setup of many ticks, which keeps more after each": ("bear_line", b"\x67\x01\x81"),
    "a stop before the line is there, then a wish to drive": (
        "board_line",
        b"\x05\x07\x0d\x16\x47\x1f\x1f",
    ),
}


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS.keys())
def test_a_target_holds_on_noise_with_good_packets_in_it(target: Callable[[bytes], None]) -> None:
    draw = random.Random(5)
    target(b"")
    for _ in range(300):
        parts = [draw.randbytes(draw.randrange(40)), draw.choice(GOOD), draw.randbytes(3)]
        data = bytearray(b"".join(draw.sample(parts, 3)))
        if draw.random() < 0.5 and data:
            data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        target(bytes(data))


@pytest.mark.parametrize("target", DRIVERS.values(), ids=DRIVERS.keys())
def test_a_driver_holds_on_scripts_of_any_bytes(target: Callable[[bytes], None]) -> None:
    draw = random.Random(5)
    target(b"")
    for _ in range(12):
        target(draw.randbytes(draw.randrange(150)))
        target(likely(draw))


@pytest.mark.parametrize(("driver", "script"), FOUND.values(), ids=FOUND.keys())
def test_a_driver_holds_on_a_script_that_was_found(driver: str, script: bytes) -> None:
    DRIVERS[driver](script)


def likely(draw: random.Random) -> bytes:
    """Return a script in which the device often answers, so that it gets far."""
    script = b""
    for _ in range(40):
        number = draw.choice((7, 7, 7, 0, 0, 1, 2, 3, 3, 4, 5, 6, 6))
        operation = number | draw.randrange(32) << 3
        if number == 2:
            operation &= 0x1F
        content = draw.randbytes(size_of(operation))
        if draw.random() < 0.3:
            content = content[:6].ljust(len(content), draw.choice((b"\xff", b"\0")))
        script += bytes((operation,)) + content
    return script


def test_a_kernel_is_compiled_as_it_is_written_whatever_was_put_into_it() -> None:
    code = (lambda value: value).__code__.replace(co_filename=bulk.__file__)
    kernel = as_written(FunctionType(code, vars(bulk), "is_reply"))
    reply = np.frombuffer(bytes.fromhex("ffff0106800000803fb9"), np.uint8)
    assert kernel(reply, 0, 10, 1) and not kernel(reply, 0, 10, 2)


class Hoarder:
    """A driver that keeps what it reads."""

    def __init__(self, port: FedPort) -> None:
        self.port = port
        self.kept: list[bytes] = []

    def read(self) -> None:
        data = self.port.read(0.0)
        if data:
            self.kept.append(data)


Hoarder.__module__ = "devices.real.hoarder"


class Hoard(Bench):
    def __init__(self) -> None:
        super().__init__()
        self.driver = self.hoarder = Hoarder(self.port)

    def run(self) -> None:
        self.hoarder.read()

    def check(self) -> None: ...

    def seal(self, content: bytes) -> bytes:
        return content

    def answer(self, sent: bytes) -> bytes:
        return bytes(50)

    def act(self, number: int) -> None: ...


def test_a_driver_that_hoards_or_reads_without_end_is_found_out() -> None:
    script = next(s for i in range(4096) if crc32(s := bytes((7,)) * 5 + i.to_bytes(2)) & LONG == 0)
    with pytest.raises(AssertionError, match="kept more, and more follow"):
        endure(Hoard(), script)
    assert kept(["ab", {"c": b"d"}]) == 2 + 2 + 1 + 1
    port = FedPort()
    with pytest.raises(AssertionError, match="without end"):
        for _ in range(100):
            port.read(0.0)
