"""Handles on the ghost in the picture, which the mouse drags."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, QPointF, QSize, Signal

from app.console.stage import drag
from app.picture.camera import Camera
from app.picture.robot_tree import Floats

GRASP_PX = 16.0


@dataclass(frozen=True, slots=True, eq=False)
class Handle:
    """A point that can be dragged.

    Attributes:
        name: unique.
        title: its label.
        place: in the frame of the robot's base (3) [m].
        reached: the robot can be there.
        root: where its line begins, in the frame of the base (3) [m]; None without a line.
    """

    name: str
    title: str
    place: Floats
    reached: bool = True
    root: Floats | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A handle as it is drawn.

    Attributes:
        title: its label.
        place: in the picture [pixels].
        reached: the robot can be there.
        held: the mouse holds it.
        root: where its line begins [pixels]; None without a line.
    """

    title: str
    place: QPointF
    reached: bool
    held: bool
    root: QPointF | None


class Handles(QObject):
    """Owns the handles, and which one the mouse holds.

    Signals:
        dragged: name of a handle, and where the mouse wants it in the frame of the base (3) [m].
        released: name of a handle that was let go.
    """

    dragged = Signal(str, object)
    released = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._handles: tuple[Handle, ...] = ()
        self._base = np.eye(4)
        self._held = ""
        self._drag: drag.Drag | None = None

    @property
    def active(self) -> bool:
        """Whether the mouse holds a handle."""
        return bool(self._held)

    def show(self, handles: tuple[Handle, ...]) -> None:
        """Offer other handles; none while no pose is edited."""
        self._handles = handles
        if self._held and all(handle.name != self._held for handle in handles):
            self.end()

    def stand(self, base: Floats) -> None:
        """Take the pose of the ghost's base in the world (4, 4)."""
        self._base = base

    def under(self, camera: Camera, mouse: QPointF, size: QSize) -> Handle | None:
        """Return the handle under the mouse.

        Args:
            camera: the eye.
            mouse: in the picture [pixels].
            size: of the picture [pixels].
        """
        found, least = None, GRASP_PX
        for handle in self._handles:
            spot = self._pixel(handle.place, camera, size)
            if spot is None:
                continue
            far = float(np.hypot(spot.x() - mouse.x(), spot.y() - mouse.y()))
            if far <= least:
                found, least = handle, far
        return found

    def begin(self, camera: Camera, mouse: QPointF, size: QSize) -> bool:
        """Hold the handle under the mouse; return whether there is one."""
        handle = self.under(camera, mouse, size)
        if handle is None:
            return False
        self._held, self._drag = handle.name, drag.Drag(self._in_world(handle.place), camera)
        return True

    def move(self, mouse: QPointF, size: QSize) -> None:
        """Lead the handle to the mouse, in the plane that faces the eye."""
        if self._drag is None:
            return
        target = self._drag.target(mouse.x(), mouse.y(), size.width(), size.height())
        inverse = np.linalg.inv(self._base)
        self.dragged.emit(self._held, inverse[:3, :3] @ target + inverse[:3, 3])

    def end(self) -> None:
        """Let go."""
        if self._held:
            name, self._held, self._drag = self._held, "", None
            self.released.emit(name)

    def spots(self, camera: Camera, size: QSize) -> tuple[Spot, ...]:
        """Return the handles that are before the eye, as they are drawn."""
        found = []
        for handle in self._handles:
            place = self._pixel(handle.place, camera, size)
            if place is not None:
                root = None if handle.root is None else self._pixel(handle.root, camera, size)
                held = handle.name == self._held
                found.append(Spot(handle.title, place, handle.reached, held, root))
        return tuple(found)

    def _pixel(self, place: Floats, camera: Camera, size: QSize) -> QPointF | None:
        pixel = camera.pixel(self._in_world(place), size.width(), size.height())
        return None if pixel is None else QPointF(*pixel)

    def _in_world(self, place: Floats) -> Floats:
        found: Floats = self._base[:3, :3] @ place + self._base[:3, 3]
        return found
