"""Commands about the place of the robot on the stage, and its look at points of the room."""

from core.link.message import Inbound, MarkName, Share
from shows.marks import Coordinate, Foot, Heading, Height


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


class LookAt(Inbound, tag=True, frozen=True):
    """Look at a point in the room and hold it while the body turns and walks.

    Refused where the head cannot be turned by hand, and while the robot's place is not known.
    `Head` and `ReleaseHead` end it.

    Attributes:
        x: of the point, frame of the stage [m].
        y: likewise [m].
        z: above the floor [m].
        point: name of the point, for messages; empty without one.
    """

    x: Coordinate
    y: Coordinate
    z: Height
    point: MarkName = ""


class HoldPoint(Inbound, tag=True, frozen=True):
    """Hold the point at which the robot looks now, while the body turns and walks.

    A robot that looks at no point holds the one straight ahead of its head, at the distance of its
    profile, or on the floor before it. Refused, and ended, as `LookAt`.
    """


class ShiftPoint(Inbound, tag=True, frozen=True):
    """Shift the point that is held by hand, at its distance; it must be repeated.

    Without such a point, and after a silence of `core.tick.gaze.SHIFT_SILENCE_S`, nothing moves.

    Attributes:
        left: azimuth rate as seen from the eye, as a share of the largest one.
        up: elevation rate, likewise.
    """

    left: Share = 0.0
    up: Share = 0.0
