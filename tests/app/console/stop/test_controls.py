"""Every control is offered in the modes in which the core would obey it, and in no other."""

import pytest

from app.console.stop.controls import (
    AGAIN_S,
    CANCEL,
    CONTROLS,
    HOLD,
    LESSER,
    RESET,
    SETTLE,
    STAND_UP,
    STOP,
    EscapeLadder,
    latched,
    obstacle,
)
from core.link.catalogue.safety import CHAIN_CLOSED, ROBOT_STILL
from core.link.status import ResetStep, Status
from core.link.wording import text
from core.safety.modes import LATCHED, TABLE, TORQUE, Mode, Request

STEPS = (ResetStep(CHAIN_CLOSED(), True), ResetStep(ROBOT_STILL(still_s=1.0), False))


def in_mode(mode: Mode) -> Status:
    return Status(stamp_s=0.0, mode=mode.name)


@pytest.mark.parametrize("mode", Mode)
def test_stop_is_there_in_every_mode_and_without_a_core(mode: Mode) -> None:
    assert not obstacle(STOP, in_mode(mode), True)
    assert not obstacle(STOP, in_mode(mode), False)
    assert not obstacle(STOP, None, False)


@pytest.mark.parametrize("mode", Mode)
def test_a_lost_core_is_asked_nothing_else(mode: Mode) -> None:
    for control in CONTROLS:
        if control is not STOP:
            assert obstacle(control, in_mode(mode), False)
            assert obstacle(control, None, True)


@pytest.mark.parametrize("mode", Mode)
def test_stand_up_and_settle_are_offered_where_the_core_would_do_them(mode: Mode) -> None:
    row = TABLE.get(mode, {})
    stands_up = row.get(Request.STAND_UP) is Mode.STANDING_UP and mode is not Mode.STANDING_UP
    settles = row.get(Request.SETTLE) is Mode.SETTLE and mode is not Mode.SETTLE
    assert (not obstacle(STAND_UP, in_mode(mode), True)) is stands_up
    assert (not obstacle(SETTLE, in_mode(mode), True)) is settles


@pytest.mark.parametrize("mode", Mode)
def test_hold_is_offered_where_joints_are_driven_and_the_core_does_not_refuse(mode: Mode) -> None:
    holds = mode in TORQUE and isinstance(TABLE[mode][Request.HOLD], Mode)
    assert (not obstacle(HOLD, in_mode(mode), True)) is holds


@pytest.mark.parametrize("mode", Mode)
def test_a_clip_is_cancelled_where_one_can_play(mode: Mode) -> None:
    plays = mode in {Mode.READY, Mode.PERFORM, Mode.WALK, Mode.RECORD}
    assert (not obstacle(CANCEL, in_mode(mode), True)) is plays


@pytest.mark.parametrize("mode", Mode)
def test_reset_is_offered_in_latched_modes_only(mode: Mode) -> None:
    assert (not obstacle(RESET, in_mode(mode), True)) is (mode in LATCHED)
    assert latched(in_mode(mode)) is (mode in LATCHED)


def test_reset_waits_for_every_step_and_names_the_one_that_is_missing() -> None:
    waiting = Status(stamp_s=0.0, mode="FAULT", reset_steps=STEPS)
    assert text(STEPS[1].condition) in obstacle(RESET, waiting, True)
    done = Status(stamp_s=0.0, mode="FAULT", reset_steps=STEPS[:1])
    assert not obstacle(RESET, done, True)


def test_a_mode_that_the_console_does_not_know_lets_nothing_move() -> None:
    unknown = Status(stamp_s=0.0, mode="NEWER")
    assert obstacle(STAND_UP, unknown, True) and obstacle(RESET, unknown, True)
    assert not obstacle(STOP, unknown, True)


def test_a_disabled_control_says_where_it_works() -> None:
    reason = obstacle(STAND_UP, in_mode(Mode.READY), True)
    assert "DAMPED" in reason and "READY" in reason


def test_no_on_screen_control_claims_to_be_an_estop() -> None:
    for control in CONTROLS:
        for words in (control.name, control.mounted, control.posture, *control.risks.values()):
            assert "e-stop" not in words.lower()


def test_each_control_tells_posture_and_risk_for_every_support() -> None:
    for control in CONTROLS:
        for support in ("floor", "gantry", "seated", "something new"):
            assert control.posture and control.effect(support)
    assert "FALLS" in STOP.effect("floor") and "FALLS" not in STOP.effect("seated")


def test_escape_cancels_and_soon_after_holds() -> None:
    ladder = EscapeLadder()
    assert ladder.next(10.0) is CANCEL
    assert ladder.press(10.0) is CANCEL
    assert ladder.next(10.1) is HOLD
    assert ladder.press(10.1) is HOLD
    assert ladder.press(10.2) is HOLD, "a third press asks nothing gentler"


def test_escape_starts_afresh_after_a_while() -> None:
    ladder = EscapeLadder()
    ladder.press(10.0)
    assert ladder.press(10.0 + AGAIN_S + 0.01) is CANCEL


def test_the_ladder_is_in_order() -> None:
    assert LESSER == (CANCEL, HOLD, SETTLE)
