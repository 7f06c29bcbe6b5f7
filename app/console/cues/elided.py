"""A label that never asks for more room than it has."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.console.toolkit import theme


class Elided(QLabel):
    """Text in a colour on one line or a few, shortened at its end; whole in the tooltip."""

    def __init__(
        self, size_px: int = theme.SIZE_PX, bold: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._size_px, self._bold = size_px, bold
        self.setFont(theme.font(size_px, bold))
        self._colour = theme.TEXT
        self._lines = 1

    def set_lines(self, lines: int) -> None:
        """Take room for so many lines."""
        self._lines = lines
        self.updateGeometry()

    def say(self, text: str, colour: str = theme.TEXT) -> None:
        """Show a text."""
        if text != self.text():
            self.setText(text)
            self.setToolTip(text)
        if colour != self._colour:
            self._colour = colour
            self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return a modest width and the line's height."""
        return QSize(80, round(1.5 * self._size_px * self._lines))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return that it can be narrow."""
        return QSize(30, round(1.4 * self._size_px * self._lines))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw what fits."""
        painter = QPainter(self)
        painter.setFont(theme.font(self._size_px, self._bold))
        painter.setPen(self._colour)
        room = self.width() if self._lines == 1 else round(0.9 * self.width() * self._lines)
        text = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        alignment = self.alignment()
        if not alignment & Qt.AlignmentFlag.AlignVertical_Mask:
            alignment |= Qt.AlignmentFlag.AlignVCenter
        flags: int = alignment.value
        if self._lines > 1:
            flags |= Qt.TextFlag.TextWordWrap.value
        painter.drawText(self.rect(), flags, text)
