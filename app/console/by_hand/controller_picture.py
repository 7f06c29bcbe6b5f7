"""The game controller as a picture: the function of each control, and the pressed ones."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.console.by_hand.gamepad import Gamepad
from app.console.toolkit import theme

WIDTH, HEIGHT = 164.0, 124.0  # of the controller [px]
LINE_HEIGHT = 15.0
LABEL_HEIGHT = 61.0


@dataclass(frozen=True, slots=True)
class Use:
    """The function of a control.

    Attributes:
        name: the control's label.
        text: its function.
        buttons: of SDL, that light it up.
        at: its place on the controller, 0 to 1.
        left: its label is on the left.
    """

    name: str
    text: str
    buttons: tuple[str, ...]
    at: tuple[float, float]
    left: bool


USES = (
    Use("L1", "held: step sideways; right stick: body", ("l1",), (0.22, 0.06), True),
    Use("View", "with Menu: STOP", ("view",), (0.40, 0.30), True),
    Use("Left stick", "with R1: walk and turn", ("l3",), (0.21, 0.38), True),
    Use(
        "D-pad",
        "favourites 1–4, or triggers",
        ("up", "down", "left", "right"),
        (0.36, 0.62),
        True,
    ),
    Use("R1", "dead-man: hold it to walk", ("r1",), (0.78, 0.06), False),
    Use("Menu", "HOLD: stand still", ("menu",), (0.60, 0.30), False),
    Use("Y / X", "Y freezes; X cancels", ("x", "y"), (0.79, 0.30), False),
    Use(
        "Right stick",
        "head; press: show; L1 and press: hold",
        ("r3",),
        (0.64, 0.62),
        False,
    ),
)
STOP_TEXT = "View + Menu together: STOP – every joint is damped, the robot sinks down"
BUTTONS = {"y": (0.79, 0.24), "x": (0.72, 0.37), "b": (0.86, 0.37), "a": (0.79, 0.50)}


class ControllerPicture(QWidget):
    """Draws the controller with its labels."""

    def __init__(self, gamepad: Gamepad, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gamepad = gamepad
        self.setObjectName("controller_picture")
        self.setAccessibleName("Layout of the game controller")
        uses = [f"{use.name}: {use.text}" for use in USES]
        uses += ["A and B: triggers of the show", STOP_TEXT]
        self.setAccessibleDescription(". ".join(uses))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(self.sizeHint().height())
        for told in (gamepad.moved, gamepad.plugged, gamepad.pulled, gamepad.pressed):
            told.connect(self._redraw)
        gamepad.let_go.connect(self._redraw)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return a size for a narrow dock."""
        return QSize(400, int(4 * (LABEL_HEIGHT + theme.GAP) + 3 * LINE_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw it all."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        used = 4 * (LABEL_HEIGHT + theme.GAP)
        body = QRectF((self.width() - WIDTH) / 2, (used - HEIGHT) / 2, WIDTH, HEIGHT)
        self._draw_body(painter, body)
        for left in (True, False):
            for row, use in enumerate(use for use in USES if use.left == left):
                self._draw_label(painter, body, use, row * (LABEL_HEIGHT + theme.GAP))
        box = QRectF(0, used, self.width(), 2.5 * LINE_HEIGHT)
        pressed = {"menu", "view"} <= self._gamepad.buttons
        painter.setPen(QColor(theme.BAD.colour if pressed else theme.TEXT))
        painter.setFont(theme.font(theme.SMALL_PX, bold=True))
        flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
        painter.drawText(box, flags, f"{theme.BAD.mark} {STOP_TEXT}")

    def _redraw(self, _: object = None) -> None:
        self.update()

    def _draw_label(self, painter: QPainter, body: QRectF, use: Use, top: float) -> None:
        pressed = any(button in self._gamepad.buttons for button in use.buttons)
        colour = QColor(theme.ACCENT if pressed else theme.TEXT)
        width = body.left() - 2 * theme.GAP
        left = 0.0 if use.left else self.width() - width
        side = Qt.AlignmentFlag.AlignLeft if use.left else Qt.AlignmentFlag.AlignRight
        painter.setPen(colour)
        painter.setFont(theme.font(theme.SMALL_PX, bold=True))
        painter.drawText(QRectF(left, top, width, LINE_HEIGHT), int(side), use.name)
        painter.setPen(QColor(theme.ACCENT if pressed else theme.MUTED))
        painter.setFont(theme.font(theme.SMALL_PX))
        rest = QRectF(left, top + LINE_HEIGHT, width, LABEL_HEIGHT - LINE_HEIGHT)
        painter.drawText(rest, int(side) | int(Qt.TextFlag.TextWordWrap), use.text)
        name_width = painter.fontMetrics().horizontalAdvance(use.name) + 14
        x = name_width if use.left else self.width() - name_width
        edge = body.left() - theme.GAP if use.left else body.right() + theme.GAP
        at = self._at(body, use.at)
        painter.setPen(QPen(QColor(theme.ACCENT if pressed else theme.LINE), 1))
        y = top + LINE_HEIGHT / 2
        painter.drawLine(QPointF(x, y), QPointF(edge, y))
        painter.drawLine(QPointF(edge, y), at)

    def _draw_body(self, painter: QPainter, body: QRectF) -> None:
        gamepad = self._gamepad
        path = QPainterPath(self._at(body, (0.12, 0.10)))
        for control, end in (
            ((0.50, 0.02), (0.88, 0.10)),
            ((1.02, 0.45), (0.98, 0.92)),
            ((0.90, 1.06), (0.74, 0.80)),
            ((0.50, 0.74), (0.26, 0.80)),
            ((0.10, 1.06), (0.02, 0.92)),
            ((-0.02, 0.45), (0.12, 0.10)),
        ):
            path.quadTo(self._at(body, control), self._at(body, end))
        painter.setPen(QPen(QColor(theme.MUTED if gamepad.name else theme.LINE), 2))
        painter.setBrush(QColor(theme.RAISED if gamepad.name else theme.SURFACE))
        painter.drawPath(path)
        for name, (x, y) in (("l1", (0.22, 0.06)), ("r1", (0.78, 0.06))):
            box = QRectF(0, 0, 44, 12)
            box.moveCenter(self._at(body, (x, y)))
            self._fill(painter, name in gamepad.buttons)
            painter.drawRoundedRect(box, 4, 4)
        for name, at in (*BUTTONS.items(), ("view", (0.40, 0.30)), ("menu", (0.60, 0.30))):
            self._fill(painter, name in gamepad.buttons)
            radius = 8 if name in BUTTONS else 5
            painter.drawEllipse(self._at(body, at), radius, radius)
            if name in BUTTONS:
                box = QRectF(0, 0, 16, 16)
                box.moveCenter(self._at(body, at))
                painter.setFont(theme.font(10, bold=True))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name.upper())
        sticks = gamepad.sticks
        for (x, y), dx, dy, name in (
            ((0.21, 0.38), sticks.left_right, sticks.left_back, "l3"),
            ((0.64, 0.62), sticks.right_right, sticks.right_back, "r3"),
        ):
            centre = self._at(body, (x, y))
            self._fill(painter, False)
            painter.drawEllipse(centre, 15, 15)
            self._fill(painter, name in gamepad.buttons or bool(abs(dx) > 0.1 or abs(dy) > 0.1))
            painter.drawEllipse(centre + QPointF(dx * 8, dy * 8), 9, 9)
        for name, dx, dy in (("up", 0, -9), ("down", 0, 9), ("left", -9, 0), ("right", 9, 0)):
            box = QRectF(0, 0, 9, 9)
            box.moveCenter(self._at(body, (0.36, 0.62)) + QPointF(dx, dy))
            self._fill(painter, name in gamepad.buttons)
            painter.drawRect(box)

    @staticmethod
    def _fill(painter: QPainter, pressed: bool) -> None:
        painter.setPen(QPen(QColor(theme.TEXT if pressed else theme.MUTED), 1))
        painter.setBrush(QColor(theme.ACCENT if pressed else theme.SURFACE))

    @staticmethod
    def _at(body: QRectF, place: tuple[float, float]) -> QPointF:
        return QPointF(body.left() + place[0] * body.width(), body.top() + place[1] * body.height())
