"""Every target takes a few thousand inputs without the fuzzer, so that none is broken unseen."""

import random
from collections.abc import Callable

import pytest

from devices.wire import safe_remote
from devices.wire.crsf import packed
from devices.wire.mip import commands
from tests.fuzz.targets import TARGETS

GOOD = (
    commands.ping(),
    packed.encode((992,) * 16),
    safe_remote.our_heartbeat(False),
    b"\xff\xff\x01\x02\x01\xfb",
)


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
