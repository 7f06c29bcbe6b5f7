"""Questions of a console to the stagehand about the torques of a motion, and the answer."""

from typing import Annotated, TypeAlias

import msgspec

from core.link.message import Inbound, JointAngle, Name, Sender, Sequence

MOST_JOINTS = 64
MOST_VALUES = 40_000  # of all joints and samples together
MOST_RATE_HZ = 200.0
Torques: TypeAlias = Annotated[tuple[float, ...], msgspec.Meta(max_length=MOST_VALUES)]


class TorqueQuestion(Inbound, frozen=True):
    """Which torques does this motion need? Only the newest question of all is answered.

    Attributes:
        sender: name of the asking process.
        number: increases with every question of this sender.
        joint_names: the n joints of the motion; the other joints are at rest.
        rate_hz: samples a second [Hz].
        positions: joint angles, sample after sample (k * n), k at least 3 [rad].

    Raises:
        ValueError: a joint is named twice, or the positions do not fit the joints.
    """

    sender: Sender
    number: Sequence
    joint_names: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=MOST_JOINTS)]
    rate_hz: Annotated[float, msgspec.Meta(ge=0.1, le=MOST_RATE_HZ)]
    positions: Annotated[tuple[JointAngle, ...], msgspec.Meta(max_length=MOST_VALUES)]

    def __post_init__(self) -> None:
        """Refuse positions that do not fit the joints."""
        super().__post_init__()
        count = len(self.joint_names)
        if len(set(self.joint_names)) != count:
            raise ValueError("a joint is named twice")
        if len(self.positions) % count or len(self.positions) < 3 * count:
            raise ValueError(f"{len(self.positions)} positions are no samples of {count} joints")


class TorqueAnswer(Inbound, frozen=True):
    """The answer to a question about a motion's torques.

    Attributes:
        sender: sender of the question.
        number: number of the question.
        torque: torque of the actuators, sample after sample as asked (k * n) [N·m].
        most: torque that they have at that speed (k * n) [N·m].
        trouble: why there are none; empty if there are.
    """

    sender: Sender
    number: Sequence
    torque: Torques = ()
    most: Torques = ()
    trouble: Annotated[str, msgspec.Meta(max_length=500)] = ""
