"""Robots at random states near standing, for the tests of the oracle."""

import re
import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pinocchio as pin

from core.lab.oracle.tree import Tree
from core.plants.biped.model import RobotModel
from core.robot.profile import REST, Profile
from core.robot.profile_file import load_profile
from core.robot.state import State
from shows.folders import ROBOTS

RATIO = 0.8


@cache
def robot(name: str) -> tuple[Profile, RobotModel, Tree]:
    """Return a robot's profile, its model as production has it, and its whole tree."""
    profile = load_profile(name)
    return profile, RobotModel(profile), Tree(profile)


def with_ratio(places: Path) -> str:
    """Write a robot whose rolling knees have unequal radii into a folder; return its name."""
    name = "unequal"
    folder = places / name
    folder.mkdir()
    model, profile = ((ROBOTS / "draco3" / file) for file in ("robot.xml", "profile.toml"))
    changed, count = re.subn(
        'polycoef="0 1 0 0 0"', f'polycoef="0 {RATIO} 0 0 0"', model.read_text()
    )
    assert count == 2
    (folder / model.name).write_text(changed)
    shutil.copy(profile, folder)
    text = profile.read_text().replace('name = "draco3"', f'name = "{name}"', 1)
    (folder / profile.name).write_text(text)
    return name


def near_standing(profile: Profile, seed: int) -> State:
    """Return a random state near standing: bent and turned a little, in motion."""
    rng = np.random.default_rng(seed)
    state = State.upright(len(profile.joint_names))
    state.q[:] = profile.posture(REST) + 0.05 * rng.normal(size=state.q.size)
    state.dq[:] = 0.3 * rng.normal(size=state.q.size)
    state.rotation_base_to_world[:] = pin.exp3(0.05 * rng.normal(size=3))
    state.position_base_in_world[:] = 0.0, 0.0, 0.85
    state.velocity_base_in_world[:] = 0.2 * rng.normal(size=3)
    state.angular_velocity_base_in_base[:] = 0.2 * rng.normal(size=3)
    return state
