"""Holding the walk's pad is the dead-man; its place is the velocity."""

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.console.by_hand.walk_hand import WalkHand
from app.console.by_hand.walk_pad import WalkPad
from app.console.context.context import Context
from core.link.commands import Walk
from tests.app.console.rig import LineCore
from tests.core.tick.gaits import GAITS

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def pad(context: Context, qtbot: QtBot) -> Iterator[WalkPad]:
    hand = WalkHand(context.link, context.document, context.preferences)
    found = WalkPad(hand, context.link, context.document, context.preferences)
    qtbot.addWidget(found)
    with qtbot.waitExposed(found):
        found.show()
    found.setFocus()
    yield found


def test_its_edges_are_the_speeds_that_it_gives(pad: WalkPad, context: Context) -> None:
    assert pad.picture.ends[2:] == ("forward 0.12 m/s", "back 0.07 m/s")
    assert pad.picture.ends[0] == "turn left 17°/s"
    context.preferences.change(
        msgspec.structs.replace(context.preferences.value, walk_speed_share=1.0)
    )
    assert pad.picture.ends[2] == "forward 0.25 m/s"
    pad.set_side_step(True)
    assert pad.picture.ends[1] == "step right 0.12 m/s"


def test_a_hold_walks_and_its_end_stands(pad: WalkPad, core: LineCore, qtbot: QtBot) -> None:
    middle = pad.rect().center()
    QTest.mousePress(pad, LEFT, pos=QPoint(middle.x(), 1))
    qtbot.waitUntil(lambda: any(isinstance(c, Walk) and c.vx == 0.125 for c in core.commands))
    QTest.mouseRelease(pad, LEFT, pos=QPoint(middle.x(), 1))
    qtbot.waitUntil(lambda: core.commands[-1:] == [Walk()])


def test_sideways_turns_or_steps(pad: WalkPad, core: LineCore, qtbot: QtBot) -> None:
    at = QPoint(1, pad.rect().center().y())
    QTest.mousePress(pad, LEFT, pos=at)
    qtbot.waitUntil(lambda: any(isinstance(c, Walk) and c.yaw_rate == 0.3 for c in core.commands))
    pad.set_side_step(True)
    qtbot.waitUntil(lambda: core.commands[-1:] == [Walk()])  # a new press is needed
    QTest.mouseRelease(pad, LEFT, pos=at)
    QTest.mousePress(pad, LEFT, pos=at)
    qtbot.waitUntil(lambda: any(isinstance(c, Walk) and c.vy == 0.06 for c in core.commands))


def test_arrows_walk_while_shift_is_held(pad: WalkPad, core: LineCore, qtbot: QtBot) -> None:
    QTest.keyPress(pad, Qt.Key.Key_Up)
    qtbot.wait(120)
    assert core.commands == []
    QTest.keyPress(pad, Qt.Key.Key_Shift)
    qtbot.waitUntil(lambda: Walk(vx=0.125) in core.commands)
    QTest.keyRelease(pad, Qt.Key.Key_Shift)
    qtbot.waitUntil(lambda: core.commands[-1:] == [Walk()])


def test_what_the_core_commands_and_measures_is_drawn(
    pad: WalkPad, core: LineCore, qtbot: QtBot
) -> None:
    core.set(velocity_command=(0.0625, 0.0, 0.15))
    core.scene = msgspec.structs.replace(core.scene, velocity=(0.0, 0.0, -0.15))
    qtbot.waitUntil(lambda: pad.picture.commanded == (-0.5, 0.5))
    qtbot.waitUntil(lambda: pad.picture.measured == (0.5, 0.0))
    core.stop()
    qtbot.waitUntil(lambda: pad.picture.commanded is None)


def test_ctrl_runs_page_up_jumps_and_neither_counts_without_shift(
    pad: WalkPad, core: LineCore, qtbot: QtBot
) -> None:
    assert core.hello is not None
    jumps: list[bool] = []
    pad.jump_asked.connect(lambda: jumps.append(True))
    QTest.keyPress(pad, Qt.Key.Key_PageUp)
    QTest.keyPress(pad, Qt.Key.Key_Control)
    QTest.keyPress(pad, Qt.Key.Key_Up)
    qtbot.wait(120)
    assert not jumps and not [c for c in core.commands if c != Walk()]
    QTest.keyPress(pad, Qt.Key.Key_Shift)
    qtbot.waitUntil(lambda: Walk(0.125) in core.commands)  # this robot does not run
    core.hello = msgspec.structs.replace(core.hello, gaits=GAITS, started_s=9.0)
    core.set(started_s=9.0)
    qtbot.waitUntil(lambda: Walk(0.125, gait="run") in core.commands)
    QTest.keyPress(pad, Qt.Key.Key_PageUp)
    assert jumps == [True]
    up = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    up.ignore()
    QTest.keyRelease(pad, Qt.Key.Key_Shift)
    qtbot.waitUntil(lambda: core.commands[-1:] == [Walk()])
    QCoreApplication.sendEvent(pad, up)
    assert up.isAccepted()  # a repeated Ctrl+Up moves no standby
    QTest.keyRelease(pad, Qt.Key.Key_Control)
    QTest.keyPress(pad, Qt.Key.Key_Shift)
    core.commands.clear()
    qtbot.waitUntil(lambda: Walk(0.125) in core.commands)
