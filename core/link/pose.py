"""Questions of a console to the stagehand about a pose, and its verdict."""

from typing import Annotated

import msgspec

from core.link.message import Inbound, JointAngle, Name, Sender, Sequence


class PoseQuestion(Inbound, frozen=True):
    """Could the robot take this pose? Only the newest question of all is answered.

    Attributes:
        sender: name of the asking process.
        number: increases with every question of this sender.
        angles: joint angles by name; the other joints are at rest [rad].
    """

    sender: Sender
    number: Sequence
    angles: Annotated[dict[Name, JointAngle], msgspec.Meta(max_length=256)]


class PoseVerdict(Inbound, frozen=True):
    """The answer to a question about a pose.

    Attributes:
        sender: sender of the question.
        number: number of the question.
        collisions: pairs of names of links that touch.
        loads: torque that holds each joint against gravity, as a share of its stall torque, by
            name; only joints that have a load.
    """

    sender: Sender
    number: Sequence
    collisions: tuple[tuple[str, str], ...] = ()
    loads: dict[str, float] = {}
