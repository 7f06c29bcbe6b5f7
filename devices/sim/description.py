"""The outer shapes of a child-sized humanoid: what meets the floor, and what gives way.

Lengths in metres in the frame of the body named. The paper gives stiffnesses (Kid Cosmo,
Table IV) and no positions: those are chosen to enclose the model's links and boots.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias

Point: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Shape:
    """A hard capsule from start to end, a sphere where both are the same point.

    Attributes:
        body: the body that carries it.
        start: centre of one end [m].
        end: centre of the other end [m].
        radius: of the capsule [m].
        sits: whether it can rest on the stool.
    """

    body: str
    start: Point
    end: Point
    radius: float
    sits: bool = False


@dataclass(frozen=True, slots=True)
class BootShell:
    """A point of a boot's shell that yields when it is pressed against the ground.

    Attributes:
        foot: the body that carries it.
        point: where it touches, undeformed [m].
        stiffness: along the ground's normal [N/m].
    """

    foot: str
    point: Point
    stiffness: float


@dataclass(frozen=True, slots=True)
class FemurShell:
    """Where a thigh meets the body's shell on its rubber washers.

    The force acts along the line between the two points, and only when they are closer than
    the gap.

    Attributes:
        torso: the body that carries the shell.
        torso_point: on the shell [m].
        thigh: the body that hits it.
        thigh_point: on the thigh [m].
        gap: distance of the points at which they touch [m].
        stiffness: of the washers [N/m].
    """

    torso: str
    torso_point: Point
    thigh: str
    thigh_point: Point
    gap: float
    stiffness: float


def _mirrored(shape: Shape) -> tuple[Shape, Shape]:
    """Return a shape of the left side and its image on the right."""
    (a, b, c), (d, e, f) = shape.start, shape.end
    right = Shape(
        shape.body.replace("left", "right"), (a, -b, c), (d, -e, f), shape.radius, shape.sits
    )
    return shape, right


BODY_SHAPES: tuple[Shape, ...] = (
    Shape("torso", (0.01, -0.06, 0.06), (0.01, 0.06, 0.06), 0.10),
    Shape("torso", (0.01, -0.06, 0.30), (0.01, 0.06, 0.30), 0.12),
    Shape("head", (0.0, 0.0, 0.20), (0.0, 0.0, 0.20), 0.20),
    *_mirrored(Shape("left_upper_arm", (0.0, 0.0, -0.02), (0.0, 0.0, -0.18), 0.045)),
    *_mirrored(Shape("left_forearm", (0.0, 0.0, -0.03), (0.0, 0.0, -0.15), 0.04)),
    *_mirrored(Shape("left_hand", (0.0, 0.0, -0.05), (0.0, 0.0, -0.12), 0.04)),
    *_mirrored(Shape("left_thigh", (0.0, 0.01, -0.06), (0.0, 0.01, -0.24), 0.055, True)),
    *_mirrored(Shape("left_shank", (0.0, 0.0, 0.0), (0.0, 0.0, -0.20), 0.045)),
)

# The shells clear a level floor by 3 mm and the soles' line by as much: they touch as soon
# as the foot pitches or rolls, and long before a sole's edge would.
_BOOT: tuple[tuple[Point, float], ...] = (
    ((-0.125, 0.0, -0.077), 123.0),  # heel
    ((0.105, 0.055, -0.077), 147.0),  # toe, rolling outward
    ((0.105, -0.055, -0.077), 147.0),  # toe, rolling inward
    ((0.155, 0.0, -0.077), 98.0),  # toe, pitching
)
BOOT_SHELLS: tuple[BootShell, ...] = tuple(
    BootShell(foot, point, stiffness)
    for foot in ("left_foot", "right_foot")
    for point, stiffness in _BOOT
)


def _femur_shell(side: str, y: float, hip_y: float) -> FemurShell:
    """Return the contact of a thigh that flexes past 100°, which walking never needs."""
    torso, thigh, touch = (0.055, y, 0.155), (0.05, 0.0, -0.12), math.radians(100.0)
    # A hip pitch of -touch turns the thigh's point forward and up about the hip's y axis.
    x = thigh[0] * math.cos(touch) - thigh[2] * math.sin(touch)
    z = thigh[2] * math.cos(touch) + thigh[0] * math.sin(touch)
    gap = math.dist(torso, (x, hip_y + thigh[1], z))
    return FemurShell("torso", torso, f"{side}_thigh", thigh, gap, 5774.0)


FEMUR_SHELLS: tuple[FemurShell, ...] = (
    _femur_shell("left", 0.055, 0.055),
    _femur_shell("right", -0.055, -0.055),
)
