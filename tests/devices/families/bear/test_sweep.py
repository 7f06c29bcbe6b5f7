"""Rounds of all lines at once say on the wire, and take from it, what a line's own would."""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.bear.readings import ERROR, HEARD, TOLD, WIDTH, Readings
from devices.families.bear.rounds import COLUMNS, GOALS, MOTION, TURNS, UNKEPT
from devices.families.bear.setup import BearPlan
from devices.families.bear.sweep import TAKEN, TURN, Sweep, make_rounds
from devices.families.bear.wire.bulk import BulkLayout, BulkReplies, BulkRequest
from devices.families.bear.wire.registers import (
    GOAL_POSITION,
    INPUT_VOLTAGE,
    PRESENT_POSITION,
    TORQUE_ENABLE,
    WINDING_TEMPERATURE,
)
from tests.devices.families.bear.bears import plan
from tests.devices.real.rig import Rig

IDS = ((7, 1, 3), (2, 200))
COUNT = sum(map(len, IDS))
ALL = 0b11
ANY = st.integers(0, 2**32 - 1)
turns = st.integers(0, len(TURNS) - 1)


def plans() -> list[list[BearPlan]]:
    return [[plan(row, id=actuator) for row, actuator in enumerate(ids)] for ids in IDS]


@given(st.lists(ANY, min_size=3 * COUNT, max_size=3 * COUNT), turns, turns)
def test_a_request_is_the_codecs_byte_for_byte(words: list[int], one: int, other: int) -> None:
    sweep = Sweep(plans(), Readings.unread(COUNT).table)
    sweep.goals.view("<u4")[:] = np.array(words, dtype="<u4").reshape(COUNT, 3)
    sweep._parameters[:, TURN] = (one - 1) % len(TURNS), (other - 1) % len(TURNS)
    make_rounds(sweep._parameters, ALL, sweep._octets, sweep._requests)
    first = 0
    for ids, turn, packet in zip(IDS, (one, other), sweep._packets, strict=True):
        request = BulkRequest(BulkLayout(ids, (*MOTION, TURNS[turn]), GOALS))
        request.words[:] = sweep.goals.view("<u4")[first : first + len(ids)]
        assert packet == request.seal()
        first += len(ids)


@st.composite
def answers(draw: st.DrawFn) -> tuple[list[BulkReplies], list[bytes], list[int]]:
    """Return what two lines answer, what came of it, and in which turns."""
    made, came, asked = [], [], []
    for ids in IDS:
        turn = draw(turns)
        replies = BulkReplies(BulkLayout(ids, (*MOTION, TURNS[turn])))
        size = replies.words.size
        words = draw(st.lists(ANY, min_size=size, max_size=size))
        replies.words[:] = np.array(words, dtype="<u4").reshape(replies.words.shape)
        if TURNS[turn] is TORQUE_ENABLE:
            torque = st.sampled_from([1] * 9 + [0, 3, 0x101, 2**24 + 1])
            replies.words[:, -1] = draw(st.lists(torque, min_size=len(ids), max_size=len(ids)))
        replies.errors[:] = [draw(st.integers(0, 255)) for _ in ids]
        data = bytearray(replies.seal())
        for _ in range(draw(st.integers(0, 2))):
            data[draw(st.integers(0, len(data) - 1))] ^= draw(st.integers(0, 255))
        made.append(replies)
        came.append(bytes(data))
        asked.append(turn)
    return made, came, asked


@given(answers(), st.integers(1, ALL))
def test_replies_are_taken_if_the_codec_takes_them(
    told: tuple[list[BulkReplies], list[bytes], list[int]], which: int
) -> None:
    made, came, asked = told
    readings = Readings.unread(COUNT)
    readings.told[:] = 5.0
    sweep = Sweep(plans(), readings.table)
    sweep._parameters[:, TURN] = asked
    sweep._sent_s = 3.0
    before = readings.table.copy()
    taken = sweep._take(b"".join(c for i, c in enumerate(came) if which >> i & 1), which)
    first = 0
    for i, (replies, data, turn) in enumerate(zip(made, came, asked, strict=True)):
        part = slice(first, first + len(IDS[i]))
        first = part.stop
        mine = BulkReplies(replies.layout)
        sound = mine.load(data) and which >> i & 1
        if TURNS[turn] is TORQUE_ENABLE:
            sound = sound and (mine.words[:, -1] == 1).all()
        assert bool(taken >> i & 1) == bool(sound)
        wanted = before[part]
        if sound:
            with np.errstate(invalid="ignore"):  # a number that is none may be a signalling one
                wanted[:, :3] = mine.values[:, :3]
                wanted[:, HEARD], wanted[:, ERROR] = 3.0, mine.errors
                if COLUMNS[turn] != UNKEPT:
                    wanted[:, TOLD] = mine.values[:, 3]
                else:
                    wanted[:, COLUMNS[turn - 1]] = 5.0
        np.testing.assert_array_equal(readings.table[part], wanted)
        assert sweep._parameters[i, TAKEN] == bool(sound)


def test_every_second_turn_asks_for_the_torque_and_its_answer_is_not_kept() -> None:
    for turn, register in enumerate(TURNS):
        assert (COLUMNS[turn] == UNKEPT) == (register is TORQUE_ENABLE) == (turn % 2 == 0)
    assert max(COLUMNS) < WIDTH


def test_a_failing_line_leaves_the_sweep_alone_and_returns(rig: Rig) -> None:
    rig.stand()
    sweep = rig.drives._sweep
    assert sweep.served == ALL
    rig.lines[0].bears[1].silent = True
    rig.tick(times=3)
    assert sweep.served == 0b10
    assert (rig.sample.joint_age_s[[0, 2, 3, 4]] < 0.002).all()
    rig.lines[0].bears[1].silent = False
    rig.tick(times=8)
    assert sweep.served == ALL
    assert all(bear.driven for bear in rig.bears)


@pytest.mark.parametrize("what", ["damp", "stop"])
def test_a_line_that_is_not_driven_is_not_swept(rig: Rig, what: str) -> None:
    rig.stand()
    rig.tick(what)
    assert not rig.drives._sweep.served
    rig.serve()
    assert not any(bear.driven for bear in rig.bears)


def test_a_stop_right_after_a_command_is_the_last_word(rig: Rig) -> None:
    rig.stand()
    rig.body.write(rig.command)
    rig.body.stop()
    rig.serve()
    assert not any(bear.driven for bear in rig.bears)
    rig.tick("stop", 3)
    assert (rig.sample.joint_age_s < 0.003).all()


def test_a_line_without_room_for_a_swept_round_is_asked_again(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.stand()
    with monkeypatch.context() as full:
        full.setattr(rig.ports["line_0"], "write", lambda data: False)
        rig.tick(times=3)
    assert rig.drives._sweep.served == 0b10
    rig.command.q[0] = 0.25
    rig.tick(times=3)
    rig.serve()
    assert rig.bears[0].get(GOAL_POSITION) == pytest.approx(0.25)
    assert (rig.sample.joint_age_s < 0.002).all()


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[tuple[Rig, Rig]]:
    """The same robot twice; the lines of the second are never even."""
    rigs = []
    for name in ("swept", "unswept"):
        (tmp_path / name).mkdir()
        rigs.append(Rig(tmp_path / name, (3, 2)))
    for line in rigs[1].drives.lines:
        line._is_even = lambda: False  # type: ignore[method-assign]
    yield rigs[0], rigs[1]
    for rig in rigs:
        rig.close()


@pytest.mark.parametrize("seed", range(6))
def test_a_sweep_changes_nothing_whatever_happens(twins: tuple[Rig, Rig], seed: int) -> None:
    """What is read, sent, counted and told is what lines that serve themselves would."""
    for rig in twins:
        rig.stand()
    swept = 0
    for tick in range(120):
        for rig in twins:
            _disturb(rig, random.Random(f"{seed} {tick}"))
            rig.tick("drive" if tick % 70 < 60 and tick < 119 else "stop")
        ours, other = (_seen(rig) for rig in twins)
        assert ours == other, f"tick {tick}"
        swept += twins[0].drives._sweep.served.bit_count()
        assert not twins[1].drives._sweep.served
    assert swept > 20
    good = [[line.counts.good.tolist() for line in rig.drives.lines] for rig in twins]
    assert good[0] == good[1]


def _disturb(rig: Rig, draw: random.Random) -> None:
    """Let something go wrong, or right again, in a fifth of the ticks."""
    rig.command.q[:] = [draw.uniform(-1.0, 1.0) for _ in rig.command.q]
    place = draw.randrange(2)
    line, port = rig.lines[place], rig.ports[f"line_{place}"]
    bear = draw.choice(line.bears)
    bear.set(PRESENT_POSITION, draw.uniform(-1.0, 1.0))
    bear.set(draw.choice([WINDING_TEMPERATURE, INPUT_VOLTAGE]), draw.uniform(20.0, 30.0))
    what = draw.choice(["noise", "silent", "late", "nan", "error", *["well"] * 20])
    if what == "noise":
        line.say(draw.choice([draw.randbytes(40), b"\xff\xff\x01\x12" * 3]), port)
    elif what == "silent":
        bear.silent = not bear.silent
    elif what == "late":
        line.held_back = 1 - line.held_back
    elif what == "nan":
        bear.set(WINDING_TEMPERATURE, np.nan)
    elif what == "error":
        bear.error ^= 0x08
    elif draw.random() < 0.2:
        bear.silent, line.held_back = False, 0


def _seen(rig: Rig) -> list[object]:
    sample = rig.sample
    arrays = (sample.q, sample.dq, sample.tau, sample.joint_age_s, sample.winding_c)
    seen: list[object] = [array.tobytes() for array in arrays]
    seen += [sorted(bear.status.items()) for bear in rig.bears]
    seen += [bear.torque for bear in rig.bears]
    seen += [(port.bytes_in, port.bytes_out) for port in rig.ports.values()]
    seen.append(rig.drives.readings.table[:, :TOLD].tobytes())
    for line in rig.drives.lines:
        counts = line.counts
        each = (counts.bad_checksum, counts.unexpected, counts.silent)
        seen += [array.tolist() for array in each]
        seen += [counts.noise_bytes, line.member.tolist(), line.held.tolist()]
    return [*seen, *rig.texts()]
