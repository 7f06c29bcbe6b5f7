"""The part of a robot that follows a person, with its limits."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.behave.joints import UpperJoints
from core.behave.live import live_limits
from core.partner.clearance import Clearance, clearance_of
from core.partner.height import robot_height_m
from core.retarget.limbs import RetargetLimbs, find_limbs
from core.retarget.settings import RetargetSettings
from core.robot.profile import REST, Profile
from devices.interface import Floats


@dataclass(frozen=True, eq=False)
class Robot:
    """What of a robot follows a person.

    Attributes:
        limbs: arms and head.
        rest: posture of all joints in upper order, without the body [rad].
        height_m: of the head above the ankles, limbs straight [m].
        speed: largest speed of each joint of `rest` as it follows (u) [rad/s].
        clearance: what arms and head keep from the body; None: nothing.
    """

    limbs: RetargetLimbs
    rest: Mapping[str, float] = field(repr=False)
    height_m: float
    speed: Floats = field(repr=False)
    clearance: Clearance | None = field(default=None, repr=False)


def robot_of(profile: Profile) -> Robot:
    """Return what of a robot follows a person.

    Raises:
        ProfileError: the robot has neither an arm nor a head, or its model does not fit.
    """
    limbs = find_limbs(profile, RetargetSettings())
    upper = UpperJoints.from_table(limbs.joints)
    posture = dict(zip(profile.joint_names, profile.posture(REST).tolist(), strict=True))
    rest = {name: posture[name] for name in upper.names[: upper.joint_count]}
    speed = live_limits(upper, profile.motion)[1, : upper.joint_count]
    return Robot(limbs, rest, robot_height_m(profile, limbs), speed, clearance_of(profile))
