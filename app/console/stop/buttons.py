"""Buttons that Space leaves alone: Space is GO, wherever the focus is."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from app.console.toolkit import theme


class EnterButton(QPushButton):
    """A button that Enter works and Space does not."""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Press on Enter, once however long it is held; leave Space to whoever listens."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.click()
        elif event.key() == Qt.Key.Key_Space:
            event.ignore()
        else:
            super().keyPressEvent(event)


class KeyedButton(EnterButton):
    """A button that shows its key at its right end.

    Attributes:
        is_next: its key works with the next press.
    """

    def __init__(self, text: str, key: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus where it was
        self.setStyleSheet(f"text-align: left; min-height: {theme.TOUCH - 10}px;")
        self._key = key
        self._hint = QLabel(key, self)
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 10, 0)
        row.addStretch()
        row.addWidget(self._hint)
        self.is_next = False
        self._write_hint()

    def mark_next(self, following: bool) -> None:
        """Show whether its key works with the next press."""
        if following != self.is_next:
            self.is_next = following
            self._write_hint()

    def _write_hint(self) -> None:
        self._hint.setText(f"{theme.BUSY.mark} {self._key}" if self.is_next else self._key)
        colour = theme.BUSY.colour if self.is_next else theme.MUTED
        self._hint.setStyleSheet(
            f"background: transparent; color: {colour}; font-size: {theme.SMALL_PX}px;"
        )
