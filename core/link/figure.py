"""The figure of a robot: bodies, joints and shapes, as a picture needs them."""

from typing import Literal, TypeAlias

from core.link.message import Outbound, Vector3

Rotation: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]
JointKind: TypeAlias = Literal["fixed", "hinge", "slide"]
ShapeKind: TypeAlias = Literal["mesh", "box", "sphere", "capsule", "cylinder"]


class FigureBody(Outbound, frozen=True):
    """One body, which a joint connects to its parent.

    Attributes:
        parent: index of its parent; -1 for the first body.
        position: position of its frame in the parent's frame at joint position zero [m].
        rotation: rotation of its frame in the parent's frame at joint position zero, row by row.
        kind: kind of its joint; the first body has the pose of the robot's base.
        joint: name of the independent joint that moves it; empty if it is fixed.
        axis: axis of its joint in its own frame, of length 1.
        link: name of the link with this frame; empty if none has it.
        ratio: position of its own joint by that of the independent joint.
    """

    parent: int
    position: Vector3
    rotation: Rotation
    kind: JointKind = "fixed"
    joint: str = ""
    axis: Vector3 = (0.0, 0.0, 1.0)
    link: str = ""
    ratio: float = 1.0


class FigureShape(Outbound, frozen=True):
    """One shape of one colour.

    Attributes:
        body: index of the body that carries it.
        kind: mesh, box, sphere, capsule or cylinder; the last two lie along z.
        position: position of its frame in the body's frame [m].
        rotation: rotation of its frame in the body's frame, row by row.
        colour: red, green and blue as a screen shows them, 0 to 1.
        size: box: three lengths; sphere: radius; capsule and cylinder: radius, and length without
            the caps; mesh: three scales [m].
        mesh: path of an OBJ file, relative to the figure's folder.
    """

    body: int
    kind: ShapeKind
    position: Vector3
    rotation: Rotation
    colour: Vector3
    size: tuple[float, ...]
    mesh: str = ""


class FigureContact(Outbound, frozen=True):
    """A point at which a contact force acts.

    Attributes:
        body: index of the body that carries it.
        position: position in the body's frame [m].
    """

    body: int
    position: Vector3


class Figure(Outbound, frozen=True):
    """The bodies, joints and shapes of the robot for a picture, repeated every second.

    Attributes:
        robot: name of the robot's profile.
        folder: path of the robot's folder on this computer.
        bodies: bodies, each after its parent.
        shapes: shapes of the bodies.
        contacts: contact points in the order of the scene's contact forces.
        problem: reason why there is no figure, one sentence; empty if there is one.
    """

    robot: str
    folder: str = ""
    bodies: tuple[FigureBody, ...] = ()
    shapes: tuple[FigureShape, ...] = ()
    contacts: tuple[FigureContact, ...] = ()
    problem: str = ""
