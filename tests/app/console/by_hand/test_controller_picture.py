"""The picture says what each control does and shows what is pressed."""

from pytestqt.qtbot import QtBot

from app.console.by_hand.controller_picture import USES, ControllerPicture
from app.console.by_hand.gamepad import BUTTONS, Gamepad, Sticks


def test_every_button_with_a_use_lights_up(qtbot: QtBot) -> None:
    gamepad = Gamepad()
    picture = ControllerPicture(gamepad)
    qtbot.addWidget(picture)
    picture.resize(400, picture.height())
    bare = picture.grab().toImage()
    for button in {button for use in USES for button in use.buttons}:
        assert button in BUTTONS
        gamepad.buttons = frozenset({button})
        assert picture.grab().toImage() != bare
    gamepad.buttons = frozenset()
    gamepad.sticks = Sticks(right_back=1.0)
    assert picture.grab().toImage() != bare


def test_the_stop_is_told_without_a_picture_too(qtbot: QtBot) -> None:
    picture = ControllerPicture(Gamepad())
    qtbot.addWidget(picture)
    words = picture.accessibleDescription()
    assert "View + Menu together: STOP" in words
    assert "Menu: HOLD" in words
