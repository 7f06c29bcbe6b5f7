"""What the handset says stands beside the controller, and its layout goes to a limp robot."""

import msgspec
import pytest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel
from pytestqt.qtbot import QtBot

from app.console.by_hand.panel import ByHandPanel
from app.console.context.context import Context
from core.link import wording
from core.link.catalogue.refusals import HOLD_DEAD_MAN
from core.link.commands import SetHandsetMap
from tests.app.console.rig import HANDSET, LineCore


@pytest.fixture
def panel(context: Context, qtbot: QtBot) -> ByHandPanel:
    found = ByHandPanel(context)
    qtbot.addWidget(found)
    found.resize(420, 640)
    with qtbot.waitExposed(found):
        found.show()
    return found


def state(panel: ByHandPanel) -> str:
    labels = panel.findChildren(QLabel)
    return next(label.text() for label in labels if label.accessibleName() == "Handset")


def press(panel: ByHandPanel, name: str) -> None:
    buttons = panel.findChildren(QAbstractButton)
    next(button for button in buttons if button.accessibleName() == name).click()


def test_a_robot_without_a_handset_shows_nothing_of_it(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    qtbot.waitUntil(panel.walk_part.pad.isEnabled)
    assert panel.handset.isHidden()
    core.set(handset=HANDSET)
    qtbot.waitUntil(lambda: not panel.handset.isHidden())
    core.set(handset=None)
    qtbot.waitUntil(panel.handset.isHidden)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "● Handset: link 98%, 3.9 V"),
        ({"dead_man": True, "battery_v": None}, "● Handset: link 98%, dead-man held"),
        ({"note": HOLD_DEAD_MAN()}, f"▲ Handset: link 98%, 3.9 V. {wording.text(HOLD_DEAD_MAN())}"),
        ({"heard": False, "needed": False}, "○ Handset: not heard; switch it on"),
        ({"heard": False, "troubles": ("unplugged",)}, "■ Handset: unplugged"),
        (
            {"authenticated": False},
            "● Handset: link 98%, 3.9 V, not authenticated: STAND UP and RESET here only",
        ),
    ],
)
def test_what_the_handset_says_is_told(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot, fields: dict[str, object], words: str
) -> None:
    core.set(handset=msgspec.structs.replace(HANDSET, **fields))
    qtbot.waitUntil(lambda: not panel.handset.isHidden() and state(panel) == words)


def test_a_lost_core_says_nothing_of_its_handset(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    core.set(handset=HANDSET)
    qtbot.waitUntil(lambda: not panel.handset.isHidden())
    core.stop()
    qtbot.waitUntil(lambda: state(panel) == "? Handset: no core")


def test_a_layout_is_sent_to_a_limp_robot_alone(
    panel: ByHandPanel, core: LineCore, qtbot: QtBot
) -> None:
    core.set(handset=HANDSET)
    qtbot.waitUntil(lambda: not panel.handset.isHidden())
    press(panel, "Layout of the handset")
    combos = panel.handset.editor.findChildren(QComboBox)
    second = next(combo for combo in combos if combo.accessibleName() == "Button 2")
    second.setCurrentIndex(second.findData("settle"))

    def sent() -> list[SetHandsetMap]:
        return [command for command in core.commands if isinstance(command, SetHandsetMap)]

    def sends() -> bool:
        press(panel, "Send to the robot")
        return bool(sent())

    assert not sends()  # it stands: the button is off
    core.set(mode="DAMPED")
    qtbot.waitUntil(sends)
    layout = sent()[0].map
    assert layout is not None and layout.buttons[:3] == ("stop", "settle", "gesture:wave")
