"""A hand's board: nothing moves by itself, and what is commanded stays within its limits."""

import math
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.boards.hand import HandBoard, HandSettings, Motor
from devices.families.boards.wire.hand import (
    HandCommand,
    HandFault,
    HandMode,
    HandStatus,
    MotorFault,
    MotorState,
)
from devices.families.boards.wire.identity import Board
from tests.devices.families.boards.far_board import FarBoard, Rig

ROWS = (
    Motor("left_wrist", 1, 0.0, 0.4, 4.0, 0.5),
    Motor("left_thumb", -1, 0.2, 0.2, 3.0, 0.3),
)
SETTINGS = HandSettings(
    device="left hand's board",
    line="boards",
    source=0x62,
    columns=Motor.__struct_fields__,
    rows=ROWS,
    watchdog_ms=80,
)
STIFF, NONE = np.array([1.5, 0.5]), np.zeros(2)
WISHES = st.tuples(st.floats(), st.floats())
STATES = (MotorState(0.5, 0.1, 0.25, 40.0), MotorState(0.7, 0.3, 0.1, 50.0))


class Hand:
    def __init__(self, folder: Path) -> None:
        self.driver = HandBoard(SETTINGS)
        self.far = FarBoard(0x62, Board.HAND)
        self.rig = Rig(folder, [self.driver])
        self.states: tuple[MotorState, ...] = STATES
        self.faults = HandFault(0)
        self.speaks = True
        self.rig.tick(self.far.plate(self.rig.now_s))

    def tick(
        self,
        what: str,
        times: int = 1,
        q: tuple[float, float] = (0.3, 0.1),
        dq: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Read, then hold, damp or stop, every 10 ms."""
        for _ in range(times):
            status = HandStatus(HandMode.OFF, self.faults, 100, 5, 300, 7.4, 30.0, self.states)
            now_s = self.rig.now_s + 0.01
            data = self.far.says(status, now_s, 300e-6) if self.speaks else b""
            self.rig.tick(data, 0.01)
            if what == "hold":
                wish = np.array(q), np.array(dq), STIFF, STIFF
                self.driver.hold(self.rig.line, *wish, self.rig.now_s)
            elif what == "damp":
                self.driver.damp(self.rig.line, self.rig.now_s)
            else:
                self.driver.stop(self.rig.line, self.rig.now_s)

    def commands(self) -> list[HandCommand]:
        return [HandCommand.of(frame.payload) for frame in self.rig.sent()]

    def modes(self) -> list[HandMode]:
        return [command.mode for command in self.commands()]


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    hand = Hand(tmp_path)
    yield hand
    hand.rig.close()


def test_nothing_is_held_before_the_robot_was_damped_or_stopped(hand: Hand) -> None:
    hand.tick("hold", 3)
    assert hand.modes() == [HandMode.DAMP] * 3
    assert any("stays limp" in text for text in hand.rig.texts())
    hand.tick("stop")
    hand.tick("hold", 2)
    assert hand.modes() == [HandMode.OFF, HandMode.HOLD, HandMode.HOLD]
    assert hand.rig.texts() == []


@pytest.mark.parametrize("how", ["silence", "restart", "replug", "off by itself"])
def test_a_hand_that_was_away_stays_limp(hand: Hand, how: str) -> None:
    hand.tick("damp", 3)
    hand.tick("hold", 3)
    assert hand.modes()[-1] is HandMode.HOLD
    if how == "silence":
        hand.speaks = False
        hand.tick("hold", 15)
        hand.speaks = True
    elif how == "restart":
        hand.far.sequence = 500
        hand.tick("hold")
        hand.far.restart(hand.rig.now_s)
    elif how == "off by itself":
        hand.faults = HandFault.COMMAND_LOST  # it speaks, and did not hear
        hand.tick("hold", 2)
        hand.faults = HandFault(0)
    else:
        hand.rig.wire.unplug()
        hand.tick("hold", 3)
        hand.rig.wire.plug()
        hand.tick("hold", 30)
    hand.rig.sent()
    hand.tick("hold", 5)
    assert hand.modes() == [HandMode.DAMP] * 5
    hand.tick("damp")
    hand.tick("hold")
    assert hand.modes() == [HandMode.DAMP, HandMode.HOLD]


def test_a_stop_does_not_wait_for_its_turn(hand: Hand) -> None:
    hand.tick("stop", 2)
    hand.tick("hold", 2)
    hand.rig.sent()
    hand.driver.stop(hand.rig.line, hand.rig.now_s + 0.001)
    hand.driver.stop(hand.rig.line, hand.rig.now_s + 0.002)
    assert hand.modes() == [HandMode.OFF]  # once at once, the next at its time


def test_an_encoder_that_is_silent_grows_old(hand: Hand) -> None:
    hand.tick("stop")
    hand.states = (
        MotorState(0.5, 0.1, 0.25, 40.0),
        MotorState(9e-1, 9.0, 0.1, 50.0, MotorFault.ENCODER),
    )
    hand.tick("stop", 10)
    ages = hand.rig.now_s - hand.driver.stamp_s
    assert ages == pytest.approx([300e-6, 0.1003], abs=1e-3)
    assert hand.driver.q[1] == pytest.approx(-0.5)
    assert hand.rig.texts() == [
        "left hand's board: the motor of left_thumb: its encoder is silent; check its plug"
    ]


def test_a_silent_hand_grows_old_and_is_no_grave_trouble(hand: Hand) -> None:
    assert (hand.driver.stamp_s == -math.inf).all()
    hand.tick("stop")
    hand.speaks = False
    hand.tick("stop", 20)
    assert hand.rig.now_s - hand.driver.stamp_s == pytest.approx([0.2003] * 2, abs=1e-3)
    (told,) = hand.rig.line.troubles(hand.rig.now_s)
    assert not told.grave


def test_another_number_of_motors_is_refused(hand: Hand) -> None:
    hand.states = STATES[:1]
    hand.tick("stop", 20)
    (text,) = hand.rig.texts()
    assert "1 motors, and 2 are expected" in text
    assert (hand.driver.stamp_s == -math.inf).all()


@pytest.mark.parametrize("fault", [f for f in HandFault])
def test_every_fault_of_the_board_is_reported(hand: Hand, fault: HandFault) -> None:
    hand.faults = fault
    hand.tick("stop", 3)
    (text,) = hand.rig.texts()
    assert text.startswith("left hand's board: ") and ";" in text


def test_signs_zeros_and_constants_of_the_joints(hand: Hand) -> None:
    hand.tick("stop")
    driver = hand.driver
    assert driver.q == pytest.approx([0.5, -0.5])
    assert driver.dq == pytest.approx([0.1, -0.3])
    assert driver.tau == pytest.approx([0.1, -0.02])
    assert driver.winding_c == pytest.approx([40.0, 50.0])
    hand.tick("hold", q=(0.3, 0.1))
    command = hand.commands()[-1]
    assert [motor.position_rad for motor in command.motors] == pytest.approx([0.3, 0.1])
    assert [motor.velocity_limit_rad_s for motor in command.motors] == [2.0, 2.0]
    assert [motor.current_limit_a for motor in command.motors] == [0.5, 0.3]
    assert command.watchdog_ms == 80


def test_a_command_names_where_the_joint_is_to_be_when_the_next_one_has_come(hand: Hand) -> None:
    hand.tick("stop", 2)
    hand.tick("hold", q=(0.3, 0.1), dq=(1.5, -9.0))
    wrist, thumb = hand.commands()[-1].motors
    ahead_s = SETTINGS.period_s + 0.001  # and a millisecond on its way
    assert wrist.position_rad == pytest.approx(0.3 + 1.5 * ahead_s, abs=1e-4)
    assert wrist.velocity_limit_rad_s == 1.5 + 2.0
    # No joint is led on faster than it may go; the thumb's motor turns the other way.
    assert thumb.position_rad == pytest.approx(0.2 - (0.1 - 3.0 * ahead_s), abs=1e-4)
    assert thumb.velocity_limit_rad_s == 3.0


def test_gains_of_zero_take_the_current(hand: Hand) -> None:
    hand.tick("stop", 2)
    now_s, line, q = hand.rig.now_s, hand.rig.line, np.zeros(2)
    hand.driver.hold(line, q, NONE, np.array([1.0, 0.0]), NONE, now_s + 0.01)
    hand.driver.hold(line, q, NONE, NONE, STIFF, now_s + 0.02)
    hand.driver.hold(line, q, NONE, NONE, NONE, now_s + 0.03)
    found = hand.commands()[2:]
    assert [command.mode for command in found] == [HandMode.HOLD, HandMode.DAMP, HandMode.OFF]
    assert [motor.current_limit_a for motor in found[0].motors] == [0.5, 0.0]


@given(WISHES, WISHES, WISHES)
def test_whatever_is_asked_the_command_is_one_within_its_limits(
    tmp_path_factory: pytest.TempPathFactory,
    q: tuple[float, float],
    dq: tuple[float, float],
    kp: tuple[float, float],
) -> None:
    hand = Hand(tmp_path_factory.mktemp("hand"))
    try:
        hand.tick("stop", 2)
        now_s = hand.rig.now_s + 0.01
        wish = np.array(q), np.array(dq), np.array(kp), STIFF
        hand.driver.hold(hand.rig.line, *wish, now_s)
        command = hand.commands()[-1]
        for motor, row, *numbers, stiffness in zip(command.motors, ROWS, q, dq, kp, strict=True):
            assert motor.velocity_limit_rad_s <= row.velocity_limit
            assert motor.current_limit_a in (0.0, row.current_limit)
            if not (all(map(math.isfinite, numbers)) and stiffness > 0.0):
                assert motor.current_limit_a == 0.0
    finally:
        hand.rig.close()


def test_the_hands_take_turns(tmp_path: Path) -> None:
    other = msgspec.structs.replace(SETTINGS, device="right hand's board", source=0x63)
    hands = [HandBoard(SETTINGS), HandBoard(other, turn=0.5)]
    rig = Rig(tmp_path, hands)
    rig.sent()
    times: dict[int, list[float]] = {0xE2: [], 0xE3: []}
    for _ in range(200):
        rig.tick()
        for driver in hands:
            driver.stop(rig.line, rig.now_s)
        for frame in rig.sent():
            times[frame.source].append(rig.now_s)
    left, right = times[0xE2], times[0xE3]
    assert len(left) == len(right) == pytest.approx(20, abs=1)
    assert min(abs(a - b) for a in left[1:] for b in right[1:]) > 0.003
    rig.close()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"columns": ("joint",)}, "columns of hands"),
        ({"rows": (Motor("left_wrist", 0, 0.0, 0.4, 4.0, 0.5),)}, "is 1 or -1"),
        ({"rows": ROWS * 2}, "has two motors"),
        ({"period_s": 0.05, "watchdog_ms": 60}, "at least twice"),
    ],
)
def test_settings_that_contradict_themselves_are_refused(
    change: dict[str, object], words: str
) -> None:
    raw = msgspec.to_builtins(SETTINGS) | msgspec.to_builtins(change)
    with pytest.raises(msgspec.ValidationError, match=words):
        msgspec.convert(raw, HandSettings)
