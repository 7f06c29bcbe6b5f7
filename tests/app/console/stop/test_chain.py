"""What stops the robot is told by the core's echo, each state by mark and word; else unknown."""

import pytest
from pytestqt.qtbot import QtBot

from app.console.stop.chain import (
    ONLY_CHAIN,
    Row,
    RowList,
    channel_rows,
    latch_rows,
    step_rows,
)
from app.console.toolkit import theme
from core.link.catalogue.faults import FALLEN_DAMP, STOP_PRESSED_DAMP
from core.link.catalogue.safety import CHAIN_CLOSED, ROBOT_STILL
from core.link.status import Channel, ResetStep, Status
from tests.app.console.rig import READY

STOPPED = Status(
    stamp_s=0.0,
    mode="FAULT",
    latched=(STOP_PRESSED_DAMP(), FALLEN_DAMP()),
    reset_steps=(ResetStep(ROBOT_STILL(still_s=1.0), False), ResetStep(CHAIN_CLOSED(), True)),
    estop_channels=(Channel("mushroom", True), Channel("radio", False)),
)


def test_a_lost_core_leaves_nothing_known() -> None:
    assert {row.tone for row in channel_rows(STOPPED, False)} == {theme.UNKNOWN}
    assert [row.text for row in latch_rows(STOPPED, False)] == ["Unknown: the core is not there."]
    assert step_rows(STOPPED, False) == ()
    assert {row.tone for row in (*channel_rows(None, False), *latch_rows(None, False))} == {
        theme.UNKNOWN
    }


def test_a_core_that_reads_no_channel_is_not_a_closed_chain() -> None:
    assert channel_rows(Status(stamp_s=0.0), True)[0].tone is theme.UNKNOWN


def test_each_channel_has_mark_and_word() -> None:
    closed, opened = channel_rows(STOPPED, True)
    assert closed == Row(theme.GOOD, "mushroom: closed")
    assert opened == Row(theme.BAD, "radio: OPEN")
    assert closed.tone.mark != opened.tone.mark


def test_every_reason_and_every_step_is_told() -> None:
    assert [row.text for row in latch_rows(STOPPED, True)] == [
        "STOP was pressed.",
        "The robot has fallen.",
    ]
    assert step_rows(STOPPED, True) == (
        Row(theme.WARN, "waiting: robot still for 1 s"),
        Row(theme.GOOD, "done: closed E-stop chain"),
    )


def test_nothing_latched_is_said_so() -> None:
    assert latch_rows(READY, True) == (Row(theme.IDLE, "Nothing is latched."),)
    assert step_rows(READY, True) == ()


@pytest.mark.parametrize("mode", ["FAULT", "ESTOP"])
def test_a_latched_mode_without_a_reason_is_still_latched(mode: str) -> None:
    assert latch_rows(Status(stamp_s=0.0, mode=mode), True)[0].tone is theme.BAD


def test_only_the_hardware_chain_is_called_an_estop() -> None:
    assert "Only this hardware chain is an E-stop" in ONLY_CHAIN and "software" in ONLY_CHAIN


def test_rows_come_and_go_and_a_screen_reader_hears_them(qtbot: QtBot) -> None:
    rows = RowList("E-stop chain")
    qtbot.addWidget(rows)
    rows.set_rows((Row(theme.GOOD, "one"), Row(theme.BAD, "two 1 s")))
    assert rows.accessibleDescription() == "one; two 1 s"
    rows.set_rows((Row(theme.GOOD, "one"),))
    assert rows.accessibleDescription() == "one"
    rows.set_rows(())
    assert rows.accessibleDescription() == ""
