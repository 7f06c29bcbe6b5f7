"""The pen: draws a path on the floor of the picture."""

import math

import numpy as np
from PySide6.QtCore import QObject, QPointF, QSize, Signal

from app.picture.camera import Camera

STEP_M = 0.03  # between two points of a path
FARTHEST_M = 12.0  # from the camera's target: beyond it is the horizon


class Pen(QObject):
    """Owns the path that is being drawn.

    Attributes:
        ready: the next press in the picture begins a path.
        points: of the path so far, in the world (k, 2) [m].

    Signals:
        changed: the points, or whether it is ready.
        drawn: a path is complete: its points in the world (k, 2) [m].
    """

    changed = Signal()
    drawn = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.ready = False
        self.points: tuple[tuple[float, float], ...] = ()
        self._down = False

    @property
    def drawing(self) -> bool:
        """Whether a path is being drawn."""
        return self._down

    def take_up(self) -> None:
        """Let the next press begin a path."""
        self.ready, self.points = True, ()
        self.changed.emit()

    def put_down(self) -> None:
        """Draw nothing more."""
        if self.ready or self._down:
            self.ready = self._down = False
            self.points = ()
            self.changed.emit()

    def press(self, camera: Camera, at: QPointF, size: QSize, start: tuple[float, float]) -> None:
        """Begin a path where the robot stands, and lead it to the pointer."""
        self._down, self.points = True, (start,)
        self.move(camera, at, size)

    def move(self, camera: Camera, at: QPointF, size: QSize) -> None:
        """Lead the path to the pointer."""
        point = floor_point(camera, at, size)
        if not self._down or point is None:
            return
        if math.dist(point, self.points[-1]) >= STEP_M:
            self.points = (*self.points, point)
            self.changed.emit()

    def release(self) -> None:
        """Complete the path."""
        if not self._down:
            return
        points = self.points
        self.put_down()
        if len(points) > 1:
            self.drawn.emit(points)


def floor_point(camera: Camera, at: QPointF, size: QSize) -> tuple[float, float] | None:
    """Return where a point of the picture is on the floor [m]; None above the horizon."""
    ray = camera.ray(at.x(), at.y(), size.width(), size.height())
    eye = camera.eye()
    if ray[2] > -1e-3:
        return None
    point = eye - ray * (eye[2] / ray[2])
    if float(np.linalg.norm(point - np.asarray(camera.target))) > FARTHEST_M:
        return None
    return float(point[0]), float(point[1])
