"""A robot as the picture needs it: bodies, joints and coloured surfaces."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.picture import primitives
from app.picture.mesh import Mesh, read_obj
from core.link.figure import Figure, FigureShape, Rotation
from core.link.message import Vector3

Floats = npt.NDArray[np.float64]
Colour = tuple[float, float, float]


class RobotError(ValueError):
    """A robot cannot be drawn; one sentence has the reason."""


@dataclass(frozen=True, eq=False)
class Patch:
    """A surface of one colour, in its body's frame.

    Attributes:
        mesh: its triangles.
        colour: red, green, blue, 0 to 1.
    """

    mesh: Mesh
    colour: Colour


@dataclass(frozen=True, eq=False)
class Body:
    """A link of the robot.

    Attributes:
        parent: index of its parent; -1 for the first.
        frame: its frame in its parent's at joint position zero (4, 4); of the first, its pose where
            that is not known.
        joint: name of the independent joint that moves it; empty if none does.
        axis: of the joint in the body's frame (3), of length 1.
        slides: the joint moves it along the axis instead of about it.
        patches: its surfaces.
        link: name of the link with its frame; empty if none has it.
        ratio: its angle, or its way along the axis, by the position of the joint.
    """

    parent: int
    frame: Floats
    joint: str
    axis: Floats
    slides: bool
    patches: tuple[Patch, ...]
    link: str = ""
    ratio: float = 1.0


@dataclass(frozen=True, eq=False)
class RobotTree:
    """All bodies of a robot, each after its parent.

    Attributes:
        name: of the robot's profile.
        bodies: the first has the pose of the base.
        contacts: points where contact forces act, each with the index of its body and its position
            in the body's frame (3) [m].
    """

    name: str
    bodies: tuple[Body, ...]
    contacts: tuple[tuple[int, Floats], ...] = ()

    def forward_kinematics(self, q: Mapping[str, float], base: Floats | None = None) -> Floats:
        """Return the pose of every body in the world (n, 4, 4).

        Args:
            q: joint positions by name [rad, m]; a joint that is not named is at zero.
            base: pose of the first body (4, 4); None puts it at the origin.
        """
        poses = np.empty((len(self.bodies), 4, 4))
        for index, body in enumerate(self.bodies):
            if body.parent < 0:
                poses[index] = np.eye(4) if base is None else base
            else:
                poses[index] = poses[body.parent] @ body.frame
            angle = q.get(body.joint, 0.0) * body.ratio
            if angle and body.slides:
                poses[index, :3, 3] += poses[index, :3, :3] @ (angle * body.axis)
            elif angle:
                poses[index, :3, :3] = poses[index, :3, :3] @ turned(body.axis, angle)
        return poses


def turned(axis: Floats, angle: float) -> Floats:
    """Return the rotation about an axis of length 1 by an angle [rad] (3, 3)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    rotation: Floats = np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross
    return rotation


def base_pose(position: tuple[float, float, float], rpy: tuple[float, float, float]) -> Floats:
    """Return the pose (4, 4) of a torso at a position [m] with roll, pitch and yaw [rad]."""
    pose = np.eye(4)
    pose[:3, 3] = position
    for axis, angle in zip(np.eye(3)[::-1], rpy[::-1], strict=True):
        pose[:3, :3] = pose[:3, :3] @ turned(axis, angle)
    return pose


def tree_of(figure: Figure) -> RobotTree:
    """Return the robot of a figure; reads its meshes, some 100 ms the first time.

    Raises:
        RobotError: the core has no figure, or a mesh cannot be read.
    """
    if figure.problem or not figure.bodies:
        raise RobotError(figure.problem or f"{figure.robot} has no figure")
    patches: list[list[Patch]] = [[] for _ in figure.bodies]
    try:
        for shape in figure.shapes:
            patches[shape.body].append(_patch(shape, Path(figure.folder)))
    except (OSError, ValueError, IndexError) as error:
        raise RobotError(f"{figure.robot} cannot be drawn: {error}") from error
    return RobotTree(
        name=figure.robot,
        bodies=tuple(
            Body(
                parent=body.parent,
                frame=_frame(body.rotation, body.position),
                joint=body.joint,
                axis=np.array(body.axis),
                slides=body.kind == "slide",
                patches=tuple(found),
                link=body.link,
                ratio=body.ratio,
            )
            for body, found in zip(figure.bodies, patches, strict=True)
        ),
        contacts=tuple((found.body, np.array(found.position)) for found in figure.contacts),
    )


def _patch(shape: FigureShape, folder: Path) -> Patch:
    mesh = _surface(shape, folder)
    frame = _frame(shape.rotation, shape.position)
    if not np.array_equal(frame, np.eye(4)):
        rotation, offset = frame[:3, :3].astype(np.float32), frame[:3, 3].astype(np.float32)
        mesh = Mesh(mesh.positions @ rotation.T + offset, mesh.normals @ rotation.T, mesh.triangles)
    return Patch(mesh, shape.colour)


def _surface(shape: FigureShape, folder: Path) -> Mesh:
    if shape.kind != "mesh":
        makers: dict[str, Callable[..., Mesh]] = {
            "box": primitives.box,
            "sphere": primitives.sphere,
            "capsule": primitives.capsule,
            "cylinder": primitives.cylinder,
        }
        return makers[shape.kind](*shape.size)
    path = folder / shape.mesh
    if path.suffix.lower() != ".obj":
        raise ValueError(f"{shape.mesh} is no OBJ file")
    mesh = read_obj(path)
    scale = np.array(shape.size, dtype=np.float32)
    if (scale == 1.0).all():
        return mesh
    normals = mesh.normals / scale
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return Mesh(mesh.positions * scale, normals, mesh.triangles)


def _frame(rotation: Rotation, position: Vector3) -> Floats:
    frame = np.eye(4)
    frame[:3, :3] = np.array(rotation).reshape(3, 3)
    frame[:3, 3] = position
    return frame
