"""The marks of a stage: named places on which a robot arrives."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

Coordinate: TypeAlias = Annotated[float, Meta(ge=-50.0, le=50.0)]
Heading: TypeAlias = Annotated[float, Meta(ge=-6.3, le=6.3)]
Foot: TypeAlias = Literal["either", "left", "right"]


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
