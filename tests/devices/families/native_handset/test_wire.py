"""The native handset: what is taken, and all that is not."""

import hashlib
import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.boards.wire.layout import Kind
from devices.families.native_handset.messages import HandsetInput, HandsetScreen
from devices.families.native_handset.wire import ENVELOPE, Direction, HandsetEnd, Refusal, RobotEnd
from devices.wire.errors import WireError
from devices.wire.frame import Frame, FrameStream
from tests.devices.families.boards.wire.examples import MESSAGES
from tests.devices.wire.forgery import CONTROLS, KEY, OTHER_KEY, forgeries, paired, sent
from tests.fuzz.fed import kept

SCREEN = HandsetScreen(1, 0.98, 0.72, "READY", "")


def test_the_keyed_hash_has_its_published_value() -> None:
    """BLAKE2s of nothing under the key 00..1f: first entry of blake2s in the authors' KAT file."""
    digest = hashlib.blake2s(b"", key=bytes(range(32))).hexdigest()
    assert digest == "48a8997da407876b3d79c0d92325ad3b89cbb754d86ab71aee047ad345fd2c49"


def test_a_session_carries_inputs_and_the_screen() -> None:
    robot, handset = paired()
    line = FrameStream()
    for i in range(5):
        (frame,) = line.feed(sent(handset, 20_000 * i).encode())
        assert robot.receive(frame) == CONTROLS
        shown = robot.screen(SCREEN, i)
        assert shown is not None
        assert handset.screen(shown) == SCREEN
        assert handset.screen(shown) is None
    assert handset.refused == {Refusal.COUNTER: 5}
    assert robot.refused.total() == 0


def test_without_a_session_nothing_is_taken_or_sent() -> None:
    _, handset = paired()
    robot = RobotEnd(KEY, 1)
    assert robot.receive(sent(handset)) is None
    assert robot.refused == {Refusal.SESSION: 1}
    assert robot.screen(SCREEN, 0) is None
    fresh = HandsetEnd(KEY, 0x70, 1)
    assert fresh.send(CONTROLS, 0) is None
    assert fresh.screen(Frame(Kind.HANDSET_SCREEN, 1, 0, 0, b"")) is None


def test_every_refusal_is_counted_with_its_reason() -> None:
    robot, handset = paired(1)
    frame = sent(handset)
    direction, session, boot, counter = struct.unpack_from("<BIII", frame.payload)
    rest = frame.payload[13:]

    def other(*envelope: int, kind: int = Kind.HANDSET_INPUT, tail: bytes = rest) -> Frame:
        payload = struct.pack("<BIII", *envelope) + tail
        return Frame(kind, frame.source, frame.sequence, frame.t_us, payload)

    cases = {
        Refusal.KIND: other(direction, session, boot, counter, kind=Kind.HANDSET_SCREEN),
        Refusal.LENGTH: other(direction, session, boot, counter, tail=rest[1:]),
        Refusal.DIRECTION: other(Direction.TO_HANDSET, session, boot, counter),
        Refusal.SESSION: other(direction, session ^ 1, boot, counter),
        Refusal.BOOT: other(direction, session, boot ^ 1, counter),
        Refusal.TAG: other(direction, session, boot, counter + 1),
    }
    for reason, forged in cases.items():
        robot.refused.clear()
        assert robot.receive(forged) is None
        assert robot.refused == {reason: 1}
    assert robot.receive(frame) == CONTROLS
    robot.refused.clear()
    assert robot.receive(frame) is None
    assert robot.refused == {Refusal.COUNTER: 1}


def test_an_older_input_that_comes_late_is_not_taken() -> None:
    robot, handset = paired()
    first, second = sent(handset), sent(handset)
    assert robot.receive(second) is not None
    assert robot.receive(first) is None


def test_another_key_makes_no_session() -> None:
    robot = RobotEnd(KEY, 1)
    assert robot.challenge(HandsetEnd(OTHER_KEY, 0x70, 1).hello(0), 0) is None
    stranger = RobotEnd(OTHER_KEY, 1)
    handset = HandsetEnd(KEY, 0x70, 1)
    handset.hello(0)
    answered = stranger.challenge(HandsetEnd(OTHER_KEY, 0x70, 1).hello(0), 0)
    assert answered is not None
    assert not handset.begin(answered)


def test_a_repeated_hello_does_not_end_the_session() -> None:
    robot, handset = paired()
    late = HandsetEnd(KEY, 0x70, 99)
    assert robot.challenge(late.hello(0), 0) is not None
    assert robot.receive(sent(handset)) == CONTROLS


def test_a_handset_that_starts_anew_gets_a_new_session_and_the_old_one_ends() -> None:
    robot, handset = paired()
    old = sent(handset)
    again = HandsetEnd(KEY, 0x70, 77)
    challenge = robot.challenge(again.hello(0), 0)
    assert challenge is not None and again.begin(challenge)
    assert robot.receive(sent(again)) == CONTROLS
    assert robot.receive(old) is None


def test_an_old_challenge_begins_nothing() -> None:
    robot = RobotEnd(KEY, 1)
    handset = HandsetEnd(KEY, 0x70, 3)
    first = robot.challenge(handset.hello(0), 0)
    second = robot.challenge(handset.hello(0), 0)
    assert first is not None and second is not None
    assert not handset.begin(first)
    assert handset.begin(second)
    assert not handset.begin(second)
    foreign = HandsetEnd(KEY, 0x70, 4)
    foreign.hello(0)
    foreign.hello(0)
    assert not foreign.begin(second)


def test_an_authentic_input_that_makes_no_sense_is_refused() -> None:
    robot, handset = paired()

    class Odd(HandsetInput, frozen=True):
        def encode(self) -> bytes:
            return b"\xff" * HandsetInput.LAYOUT.size

    frame = handset.send(Odd(0, (0.0, 0.0, 0.0, 0.0), True, 0.0), 0)
    assert frame is not None
    assert robot.receive(frame) is None
    assert robot.refused == {Refusal.CONTENT: 1}


def test_a_key_of_another_length_is_refused() -> None:
    with pytest.raises(WireError, match="31"):
        RobotEnd(KEY[1:], 1)


@given(MESSAGES["HandsetInput"], MESSAGES["HandsetScreen"], st.integers(0, 0xFFFFFFFF))
def test_any_input_and_screen_come_through(
    controls: HandsetInput, screen: HandsetScreen, t_us: int
) -> None:
    robot, handset = paired()
    line = FrameStream()
    up = handset.send(controls, t_us)
    down = robot.screen(screen, t_us)
    assert up is not None and down is not None
    found = line.feed(up.encode() + down.encode())
    assert robot.receive(found[0]) == controls
    assert handset.screen(found[1]) == screen


def test_the_tag_follows_the_specification() -> None:
    """packaging/wiring/protocols.md, sealed frames: by hand, without the code that seals."""
    robot, challenge = RobotEnd(KEY, 1, lambda size: bytes(range(size))), bytes(range(8))

    def sealed(kind: Kind, secret: bytes, session: int, counter: int, content: bytes) -> Frame:
        payload = struct.pack("<BIII", 1, session, 9, counter) + content
        head = struct.pack("<BBBHI", 1, kind, 0x70, counter, 5)
        tag = hashlib.blake2s(
            secret + head + payload, digest_size=8, key=KEY, person=b"handset1"
        ).digest()
        return Frame(kind, 0x70, counter, 5, payload + tag)

    assert robot.challenge(sealed(Kind.HANDSET_HELLO, bytes(8), 0, 1, b""), 0) is not None
    content = struct.pack("<H4hBBH", 1, 0, 32767, 0, -32767, 0x5A, 0, 3900)
    number = int.from_bytes(challenge[:4], "little")
    assert robot.receive(sealed(Kind.HANDSET_INPUT, bytes(8), number, 2, content)) is None
    first = sealed(Kind.HANDSET_INPUT, challenge, number, 2, content)
    for place in range(len(first.payload)):
        changed = bytearray(first.payload)
        changed[place] ^= 1
        assert robot.receive(first._replace(payload=bytes(changed))) is None
    for other in (first._replace(sequence=3), first._replace(t_us=6), first._replace(source=0x71)):
        assert robot.receive(other) is None
    assert robot.receive(first) == CONTROLS


def test_noise_at_line_rate_costs_no_input_behind_it() -> None:
    chance = random.Random(5)
    robot, handset = paired()
    line = FrameStream()
    line.feed(sent(handset).encode())
    for i in range(500):
        noise = chance.randbytes(chance.randrange(1, 400)) + b"\x00\x0a\x01" * (i % 3)
        fed = [*line.feed(noise), *line.feed(sent(handset, i).encode())]
        assert [robot.receive(frame) for frame in fed][-1:] == [CONTROLS]
    assert robot.refused.total() == 0


def test_hellos_and_forgeries_without_end_take_no_memory() -> None:
    robot, handset = paired()
    again = HandsetEnd(KEY, 0x70, 77)
    hellos = [again.hello(0), HandsetEnd(KEY, 0x70, 78).hello(0)]

    def crowd(count: int) -> None:
        for frame in forgeries(robot, handset, count):
            robot.receive(frame)
            for hello in hellos:
                robot.challenge(hello, 0)

    crowd(50)
    before = kept(robot)
    crowd(500)
    assert kept(robot) <= before


@given(st.binary(max_size=80), st.sampled_from(Kind))
def test_any_bytes_are_refused(payload: bytes, kind: Kind) -> None:
    robot, handset = paired()
    frame = Frame(kind, 0x70, 0, 0, payload)
    assert robot.receive(frame) is None
    assert robot.challenge(frame, 0) is None
    assert handset.screen(frame) is None
    assert not handset.begin(frame)
    assert ENVELOPE.size == 13


@pytest.mark.parametrize("seed", range(10))
def test_of_a_million_forgeries_none_is_taken(seed: int) -> None:
    robot, handset = paired(seed)
    count = 100_000
    frames = forgeries(robot, handset, count, seed)
    assert sum(robot.receive(frame) is not None for frame in frames) == 0
    assert robot.refused.total() == count
    assert set(robot.refused) == set(Refusal) - {Refusal.CONTENT}
