"""The height of a robot, by which a person is scaled."""

from typing import Final

import numpy as np

from core.retarget.chain import Chain, RobotChains
from core.retarget.limbs import RetargetLimbs
from core.robot.model import load_whole
from core.robot.profile import Profile
from devices.interface import Floats

_SWEEP: Final = 25  # angles of a joint's range that are tried
_PASSES: Final = 2
_REACH_SHARE: Final = 0.37  # of a person: shoulder to wrist, by the height


def robot_height_m(profile: Profile, limbs: RetargetLimbs) -> float:
    """Return the height of a robot's head above its ankles, limbs straight [m].

    A robot without a head has it where its shoulders are; one without legs is as high as a person
    with its arms.

    Args:
        profile: of the robot.
        limbs: see `find_limbs`.

    Raises:
        ProfileError: the model does not fit the profile.
    """
    legs = [limb.name for limb in profile.limbs if limb.kind == "leg"]
    if not legs:
        return max((arm.reach_m for arm in limbs.arms), default=_REACH_SHARE) / _REACH_SHARE
    robot = RobotChains(profile, load_whole(profile))
    chains = [robot.chain(profile.joints_of(leg)) for leg in legs]
    hips = float(np.mean([chain.offsets[0, 2] for chain in chains]))
    length = float(np.mean([_straight_m(chain) for chain in chains]))
    tops = [arm.shoulder[2] for arm in limbs.arms]
    if limbs.head is not None:
        tops = [limbs.head.chain.offsets[0, 2]]
    return length + float(np.mean(tops)) - hips


def _straight_m(chain: Chain) -> float:
    """Return the largest distance of a leg's last joint from its first one [m]."""
    q = np.clip(np.zeros(len(chain.joints)), chain.lower, chain.upper)
    best = _length_m(chain, q)
    for _ in range(_PASSES):
        for joint in range(len(q)):
            for angle in np.linspace(chain.lower[joint], chain.upper[joint], _SWEEP):
                tried = q.copy()
                tried[joint] = angle
                length = _length_m(chain, tried)
                if length > best:
                    best, q = length, tried
    return best


def _length_m(chain: Chain, q: Floats) -> float:
    _, origins = chain.placements(q)
    return float(np.linalg.norm(origins[-1] - origins[0]))
