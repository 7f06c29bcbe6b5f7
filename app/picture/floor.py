"""How low a robot reaches: a limp one lies on the floor, whatever height was measured last."""

from math import isfinite

from msgspec.structs import replace

from app.picture import posture
from app.picture.outline import outline
from app.picture.robot_tree import RobotTree
from core.link.hello import Hello
from core.link.message import Vector3
from core.link.scene import Scene
from core.link.status import Status

LIMP = frozenset({"OFF", "DAMPED", "FAULT", "ESTOP"})


def is_laid(hello: Hello | None, status: Status | None) -> bool:
    """Return whether nothing but the floor supports a robot without torque."""
    return (
        hello is not None
        and status is not None
        and bool(hello.feet)
        and hello.support == "floor"
        and status.mode in LIMP
    )


def laid(scene: Scene, joint_names: tuple[str, ...], tree: RobotTree) -> Scene:
    """Return a picture in which a limp robot lies on the floor.

    The estimate of its place lives by feet that carry it. Where it fell they carry nothing, and
    the height is the last one. A hanging or seated robot stays at its measured position.
    """
    if not scene.q or not all(map(isfinite, (*scene.base_position, *scene.base_rpy))):
        return scene
    poses = tree.forward_kinematics(posture.angles(joint_names, scene.q), posture.base(scene, tree))
    drop = outline(tree).lowest(poses)
    return replace(
        scene,
        base_position=_lowered(scene.base_position, drop),
        com=_lowered(scene.com, drop),
        soles=tuple(_lowered(sole, drop) for sole in scene.soles),
        support=tuple(_lowered(corner, drop) for corner in scene.support),
    )


def _lowered(point: Vector3, drop_m: float) -> Vector3:
    x, y, z = point
    return x, y, z - drop_m
