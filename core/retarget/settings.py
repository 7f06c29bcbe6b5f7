"""The settings of retargeting, for every robot."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

Weight: TypeAlias = Annotated[float, Meta(ge=0.0, le=100.0)]
Speed: TypeAlias = Annotated[float, Meta(gt=0.0, le=50.0)]
Acceleration: TypeAlias = Annotated[float, Meta(gt=0.0, le=1000.0)]
Rate: TypeAlias = Annotated[float, Meta(gt=0.0, le=200.0)]
Seconds: TypeAlias = Annotated[float, Meta(ge=0.0, le=0.5)]
HumanSide: TypeAlias = Literal["left", "right"]


class ArmSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How an arm of the robot answers to a person's; empty names are found from its kinematics.

    Attributes:
        limb: the arm.
        human: the person's arm that it follows; None: the limb's own side, and the arm is left
            out if that is the centre.
        shoulder: the joint whose origin is the robot's shoulder.
        elbow: the joint whose origin is its elbow.
        hand: the joint, body or site at which the robot's wrist is.
    """

    limb: str
    human: HumanSide | None = None
    shoulder: str = ""
    elbow: str = ""
    hand: str = ""


class RetargetSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Weights and limits of retargeting.

    Attributes:
        upper_arm_weight: weight of the square of the error of an upper arm's direction.
        hand_weight: weight of the square of a hand's position error by the arm's reach.
        head_roll_weight: weight of the square of the error of the head's upward direction; its
            forward direction weighs 1.
        damping_s: weight of the square of the joints' speeds; the larger, the calmer the arms where
            the shoulder's angles are ambiguous, and the later they come [s].
        smoothing_s: standard deviation of the low-pass, which has no phase [s].
        follow_rate: of the follower's error where a limit held it back [1/s].
        speed: largest speed of a joint; its own limit may be lower [rad/s].
        acceleration: largest acceleration of a joint; its own limit may be lower [rad/s²].
        limit_margin: distance that the joints keep from their limits [rad].
        mirror: follow as a mirror image: the person's left arm moves the robot's right one.
        arms: arms that are not as their side and their kinematics tell.
    """

    upper_arm_weight: Weight = 1.0
    hand_weight: Weight = 2.0
    head_roll_weight: Weight = 0.1
    damping_s: Annotated[float, Meta(ge=0.0, le=0.1)] = 1e-4
    smoothing_s: Seconds = 0.02
    follow_rate: Rate = 25.0
    speed: Speed = 6.0
    acceleration: Acceleration = 80.0
    limit_margin: Annotated[float, Meta(ge=0.0, le=0.1)] = 0.005
    mirror: bool = False
    arms: tuple[ArmSettings, ...] = ()
