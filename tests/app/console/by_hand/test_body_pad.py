"""A place on the body's pad is a lean or a shift; keys move it for as long as they are down."""

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.console.by_hand.body_hand import BodyHand
from app.console.by_hand.body_pad import BodyPad
from app.console.context.context import Context
from core.link.body import LeadBody, ReleaseBody
from tests.app.console.by_hand.body import give_body, limb
from tests.app.console.rig import LineCore

LEFT = Qt.MouseButton.LeftButton
CORNER = QPoint(1, 1)  # left and up
LEAN = LeadBody(roll=-limb().roll.lower, pitch=limb().pitch.upper)
SHIFT = LeadBody(left=limb().left.upper, height=limb().height.upper)


@pytest.fixture
def pad(context: Context, core: LineCore, qtbot: QtBot) -> Iterator[BodyPad]:
    give_body(core, context, qtbot)
    found = BodyPad(BodyHand(context.link, context.preferences), context.link)
    qtbot.addWidget(found)
    with qtbot.waitExposed(found):
        found.show()
    found.activateWindow()
    found.setFocus()
    yield found


def led(core: LineCore) -> list[LeadBody]:
    return [command for command in core.commands if isinstance(command, LeadBody)]


def test_its_edges_are_the_limits_of_the_body(pad: BodyPad) -> None:
    assert pad.picture.ends == ("lean left 6°", "lean right 6°", "lean forward 17°", "lean back 7°")
    pad.choose_shift(True)
    assert pad.picture.ends == (
        "weight left 3.0\u00a0cm",
        "weight right 3.0\u00a0cm",
        "up 1.0\u00a0cm",
        "down 5.0\u00a0cm",
    )


@pytest.mark.parametrize(("shifts", "asked"), [(False, LEAN), (True, SHIFT)])
def test_a_drag_to_a_corner_leads_there_and_back(
    pad: BodyPad, core: LineCore, qtbot: QtBot, shifts: bool, asked: LeadBody
) -> None:
    pad.choose_shift(shifts)
    QTest.mousePress(pad, LEFT, pos=CORNER)
    qtbot.waitUntil(lambda: asked in core.commands)
    assert pad.picture.asked == (-1.0, 1.0) and pad.picture.held
    QTest.mouseRelease(pad, LEFT, pos=CORNER)
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseBody()])
    assert pad.picture.asked is None


def test_shift_held_during_a_drag_shifts_and_keeps_the_lean(
    pad: BodyPad, core: LineCore, qtbot: QtBot
) -> None:
    QTest.mousePress(pad, LEFT, pos=CORNER)
    qtbot.waitUntil(lambda: LEAN in core.commands)
    QTest.keyPress(pad, Qt.Key.Key_Shift)
    assert "weight" in pad.picture.ends[0]
    QTest.mouseMove(pad, QPoint(2, 1))
    both = msgspec.structs.replace(LEAN, left=SHIFT.left, height=SHIFT.height)
    qtbot.waitUntil(lambda: both in core.commands)
    QTest.keyRelease(pad, Qt.Key.Key_Shift)
    assert "lean" in pad.picture.ends[0]
    QTest.mouseRelease(pad, LEFT, pos=CORNER)
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseBody()])


def wheel(pad: BodyPad, notches: int) -> None:
    middle = QPointF(pad.rect().center())
    event = QWheelEvent(
        middle,
        QPointF(pad.mapToGlobal(pad.rect().center())),
        QPoint(),
        QPoint(0, 120 * notches),
        LEFT,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(pad, event)


def test_the_wheel_turns_during_a_drag_only(pad: BodyPad, core: LineCore, qtbot: QtBot) -> None:
    wheel(pad, 1)
    QTest.mousePress(pad, LEFT, pos=CORNER)
    wheel(pad, 3)
    turned = msgspec.structs.replace(LEAN, yaw=pytest.approx(0.3 * limb().yaw.upper))
    qtbot.waitUntil(lambda: turned in led(core))
    wheel(pad, -20)
    far = msgspec.structs.replace(LEAN, yaw=-limb().yaw.lower)
    qtbot.waitUntil(lambda: far in core.commands)


@pytest.mark.parametrize(
    ("held", "arrow", "role", "sign"),
    [
        (None, Qt.Key.Key_Up, "pitch", 1.0),
        (None, Qt.Key.Key_Left, "roll", -1.0),
        (Qt.Key.Key_Shift, Qt.Key.Key_Down, "height", -1.0),
        (Qt.Key.Key_Shift, Qt.Key.Key_Left, "left", 1.0),
        (Qt.Key.Key_Control, Qt.Key.Key_Left, "yaw", 1.0),
        (Qt.Key.Key_Control, Qt.Key.Key_Right, "yaw", -1.0),
    ],
)
def test_an_arrow_leads_for_as_long_as_it_is_down(
    pad: BodyPad, core: LineCore, qtbot: QtBot, held: Qt.Key | None, arrow: Qt.Key, role: str,
    sign: float,
) -> None:  # fmt: skip
    if held is not None:
        QTest.keyPress(pad, held)
    QTest.keyPress(pad, arrow)
    qtbot.waitUntil(lambda: len(led(core)) >= 3)
    QTest.keyRelease(pad, arrow)
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseBody()])
    values = [sign * getattr(command, role) for command in led(core)]
    assert values == sorted(values) and values[-1] > values[0] > 0.0
    for command in led(core):
        assert command == LeadBody(**{role: getattr(command, role)}), "nothing else moves"


def test_a_drag_that_was_ended_does_not_lead_again(
    pad: BodyPad, core: LineCore, qtbot: QtBot
) -> None:
    QTest.mousePress(pad, LEFT, pos=CORNER)
    qtbot.waitUntil(lambda: LEAN in core.commands)
    core.set(mode="FAULT")
    qtbot.waitUntil(lambda: pad.picture.asked is None)
    core.set(mode="READY")
    qtbot.waitUntil(lambda: core.commands[-1:] == [ReleaseBody()])
    qtbot.wait(60)
    QTest.mouseMove(pad, QPoint(20, 30))
    qtbot.wait(120)
    assert core.commands[-1:] == [ReleaseBody()]


def test_what_the_core_commands_and_measures_is_drawn(
    pad: BodyPad, core: LineCore, qtbot: QtBot
) -> None:
    body = limb()
    measured = (0.5 * body.roll.upper, 0.0, 0.0, -body.height.lower, 0.0, 0.0)
    reference = (0.0, -body.pitch.lower, 0.0, 0.0, body.left.upper, 0.0)
    core.scene = msgspec.structs.replace(core.scene, body=measured, body_reference=reference)
    qtbot.waitUntil(lambda: pad.picture.measured == (0.5, 0.0))
    assert pad.picture.commanded == (0.0, -1.0)
    pad.choose_shift(True)
    assert pad.picture.measured == (0.0, -1.0) and pad.picture.commanded == (-1.0, 0.0)
    core.stop()
    qtbot.waitUntil(lambda: pad.picture.measured is None)
