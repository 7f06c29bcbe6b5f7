"""The table of the robot's joints for shows and behaviour."""

from dataclasses import replace

import numpy as np

from core.errors import ProfileError
from core.robot.model import joint_limits
from core.robot.pressure import PressureLevers
from core.robot.profile import Profile
from core.robot.profile_file import load_profile
from shows.body_limb import KIND, with_body
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
        live_acceleration=np.full(len(profile.joint_names), profile.motion.live_acceleration),
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
    return _gently_led(with_body(table, profile.body), profile)


def _gently_led(table: JointTable, profile: Profile) -> JointTable:
    """Return a table whose joints, led by a person, move the pressure under the feet a little."""
    if profile.fixed is not None or not profile.contacts:
        return table
    levers, count = np.zeros(len(table.names)), table.joint_count
    of_robot = PressureLevers(profile)
    for limb in table.following_limbs:
        joints = table.joints_of[limb]
        if limb != KIND:
            levers[[table.index[name] for name in joints]] = of_robot.of_joints(joints)
    if len(table.names) > count:
        levers[count:] = of_robot.of_body()
    most = profile.motion.live_pressure / np.maximum(levers, 1e-9)
    return replace(table, live_acceleration=np.minimum(table.acceleration_led, most))


def known_robot(name: str) -> JointTable | None:
    """Return the joints of a robot by its name; None without a valid profile."""
    try:
        return joint_table(load_profile(name))
    except ProfileError:
        return None
