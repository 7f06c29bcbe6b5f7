"""Places of a stage: marks on which a robot arrives, and points at which it looks."""

import math
from typing import Annotated, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

Coordinate: TypeAlias = Annotated[float, Meta(ge=-50.0, le=50.0)]
Height: TypeAlias = Annotated[float, Meta(ge=-5.0, le=20.0)]
Heading: TypeAlias = Annotated[float, Meta(ge=-6.3, le=6.3)]
Foot: TypeAlias = Literal["either", "left", "right"]


class Place(NamedTuple):
    """A place to stand.

    Attributes:
        x, y: of the middle between the soles [m].
        yaw: mean heading of the soles [rad].
    """

    x: float
    y: float
    yaw: float

    def within(self, other: "Place") -> "Place":
        """Return the place as seen from another one, in its axes."""
        dx, dy = self.x - other.x, self.y - other.y
        cos, sin = math.cos(other.yaw), math.sin(other.yaw)
        turn = math.remainder(self.yaw - other.yaw, 2.0 * math.pi)
        return Place(cos * dx + sin * dy, cos * dy - sin * dx, turn)

    def beyond(self, other: "Place") -> "Place":
        """Return a place that is given in the axes of another one, in those of the other one."""
        cos, sin = math.cos(other.yaw), math.sin(other.yaw)
        return Place(
            other.x + cos * self.x - sin * self.y,
            other.y + sin * self.x + cos * self.y,
            math.remainder(self.yaw + other.yaw, 2.0 * math.pi),
        )

    @property
    def distance(self) -> float:
        """Distance from the origin [m]."""
        return math.hypot(self.x, self.y)


ORIGIN = Place(0.0, 0.0, 0.0)


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A place on the stage.

    Its frame begins where the robot stood up first, or as an operator said: x forward and y to
    the left of the robot at that place.

    Attributes:
        x, y: of the middle between the soles [m].
        heading: of the robot, to the left [rad].
    """

    x: Coordinate = 0.0
    y: Coordinate = 0.0
    heading: Heading = 0.0

    @property
    def place(self) -> Place:
        """The place itself."""
        return Place(self.x, self.y, self.heading)


class Point(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A point in the room at which a robot looks, in the frame of the marks.

    Attributes:
        x, y: on the floor [m].
        z: above the floor [m].
    """

    x: Coordinate = 0.0
    y: Coordinate = 0.0
    z: Height = 0.0
