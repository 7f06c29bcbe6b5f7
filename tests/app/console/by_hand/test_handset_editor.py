"""Nothing that cannot be is sent; what was chosen and not sent is not lost to a status."""

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from app.console.by_hand.handset_editor import HandsetEditor
from core.link.handset import HandsetMap
from tests.app.console.rig import HANDSET

LAYOUT = HANDSET.map


class Edited:
    """An editor and what it sent."""

    def __init__(self, qtbot: QtBot) -> None:
        self.editor = HandsetEditor()
        qtbot.addWidget(self.editor)
        self.sent: list[HandsetMap | None] = []
        self.editor.sent.connect(self.sent.append)
        self.editor.show_map(LAYOUT, "")

    def combo(self, name: str) -> QComboBox:
        return next(c for c in self.editor.findChildren(QComboBox) if c.accessibleName() == name)

    def choose(self, name: str, value: str) -> None:
        combo = self.combo(name)
        combo.setCurrentIndex(combo.findData(value))

    def button(self, name: str) -> QPushButton:
        buttons = self.editor.findChildren(QPushButton)
        return next(button for button in buttons if button.text() == name)

    @property
    def text(self) -> str:
        labels = self.editor.findChildren(QLabel)
        return next(
            label.text()
            for label in labels
            if label.accessibleName() == "State of the handset's layout"
        )


@pytest.fixture
def edited(qtbot: QtBot) -> Iterator[Edited]:
    yield Edited(qtbot)


def test_a_layout_without_a_stop_cannot_be_sent(edited: Edited) -> None:
    edited.choose("Button 1", "none")
    assert not edited.button("Send to the robot").isEnabled()
    assert "no button of the handset is STOP" in edited.text


def test_one_stick_for_both_cannot_be_sent(edited: Edited) -> None:
    edited.choose("Stick that walks", "right")
    assert not edited.button("Send to the robot").isEnabled()
    edited.choose("Stick that moves the head", "none")
    assert edited.button("Send to the robot").isEnabled()


def test_a_robot_that_stands_gets_no_layout_and_the_reason_is_told(edited: Edited) -> None:
    edited.choose("Button 2", "settle")
    edited.editor.show_map(LAYOUT, "The robot is in READY.")
    assert not edited.button("Send to the robot").isEnabled()
    assert not edited.button("Robot's own").isEnabled()
    assert "The robot is in READY." in edited.text
    edited.editor.show_map(LAYOUT, "")
    assert edited.button("Send to the robot").isEnabled()


def test_what_was_chosen_is_sent_and_then_is_the_robots(edited: Edited) -> None:
    assert not edited.button("Send to the robot").isEnabled()
    edited.choose("Button 2", "settle")
    assert "Not sent yet" in edited.text
    edited.button("Send to the robot").click()
    wanted = msgspec.structs.replace(LAYOUT, buttons=("stop", "settle", *LAYOUT.buttons[2:]))
    assert edited.sent == [wanted]
    edited.editor.show_map(wanted, "")
    assert edited.text == "" and not edited.button("Send to the robot").isEnabled()


def test_what_was_not_sent_outlives_another_layout_of_the_robot(edited: Edited) -> None:
    edited.choose("Button 2", "settle")
    other = msgspec.structs.replace(LAYOUT, speed_share=0.5)
    edited.editor.show_map(other, "")
    assert edited.combo("Button 2").currentData() == "settle"
    edited.button("As it is").click()
    assert edited.combo("Button 2").currentData() == "hold"
    (speed,) = (
        spin for spin in edited.editor.findChildren(QSpinBox) if "Speed" in spin.accessibleName()
    )
    assert speed.value() == 50


def test_the_robots_own_layout_is_asked_for_by_none(edited: Edited) -> None:
    edited.button("Robot's own").click()
    assert edited.sent == [None]


def test_gestures_are_offered_and_one_that_is_not_known_is_kept(edited: Edited) -> None:
    assert edited.combo("Button 3").currentText() == "wave"
    edited.editor.offer([("gesture:bow", "Bow"), ("gesture:wave", "Wave")])
    assert edited.combo("Button 3").currentText() == "Wave"
    edited.choose("Button 4", "gesture:bow")
    edited.editor.offer([("gesture:wave", "Wave")])
    assert edited.combo("Button 4").currentData() == "gesture:bow"
    assert not edited.editor.changed or edited.combo("Button 3").currentData() == "gesture:wave"


def test_figures_that_the_boxes_round_are_no_change(qtbot: QtBot) -> None:
    edited = Edited(qtbot)
    edited.editor.show_map(msgspec.structs.replace(LAYOUT, dead_zone=0.1234), "")
    assert not edited.editor.changed
    assert not edited.button("Send to the robot").isEnabled()
