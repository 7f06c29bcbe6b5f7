"""The limbs of a robot that follow a person, with what is measured of them."""

from dataclasses import dataclass

import numpy as np

from core.errors import ProfileError
from core.retarget.arm import Arm, find_arms
from core.retarget.chain import Chain, RobotChains
from core.retarget.hands import Hand, find_hands
from core.retarget.settings import RetargetSettings
from core.retarget.track import Features
from core.robot.joint_table import joint_table
from core.robot.model import load_whole
from core.robot.profile import Profile
from devices.interface import Floats
from shows.joints import JointTable


@dataclass(frozen=True, eq=False)
class Head:
    """The head of a robot.

    Attributes:
        limb: name of the limb.
        chain: its joints (n).
        forward: the direction in which it looks, in the last joint's frame (3).
        upward: its upward direction there (3).
    """

    limb: str
    chain: Chain
    forward: Floats
    upward: Floats

    def features(self, roll_weight: float) -> Features:
        """Return its forward and upward direction as features."""
        last = len(self.chain.joints) - 1
        return Features(
            np.array([last, last]),
            np.stack((self.forward, self.upward)),
            np.array([False, False]),
            np.array([1.0, roll_weight]),
        )


@dataclass(frozen=True, eq=False)
class RetargetLimbs:
    """The limbs of a robot that follow a person.

    Attributes:
        robot: the robot's title.
        arms: its arms.
        head: its head; None without one that turns.
        joints: names and limits of its joints.
        hands: what the arms carry beyond their wrists' points.
    """

    robot: str
    arms: tuple[Arm, ...]
    head: Head | None
    joints: JointTable
    hands: tuple[Hand, ...] = ()


def find_limbs(profile: Profile, settings: RetargetSettings) -> RetargetLimbs:
    """Return the limbs of a robot that follow a person.

    Raises:
        ProfileError: the model does not fit the profile, the settings name what the robot does not
            have, or the robot has neither an arm nor a head to move.
    """
    robot = RobotChains(profile, load_whole(profile))
    arms = find_arms(robot, settings)
    heads = [limb.name for limb in profile.limbs if limb.kind == "head"]
    head = None
    if heads and profile.joints_of(heads[0]):
        chain = robot.chain(profile.joints_of(heads[0]))
        axes = robot.local_axes(chain.joints[-1])
        head = Head(heads[0], chain, axes[:, 0], axes[:, 2])
    if not arms and head is None:
        reason = "the robot has no arm with a side and no head; name one in retarget.arms"
        raise ProfileError("profile.toml", "limbs", reason)
    table = joint_table(profile)
    return RetargetLimbs(profile.title, arms, head, table, find_hands(robot, arms, table))


def arm_features(arm: Arm, settings: RetargetSettings) -> Features:
    """Return elbow and wrist of an arm as features, weighted by their lengths."""
    return Features(
        np.array([arm.elbow_link, arm.hand_link]),
        np.stack((arm.elbow_point, arm.hand_point)),
        np.array([True, True]),
        np.array(
            [settings.upper_arm_weight / arm.upper_m**2, settings.hand_weight / arm.reach_m**2]
        ),
    )
