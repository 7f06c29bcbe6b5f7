"""People with given arms, and the limbs of robots."""

from functools import lru_cache

from core.retarget.limbs import RetargetLimbs, find_limbs
from core.retarget.settings import RetargetSettings
from core.robot.profile_file import load_profile
from devices.interface import Floats
from shows.human import INDEX


@lru_cache
def limbs_of(robot: str) -> RetargetLimbs:
    return find_limbs(load_profile(robot), RetargetSettings())


def with_arm(positions: Floats, side: str, upper: Floats, fore: Floats) -> None:
    """Write elbow and hand of an arm along directions (k, 3) of length 1."""
    shoulder = positions[:, INDEX[f"{side}_upper_arm"]]
    positions[:, INDEX[f"{side}_lower_arm"]] = shoulder + 0.28 * upper
    positions[:, INDEX[f"{side}_hand"]] = shoulder + 0.28 * upper + 0.26 * fore
