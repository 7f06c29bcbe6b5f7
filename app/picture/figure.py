"""A robot in the scene graph, which does its kinematics: one node a body, turned by its joint."""

from collections.abc import Mapping
from functools import lru_cache
from math import degrees

import numpy as np
from PySide6.QtGui import QMatrix3x3, QQuaternion, QVector3D
from PySide6.QtQml import QQmlComponent
from PySide6.QtQuick3D import QQuick3DObject

from app.picture.geometry import body_geometry
from app.picture.mesh import Floats32, Mesh, merged, simplified
from app.picture.robot_tree import Body, Floats, RobotTree

STILL_RAD = 5e-4  # less than this moves nothing that can be seen
STILL_M = 2e-4
SIMPLE_CELL_M = 0.009


class Skins:
    """The surfaces of a robot's bodies, shared by its figures.

    Attributes:
        tree: the robot.
        geometries: of each body; None where nothing is drawn.
    """

    def __init__(self, tree: RobotTree, simple: bool, world: QQuick3DObject) -> None:
        self.tree = tree
        self.geometries = tuple(
            None if surface is None else body_geometry(*surface, world)
            for surface in coloured(tree, simple)
        )


class FigureNodes:
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
        """Take joint positions [rad, m] and the base's pose (4, 4); tell whether anything moved."""
        moved = False
        for index, body in enumerate(self._tree.bodies):
            position = q.get(body.joint)
            angle = None if position is None else position * body.ratio
            if angle is not None and abs(angle - self._angles[index]) > (
                STILL_M if body.slides else STILL_RAD
            ):
                if body.slides:
                    offset = body.frame[:3, 3] + body.frame[:3, :3] @ (angle * body.axis)
                    self._nodes[index].setProperty("position", QVector3D(*offset.tolist()))
                else:
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


@lru_cache(maxsize=2)
def coloured(tree: RobotTree, simple: bool) -> tuple[tuple[Mesh, Floats32] | None, ...]:
    """Return the surface of each body and its corners' colours (n, 4); None where it has none.

    It takes some 100 ms, and is remembered, so that another thread may do it beforehand.
    """
    return tuple(_coloured(body, simple) if body.patches else None for body in tree.bodies)


def _coloured(body: Body, simple: bool) -> tuple[Mesh, Floats32]:
    meshes = [
        simplified(patch.mesh, SIMPLE_CELL_M) if simple else patch.mesh for patch in body.patches
    ]
    sizes = [len(mesh.positions) for mesh in meshes]
    shades = np.array([patch.colour for patch in body.patches], dtype=np.float32)
    # Lights reckon with linear colours; the model gives them as a screen shows them.
    shades = shades if simple else shades**2.2
    colours = np.ones((sum(sizes), 4), dtype=np.float32)
    colours[:, :3] = np.repeat(shades, sizes, axis=0)
    return merged(meshes), colours


def _quaternion(frame: Floats) -> QQuaternion:
    return QQuaternion.fromRotationMatrix(QMatrix3x3(frame[:3, :3].flatten().tolist()))
