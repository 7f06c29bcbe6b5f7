"""The picture lights up what is held, and says it in words; a silent handset holds nothing."""

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app.console.by_hand.handset_picture import HandsetPicture
from core.link.handset import HandsetStatus
from tests.app.console.rig import HANDSET

HELD = msgspec.structs.replace(
    HANDSET, dead_man=True, buttons=(*(False,) * 9, True), sticks=(0.0, 0.0, 0.0, 1.0)
)


def picture(qtbot: QtBot, status: HandsetStatus | None) -> HandsetPicture:
    found = HandsetPicture()
    qtbot.addWidget(found)
    found.resize(400, found.height())
    found.show_status(status)
    return found


@pytest.mark.parametrize(
    "held",
    [
        {"dead_man": True},
        {"sticks": (0.5, 0.0, 0.0, 0.0)},
        {"sticks": (0.0, 0.0, 0.0, -1.0)},
        *({"buttons": tuple(place == button for place in range(10))} for button in range(10)),
    ],
)
def test_everything_that_is_held_lights_up(qtbot: QtBot, held: dict[str, object]) -> None:
    shown = picture(qtbot, HANDSET)
    bare = shown.grab().toImage()
    shown.show_status(msgspec.structs.replace(HANDSET, **held))
    assert shown.grab().toImage() != bare


def test_a_handset_that_is_not_heard_holds_nothing(qtbot: QtBot) -> None:
    silent = picture(qtbot, msgspec.structs.replace(HELD, heard=False))
    assert silent.grab().toImage() == picture(qtbot, None).grab().toImage()
    assert silent.accessibleDescription() == "The handset is not heard."


def test_what_is_held_is_told_in_words(qtbot: QtBot) -> None:
    words = picture(qtbot, HELD).accessibleDescription()
    assert words == "Held: the dead-man, button 10, the right stick."
    assert picture(qtbot, HANDSET).accessibleDescription() == "Nothing is held."
