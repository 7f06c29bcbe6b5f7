"""Hotkeys of cues: how a key is written, and which keys belong to the console."""

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from app.console.cues.edits import EditError
from shows.document import Cue, Show, Trigger

RESERVED = frozenset(
    {"Space", "Esc", "Return", "Enter", "Tab", "Backtab", "Backspace", "Del", "Ins", "Home", "End"}
    | {
        "PgUp",
        "PgDown",
        "Up",
        "Down",
        "Left",
        "Right",
        "[",
        "]",
        "Pause",
        "F1",
        "F2",
        "F4",
        "F6",
        "F8",
        "F9",
        "F12",
    }
    | {str(digit) for digit in range(1, 10)}
)
"""Keys of the console itself: GO, the stops, moving about, help, and the gestures' digits."""

_SHIFT = Qt.KeyboardModifier.ShiftModifier
_OTHERS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)


def hotkey_of(text: str) -> str:
    """Return a key as the show keeps it ("h" is "H"); nothing for nothing.

    Raises:
        EditError: it is no single key, or it belongs to the console.
    """
    if not text.strip():
        return ""
    keys = QKeySequence.fromString(text.strip(), QKeySequence.SequenceFormat.PortableText)
    found = keys.toString(QKeySequence.SequenceFormat.PortableText)
    if keys.count() != 1 or not found or not found.isprintable():
        raise EditError(f"{text!r} is no key; type one letter, or a name such as F5 or Shift+G.")
    if set(found.split("+")[:-1]) & {"Ctrl", "Alt", "Meta"}:
        raise EditError(f"{found} belongs to the menus; choose a letter, Shift+letter, or F3.")
    if found.removeprefix("Shift+") in RESERVED:  # stops are heard with Shift held, too
        raise EditError(f"The key {found} belongs to the console; choose another.")
    return found


def key_of(event: QKeyEvent) -> str:
    """Return which key was pressed, written as a hotkey; nothing for a key that can be none."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    key = Qt.Key(event.key())
    if key in (Qt.Key.Key_unknown, Qt.Key(0)) or modifiers & _OTHERS:
        return ""
    text = event.text()
    if len(text) == 1 and text.isprintable() and not text.isalpha():
        modifiers &= ~_SHIFT  # Shift is part of how such a character is typed
    return QKeySequence(QKeyCombination(modifiers, key)).toString(
        QKeySequence.SequenceFormat.PortableText
    )


def hotkeys_of(show: Show) -> dict[str, Cue | Trigger]:
    """Return which key fires which cue or trigger; keys that belong to the console fire none."""
    found: dict[str, Cue | Trigger] = {}
    fired: tuple[Cue | Trigger, ...] = (*show.cues, *show.triggers)
    for one in fired:
        if one.hotkey:
            try:
                found.setdefault(hotkey_of(one.hotkey), one)
            except EditError:
                continue
    return found
