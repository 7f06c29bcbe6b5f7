"""The picture of the robot as a widget: the newest frame, and the words above it."""

import math

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from app.console.stage.duel import Spark
from app.console.stage.floor import Flag
from app.console.stage.handles import Spot
from app.console.toolkit import theme

NARROW_PX = 600
MARGIN_PX = 12
SPOT_PX = 8.0  # radius of a handle
FLAG_PX = 6.0  # half of the width of a mark
SPARK_PX = 14.0  # radius of a touch
PERSON = "Person"
VEIL = QColor(16, 18, 20, 230)


class Picture(QWidget):
    """Shows frames; a frame of a lower resolution is enlarged.

    Attributes:
        spots: the handles over the picture.
        flags: the marks of the stage over the picture.
        person: where the person's label is [pixels]; None without a person.
        sparks: the touches over the picture.
        score: the touches in words; empty without a duel.

    Signals:
        pressed: a mouse button went down, with its event.
        moved: the mouse moved.
        released: a mouse button went up.
        wheeled: steps of the wheel, positive away from the operator.
        resized: the picture needs a frame of another size.
    """

    pressed = Signal(QMouseEvent)
    moved = Signal(QMouseEvent)
    released = Signal(QMouseEvent)
    wheeled = Signal(float)
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("picture of the robot")
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self._image: QImage | None = None
        self._banner = self._force = ""
        self._place = QPointF()
        self.spots: tuple[Spot, ...] = ()
        self.flags: tuple[Flag, ...] = ()
        self.person: QPointF | None = None
        self.sparks: tuple[Spark, ...] = ()
        self.score = ""

    def show_frame(self, image: QImage) -> None:
        """Show a frame; the image is kept until the next one."""
        self._image = image
        self.update()

    def set_banner(self, text: str) -> None:
        """Write a warning over the picture; an empty text removes it."""
        if text != self._banner:
            self._banner = text
            self.setAccessibleDescription(text)
            self.update()

    def say_force(self, text: str, place: QPointF) -> None:
        """Write a text beside the mouse; an empty text removes it."""
        if text != self._force or (text and place != self._place):
            self._force, self._place = text, place
            self.update()

    def show_spots(self, spots: tuple[Spot, ...]) -> None:
        """Show handles over the picture."""
        if spots != self.spots:
            self.spots = spots
            self.update()

    def show_flags(self, flags: tuple[Flag, ...]) -> None:
        """Show the marks of the stage over the picture."""
        if flags != self.flags:
            self.flags = flags
            self.update()

    def name_person(self, place: QPointF | None) -> None:
        """Write the person's label at a place [pixels]; None removes it."""
        if place != self.person:
            self.person = place
            self.update()

    def show_touches(self, sparks: tuple[Spark, ...], score: str) -> None:
        """Mark touches, and write their number below; an empty text removes it."""
        if (sparks, score) != (self.sparks, self.score):
            self.sparks, self.score = sparks, score
            self.update()

    def frame_size(self) -> QSize:
        """Return the size of a frame that needs no enlargement [pixels of the screen]."""
        return self.size() * self.devicePixelRatio()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the frame and the words."""
        painter = QPainter(self)
        if self._image is None:
            painter.fillRect(event.rect(), QColor(theme.BACKGROUND))
        elif self._image.size() == self.size():
            painter.drawImage(event.rect(), self._image, event.rect())
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(self.rect(), self._image)
        for flag in self.flags:
            self._paint_flag(painter, flag)
        for spot in self.spots:
            self._paint_spot(painter, spot)
        if self.person is not None:
            self._paint_person(painter, self.person)
        for spark in self.sparks:
            self._paint_spark(painter, spark, named=spark is self.sparks[-1])
        if self.score:
            self._paint_score(painter)
        if self._banner:
            self._paint_banner(painter)
        if self._force:
            self._paint_force(painter)
        painter.end()

    def _paint_banner(self, painter: QPainter) -> None:
        size_px = 20 if self.width() < NARROW_PX else 28
        painter.setFont(theme.font(size_px, bold=True))
        text = f"{theme.BAD.mark} {self._banner}"
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        room = QRect(0, 0, max(40, self.width() - 60), self.height())
        words = QFontMetrics(painter.font()).boundingRect(room, flags.value, text)
        box = QRectF(0.0, 0.0, words.width() + 36.0, words.height() + 16.0)
        box.moveCenter(QPointF(0.5 * self.width(), 0.0))
        box.moveTop(MARGIN_PX)
        self._paint_box(painter, box, theme.BAD.colour, 2)
        painter.drawText(box, flags.value, text)

    def _paint_force(self, painter: QPainter) -> None:
        painter.setFont(theme.font(theme.LARGE_PX, bold=True))
        words = QFontMetrics(painter.font()).boundingRect(self._force)
        box = QRectF(0.0, 0.0, words.width() + 16.0, words.height() + 8.0)
        x = min(self.width() - box.width() - 4.0, self._place.x() + 16.0)
        y = min(self.height() - box.height() - 4.0, self._place.y() - box.height() - 8.0)
        box.moveTopLeft(QPointF(max(4.0, x), max(4.0, y)))
        self._paint_box(painter, box, theme.WARN.colour, 1)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter.value, self._force)

    @staticmethod
    def _paint_person(painter: QPainter, place: QPointF) -> None:
        """Write a label in a dashed frame above the person's head."""
        painter.setFont(theme.font(theme.SMALL_PX, bold=True))
        words = QFontMetrics(painter.font()).boundingRect(PERSON)
        box = QRectF(0.0, 0.0, words.width() + 12.0, words.height() + 4.0)
        box.moveCenter(place)
        painter.setPen(QPen(QColor(theme.TEXT), 1.0, Qt.PenStyle.DashLine))
        painter.setBrush(VEIL)
        painter.drawRect(box)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter.value, PERSON)

    def _paint_spark(self, painter: QPainter, spark: Spark, named: bool) -> None:
        """Draw a star of eight rays with a rim; beside a named one, who is touched."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        star = []
        for corner in range(16):
            angle, radius = math.pi * corner / 8.0, SPARK_PX * (0.4 if corner % 2 else 1.0)
            star.append(spark.place + QPointF(math.cos(angle), math.sin(angle)) * radius)
        painter.setPen(QPen(QColor(theme.BACKGROUND), 2.0))
        painter.setBrush(QColor(theme.WARN.colour))
        painter.drawPolygon(star)
        if not named:
            return
        painter.setFont(theme.font(theme.SMALL_PX, bold=True))
        words = QFontMetrics(painter.font()).boundingRect(spark.title)
        box = QRectF(0.0, 0.0, words.width() + 12.0, words.height() + 4.0)
        box.moveCenter(spark.place)
        box.moveLeft(min(spark.place.x() + SPARK_PX + 2.0, self.width() - box.width() - 2.0))
        self._paint_box(painter, box, theme.WARN.colour, 1)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter.value, spark.title)

    def _paint_score(self, painter: QPainter) -> None:
        """Write the number of touches in the lower left corner."""
        painter.setFont(theme.font(theme.SIZE_PX, bold=True))
        words = QFontMetrics(painter.font()).boundingRect(self.score)
        box = QRectF(0.0, 0.0, words.width() + 16.0, words.height() + 8.0)
        box.moveBottomLeft(QPointF(MARGIN_PX, self.height() - MARGIN_PX))
        self._paint_box(painter, box, theme.EDGE, 1)
        painter.setPen(QColor(theme.TEXT))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter.value, self.score)

    def _paint_flag(self, painter: QPainter, flag: Flag) -> None:
        """Draw a cross on the floor with a line ahead, or a ring to look at; its name is below."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(theme.ACCENT if flag.wanted else theme.MUTED)
        painter.setPen(QPen(colour, 2.5 if flag.wanted else 1.5))
        if flag.point:
            painter.setBrush(VEIL)
            painter.drawEllipse(flag.place, FLAG_PX, FLAG_PX)
            painter.drawPoint(flag.place)
        else:
            for arm in (QPointF(FLAG_PX, FLAG_PX), QPointF(FLAG_PX, -FLAG_PX)):
                painter.drawLine(flag.place - arm, flag.place + arm)
        if flag.ahead is not None:
            painter.drawLine(flag.place, flag.ahead)
        painter.setFont(theme.font(theme.SMALL_PX, bold=flag.wanted))
        text = f"→ {flag.title}" if flag.wanted else flag.title
        words = QFontMetrics(painter.font()).boundingRect(text)
        box = QRectF(0.0, 0.0, words.width() + 8.0, words.height() + 2.0)
        box.moveCenter(flag.place + QPointF(0.0, FLAG_PX + 0.5 * box.height() + 2.0))
        if self.rect().contains(flag.place.toPoint()):  # a name at the edge is not cut off
            box.moveRight(min(box.right(), self.width() - 2.0))
            box.moveLeft(max(box.left(), 2.0))
        painter.fillRect(box, VEIL)
        painter.setPen(QColor(theme.TEXT if flag.wanted else theme.MUTED))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter.value, text)

    def _paint_spot(self, painter: QPainter, spot: Spot) -> None:
        """Draw a handle with its label: a ring with a cross, dashed where it is out of reach."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(theme.ACCENT if spot.reached else theme.WARN.colour)
        style = Qt.PenStyle.SolidLine if spot.reached else Qt.PenStyle.DashLine
        if spot.root is not None:
            painter.setPen(QPen(colour, 1.5, Qt.PenStyle.DashLine))
            painter.drawLine(spot.root, spot.place)
        painter.setPen(QPen(colour, 3.0 if spot.held else 2.0, style))
        painter.setBrush(VEIL)
        painter.drawEllipse(spot.place, SPOT_PX, SPOT_PX)
        painter.setPen(QPen(colour, 1.5))
        arm = QPointF(0.5 * SPOT_PX, 0.0), QPointF(0.0, 0.5 * SPOT_PX)
        for part in arm:
            painter.drawLine(spot.place - part, spot.place + part)
        painter.setFont(theme.font(theme.SMALL_PX))
        text = spot.title if spot.reached else f"{theme.WARN.mark} {spot.title}: out of reach"
        words = QFontMetrics(painter.font()).boundingRect(text)
        box = QRectF(0.0, 0.0, words.width() + 8.0, words.height() + 2.0)
        left = spot.place.x() + SPOT_PX + 4.0
        if left + box.width() > self.width():
            left = spot.place.x() - SPOT_PX - 4.0 - box.width()
        box.moveTopLeft(QPointF(left, spot.place.y() - 0.5 * box.height()))
        painter.fillRect(box, VEIL)
        painter.setPen(QColor(theme.TEXT))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter.value, text)

    @staticmethod
    def _paint_box(painter: QPainter, box: QRectF, colour: str, width_px: int) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colour), width_px))
        painter.setBrush(VEIL)
        painter.drawRoundedRect(box, 4.0, 4.0)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Report the press."""
        self.pressed.emit(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Report a second press like the first."""
        self.pressed.emit(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Report the move."""
        self.moved.emit(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Report the release."""
        self.released.emit(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Report the steps of the wheel."""
        self.wheeled.emit(event.angleDelta().y() / 120.0)

    def resizeEvent(self, event: object) -> None:  # noqa: N802
        """Ask for a frame of the new size."""
        self.resized.emit()
