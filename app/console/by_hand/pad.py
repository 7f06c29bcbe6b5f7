"""A square pad: mouse or keys move its knob; the robot's motion is drawn beside it."""

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from app.console.toolkit import theme

MARGIN = 26  # around the field, where its ends are named [px]
SIDE, MOST_SIDE = 96, 280  # of the pad [px]
KNOB = 11
RING = 8
REPEAT_MS = 30  # the screen's repeating key looks let go and pressed again within this time
ARROWS = {
    int(Qt.Key.Key_Left): (-1.0, 0.0),
    int(Qt.Key.Key_Right): (1.0, 0.0),
    int(Qt.Key.Key_Up): (0.0, 1.0),
    int(Qt.Key.Key_Down): (0.0, -1.0),
}
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PadPicture:
    """The content of a pad; positions are to the right and up, -1 to 1.

    Attributes:
        asked: the knob, the position requested by hand; None while the pad is free.
        commanded: the ring, the core's command.
        measured: the cross, the measured position.
        ends: meanings of the left, right, upper and lower end.
        held: a hand holds it.
    """

    asked: Point | None = None
    commanded: Point | None = None
    measured: Point | None = None
    ends: tuple[str, str, str, str] = ("", "", "", "")
    held: bool = False


class Pad(QWidget):
    """Tells how it is taken, moved and let go, by the mouse ("pad") or by its keys ("keys").

    Attributes:
        picture: its content.

    Signals:
        taken: the mouse was pressed, or the keys' hold began.
        moved: source, and deflection right and up, -1 to 1; for keys the arrows that are down.
        let_go: source; sent for every cause, a lost focus included.
    """

    taken = Signal(str)
    moved = Signal(str, float, float)
    let_go = Signal(str)

    def __init__(self, shift: bool, parent: QWidget | None = None) -> None:
        """Make a pad.

        Args:
            shift: the keys hold it while Shift is down, not while an arrow is.
            parent: its widget.
        """
        super().__init__(parent)
        self.picture = PadPicture()
        self._needs_shift = shift
        self._held: set[str] = set()
        self._keys: set[int] = set()
        self._spent: set[int] = set()  # arrows that were down when the hold was ended
        self._going: dict[int, int] = {}  # arrows that look let go: which of all releases
        self._releases = 0
        self._shift = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # nothing below is painted again
        self.set_side(SIDE)

    def set_side(self, side: int) -> None:
        """Be a square of that size [px], within the range that is usable by hand."""
        side = min(max(side, SIDE), MOST_SIDE)
        self.setFixedSize(side, side)

    def show_picture(self, picture: PadPicture) -> None:
        """Draw something else, if it is."""
        if picture != self.picture:
            self.picture = picture
            self.update()

    def field(self) -> QRectF:
        """Return the square in which the knob moves [px]."""
        side = min(self.width(), self.height()) - 2 * MARGIN
        return QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Take the knob to the pointer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._hold("pad", True)
            self._drag(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Move the knob, unless something has ended the hold."""
        self._drag(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Let the knob go."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._hold("pad", False)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Take an arrow key or Shift; leave every other key to the window."""
        if not self._key(event, down=True):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Take the end of an arrow key or of Shift."""
        if not self._key(event, down=False):
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Let everything go: a pad without focus would not hear it."""
        self.drop()
        self._spent.clear()
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Let everything go."""
        self.drop()
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Let everything go when it is disabled or its window is no longer in front."""
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.drop()
        elif event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self.drop()
        super().changeEvent(event)

    @property
    def shifts(self) -> bool:
        """Whether Shift holds it."""
        return self._shift

    def is_down(self, key: int) -> bool:
        """Return whether an arrow is down, also one whose hold has ended."""
        return key in self._keys or key in self._spent

    def drop(self) -> None:
        """End the mouse's hold and the keys'; both need a new press."""
        self._spent |= self._keys
        self._keys.clear()
        self._shift = False
        self._hold("pad", False)
        self._hold("keys", False)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw the field, its ends, and the three marks."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.BACKGROUND))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        field, picture = self.field(), self.picture
        enabled = self.isEnabled()
        edge = theme.ACCENT if self.hasFocus() else theme.LINE
        painter.setPen(QPen(QColor(edge), 2 if self.hasFocus() else 1))
        painter.setBrush(QColor(theme.RAISED if picture.held else theme.SURFACE))
        painter.drawRoundedRect(field, 8, 8)
        painter.setPen(QPen(QColor(theme.LINE), 1))
        centre = field.center()
        painter.drawLine(QPointF(field.left(), centre.y()), QPointF(field.right(), centre.y()))
        painter.drawLine(QPointF(centre.x(), field.top()), QPointF(centre.x(), field.bottom()))
        self._draw_ends(painter, field)
        if picture.measured is not None:
            at = self._place(picture.measured)
            painter.setPen(QPen(QColor(theme.GOOD.colour), 2))
            painter.drawLine(at - QPointF(6, 6), at + QPointF(6, 6))
            painter.drawLine(at - QPointF(6, -6), at + QPointF(6, -6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if picture.commanded is not None:
            painter.setPen(QPen(QColor(theme.WARN.colour), 2))
            painter.drawEllipse(self._place(picture.commanded), RING, RING)
        asked = picture.asked or (0.0, 0.0)
        colour = QColor(theme.ACCENT if picture.asked else theme.MUTED if enabled else theme.LINE)
        painter.setPen(QPen(colour, 2))
        if picture.asked is not None:
            painter.drawLine(centre, self._place(asked))
            painter.setBrush(colour)
        painter.drawEllipse(self._place(asked), KNOB, KNOB)

    def _draw_ends(self, painter: QPainter, field: QRectF) -> None:
        painter.setPen(QColor(theme.MUTED))
        painter.setFont(theme.font(theme.SMALL_PX))
        left, right, up, down = self.picture.ends
        width, height = float(self.width()), float(self.height())
        flags = Qt.AlignmentFlag
        above, below = field.top() - MARGIN, field.bottom()
        up, down = _fitting((up, down), painter.fontMetrics(), width)
        painter.drawText(QRectF(0, above, width, MARGIN), flags.AlignCenter, up)
        painter.drawText(QRectF(0, below, width, MARGIN), flags.AlignCenter, down)
        left, right = _fitting((left, right), painter.fontMetrics(), field.height())
        for text, x, turn in ((left, field.left() - MARGIN, -90.0), (right, field.right(), 90.0)):
            painter.save()
            painter.translate(x + MARGIN / 2, field.center().y())
            painter.rotate(turn)
            box = QRectF(-height / 2, -MARGIN / 2, height, MARGIN)
            painter.drawText(box, flags.AlignCenter, text)
            painter.restore()

    def _place(self, point: Point) -> QPointF:
        field = self.field()
        half = field.width() / 2
        x, y = (min(max(value, -1.0), 1.0) for value in point)
        return field.center() + QPointF(x * half, -y * half)

    def _drag(self, position: QPointF) -> None:
        if "pad" in self._held:
            field = self.field()
            way = (position - field.center()) / (field.width() / 2)
            x, y = min(max(way.x(), -1.0), 1.0), min(max(-way.y(), -1.0), 1.0)
            self.moved.emit("pad", x, y)

    def _hold(self, holder: str, held: bool) -> None:
        if held and holder not in self._held:
            self._held.add(holder)
            self.taken.emit(holder)
        elif not held and holder in self._held:
            self._held.discard(holder)
            self.let_go.emit(holder)

    def _key(self, event: QKeyEvent, down: bool) -> bool:
        key = event.key()
        if key not in ARROWS and not (self._needs_shift and key == Qt.Key.Key_Shift):
            return False
        if event.isAutoRepeat():
            return True
        if key == Qt.Key.Key_Shift:
            self._shift = down  # the dead-man control: it does not repeat, and counts at once
        elif down:
            self._going.pop(key, None)
            if key in self._keys or key in self._spent:
                return True
            self._keys.add(key)
        else:
            self._releases += 1
            self._going[key] = self._releases
            QTimer.singleShot(REPEAT_MS, self, partial(self._let_arrow_go, key, self._releases))
            return True
        self._take_keys()
        return True

    def _let_arrow_go(self, key: int, release: int) -> None:
        if self._going.get(key) == release:
            del self._going[key]
            self._spent.discard(key)
            self._keys.discard(key)
            self._take_keys()

    def _take_keys(self) -> None:
        self._hold("keys", self._shift if self._needs_shift else bool(self._keys))
        if "keys" in self._held:
            ways = [ARROWS[held] for held in self._keys]
            self.moved.emit("keys", sum(way[0] for way in ways), sum(way[1] for way in ways))


def _fitting(texts: tuple[str, str], metrics: QFontMetrics, width: float) -> tuple[str, str]:
    """Return as many of the last words of two texts as are not wider than a width [px]."""
    one, other = (text.split(" ") for text in texts)
    while min(len(one), len(other)) > 1 and any(
        metrics.horizontalAdvance(" ".join(words)) > width for words in (one, other)
    ):
        one, other = one[1:], other[1:]
    return " ".join(one), " ".join(other)
