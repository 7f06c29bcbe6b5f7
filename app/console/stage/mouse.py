"""The mouse in the picture: handles, the pull at the robot, the floor, and the camera."""

import time
from math import hypot

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent

from app.console.stage.aim import Aim
from app.console.stage.floor import Floor
from app.console.stage.handles import Handles
from app.console.stage.pen import Pen
from app.console.stage.picture import Picture
from app.console.stage.pull import Pull
from app.console.stage.steering import Steering

HOVER_S = 0.05
CLICK_PX = 5.0  # a press that moves less is a click


class Mouse(QObject):
    """Owns the position of the mouse, and shows the force of a pull beside it.

    Attributes:
        start: where a path begins: the robot's place on the floor [m].

    Signals:
        pressed: one of its buttons went down.
    """

    pressed = Signal()

    def __init__(
        self,
        steering: Steering,
        pull: Pull,
        pen: Pen,
        aim: Aim,
        floor: Floor,
        handles: Handles,
        picture: Picture,
    ) -> None:
        super().__init__(picture)
        self._aim, self._floor = aim, floor
        self._pressed = QPointF()
        self._steering, self._pull, self._picture = steering, pull, picture
        self._pen, self._handles = pen, handles
        self.start = (0.0, 0.0)
        self._place = QPointF()
        self._button = Qt.MouseButton.NoButton
        self._hovered_s = 0.0
        pull.changed.connect(self._say_force)
        picture.pressed.connect(self._press)
        picture.moved.connect(self._move)
        picture.released.connect(self._release)
        picture.wheeled.connect(steering.zoom)

    def _press(self, event: QMouseEvent) -> None:
        self.pressed.emit()
        self._place, self._button = event.position(), event.button()
        self._pressed = self._place
        self._aim.cancel()  # of a press whose release never came
        camera, size = self._steering.camera, self._picture.size()
        if self._aims(event) and self._aim.begin(camera, self._place, size):
            self._picture.setCursor(Qt.CursorShape.CrossCursor)
        elif self._pen.ready and self._pulls(event):
            self._pen.press(camera, self._place, size, self.start)
        elif self._pulls(event) and self._grasps():
            self._picture.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self._pulls(event):
            self._pull.begin(self._steering.camera, event.position(), self._picture.size())

    def _move(self, event: QMouseEvent) -> None:
        way, self._place = event.position() - self._place, event.position()
        if self._pen.drawing:
            self._pen.move(self._steering.camera, self._place, self._picture.size())
        elif self._aim.active:
            self._aim.move(self._steering.camera, self._place, self._picture.size())
        elif self._handles.active:
            self._handles.move(self._place, self._picture.size())
        elif self._pull.active:
            self._pull.move(self._place, self._picture.size())
        elif self._button is Qt.MouseButton.NoButton:
            self._hover()
        elif self._pulls(event):
            self._steering.orbit(way)
        else:
            self._steering.pan(way, self._picture.height())

    def _release(self, event: QMouseEvent) -> None:
        clicked = (event.position() - self._pressed).manhattanLength() < CLICK_PX
        if self._button is Qt.MouseButton.RightButton and clicked:
            over = event.globalPosition().toPoint()
            size = self._picture.size()
            self._floor.open_menu(self._steering.camera, self._place, size, over)
        self._button = Qt.MouseButton.NoButton
        if event.button() is Qt.MouseButton.LeftButton:
            self._aim.end()
        self._aim.cancel()
        self._pen.release()
        self._handles.end()
        self._pull.end()

    def _grasps(self) -> bool:
        """Hold the handle under the mouse; return whether there is one."""
        return self._handles.begin(self._steering.camera, self._place, self._picture.size())

    def _aims(self, event: QMouseEvent) -> bool:
        control = event.modifiers() is Qt.KeyboardModifier.ControlModifier
        return self._button is Qt.MouseButton.LeftButton and control

    def _pulls(self, event: QMouseEvent) -> bool:
        return self._button is Qt.MouseButton.LeftButton and not event.modifiers()

    def _hover(self) -> None:
        now_s, picture = time.monotonic(), self._picture
        if now_s - self._hovered_s > HOVER_S:
            self._hovered_s = now_s
            shape = Qt.CursorShape.OpenHandCursor
            if self._pen.ready:
                shape = Qt.CursorShape.CrossCursor
            elif self._handles.under(self._steering.camera, self._place, picture.size()):
                shape = Qt.CursorShape.PointingHandCursor
            elif self._pull.under(self._steering.camera, self._place, picture.size()) is None:
                shape = Qt.CursorShape.ArrowCursor
            if picture.cursor().shape() is not shape:
                picture.setCursor(shape)

    def _say_force(self) -> None:
        force = self._pull.force()
        text = "" if force is None else self._pull.link or f"↗ {hypot(*force.tolist()):.0f} N"
        self._picture.say_force(text, self._place)
