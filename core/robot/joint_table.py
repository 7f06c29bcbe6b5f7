"""The robot's joints as shows and behaviour know them."""

from core.robot.model import joint_limits
from core.robot.profile import Profile
from shows.joints import JointTable

VELOCITY_SHARE = 0.6  # of the no-load speed: what is left still has torque


def joint_table(profile: Profile) -> JointTable:
    """Return names, limb groups and limits of a robot; legs belong to no limb group."""
    lower, upper = joint_limits(profile)
    groups: dict[str, tuple[str, ...]] = {}
    for limb in profile.limbs:
        if limb.kind != "leg":
            groups[limb.name] = profile.joints_of(limb.name)
    return JointTable(
        names=profile.joint_names,
        groups=groups,
        lower=lower,
        upper=upper,
        velocity_limit=profile.no_load_speed() * VELOCITY_SHARE,
    )
