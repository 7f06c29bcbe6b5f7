"""A pad tells how it is taken, moved and let go, and lets go whatever takes its attention away."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.console.by_hand.pad import REPEAT_MS, SIDE, Pad, PadPicture

Told = list[tuple[object, ...]]


class Rig:
    def __init__(self, qtbot: QtBot, shift: bool) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.pad, self.other = Pad(shift), QLineEdit()
        layout = QVBoxLayout(self.window)
        layout.addWidget(self.pad)
        layout.addWidget(self.other)
        self.told: Told = []
        self.pad.taken.connect(lambda who: self.told.append(("taken", who)))
        self.pad.moved.connect(lambda who, x, y: self.told.append(("moved", who, x, y)))
        self.pad.let_go.connect(lambda who: self.told.append(("let go", who)))
        with qtbot.waitExposed(self.window):
            self.window.show()
        self.window.activateWindow()
        self.pad.setFocus()
        qtbot.waitUntil(self.pad.hasFocus)

    def last(self) -> tuple[object, ...]:
        return self.told[-1]

    def at(self, right: float, up: float) -> QPoint:
        field = self.pad.field()
        half = field.width() / 2
        centre = field.center()
        return QPoint(round(centre.x() + right * half), round(centre.y() - up * half))


@pytest.fixture
def rig(qtbot: QtBot) -> Iterator[Rig]:
    yield Rig(qtbot, shift=True)


def test_a_drag_is_told_within_the_pad(rig: Rig, qtbot: QtBot) -> None:
    button = Qt.MouseButton.LeftButton
    QTest.mousePress(rig.pad, button, pos=rig.at(0.5, 0.5))
    QTest.mouseMove(rig.pad, rig.at(1.2, -1.2))
    QTest.mouseRelease(rig.pad, button, pos=rig.at(1.2, -1.2))
    assert rig.told[0] == ("taken", "pad")
    assert rig.told[1][2:] == pytest.approx((0.5, 0.5), abs=0.02)
    assert rig.told[2] == ("moved", "pad", 1.0, -1.0)
    assert rig.last() == ("let go", "pad")


def test_a_pointer_that_only_passes_moves_nothing(rig: Rig, qtbot: QtBot) -> None:
    QTest.mouseMove(rig.pad, rig.at(0.5, 0.5))
    QTest.mousePress(rig.pad, Qt.MouseButton.RightButton, pos=rig.at(0.5, 0.5))
    QTest.mouseRelease(rig.pad, Qt.MouseButton.RightButton, pos=rig.at(0.5, 0.5))
    assert rig.told == []


def test_the_focus_going_elsewhere_lets_go_in_the_middle_of_a_drag(rig: Rig, qtbot: QtBot) -> None:
    button = Qt.MouseButton.LeftButton
    QTest.mousePress(rig.pad, button, pos=rig.at(0.5, 0.5))
    rig.other.setFocus()
    assert rig.last() == ("let go", "pad")
    count = len(rig.told)
    QTest.mouseMove(rig.pad, rig.at(-0.5, 0.5))
    QTest.mouseRelease(rig.pad, button, pos=rig.at(-0.5, 0.5))
    assert len(rig.told) == count


def test_another_window_in_front_lets_go(rig: Rig, qtbot: QtBot) -> None:
    QTest.mousePress(rig.pad, Qt.MouseButton.LeftButton, pos=rig.at(0.5, 0.5))
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: rig.last() == ("let go", "pad"))


@pytest.mark.parametrize("deed", ["disable", "hide"])
def test_a_pad_that_goes_away_lets_go(rig: Rig, qtbot: QtBot, deed: str) -> None:
    QTest.mousePress(rig.pad, Qt.MouseButton.LeftButton, pos=rig.at(0.5, 0.5))
    rig.pad.setEnabled(False) if deed == "disable" else rig.pad.hide()
    assert rig.last() == ("let go", "pad")


def test_arrows_count_while_shift_is_down(rig: Rig, qtbot: QtBot) -> None:
    QTest.keyPress(rig.pad, Qt.Key.Key_Up)
    assert rig.told == []
    QTest.keyPress(rig.pad, Qt.Key.Key_Shift)
    assert rig.told == [("taken", "keys"), ("moved", "keys", 0.0, 1.0)]
    QTest.keyPress(rig.pad, Qt.Key.Key_Left)
    assert rig.last() == ("moved", "keys", -1.0, 1.0)
    QTest.keyRelease(rig.pad, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: rig.last() == ("moved", "keys", -1.0, 0.0))
    QTest.keyRelease(rig.pad, Qt.Key.Key_Shift)
    assert rig.last() == ("let go", "keys")


def test_shift_that_goes_with_the_focus_is_let_go(rig: Rig, qtbot: QtBot) -> None:
    QTest.keyPress(rig.pad, Qt.Key.Key_Shift)
    QTest.keyPress(rig.pad, Qt.Key.Key_Up)
    rig.other.setFocus()
    assert rig.last() == ("let go", "keys")
    rig.pad.setFocus()
    QTest.keyPress(rig.pad, Qt.Key.Key_Up)
    assert rig.last() == ("let go", "keys")  # Shift must be pressed again


def test_a_key_that_repeats_is_one_press(rig: Rig, qtbot: QtBot) -> None:
    QTest.keyPress(rig.pad, Qt.Key.Key_Shift)
    QTest.keyPress(rig.pad, Qt.Key.Key_Up)
    count = len(rig.told)
    for kind in (QKeyEvent.Type.KeyRelease, QKeyEvent.Type.KeyPress):
        none = Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(rig.pad, QKeyEvent(kind, Qt.Key.Key_Up, none, "", True))
    assert len(rig.told) == count


def test_without_shift_the_arrows_themselves_hold(qtbot: QtBot) -> None:
    rig = Rig(qtbot, shift=False)
    QTest.keyPress(rig.pad, Qt.Key.Key_Right)
    assert rig.told == [("taken", "keys"), ("moved", "keys", 1.0, 0.0)]
    QTest.keyPress(rig.pad, Qt.Key.Key_Down)
    QTest.keyRelease(rig.pad, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: rig.last() == ("moved", "keys", 0.0, -1.0))
    QTest.keyRelease(rig.pad, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: rig.last() == ("let go", "keys"))


def repeat(pad: Pad, key: Qt.Key) -> None:
    """Let go of a key and press it, as a screen's repeating key looks that is not known as one."""
    QTest.keyRelease(pad, key)
    QTest.keyPress(pad, key)


def test_a_repeating_key_that_looks_let_go_is_still_held(qtbot: QtBot) -> None:
    rig = Rig(qtbot, shift=False)
    QTest.keyPress(rig.pad, Qt.Key.Key_Right)
    told = list(rig.told)
    for _ in range(3):
        repeat(rig.pad, Qt.Key.Key_Right)
    qtbot.wait(3 * REPEAT_MS)
    assert rig.told == told
    QTest.keyRelease(rig.pad, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: rig.last() == ("let go", "keys"))


def test_a_repeating_key_does_not_begin_the_hold_that_was_ended(qtbot: QtBot) -> None:
    rig = Rig(qtbot, shift=False)
    QTest.keyPress(rig.pad, Qt.Key.Key_Right)
    rig.pad.drop()
    repeat(rig.pad, Qt.Key.Key_Right)
    qtbot.wait(3 * REPEAT_MS)
    assert rig.last() == ("let go", "keys")
    QTest.keyRelease(rig.pad, Qt.Key.Key_Right)
    qtbot.wait(3 * REPEAT_MS)
    QTest.keyPress(rig.pad, Qt.Key.Key_Right)
    assert rig.last() == ("moved", "keys", 1.0, 0.0)


def test_every_mark_is_drawn(rig: Rig) -> None:
    bare = rig.pad.grab().toImage()
    for picture in (
        PadPicture(asked=(0.5, 0.5)),
        PadPicture(commanded=(0.5, 0.5)),
        PadPicture(measured=(0.5, 0.5)),
        PadPicture(ends=("left", "right", "up", "down")),
        PadPicture(held=True),
    ):
        rig.pad.show_picture(picture)
        assert rig.pad.grab().toImage() != bare


def test_names_of_the_ends_are_not_cut(rig: Rig) -> None:
    pad = rig.pad
    pad.setFixedSize(SIDE, SIDE)
    ends = ("left 0.10 m/s", "right 0.10 m/s", "forward 0.12 m/s", "back 0.07 m/s")
    pictures = []
    for named in (("", "", "", ""), ends):
        pad.show_picture(PadPicture(ends=named))
        pictures.append(pad.grab().toImage())
    bare, image = pictures
    assert image != bare
    edges = [(x, y) for x in (0, image.width() - 1) for y in range(image.height())]
    assert all(image.pixel(x, y) == bare.pixel(x, y) for x, y in edges)
