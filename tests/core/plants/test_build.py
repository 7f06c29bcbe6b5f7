"""The profile chooses the plant, and a support that the robot does not have is refused."""

import pytest

from core.errors import CoreError, ProfileError
from core.plants.biped.plant import BipedPlant, biped_of
from core.plants.build import build_plant
from core.plants.fixed.plant import FixedPlant
from core.robot.profile_file import load_profile
from devices.interface import Support


def test_the_profile_chooses_the_plant() -> None:
    biped = build_plant(load_profile("kid_cosmo"), Support.GANTRY)
    fixed = build_plant(load_profile("two_arms"), Support.MOUNTED)
    assert isinstance(biped, BipedPlant) and biped.support is Support.GANTRY and biped.walks
    assert isinstance(fixed, FixedPlant) and not fixed.walks
    assert biped_of(biped) is biped
    with pytest.raises(CoreError, match="no biped"):
        biped_of(fixed)


@pytest.mark.parametrize(
    ("robot", "support"), [("kid_cosmo", Support.MOUNTED), ("two_arms", Support.FLOOR)]
)
def test_a_support_that_the_robot_lacks_is_refused(robot: str, support: Support) -> None:
    with pytest.raises(ProfileError, match=f"has no support '{support}'; choose from"):
        build_plant(load_profile(robot), support)
