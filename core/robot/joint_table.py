"""The table of the robot's joints for shows and behaviour."""

from core.errors import ProfileError
from core.robot.model import joint_limits
from core.robot.profile import Profile
from core.robot.profile_file import load_profile
from shows.body_limb import with_body
from shows.hands import hands_of, pose_faults
from shows.joints import JointTable


def joint_table(profile: Profile) -> JointTable:
    """Return names, limbs, roles and limits of a robot's joints, and of its body as a limb.

    Raises:
        ProfileError: a hand pose does not fit the joints of the hand.
    """
    lower, upper = joint_limits(profile)
    table = JointTable(
        robot=profile.name,
        names=profile.joint_names,
        limbs=profile.limbs,
        joint_limbs=tuple(joint.limb for joint in profile.joints.rows),
        roles=tuple(joint.role for joint in profile.joints.rows),
        lower=lower,
        upper=upper,
        velocity_limit=profile.no_load_speed() * profile.motion.velocity_share,
        gaze=profile.gaze,
        hand_poses=profile.hand_poses,
        body=None if profile.biped is None else profile.biped.body,
        sway=None if profile.biped is None else profile.biped.sway,
        gaits=profile.gaits,
    )
    for name, pose in profile.hand_poses.items():
        for hand in hands_of("both", table):
            for reason in pose_faults(pose, hand, table):
                raise ProfileError("profile.toml", f"hand_poses.{name}", f"{reason}; correct it")
    return with_body(table, profile.body)


def known_robot(name: str) -> JointTable | None:
    """Return the joints of a robot by its name; None without a valid profile."""
    try:
        return joint_table(load_profile(name))
    except ProfileError:
        return None
