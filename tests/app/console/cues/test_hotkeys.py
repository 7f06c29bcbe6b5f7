"""Keys are written one way, and the console's own keys fire no cue."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from app.console.cues.edits import EditError
from app.console.cues.hotkeys import RESERVED, hotkey_of, hotkeys_of, key_of
from shows.document import Cue, Show

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.mark.parametrize("text", [*sorted(RESERVED), "Shift+Esc", "Shift+F8", "Shift+F12"])
def test_the_consoles_own_keys_are_refused(text: str) -> None:
    with pytest.raises(EditError, match="belongs to the console"):
        hotkey_of(text)


@pytest.mark.parametrize("text", ["Ctrl+S", "alt+f", "Meta+Shift+K"])
def test_keys_of_menus_are_refused(text: str) -> None:
    with pytest.raises(EditError, match="belongs to the menus"):
        hotkey_of(text)


@pytest.mark.parametrize("text", ["blah", "A, B", "Shift+", "🙂🙂", "F99"])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(EditError, match="is no key"):
        hotkey_of(text)


@pytest.mark.parametrize(
    ("text", "key"), [("h", "H"), (" f5 ", "F5"), ("shift+g", "Shift+G"), ("", ""), ("0", "0")]
)
def test_a_key_is_written_one_way(text: str, key: str) -> None:
    assert hotkey_of(text) == key


@pytest.mark.parametrize(
    ("key", "modifiers", "text", "written"),
    [
        (Qt.Key.Key_H, NONE, "h", "H"),
        (Qt.Key.Key_H, SHIFT, "H", "Shift+H"),
        (Qt.Key.Key_H, CTRL, "", ""),
        (Qt.Key.Key_F5, NONE, "", "F5"),
        (Qt.Key.Key_0, Qt.KeyboardModifier.KeypadModifier, "0", "0"),
        (Qt.Key.Key_Exclam, SHIFT, "!", "!"),
    ],
)
def test_a_press_is_written_as_the_show_writes_it(
    key: Qt.Key, modifiers: Qt.KeyboardModifier, text: str, written: str
) -> None:
    assert key_of(QKeyEvent(QEvent.Type.KeyPress, key, modifiers, text)) == written


def test_a_show_with_keys_that_mean_something_else_keeps_the_others() -> None:
    cues = [Cue(number=str(i), hotkey=k) for i, k in enumerate(["h", "Space", "nonsense", "F5"])]
    assert hotkeys_of(Show(name="x", cues=tuple(cues))) == {"H": cues[0], "F5": cues[3]}
