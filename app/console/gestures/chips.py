"""Rows of words that can be checked: tags of a search, limbs of a gesture."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.console.gestures.flow import FlowLayout
from app.console.toolkit import theme

_STYLE = f"""
QPushButton {{ border-radius: 11px; padding: 1px 9px; min-height: 20px; color: {theme.MUTED}; }}
QPushButton:checked {{
  background: {theme.SELECTED}; color: {theme.TEXT}; border-color: {theme.ACCENT};
}}
"""


class Chips(QWidget):
    """A row of words that wraps.

    Signals:
        changed: the set of checked words changed.
    """

    changed = Signal()

    def __init__(self, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._name, self._tip = name, tip
        self._chips: dict[str, QPushButton] = {}
        self._flow = FlowLayout(self)
        self.setStyleSheet(_STYLE)

    def set_words(self, words: Iterable[str], on: bool = False) -> None:
        """Offer these words; known words keep their state, new ones get `on`."""
        wanted = tuple(words)
        if wanted == tuple(self._chips):
            return
        was_on = self.on()
        known = set(self._chips)
        for chip in self._chips.values():
            self._flow.removeWidget(chip)
            chip.setParent(None)
            chip.deleteLater()  # deferred: it may be the one just pressed
        self._chips = {}
        for word in wanted:
            chip = QPushButton(word)
            chip.setCheckable(True)
            self._chips[word] = chip
            chip.toggled.connect(partial(self._mark, word))
            chip.setChecked(word in was_on if word in known else on)
            chip.setAccessibleName(f"{self._name}: {word}")
            chip.setToolTip(self._tip.format(word))
            chip.toggled.connect(self.changed)
            self._flow.addWidget(chip)
        if self.on() != was_on:
            self.changed.emit()

    def _mark(self, word: str, on: bool) -> None:
        """Mark a checked word with a sign besides the colour."""
        self._chips[word].setText(f"✓ {word}" if on else word)

    def on(self) -> tuple[str, ...]:
        """Return the checked words."""
        return tuple(word for word, chip in self._chips.items() if chip.isChecked())

    def switch(self, word: str, on: bool) -> None:
        """Check or uncheck a word."""
        self._chips[word].setChecked(on)
