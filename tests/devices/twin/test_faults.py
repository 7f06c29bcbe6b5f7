"""What a line does to bytes, one direction at a time."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.errors import DeviceError
from devices.twin.faults import MOST_HELD, NONE, Faults, Wire

share = st.floats(0.0, 1.0)
faults = st.builds(
    Faults,
    drop=share,
    lose=share,
    corrupt=share,
    invent=share,
    noise_hz=st.floats(0.0, 1e5),
    delay_ms=st.floats(0.0, 50.0),
    jitter_ms=st.floats(0.0, 50.0),
    freeze=st.booleans(),
)
messages = st.lists(st.tuples(st.binary(min_size=1, max_size=40), st.integers(0, 3000)))


def sent(wire: Wire, found: list[tuple[bytes, int]]) -> list[bytes]:
    """Send messages, each so long after the one before [µs]; return what came out of it."""
    out, now_us = [], 0
    for data, pause_us in found:
        now_us += pause_us
        wire.put(data, now_us)
        out.append(wire.take(now_us))
    wire.faults = NONE
    out.append(wire.take(now_us + 1_000_000))
    return out


@given(messages)
def test_a_good_wire_changes_nothing(found: list[tuple[bytes, int]]) -> None:
    wire = Wire(0, "imu", 1)
    assert sent(wire, found) == [*(data for data, _ in found), b""]
    assert wire.lost_bytes == 0


@given(messages, faults, st.integers(0, 5))
def test_the_same_seed_does_the_same(
    found: list[tuple[bytes, int]], spoiled: Faults, seed: int
) -> None:
    results = []
    for _ in range(2):
        wire = Wire(seed, "imu", 1)
        wire.faults = spoiled
        results.append((sent(wire, found), wire.lost_bytes))
    assert results[0] == results[1]


@given(messages, st.floats(0.0, 50.0), st.floats(0.0, 50.0), st.booleans())
def test_delayed_messages_arrive_whole_and_in_order(
    found: list[tuple[bytes, int]], delay_ms: float, jitter_ms: float, freeze: bool
) -> None:
    wire = Wire(1, "imu", 1)
    wire.faults = Faults(delay_ms=delay_ms, jitter_ms=jitter_ms, freeze=freeze)
    assert b"".join(sent(wire, found)) == b"".join(data for data, _ in found)


def test_delay_is_as_long_as_it_says() -> None:
    wire = Wire(0, "imu", 1)
    wire.faults = Faults(delay_ms=3.0)
    wire.put(b"abc", 1000)
    assert wire.due_us() == 4000
    assert wire.take(3999) == b""
    assert wire.take(4000) == b"abc"


def test_a_frozen_wire_keeps_no_more_than_an_adapter() -> None:
    wire = Wire(0, "imu", 1)
    wire.faults = Faults(freeze=True)
    for tick in range(100):
        wire.put(bytes(1000), tick)
        assert wire.take(tick) == b""
    assert wire.due_us() is None
    wire.faults = NONE
    assert len(wire.take(100)) == MOST_HELD // 1000 * 1000
    assert wire.lost_bytes == 100_000 - MOST_HELD // 1000 * 1000


@pytest.mark.parametrize("name", ["drop", "lose", "corrupt", "invent"])
def test_measured_fractions_match_the_settings(name: str) -> None:
    wire = Wire(2, "imu", 1)
    wire.faults = replace(NONE, **{name: 0.1})  # type: ignore[arg-type]
    out = []
    for tick in range(2000):
        wire.put(bytes(50), tick)
        out.append(wire.take(tick))
    came = b"".join(out)
    counts = {
        "drop": sum(not data for data in out) / 2000,
        "lose": 1.0 - len(came) / 100_000,
        "corrupt": sum(byte != 0 for byte in came) / 100_000,
        "invent": len(came) / 100_000 - 1.0,
    }
    for other, count in counts.items():
        # An invented byte may be any, and seldom is 0.
        expected = 0.1 if other == name else None if {other, name} & {"invent"} else 0.0
        if other == "lose" and name == "drop":
            expected = 0.1
        if expected is not None:
            assert count == pytest.approx(expected, abs=0.03), other


def test_noise_comes_without_a_message_at_its_rate() -> None:
    wire = Wire(2, "imu", 1)
    wire.faults = Faults(noise_hz=10_000.0)
    came = b"".join(wire.take(1000 * tick) for tick in range(2000))
    assert len(came) == pytest.approx(20_000, rel=0.05)
    assert len(set(came)) == 256


def test_a_cut_wire_loses_the_messages_under_way() -> None:
    wire = Wire(0, "imu", 1)
    wire.put(b"abc", 500)
    wire.cut()
    assert wire.take(1000) == b""
    assert wire.lost_bytes == 3


@pytest.mark.parametrize("name", ["drop", "lose", "corrupt", "invent", "delay_ms", "noise_hz"])
@pytest.mark.parametrize("value", [-0.1, 1e7, math.nan, math.inf])
def test_values_out_of_range_are_refused(name: str, value: float) -> None:
    with pytest.raises(DeviceError, match=f"{name} is .*: give a number from 0"):
        replace(NONE, **{name: value})  # type: ignore[arg-type]


def test_a_cut_wire_owes_no_delay_afterwards() -> None:
    wire = Wire(0, "imu", 1)
    wire.faults = Faults(delay_ms=5000.0)
    wire.put(b"abc", 500)
    wire.cut()
    wire.faults = NONE
    wire.put(b"def", 1000)
    assert wire.take(1000) == b"def"


def test_noise_begins_when_it_is_ordered_and_not_before() -> None:
    wire = Wire(2, "imu", 1)
    for tick in range(1000):
        wire.take(1000 * tick)
    wire.faults = Faults(noise_hz=1e6)
    assert len(wire.take(1_000_000)) < 2000  # of the millisecond since it was heard last
