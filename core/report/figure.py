"""The figure of a robot, made from its MJCF model by Pinocchio."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from core.errors import ProfileError
from core.link.figure import (
    Figure,
    FigureBody,
    FigureContact,
    FigureShape,
    JointKind,
    Rotation,
    ShapeKind,
)
from core.link.message import Vector3
from core.robot.couplings import Coupling, read_couplings
from core.robot.folders import robot_folder
from core.robot.profile import Contact, Profile

_STRAIGHT: Rotation = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def figure_of(profile: Profile) -> Figure:
    """Return the figure of a robot; it names its problem if the model cannot be drawn.

    It takes about a second for a robot with large meshes.
    """
    path = profile.model_path
    try:
        model = pin.buildModelFromMJCF(str(path))
        shapes = pin.buildGeomFromMJCF(model, str(path), pin.GeometryType.VISUAL)
        couplings = {found.follower: found for found in read_couplings(path)}
    except (RuntimeError, ValueError, ProfileError) as error:
        return Figure(profile.name, problem=f"{path.name} cannot be drawn: {error}"[:500])
    # A floating base is the first body; the universe is one only if the base does not move.
    first = 1 if model.njoints > 1 and model.nqs[1] == 7 else 0
    folder = robot_folder(profile.name).resolve()
    drawn = (
        _shape(found, found.parentJoint - first, folder)
        for found in shapes.geometryObjects
        if found.parentJoint >= first
    )
    return Figure(
        robot=profile.name,
        folder=str(folder),
        bodies=tuple(
            _body(model, index, first, couplings) for index in range(first, model.njoints)
        ),
        shapes=tuple(shape for shape in drawn if shape is not None),
        contacts=tuple(
            point for contact in profile.contacts for point in _contacts(model, contact, first)
        ),
    )


def _body(model: Any, index: int, first: int, couplings: Mapping[str, Coupling]) -> FigureBody:
    if index == first:
        known = model.referenceConfigurations
        moves = first and "qpos0" in known
        place = _vector(known["qpos0"][:3]) if moves else (0.0,) * 3
        return FigureBody(-1, place, _STRAIGHT, link=_link(model, index))
    kind, axis = _joint(model.joints[index])
    placement = model.jointPlacements[index]
    name = model.names[index]
    _, joint, ratio = couplings.get(name, (name, name, 1.0))
    return FigureBody(
        parent=model.parents[index] - first,
        position=_vector(placement.translation),
        rotation=_rotation(placement.rotation),
        kind=kind,
        joint="" if kind == "fixed" else joint,
        axis=axis,
        link=_link(model, index),
        ratio=ratio,
    )


def _link(model: pin.Model, index: int) -> str:
    """Return the name of the link whose frame is that of a joint; empty if none is."""
    for frame in model.frames:
        own = frame.type == pin.FrameType.BODY and frame.parentJoint == index
        if own and frame.placement.isIdentity(1e-9):
            return str(frame.name)
    return ""


def _joint(joint: Any) -> tuple[JointKind, Vector3]:
    """Return kind and axis of a joint; one with several degrees of freedom is drawn as fixed."""
    if joint.nq != 1:
        return "fixed", (0.0, 0.0, 1.0)
    data = joint.createData()
    joint.calc(data, np.zeros(1))
    motion = np.asarray(data.S).reshape(6)
    linear, angular = motion[:3], motion[3:]
    return ("hinge", _vector(angular)) if angular.any() else ("slide", _vector(linear))


def _shape(found: Any, body: int, folder: Path) -> FigureShape | None:
    """Return a shape; None for one that has no extent that can be drawn, as a plane."""
    geometry = found.geometry
    kind: ShapeKind
    size: tuple[float, ...]
    mesh = ""
    match type(geometry).__name__:
        case "Box":
            kind, size = "box", tuple((2.0 * geometry.halfSide).tolist())
        case "Sphere":
            kind, size = "sphere", (geometry.radius,)
        case "Capsule":
            kind, size = "capsule", (geometry.radius, 2.0 * geometry.halfLength)
        case "Cylinder":
            kind, size = "cylinder", (geometry.radius, 2.0 * geometry.halfLength)
        case _ if Path(found.meshPath).is_file():
            kind, size = "mesh", _vector(found.meshScale)
            mesh = Path(found.meshPath).resolve().relative_to(folder).as_posix()
        case _:
            return None
    return FigureShape(
        body=body,
        kind=kind,
        position=_vector(found.placement.translation),
        rotation=_rotation(found.placement.rotation),
        colour=_vector(found.meshColor[:3]),
        size=size,
        mesh=mesh,
    )


def _contacts(model: Any, contact: Contact, first: int) -> list[FigureContact]:
    """Return the points of a contact where forces act: from heel to toe, left before right."""
    frame = model.frames[model.getFrameId(contact.frame)]
    sides = (contact.half_width, -contact.half_width) if contact.half_width else (0.0,)
    return [
        FigureContact(
            frame.parentJoint - first, _vector(frame.placement.act(np.array([x, y, 0.0])))
        )
        for x in (contact.heel, contact.toe)
        for y in sides
    ]


def _vector(values: Any) -> Vector3:
    x, y, z = (float(value) for value in values)
    return x, y, z


def _rotation(matrix: Any) -> Rotation:
    a, b, c, d, e, f, g, h, i = np.asarray(matrix, dtype=np.float64).flatten().tolist()
    return a, b, c, d, e, f, g, h, i
