"""Commands that lead the body of a standing robot by hand."""

from core.link.message import BodyCoordinate, Inbound


class LeadBody(Inbound, tag=True, frozen=True):
    """Lead the body by hand over standing feet; it must be repeated.

    The first sender has the body until its lead ends; another one is refused. A silence of
    `core.tick.body_stick.SILENCE_S`, HOLD, `Cancel` of all limbs, a fault that holds the robot, an
    order to follow a person with the body, and `ReleaseBody` of another sender end it until its
    sender has sent `ReleaseBody`, with which a hold begins. While the robot steps, the body fades
    to upright.

    Attributes:
        roll: of the torso, to its right [rad].
        pitch: of the torso, forward [rad].
        yaw: of the torso, to its left [rad].
        height: upward from the standing posture [m].
        left: shift of the centre of mass over the feet [m].
    """

    roll: BodyCoordinate = 0.0
    pitch: BodyCoordinate = 0.0
    yaw: BodyCoordinate = 0.0
    height: BodyCoordinate = 0.0
    left: BodyCoordinate = 0.0


class ReleaseBody(Inbound, tag=True, frozen=True):
    """Return the body to the show, whoever leads it."""
