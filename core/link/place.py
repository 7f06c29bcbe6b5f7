"""Commands about the place of the robot on the stage."""

from core.link.message import Inbound, MarkName
from shows.marks import Coordinate, Foot, Heading


class WalkTo(Inbound, tag=True, frozen=True):
    """Walk to a place on the stage and stand there.

    Refused unless the robot is READY or walks, and its place is known. HOLD, `Cancel` of all limbs,
    a velocity and jumps end it where the robot is.

    Attributes:
        x: of the middle between the soles, frame of the stage [m].
        y: likewise [m].
        heading: of the robot, frame of the stage [rad].
        foot: foot whose step is the last.
        mark: name of the place, for messages; empty without one.
    """

    x: Coordinate
    y: Coordinate
    heading: Heading
    foot: Foot = "either"
    mark: MarkName = ""


class StandsAt(Inbound, tag=True, frozen=True):
    """The robot stands at a place on the stage now, as the operator sees.

    Refused unless it is DAMPED, or READY and stands.

    Attributes:
        x: of the middle between the soles, frame of the stage [m].
        y: likewise [m].
        heading: of the robot, frame of the stage [rad].
    """

    x: Coordinate
    y: Coordinate
    heading: Heading
