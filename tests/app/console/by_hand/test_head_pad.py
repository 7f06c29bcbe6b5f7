"""A place on the head's pad is a direction; the keys move it for as long as they are down."""

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.console.by_hand.head_hand import HeadHand
from app.console.by_hand.head_pad import HeadPad
from app.console.context.context import Context
from core.link.commands import Head, ReleaseHead
from tests.app.console.rig import HELLO, LineCore

PITCH, YAW = HELLO.joint_names.index("head_pitch"), HELLO.joint_names.index("head_yaw")


@pytest.fixture
def pad(context: Context, qtbot: QtBot) -> Iterator[HeadPad]:
    hand = HeadHand(context.link, context.preferences)
    found = HeadPad(hand, context.link)
    qtbot.addWidget(found)
    with qtbot.waitExposed(found):
        found.show()
    found.setFocus()
    yield found


def test_its_edges_are_the_limits_of_the_joints(pad: HeadPad) -> None:
    assert pad.picture.ends == ("left 90°", "right 90°", "up 30°", "down 30°")


def test_a_drag_to_a_corner_looks_there(pad: HeadPad, core: LineCore, qtbot: QtBot) -> None:
    QTest.mousePress(pad, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    qtbot.waitUntil(lambda: Head(1.57, -0.52) in core.commands)
    assert pad.picture.asked == (-1.0, 1.0)
    QTest.mouseRelease(pad, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseHead()])
    assert pad.picture.asked is None


def test_a_drag_that_was_ended_does_not_take_the_head_again(
    pad: HeadPad, core: LineCore, qtbot: QtBot
) -> None:
    QTest.mousePress(pad, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    qtbot.waitUntil(lambda: bool(core.commands))
    core.set(mode="FAULT")
    qtbot.waitUntil(lambda: pad.picture.asked is None)
    core.set(mode="READY")
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseHead()])
    qtbot.wait(60)
    QTest.mouseMove(pad, QPoint(20, 30))
    qtbot.wait(120)
    assert core.commands[-1:] == [ReleaseHead()]


def test_an_arrow_turns_for_as_long_as_it_is_down(
    pad: HeadPad, core: LineCore, qtbot: QtBot
) -> None:
    QTest.keyPress(pad, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: len([c for c in core.commands if isinstance(c, Head)]) >= 3)
    QTest.keyRelease(pad, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseHead()])
    yaws = [command.yaw for command in core.commands if isinstance(command, Head)]
    assert yaws == sorted(yaws)
    assert 0.0 < yaws[0] < yaws[-1] <= 1.57


def test_what_the_core_commands_and_measures_is_drawn(
    pad: HeadPad, core: LineCore, qtbot: QtBot
) -> None:
    q, reference = list(core.scene.q), list(core.scene.q)
    q[YAW], reference[PITCH] = 0.785, 0.26
    core.scene = msgspec.structs.replace(core.scene, q=tuple(q), q_reference=tuple(reference))
    qtbot.waitUntil(lambda: pad.picture.measured == (-0.5, 0.0))
    assert pad.picture.commanded == (0.0, -0.5)
    core.stop()
    qtbot.waitUntil(lambda: pad.picture.measured is None)
