"""The mouse in the picture: it pulls at the robot, or moves the camera."""

import time
from math import hypot

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent

from app.console.stage.pull import Pull
from app.console.stage.steering import Steering
from app.console.stage.window import StageWindow

HOVER_S = 0.05


class Mouse(QObject):
    """Owns the position of the mouse, and shows the force of a pull beside it.

    Signals:
        pressed: one of its buttons went down.
    """

    pressed = Signal()

    def __init__(self, steering: Steering, pull: Pull, parent: QObject) -> None:
        super().__init__(parent)
        self._steering, self._pull = steering, pull
        self._window: StageWindow | None = None
        self._place = QPointF()
        self._button = Qt.MouseButton.NoButton
        self._hovered_s = 0.0
        pull.changed.connect(self._say_force)

    def enter(self, window: StageWindow | None) -> None:
        """Work in another picture; None in none."""
        self._window = window
        if window is not None:
            window.pressed.connect(self._press)
            window.moved.connect(self._move)
            window.released.connect(self._release)
            window.wheeled.connect(self._steering.zoom)

    def _press(self, event: QMouseEvent) -> None:
        self.pressed.emit()
        self._place, self._button = event.position(), event.button()
        if self._pulls(event) and self._window is not None:
            self._pull.begin(self._steering.camera, event.position(), self._window.view.size())

    def _move(self, event: QMouseEvent) -> None:
        window = self._window
        if window is None:
            return
        way, self._place = event.position() - self._place, event.position()
        if self._pull.active:
            self._pull.move(self._place, window.view.size())
        elif self._button is Qt.MouseButton.NoButton:
            self._hover(window)
        elif self._pulls(event):
            self._steering.orbit(way)
        else:
            self._steering.pan(way, window.view.height())

    def _release(self, event: QMouseEvent) -> None:
        self._button = Qt.MouseButton.NoButton
        self._pull.end()

    def _pulls(self, event: QMouseEvent) -> bool:
        return self._button is Qt.MouseButton.LeftButton and not event.modifiers()

    def _hover(self, window: StageWindow) -> None:
        now_s = time.monotonic()
        if now_s - self._hovered_s > HOVER_S:
            self._hovered_s = now_s
            shape = Qt.CursorShape.OpenHandCursor
            if self._pull.under(self._steering.camera, self._place, window.view.size()) is None:
                shape = Qt.CursorShape.ArrowCursor
            if window.view.cursor().shape() is not shape:
                window.view.setCursor(shape)

    def _say_force(self) -> None:
        force, window = self._pull.force(), self._window
        if window is None:
            return
        if force is None:
            window.say("cursorText", "")
        else:
            window.say("cursorText", f"↗ {hypot(*force.tolist()):.0f} N")
            window.say("cursorPlace", self._place)
