"""A robot in the scene graph, which does its kinematics: one node a body, turned by its joint."""

from collections.abc import Mapping
from math import degrees

import numpy as np
from PySide6.QtGui import QMatrix3x3, QQuaternion, QVector3D
from PySide6.QtQml import QQmlComponent
from PySide6.QtQuick3D import QQuick3DGeometry, QQuick3DObject

from app.console.stage.geometry import body_geometry
from app.console.stage.mesh import merged, simplified
from app.console.stage.robot_tree import Body, Floats, RobotTree

STILL_RAD = 5e-4  # less than this moves nothing that can be seen
STILL_M = 2e-4


class Skins:
    """The surfaces of a robot's bodies, shared by its figures.

    Attributes:
        tree: the robot.
        geometries: of each body; None where nothing is drawn.
    """

    def __init__(self, tree: RobotTree, cell_m: float, linear: bool, world: QQuick3DObject) -> None:
        self.tree = tree
        self.geometries = tuple(_geometry(body, cell_m, linear, world) for body in tree.bodies)


class Figure:
    """One robot of the picture."""

    def __init__(
        self, skins: Skins, link: QQmlComponent, world: QQuick3DObject, ghost: bool
    ) -> None:
        self._tree = skins.tree
        self._nodes: list[QQuick3DObject] = []
        self._rests: list[QQuaternion] = []
        self._axes = [QVector3D(*body.axis.tolist()) for body in self._tree.bodies]
        self._angles = [0.0] * len(self._tree.bodies)
        self._base = np.zeros((4, 4))
        self._shown = [True] * len(self._tree.bodies)
        for body, geometry in zip(self._tree.bodies, skins.geometries, strict=True):
            rest = _quaternion(body.frame)
            properties: dict[str, object] = {
                "ghost": ghost,
                "position": QVector3D(*body.frame[:3, 3].tolist()),
                "rotation": rest,
            }
            if geometry is not None:
                properties["geometry"] = geometry
            node = link.createWithInitialProperties(properties, link.creationContext())
            assert isinstance(node, QQuick3DObject)
            parent = world if body.parent < 0 else self._nodes[body.parent]
            node.setParent(parent)
            node.setParentItem(parent)
            self._nodes.append(node)
            self._rests.append(rest)

    def pose(self, q: Mapping[str, float], base: Floats) -> bool:
        """Take joint angles [rad] and the torso's pose (4, 4); tell whether anything moved."""
        moved = False
        for index, body in enumerate(self._tree.bodies):
            angle = q.get(body.joint)
            if angle is not None and abs(angle - self._angles[index]) > STILL_RAD:
                turn = QQuaternion.fromAxisAndAngle(self._axes[index], degrees(angle))
                self._nodes[index].setProperty("rotation", self._rests[index] * turn)
                self._angles[index] = angle
                moved = True
        if np.abs(base - self._base).max() > STILL_M:
            self._nodes[0].setProperty("position", QVector3D(*base[:3, 3].tolist()))
            self._nodes[0].setProperty("rotation", _quaternion(base))
            self._base = base
            moved = True
        return moved

    def show(self, shown: list[bool]) -> bool:
        """Draw some of the bodies; tell whether that is a change."""
        for node, now, before in zip(self._nodes, shown, self._shown, strict=True):
            if now != before:
                node.setProperty("shown", now)
        changed = shown != self._shown
        self._shown = list(shown)
        return changed


def _geometry(
    body: Body, cell_m: float, linear: bool, world: QQuick3DObject
) -> QQuick3DGeometry | None:
    if not body.patches:
        return None
    meshes = [simplified(patch.mesh, cell_m) if cell_m else patch.mesh for patch in body.patches]
    colours = np.ones((sum(len(mesh.positions) for mesh in meshes), 4), dtype=np.float32)
    start = 0
    for mesh, patch in zip(meshes, body.patches, strict=True):
        end = start + len(mesh.positions)
        # Lights reckon with linear colours; the model gives them as a screen shows them.
        colours[start:end, :3] = np.power(patch.colour, 2.2) if linear else patch.colour
        start = end
    return body_geometry(merged(meshes), colours, world)


def _quaternion(frame: Floats) -> QQuaternion:
    return QQuaternion.fromRotationMatrix(QMatrix3x3(frame[:3, :3].flatten().tolist()))
