"""The handset as a picture: its sticks, its dead-man and its buttons as they are held now."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.console.toolkit import theme
from core.link.handset import BUTTONS, HandsetStatus

HEIGHT = 96
_STICK_PX, _KNOB_PX, _BUTTON_PX = 30.0, 9.0, 22.0
_DEAD_MAN = QSize(86, 20)


class HandsetPicture(QWidget):
    """Draws the handset of the newest status; nothing is lit while it is not heard."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._status: HandsetStatus | None = None
        self.setObjectName("handset_picture")
        self.setAccessibleName("What is held on the handset")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return a size for a narrow dock."""
        return QSize(340, HEIGHT)

    def show_status(self, status: HandsetStatus | None) -> None:
        """Show the held controls."""
        if status == self._status:
            return
        self._status = status
        self.setAccessibleDescription(_words(status))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw it all."""
        status = self._status
        heard = status is not None and status.heard
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.MUTED if heard else theme.LINE), 2))
        painter.setBrush(QColor(theme.RAISED if heard else theme.SURFACE))
        painter.drawRoundedRect(QRectF(1, 1, self.width() - 2, self.height() - 2), 12, 12)
        sticks = status.sticks if status is not None and heard else (0.0,) * 4
        for x, y, centre_x in (
            (sticks[0], sticks[1], 46.0),
            (sticks[2], sticks[3], self.width() - 46.0),
        ):
            centre = QPointF(centre_x, self.height() / 2)
            self._choose(painter, False)
            painter.drawEllipse(centre, _STICK_PX, _STICK_PX)
            self._choose(painter, abs(x) > 0.1 or abs(y) > 0.1)
            way = _STICK_PX - _KNOB_PX
            painter.drawEllipse(centre + QPointF(x * way, -y * way), _KNOB_PX, _KNOB_PX)
        self._draw_dead_man(painter, heard and status is not None and status.dead_man)
        left = self.width() / 2 - 2.5 * (_BUTTON_PX + 4)
        for place in range(BUTTONS):
            row, column = divmod(place, 5)
            top = 36 + row * (_BUTTON_PX + 4)
            box = QRectF(left + column * (_BUTTON_PX + 4), top, _BUTTON_PX, _BUTTON_PX)
            pressed = heard and status is not None and status.buttons[place]
            self._choose(painter, pressed)
            painter.drawEllipse(box)
            painter.setPen(QColor(theme.BACKGROUND if pressed else theme.TEXT))
            painter.setFont(theme.font(theme.SMALL_PX, bold=True))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(place + 1))

    def _draw_dead_man(self, painter: QPainter, held: bool) -> None:
        box = QRectF(0, 9, _DEAD_MAN.width(), _DEAD_MAN.height())
        box.moveLeft((self.width() - box.width()) / 2)
        self._choose(painter, held)
        painter.drawRoundedRect(box, 5, 5)
        painter.setPen(QColor(theme.BACKGROUND if held else theme.TEXT))
        painter.setFont(theme.font(theme.SMALL_PX, bold=True))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "dead-man")

    @staticmethod
    def _choose(painter: QPainter, held: bool) -> None:
        painter.setPen(QPen(QColor(theme.TEXT if held else theme.MUTED), 1))
        painter.setBrush(QColor(theme.ACCENT if held else theme.SURFACE))


def _words(status: HandsetStatus | None) -> str:
    """Return the held controls as text, for screen readers."""
    if status is None or not status.heard:
        return "The handset is not heard."
    held = ["the dead-man"] if status.dead_man else []
    held += [f"button {place + 1}" for place, down in enumerate(status.buttons) if down]
    for name, way in (("left", status.sticks[:2]), ("right", status.sticks[2:])):
        if max(map(abs, way)) > 0.1:
            held.append(f"the {name} stick")
    return f"Held: {', '.join(held)}." if held else "Nothing is held."
