"""The GO button: it acts on the press, and gives the time of the press."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QPushButton, QWidget


class GoButton(QPushButton):
    """A button that tells when it was pressed, not when the program came to it.

    Signals:
        struck: it is pressed, with the time stamp of the press; 0 where a key clicked it [ms].
    """

    struck = Signal(object)

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._stamp_ms = 0
        self.pressed.connect(lambda: self.struck.emit(self._stamp_ms))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Keep the time stamp while the press is told."""
        self._stamp_ms = event.timestamp()
        super().mousePressEvent(event)
        self._stamp_ms = 0
