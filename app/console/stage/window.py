"""The window in the panel that the picture is drawn in, by a thread of its own."""

import os
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPointF, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QQuaternion,
    QVector3D,
    QWheelEvent,
)
from PySide6.QtQml import QQmlComponent
from PySide6.QtQuick import QQuickView
from PySide6.QtQuick3D import QQuick3DGeometry, QQuick3DObject

from app.console.stage.camera import Camera
from app.console.stage.figure import FigureNodes, Skins
from app.console.stage.geometry import paint
from app.console.stage.mesh import Floats32
from app.console.stage.overlay import ARROWS, BENEATH, Mark, grid, shape_of, shapes
from app.console.stage.robot_tree import RobotTree
from app.console.toolkit import theme

SAMPLES = 4
DRAWERS = ("QSGRenderThread", "llvmpipe")  # how Qt and Mesa name the threads that draw
DRAWERS_NICE = 5  # the picture may wait for the core and for the operator's keys
GRID_STEP_M = 1.0
PAINTED = ("grid", "ground")
_MOUSE = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.MouseMove,
    QEvent.Type.MouseButtonRelease,
)
_QML = Path(__file__).with_name("Stage.qml")


class StageWindow(QObject):
    """Owns the scene graph; what it is told is seen in the next frame.

    The window itself is Qt's own class: the thread that draws asks it for what a class in Python
    could only answer under the interpreter's lock, which the GUI thread may hold while it waits
    for that thread.

    Attributes:
        view: the window.
        simple: it draws less, for a machine without a graphics card.

    Signals:
        pressed: a mouse button went down, with its event.
        moved: the mouse moved.
        released: a mouse button went up.
        wheeled: steps of the wheel, positive away from the operator.
        exposed: there is something to draw upon.
        failed: the picture cannot be drawn.
    """

    pressed = Signal(QMouseEvent)
    moved = Signal(QMouseEvent)
    released = Signal(QMouseEvent)
    wheeled = Signal(float)
    exposed = Signal()
    failed = Signal()

    def __init__(self, simple: bool) -> None:
        super().__init__()
        self.simple = simple
        self.view = QQuickView()
        if not simple:
            surface = self.view.format()
            surface.setSamples(SAMPLES)
            self.view.setFormat(surface)
        self.view.setColor(QColor(theme.BACKGROUND))
        self.view.setResizeMode(QQuickView.ResizeMode.SizeRootObjectToView)
        self.view.setInitialProperties({"simple": simple})
        self.view.installEventFilter(self)
        self.view.sceneGraphError.connect(self.failed)
        self.view.setSource(QUrl.fromLocalFile(str(_QML)))
        self._root: QObject | None = self.view.rootObject()
        self._values: dict[str, object] = {}
        self._camera: Camera | None = None
        self._grid_at = (0.0, 0.0)
        self._painted: dict[str, bytes] = {}
        self._geometries: dict[str, QQuick3DGeometry] = {}
        self._marks: dict[str, QQuick3DObject] = {}
        self._placed: dict[str, Mark] = {}
        if self._root is not None:
            for name in PAINTED:
                self._geometries[name] = QQuick3DGeometry(self._world())
            self.paint("grid", *grid())
        self._shapes = shapes()

    @property
    def broken(self) -> bool:
        """Whether the scene could not be built."""
        return self._root is None

    def figures(self, tree: RobotTree) -> tuple[FigureNodes, FigureNodes]:
        """Put a robot and its ghost upon the stage."""
        world, link = self._world(), self._component("link")
        skins = Skins(tree, self.simple, world)
        return FigureNodes(skins, link, world, ghost=False), FigureNodes(
            skins, link, world, ghost=True
        )

    def look(self, camera: Camera) -> bool:
        """Place the eye; tell whether that is a change."""
        if camera == self._camera:
            return False
        self._camera = camera
        eye = self._child("eye")
        eye.setProperty("position", QVector3D(*camera.eye().tolist()))
        right, up, back = (QVector3D(*axis.tolist()) for axis in camera.axes())
        eye.setProperty("rotation", QQuaternion.fromAxes(right, up, back))
        return True

    def centre_grid(self, x: float, y: float) -> bool:
        """Let the floor's lines go with the robot, by whole steps."""
        at = (round(x / GRID_STEP_M) * GRID_STEP_M, round(y / GRID_STEP_M) * GRID_STEP_M)
        if at == self._grid_at:
            return False
        self._grid_at = at
        for name in ("grid", "floor"):
            self._child(name).setProperty("x", at[0])
            self._child(name).setProperty("y", at[1])
        return True

    def paint(self, name: str, corners: Floats32, colours: Floats32) -> bool:
        """Draw triangles as one of PAINTED; tell whether that is a change."""
        # What moves less than half a millimetre cannot be seen.
        key = (corners * 2000.0).round().tobytes() + (colours * 100.0).round().tobytes()
        if self._painted.get(name) == key:
            return False
        self._painted[name] = key
        geometry, model = self._geometries[name], self._child(name)
        if len(corners):
            paint(geometry, corners, colours)
            model.setProperty("geometry", geometry)
        model.setProperty("visible", bool(len(corners)))
        return True

    def place(self, marks: Mapping[str, Mark]) -> bool:
        """Show these marks and no others; tell whether that is a change."""
        changed = False
        for name in (*self._marks, *(name for name in marks if name not in self._marks)):
            mark, before = marks.get(name), self._placed.get(name)
            node = self._marks.get(name) or self._make_mark(name)
            if (mark is None) != (before is None):
                node.setProperty("visible", mark is not None)
                changed = True
            if mark is None:
                self._placed.pop(name, None)
            elif before is None or not before.near(mark):
                self._placed[name] = mark
                node.setProperty("position", QVector3D(*mark.position))
                if shape_of(name) in ARROWS:
                    turn = QQuaternion.rotationTo(QVector3D(0, 0, 1), QVector3D(*mark.along))
                    node.setProperty("rotation", turn)
                    node.setProperty("scale", QVector3D(1.0, 1.0, mark.length))
                else:
                    node.setProperty("scale", QVector3D(mark.length, mark.length, 1.0))
                changed = True
        return changed

    def say(self, name: str, value: str | QPointF) -> bool:
        """Set a text or a place of the picture; tell whether that is a change."""
        if self._root is None or self._values.get(name) == value:
            return False
        self._values[name] = value
        self._root.setProperty(name, value)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Hand on the mouse, and tell when there is something to draw upon."""
        kind = event.type()
        if isinstance(event, QMouseEvent) and kind in _MOUSE:
            {
                QEvent.Type.MouseMove: self.moved,
                QEvent.Type.MouseButtonRelease: self.released,
            }.get(kind, self.pressed).emit(event)
            return True
        if isinstance(event, QWheelEvent):
            self.wheeled.emit(event.angleDelta().y() / 120.0)
            return True
        if kind == QEvent.Type.Expose:
            QTimer.singleShot(0, self, self.exposed.emit)
        return False

    def _child(self, name: str) -> QObject:
        assert self._root is not None
        found = self._root.findChild(QObject, name)
        assert found is not None
        return found

    def _world(self) -> QQuick3DObject:
        world = self._child("world")
        assert isinstance(world, QQuick3DObject)
        return world

    def _component(self, name: str) -> QQmlComponent:
        assert self._root is not None
        component = self._root.property(name)
        assert isinstance(component, QQmlComponent)
        return component

    def _make_mark(self, name: str) -> QQuick3DObject:
        world, component = self._world(), self._component("mark")
        geometry = QQuick3DGeometry(world)
        shape = shape_of(name)
        paint(geometry, *self._shapes[shape])
        node = component.createWithInitialProperties(
            {"geometry": geometry, "beneath": shape in BENEATH, "visible": False},
            component.creationContext(),
        )
        assert isinstance(node, QQuick3DObject)
        node.setParent(world)
        node.setParentItem(world)
        self._marks[name] = node
        return node


def stand_back() -> None:
    """Let the threads that draw stand back behind all others of this process."""
    for task in Path("/proc/self/task").glob("*"):
        try:
            if (task / "comm").read_text().startswith(DRAWERS):
                os.setpriority(os.PRIO_PROCESS, int(task.name), DRAWERS_NICE)
        except OSError:
            continue  # it has just ended
