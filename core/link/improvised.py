"""Commands by hand that no show needs: phrases, poses of hands, idle life."""

from core.link.message import Inbound, Name, PhraseName
from shows.document import Hand


class Say(Inbound, tag=True, frozen=True):
    """Say a phrase of the loaded show, in any mode: sound moves nothing.

    It ends another phrase that was requested by hand, and sounds beside a cue.
    """

    phrase: PhraseName


class PoseHands(Inbound, tag=True, frozen=True):
    """Lead hands to a pose and keep it; hands that keep it already return to rest.

    Attributes:
        pose: name of a pose of the loaded show or of the robot.
        hand: left, right or both.
    """

    pose: Name
    hand: Hand = "both"


class SetIdle(Inbound, tag=True, frozen=True):
    """Turn idle life on or off; None: change it."""

    on: bool | None = None
