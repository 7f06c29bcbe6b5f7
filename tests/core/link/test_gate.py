"""The gate: never raises, accepts fresh messages in order, and always accepts STOP."""

import math

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from core.link.commands import Command, Go, Stop, Walk
from core.link.envelope import Envelope, Heartbeat
from core.link.gate import MAX_SENDERS, Gate


def envelope(sequence: int, stamp_s: float, command: Command, sender: str = "a") -> bytes:
    return msgspec.msgpack.encode(Envelope(sender, sequence, stamp_s, command))


def beat(sequence: int, stamp_s: float, sender: str = "a", operator: bool = False) -> bytes:
    return msgspec.msgpack.encode(Heartbeat(sender, sequence, stamp_s, operator))


@given(st.binary(max_size=300))
def test_noise_is_counted_and_does_nothing(noise: bytes) -> None:
    gate = Gate()
    assert gate.command(noise, 1.0) is None
    gate.heartbeat(noise, 1.0)
    assert gate.dropped.malformed == 2
    assert gate.ages(1.0) == {}


@given(st.data())
def test_a_damaged_command_never_raises(data: st.DataObject) -> None:
    whole = bytearray(envelope(7, 1.0, Walk(0.1, 0.2, 0.3, True)))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    gate = Gate()
    found = gate.command(bytes(whole), 1.0)
    assert (found is None) == (gate.dropped.total == 1)
    if found is not None and isinstance(found.command, Walk):
        assert math.isfinite(found.command.vx) and abs(found.command.vx) <= 2.0


def test_deep_nesting_is_only_malformed() -> None:
    gate = Gate()
    assert gate.command(b"\x91" * 8000, 1.0) is None
    assert gate.dropped.malformed == 1


def test_a_sequence_must_increase() -> None:
    gate = Gate()
    assert gate.command(envelope(5, 1.0, Go()), 1.0)
    assert gate.command(envelope(5, 1.0, Go()), 1.0) is None
    assert gate.command(envelope(4, 1.0, Go()), 1.0) is None
    assert gate.command(envelope(4, 1.0, Go(), sender="b"), 1.0)
    assert gate.command(envelope(9, 1.0, Go()), 1.0)
    assert gate.dropped.replayed == 2


@given(st.lists(st.integers(0, 30), max_size=40))
def test_what_is_let_in_increases_whatever_arrives(sequences: list[int]) -> None:
    gate = Gate()
    found = [gate.command(envelope(n, 1.0, Go()), 1.0) for n in sequences]
    let_in = [e.sequence for e in found if e is not None]
    assert let_in == sorted(set(let_in))
    assert len(let_in) + gate.dropped.replayed == len(sequences)


def test_old_and_future_messages_are_stale() -> None:
    gate = Gate(max_age_s=0.5)
    assert gate.command(envelope(1, 10.0, Go()), 10.6) is None
    assert gate.command(envelope(2, 11.2, Go()), 10.6) is None
    assert gate.command(envelope(3, 10.2, Go()), 10.6)
    assert gate.dropped.stale == 2


def test_a_stale_message_does_not_use_up_its_number() -> None:
    gate = Gate()
    assert gate.command(envelope(9, 1.0, Go()), 10.0) is None
    assert gate.command(envelope(2, 10.0, Go()), 10.0)


@given(st.binary(max_size=200))
def test_whatever_arrives_as_a_stop_stops(noise: bytes) -> None:
    assert isinstance(Gate().stop(noise, 1.0).command, Stop)


def test_a_stop_is_let_in_however_old_and_from_whomever() -> None:
    gate = Gate()
    found = gate.stop(envelope(1, 0.0, Stop(), sender="z"), 1000.0)
    assert (found.sender, found.command) == ("z", Stop())
    for n in range(MAX_SENDERS):
        gate.command(envelope(1, 1000.0, Go(), sender=f"s{n}"), 1000.0)
    assert gate.stop(envelope(1, 0.0, Stop(), sender="y"), 1000.0).sender == "y"


def test_what_was_sent_before_a_stop_does_not_act_after_it() -> None:
    gate = Gate()
    assert gate.command(envelope(1, 1.0, Walk(0.1)), 1.0)
    gate.stop(envelope(3, 1.0, Stop()), 1.0)
    assert gate.command(envelope(2, 1.0, Walk(0.1)), 1.0) is None
    assert gate.command(envelope(4, 1.0, Walk(0.1)), 1.0)


def test_senders_are_bounded_and_the_silent_make_room() -> None:
    gate = Gate()
    for n in range(MAX_SENDERS + 3):
        gate.command(envelope(1, 1.0, Go(), sender=f"s{n}"), 1.0)
    assert gate.dropped.crowded == 3
    assert gate.command(envelope(1, 1.0, Go(), sender="s0"), 1.0) is None
    assert gate.command(envelope(1, 20.0, Go(), sender="late"), 20.0)


def test_a_sender_that_was_forgotten_cannot_be_replayed() -> None:
    gate = Gate()
    recorded = envelope(1, 1.0, Go(), sender="victim")
    assert gate.command(recorded, 1.0)
    for n in range(MAX_SENDERS):
        gate.command(envelope(1, 20.0, Go(), sender=f"s{n}"), 20.0)
    assert gate.command(recorded, 20.0) is None


def test_ages_count_from_when_the_heartbeat_was_sent() -> None:
    gate = Gate()
    gate.heartbeat(beat(1, 9.8), 10.0)
    assert gate.ages(10.5) == {"a": 10.5 - 9.8}
    gate.heartbeat(beat(1, 10.4), 10.5)  # a replay is no sign of life
    assert gate.ages(10.5) == {"a": 10.5 - 9.8}
    gate.heartbeat(beat(2, 10.9), 10.5)  # nor does a clock ahead make it younger than now
    assert gate.ages(10.5) == {"a": 0.0}


def test_only_operators_count_as_operators() -> None:
    gate = Gate()
    assert gate.operator_age_s(1.0) == math.inf
    gate.heartbeat(beat(1, 1.0, "scribe-1"), 1.0)
    assert gate.operator_age_s(1.0) == math.inf
    gate.heartbeat(beat(1, 1.0, "console-1", operator=True), 1.0)
    gate.heartbeat(beat(1, 1.5, "console-2", operator=True), 1.5)
    assert gate.operator_age_s(2.0) == 0.5


def test_a_command_alone_is_no_heartbeat() -> None:
    gate = Gate()
    gate.command(envelope(1, 1.0, Go()), 1.0)
    assert gate.ages(1.0) == {}
