"""Chooses the plant of a robot by its profile."""

from core.plants.biped.plant import BipedPlant
from core.plants.fixed.plant import FixedPlant
from core.plants.interface import Plant
from core.plants.runner.plant import RunnerPlant
from core.robot.profile import Profile
from devices.interface import Support


def build_plant(profile: Profile, support: Support) -> Plant:
    """Return the plant for the settings of a profile.

    Raises:
        ProfileError: the model does not fit the profile, or the robot has no such support.
    """
    profile.posture_on(support)
    if profile.biped is not None:
        return BipedPlant(profile, support)
    if profile.runner is not None:
        return RunnerPlant(profile, support)
    return FixedPlant(profile, support)
