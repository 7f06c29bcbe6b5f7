"""The controller's line names it; the layout below it takes no room until it is asked for."""

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.console.by_hand.controller_part import ControllerPart
from app.console.by_hand.gamepad import Gamepad
from app.console.context.document import Document
from app.console.context.notices import Notice, Notices
from app.console.preferences.store import PreferencesStore


class Rig:
    def __init__(self, qtbot: QtBot) -> None:
        self.gamepad, self.document, notices = Gamepad(), Document(), Notices()
        self.said: list[Notice] = []
        notices.said.connect(self.said.append)
        self.part = ControllerPart(self.gamepad, PreferencesStore(), self.document, notices)
        qtbot.addWidget(self.part)
        self.part.show()

    def button(self, text: str) -> QPushButton:
        (found,) = [b for b in self.part.findChildren(QPushButton) if b.text() == text]
        return found

    def name(self) -> str:
        found = self.part.findChildren(QLabel)
        return next(label.text() for label in found if label.accessibleName() == "Game controller")


@pytest.fixture
def rig(qtbot: QtBot) -> Rig:
    return Rig(qtbot)


def test_a_controller_is_named_while_it_is_there(rig: Rig) -> None:
    assert "No game controller" in rig.name() and not rig.button("Centre").isEnabled()
    rig.gamepad.name = "Pad"
    rig.gamepad.plugged.emit("Pad")
    assert rig.name().endswith(" Pad")
    assert rig.button("Centre").isEnabled()
    rig.gamepad.name = ""
    rig.gamepad.pulled.emit("Pad")
    assert "No game controller" in rig.name()
    rig.gamepad.trouble.emit("it is broken")
    assert [notice.severity for notice in rig.said] == ["info", "warning", "warning"]


def test_sticks_that_are_held_are_not_centred_and_that_is_told(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.gamepad.name = "Pad"
    rig.gamepad.plugged.emit("Pad")
    monkeypatch.setattr(rig.gamepad, "_read", lambda: (0.9, 0.0, 0.0, 0.0))
    rig.button("Centre").click()
    assert "one of them is held" in rig.said[-1].text


def test_the_layout_is_shown_on_demand(rig: Rig, qtbot: QtBot) -> None:
    part = rig.part
    assert part.layout_height() == 0 and not part.picture.isVisible()
    with qtbot.waitSignal(part.opened):
        rig.button("Layout").click()
    assert part.picture.isVisible() and part.stick.isVisible()
    shown = part.picture.sizeHint().height() + part.stick.sizeHint().height()
    assert part.layout_height() >= shown
    rig.button("Layout").click()
    assert part.layout_height() == 0
