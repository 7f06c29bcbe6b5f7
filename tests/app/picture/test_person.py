"""The person in the scene graph: capsules between joints, hidden without a posture."""

import numpy as np
import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QVector3D
from PySide6.QtQml import QQmlComponent, QQmlEngine
from PySide6.QtQuick import QQuickItem
from PySide6.QtQuick3D import QQuick3DObject
from pytestqt.qtbot import QtBot

from app.picture.robot_tree import Floats
from app.picture.scene_graph import QML, SceneGraph
from assets.takes.scenes import takes
from core.link.message import Vector3
from shows.human import BONES, INDEX

JOINTS: Floats = next(take for take in takes() if take.name == "t_pose").positions[0]


def rows(joints: Floats) -> tuple[Vector3, ...]:
    return tuple((x, y, z) for x, y, z in joints.tolist())


@pytest.mark.parametrize("simple", [True, False])
def test_a_person_is_posed_moved_and_hidden(qtbot: QtBot, simple: bool) -> None:
    engine = QQmlEngine()
    component = QQmlComponent(engine, QUrl.fromLocalFile(str(QML)))
    root = component.createWithInitialProperties({"simple": simple})
    assert isinstance(root, QQuickItem), component.errorString()
    graph = SceneGraph(root, simple)
    world = graph._world()
    before = set(world.children())
    person = graph.person()
    assert not person.pose(())
    assert person.pose(rows(JOINTS)) and not person.pose(rows(JOINTS))
    bones = [
        child
        for child in world.children()
        if child not in before and isinstance(child, QQuick3DObject) and child.property("position")
    ]
    assert len(bones) == len(BONES)  # a capsule to each joint but the hips, and the head
    assert all(bone.property("visible") for bone in bones)
    hand = JOINTS[[INDEX["left_lower_arm"], INDEX["left_hand"]]].mean(axis=0)
    places = np.array([_of(bone.property("position")) for bone in bones])
    nearest = int(np.linalg.norm(places - hand, axis=1).argmin())
    assert np.allclose(places[nearest], hand, atol=1e-5)
    moved = JOINTS + np.array([0.5, 0.0, 0.0])
    assert person.pose(rows(moved))
    found = np.array([_of(bone.property("position")) for bone in bones])
    assert np.allclose(found - places, [0.5, 0.0, 0.0], atol=1e-5)
    assert person.pose(()) and not any(bone.property("visible") for bone in bones)
    assert person.pose(rows(JOINTS)) and all(bone.property("visible") for bone in bones)
    root.deleteLater()


def _of(place: QVector3D) -> tuple[float, float, float]:
    return place.x(), place.y(), place.z()
