"""The person in the scene graph: a capsule for each bone, in outline."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtGui import QQuaternion, QVector3D
from PySide6.QtQml import QQmlComponent
from PySide6.QtQuick3D import QQuick3DObject

from app.picture.figure import STILL_M
from app.picture.geometry import body_geometry
from app.picture.mesh import simplified
from app.picture.primitives import capsule, sphere
from app.picture.robot_tree import Floats
from app.picture.skeleton import SHORT_M, SKULL_M, joints_of, radius_of, skull
from core.link.message import Vector3
from shows.human import BONES, PARENTS

COLOUR = (0.86, 0.87, 0.90, 1.0)
CELL_M = 0.025  # of the surface of the simple picture
_UP = QVector3D(0.0, 0.0, 1.0)


class PersonNodes:
    """One person of the picture, hidden until there is a posture.

    Args:
        component: of a bone.
        world: gets the bones.
        simple: draw fewer triangles.
    """

    def __init__(self, component: QQmlComponent, world: QQuick3DObject, simple: bool) -> None:
        self._component, self._world, self._simple = component, world, simple
        self._nodes: dict[int, QQuick3DObject] = {}
        self._lengths: Floats = np.ones(len(BONES))  # of the capsules' geometries [m]
        self._skull: QQuick3DObject | None = None
        self._joints: Floats | None = None

    def pose(self, positions: Sequence[Vector3]) -> bool:
        """Take the joints (22, 3) in the world [m], none to hide; tell whether anything moved."""
        joints, before = joints_of(positions), self._joints
        if joints is None:
            self._show(False)
            self._joints = None
            return before is not None
        if before is not None and np.abs(joints - before).max() < STILL_M:
            return False
        if self._skull is None:
            self._make(joints)
        if before is None:
            self._show(True)
        self._joints = joints
        for index, node in self._nodes.items():
            start, end = joints[PARENTS[index]], joints[index]
            along = end - start
            length = float(np.linalg.norm(along))
            turn = QQuaternion.rotationTo(_UP, QVector3D(*along.tolist()))
            node.setProperty("position", QVector3D(*(0.5 * (start + end)).tolist()))
            node.setProperty("rotation", turn)
            node.setProperty("scale", QVector3D(1.0, 1.0, length / float(self._lengths[index])))
        if self._skull is not None:
            self._skull.setProperty("position", QVector3D(*skull(joints).tolist()))
        return True

    def _make(self, joints: Floats) -> None:
        """Make the capsules; their ends are round at the lengths of the first posture."""
        for index in range(1, len(BONES)):
            length = float(np.linalg.norm(joints[index] - joints[PARENTS[index]]))
            if length > SHORT_M:
                self._lengths[index] = length
                self._nodes[index] = self._add(radius_of(BONES[index]), length)
        self._skull = self._add(SKULL_M, 0.0)

    def _add(self, radius: float, length: float) -> QQuick3DObject:
        mesh = capsule(radius, length) if length else sphere(radius)
        if self._simple:
            mesh = simplified(mesh, CELL_M)
        colours = np.tile(np.array(COLOUR, dtype=np.float32), (len(mesh.positions), 1))
        node = self._component.createWithInitialProperties(
            {"geometry": body_geometry(mesh, colours, self._world)},
            self._component.creationContext(),
        )
        assert isinstance(node, QQuick3DObject)
        node.setParent(self._world)
        node.setParentItem(self._world)
        return node

    def _show(self, shown: bool) -> None:
        skulls = () if self._skull is None else (self._skull,)
        for node in (*self._nodes.values(), *skulls):
            node.setProperty("visible", shown)
