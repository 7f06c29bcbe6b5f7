"""The keyboard of the key editor, which works while the plot of the positions has the focus."""

import math
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from app.console.motions.keys import KeyEditor

STEP_S, STEP_RAD = 0.02, math.radians(1.0)
FAST = 5.0  # with Shift
NUDGES: dict[str, tuple[float, float]] = {
    "Left": (-1.0, 0.0),
    "Right": (1.0, 0.0),
    "Up": (0.0, 1.0),
    "Down": (0.0, -1.0),
}
KEYS: dict[str, str] = {
    "Ctrl+A": "choose every key of the shown joints",
    "Del": "delete the chosen keys",
    "Ctrl+C": "copy the chosen keys",
    "Ctrl+X": "cut the chosen keys",
    "Ctrl+V": "paste at the playhead",
    "Ctrl+Shift+V": "paste at the playhead to the joints of the other side",
    "Ins": "insert a key at the playhead",
    "Ctrl+Z": "undo",
    "Ctrl+Shift+Z": "redo",
    "Left, Right": "move the chosen keys by 0.02 s; with Shift by 0.1 s",
    "Up, Down": "move the chosen keys by 1°; with Shift by 5°",
}
"""What each key does; the manual has the same table."""


class KeyBoard:
    """Acts on keys that are pressed.

    Args:
        keys: the editor.
    """

    def __init__(self, keys: KeyEditor) -> None:
        self._keys = keys
        self._acts: dict[str, Callable[[], None]] = {
            "Ctrl+A": keys.choose_all,
            "Del": keys.delete,
            "Ctrl+C": keys.copy,
            "Ctrl+X": keys.cut,
            "Ctrl+V": keys.paste,
            "Ctrl+Shift+V": lambda: keys.paste(mirrored=True),
            "Ins": keys.insert,
            "Ctrl+Z": keys.undo,
            "Ctrl+Shift+Z": keys.redo,
        }

    def knows(self, event: QKeyEvent) -> bool:
        """Tell whether a key means something here."""
        return self._act(event) is not None

    def press(self, event: QKeyEvent) -> bool:
        """Act on a key; tell whether it means something here."""
        act = self._act(event)
        if act is not None:
            act()
        return act is not None

    def _act(self, event: QKeyEvent) -> Callable[[], None] | None:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if modifiers & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier):
            return None
        name = QKeySequence(Qt.Key(event.key())).toString(QKeySequence.SequenceFormat.PortableText)
        fast = modifiers == Qt.KeyboardModifier.ShiftModifier
        if name in NUDGES and (fast or not modifiers):
            way = NUDGES[name]
            share = FAST if fast else 1.0
            shift = STEP_S * share * way[0], STEP_RAD * share * way[1]
            return lambda: self._keys.nudge(*shift)
        ctrl = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        shift_held = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        return self._acts.get("Ctrl+" * ctrl + "Shift+" * shift_held + name)
