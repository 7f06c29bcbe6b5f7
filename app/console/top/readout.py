"""One value of the top bar: its name above, its mark and word below."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.console.toolkit import theme
from app.console.top.readings import Reading

HEIGHT_PX = 48
MARKS = tuple(tone.mark for tone in (theme.GOOD, theme.BUSY, theme.WARN, theme.BAD, theme.IDLE))


class Readout(QWidget):
    """Paints a reading; its width is that of the longest value, so that nothing moves.

    Attributes:
        title: name of the value.
        reading: the value.
    """

    def __init__(
        self, title: str, longest: str, reading: Reading, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.title = title
        self.reading = reading
        self._longest = longest
        self._title_font = theme.font(theme.SMALL_PX)
        self._font = theme.font(bold=True)
        self.setAccessibleName(title)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # nothing below is painted again
        self._describe()
        self.set_text_size(theme.SIZE_PX)

    def set_text_size(self, size_px: int) -> None:
        """Write the value in another size, and take the room for it."""
        self._font = theme.font(size_px, bold=True)
        values, titles = QFontMetrics(self._font), QFontMetrics(self._title_font)
        width = max(values.horizontalAdvance(f"{mark} {self._longest}") for mark in MARKS)
        self.setFixedSize(max(width, titles.horizontalAdvance(self.title)) + 2, HEIGHT_PX)

    def set(self, reading: Reading) -> None:
        """Show another reading."""
        if reading == self.reading:
            return
        self.reading = reading
        self.update()
        self._describe()

    def _describe(self) -> None:
        self.setToolTip(self.reading.hint)
        self.setAccessibleDescription(f"{self.reading.text}. {self.reading.hint}")

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint both lines; a value that is too long ends in an ellipsis."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.BACKGROUND))
        painter.setPen(QColor(theme.MUTED))
        painter.setFont(self._title_font)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(0, 4, self.width(), 16, left, self.title)
        painter.setPen(QColor(self.reading.tone.colour))
        painter.setFont(self._font)
        text = f"{self.reading.tone.mark} {self.reading.text}"
        if self.reading.tone is theme.UNKNOWN and self.reading.text == "?":
            text = "?"
        text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(0, 20, self.width(), self.height() - 22, left, text)
        painter.end()
