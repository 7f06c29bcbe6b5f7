"""The scene graph of the picture: two figures, the person, the marks on the ground, the camera."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QQuaternion, QVector3D
from PySide6.QtQml import QQmlComponent
from PySide6.QtQuick import QQuickItem
from PySide6.QtQuick3D import QQuick3DGeometry, QQuick3DObject

from app.picture.camera import Camera
from app.picture.figure import FigureNodes, Skins
from app.picture.geometry import paint
from app.picture.mesh import Floats32
from app.picture.overlay import ARROWS, BENEATH, Mark, grid, shape_of, shapes
from app.picture.person import PersonNodes
from app.picture.robot_tree import RobotTree

GRID_STEP_M = 1.0
PAINTED = ("grid", "ground")
QML = Path(__file__).with_name("Stage.qml")


class SceneGraph:
    """Owns the content of the picture; every change is visible in the next frame.

    Args:
        root: the item of QML.
        simple: the picture for a machine without a graphics card.
    """

    def __init__(self, root: QQuickItem, simple: bool) -> None:
        self.simple = simple
        self._root = root
        self._camera: Camera | None = None
        self._grid_at = (0.0, 0.0)
        self._painted: dict[str, bytes] = {}
        self._geometries: dict[str, QQuick3DGeometry] = {}
        self._marks: dict[str, QQuick3DObject] = {}
        self._placed: dict[str, Mark] = {}
        self._shapes = shapes()
        for name in PAINTED:
            self._geometries[name] = QQuick3DGeometry(self._world())
        self.paint("grid", *grid())

    def figures(self, tree: RobotTree) -> tuple[FigureNodes, FigureNodes]:
        """Add a robot and its ghost."""
        world, link = self._world(), self._component("link")
        skins = Skins(tree, self.simple, world)
        return FigureNodes(skins, link, world, ghost=False), FigureNodes(
            skins, link, world, ghost=True
        )

    def person(self) -> PersonNodes:
        """Add a person, who is hidden until there is a posture."""
        return PersonNodes(self._component("bone"), self._world(), self.simple)

    def look(self, camera: Camera) -> bool:
        """Place the eye; return whether that is a change."""
        if camera == self._camera:
            return False
        self._camera = camera
        eye = self._child("eye")
        eye.setProperty("position", QVector3D(*camera.eye().tolist()))
        right, up, back = (QVector3D(*axis.tolist()) for axis in camera.axes())
        eye.setProperty("rotation", QQuaternion.fromAxes(right, up, back))
        return True

    def centre_grid(self, x: float, y: float) -> bool:
        """Move the floor's lines with the robot by whole steps; return whether they moved."""
        at = (round(x / GRID_STEP_M) * GRID_STEP_M, round(y / GRID_STEP_M) * GRID_STEP_M)
        if at == self._grid_at:
            return False
        self._grid_at = at
        for name in ("grid", "floor"):
            self._child(name).setProperty("x", at[0])
            self._child(name).setProperty("y", at[1])
        return True

    def paint(self, name: str, corners: Floats32, colours: Floats32) -> bool:
        """Draw triangles as one of PAINTED; return whether that is a change."""
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
        """Show these marks and no others; return whether that is a change."""
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

    def _child(self, name: str) -> QObject:
        found = self._root.findChild(QObject, name)
        assert found is not None
        return found

    def _world(self) -> QQuick3DObject:
        world = self._child("world")
        assert isinstance(world, QQuick3DObject)
        return world

    def _component(self, name: str) -> QQmlComponent:
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
