"""A robot as the picture needs it: bodies, hinges and coloured surfaces, read from its folder."""

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.console.stage.mesh import Mesh, read_obj

ROBOTS = Path(__file__).parents[3] / "assets" / "robots"
GREY = (0.6, 0.62, 0.65)

Floats = npt.NDArray[np.float64]
Colour = tuple[float, float, float]


class RobotError(ValueError):
    """A robot's folder cannot be drawn; one sentence says why."""


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
        name: in the model.
        parent: index of the body it hangs from; -1 for the first.
        frame: its frame in its parent's at joint angle zero (4, 4); unused for the first.
        joint: name of the hinge that turns it; empty where there is none.
        axis: of the hinge in the body's frame (3), of length 1.
        patches: what is drawn of it.
    """

    name: str
    parent: int
    frame: Floats
    joint: str
    axis: Floats
    patches: tuple[Patch, ...]


@dataclass(frozen=True, eq=False)
class RobotTree:
    """All bodies of a robot, each after the one it hangs from.

    Attributes:
        name: of the robot's folder.
        bodies: the first is the one whose pose is the base's.
        contacts: points that touch the ground, each with the index of its body and its place in
            the body's frame (3) [m]; heel and toe, left before right.
    """

    name: str
    bodies: tuple[Body, ...]
    contacts: tuple[tuple[int, Floats], ...] = ()

    def forward_kinematics(self, q: Mapping[str, float], base: Floats | None = None) -> Floats:
        """Return the pose of every body in the world (n, 4, 4).

        Args:
            q: joint angles by name [rad]; a joint that is not named is at zero.
            base: pose of the first body (4, 4); None puts it at the origin.
        """
        poses = np.empty((len(self.bodies), 4, 4))
        for index, body in enumerate(self.bodies):
            if body.parent < 0:
                poses[index] = np.eye(4) if base is None else base
            else:
                poses[index] = poses[body.parent] @ body.frame
            angle = q.get(body.joint, 0.0)
            if angle:
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


@lru_cache(maxsize=4)
def load_tree(robot: str) -> RobotTree:
    """Return a robot of assets/robots; takes some 200 ms the first time.

    Raises:
        RobotError: there is no such robot, or its model cannot be drawn.
    """
    if not (ROBOTS / robot / "robot.xml").is_file():
        raise RobotError(f"there is no robot {robot!r} in assets/robots to draw")
    return read_tree(ROBOTS / robot)


def read_tree(folder: Path) -> RobotTree:
    """Return the robot of a folder with `robot.xml` and its meshes.

    Raises:
        RobotError: its model cannot be drawn.
    """
    try:
        root = ElementTree.parse(folder / "robot.xml").getroot()
        reader = _Reader(root, folder)
        first = root.find("worldbody/body")
        if first is None:
            raise RobotError(f"{folder.name}/robot.xml holds no body")
        bodies = tuple(reader.bodies(first))
        return RobotTree(folder.name, bodies, tuple(reader.contacts))
    except (OSError, ElementTree.ParseError, ValueError) as error:
        raise RobotError(f"{folder.name} cannot be drawn: {error}") from error


class _Reader:
    """Reads the part of MJCF that a picture needs.

    Attributes:
        contacts: of the bodies read so far.
    """

    def __init__(self, root: ElementTree.Element, folder: Path) -> None:
        compiler = root.find("compiler")
        settings = {} if compiler is None else compiler.attrib
        self._degrees = settings.get("angle", "degree") == "degree"
        self._meshes = folder / settings.get("meshdir", "")
        self._files = {
            mesh.get("name", Path(mesh.get("file", "")).stem): mesh.get("file", "")
            for mesh in root.iterfind("asset/mesh")
        }
        self._colours = {
            material.get("name"): _colour(material.get("rgba"))
            for material in root.iterfind("asset/material")
        }
        self.contacts: list[tuple[int, Floats]] = []

    def bodies(self, element: ElementTree.Element) -> Iterator[Body]:
        """Yield a body and all below it."""
        waiting = [(element, -1)]
        count = 0
        while waiting:
            found, parent = waiting.pop()
            yield self._body(found, parent)
            self.contacts += [
                (count, _numbers(geom, "pos", "0 0 0"))
                for geom in found.findall("geom")
                if geom.get("class") == "sole"
            ]
            waiting += [(child, count) for child in reversed(found.findall("body"))]
            count += 1

    def _body(self, element: ElementTree.Element, parent: int) -> Body:
        name = element.get("name", "")
        joints = element.findall("joint")
        if len(joints) > 1 or any(
            joint.get("type", "hinge") != "hinge" or np.any(_numbers(joint, "pos", "0 0 0"))
            for joint in joints
        ):
            raise RobotError(f"body {name} has other joints than one hinge at its origin")
        axis = _numbers(joints[0], "axis", "0 0 1") if joints else np.array([0.0, 0.0, 1.0])
        return Body(
            name=name,
            parent=parent,
            frame=self._frame(element),
            joint=joints[0].get("name", "") if joints else "",
            axis=axis / np.linalg.norm(axis),
            patches=tuple(
                self._patch(geom)
                for geom in element.findall("geom")
                if geom.get("class") == "visual" and geom.get("mesh")
            ),
        )

    def _patch(self, geom: ElementTree.Element) -> Patch:
        name = geom.get("mesh", "")
        if name not in self._files:
            raise RobotError(f"there is no mesh {name}")
        mesh, frame = read_obj(self._meshes / self._files[name]), self._frame(geom)
        if not np.array_equal(frame, np.eye(4)):
            rotation, offset = frame[:3, :3].astype(np.float32), frame[:3, 3].astype(np.float32)
            mesh = Mesh(
                mesh.positions @ rotation.T + offset, mesh.normals @ rotation.T, mesh.triangles
            )
        colour = geom.get("rgba")
        if colour is None:
            return Patch(mesh, self._colours.get(geom.get("material"), GREY))
        return Patch(mesh, _colour(colour))

    def _frame(self, element: ElementTree.Element) -> Floats:
        frame = np.eye(4)
        frame[:3, 3] = _numbers(element, "pos", "0 0 0")
        if element.get("quat"):
            frame[:3, :3] = _rotation(_numbers(element, "quat", "", 4))
        elif element.get("euler"):
            angles = _numbers(element, "euler", "")
            for axis, angle in zip(np.eye(3), angles, strict=True):
                frame[:3, :3] = frame[:3, :3] @ turned(
                    axis, math.radians(angle) if self._degrees else angle
                )
        return frame


def _numbers(element: ElementTree.Element, key: str, default: str, count: int = 3) -> Floats:
    values = np.array(element.get(key, default).split(), dtype=np.float64)
    if values.shape != (count,) or not np.isfinite(values).all():
        raise RobotError(f"{key} of {element.get('name', element.tag)} is not {count} numbers")
    return values


def _rotation(quaternion: Floats) -> Floats:
    w, x, y, z = quaternion / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _colour(text: str | None) -> Colour:
    values = (text or "").split()
    if len(values) < 3:
        return GREY
    return float(values[0]), float(values[1]), float(values[2])
