"""What operators ask for by hand, beside gestures."""

from dataclasses import dataclass

from core.tick.body_stick import BodyByStick
from core.tick.follow import FollowPerson
from core.tick.gaze import GazeAtPoint
from core.tick.jump import JumpByHand
from core.tick.marks import WalkToMark
from core.tick.sway import SwayByHand


@dataclass(slots=True)
class ByHand:
    """The requests of operators that last.

    Attributes:
        sway: owns the sway.
        jump: owns the jumps.
        marks: owns the walk to a mark, and the place on the stage.
        gaze: owns the point in the room at which the robot looks.
        body: owns the lead of the body by a stick.
        follow: owns the order to follow a person.
    """

    sway: SwayByHand
    jump: JumpByHand
    marks: WalkToMark
    gaze: GazeAtPoint
    body: BodyByStick
    follow: FollowPerson

    def end(self) -> None:
        """End all of them; the robot comes to rest."""
        self.sway.end()
        self.jump.end()
        self.marks.end()
        self.gaze.end()
        self.body.end()
        self.follow.end()
