"""The poses of a comparison: where the ends are, and what is out of reach."""

import msgspec
import numpy as np
import pinocchio as pin
import pytest

from core.errors import ProfileError
from core.lab.inertia.poses import ACCURACY, Grid, Poses, StudyError, recipe_of, solve_poses
from core.robot.model import load_whole
from core.robot.profile import Profile
from core.robot.profile_file import load_profile

GRID = Grid(2, 3, 3)


def altered(robot: str, **settings: object) -> Profile:
    """Return a robot's profile with other settings of the comparison."""
    profile = load_profile(robot)
    recipe = msgspec.structs.replace(recipe_of(profile), **settings)
    return msgspec.structs.replace(profile, inertia=recipe)


def ends(profile: Profile, poses: Poses, frame: str) -> tuple[pin.SE3, pin.SE3, pin.SE3]:
    """Return a frame at start, middle and end of the last swing."""
    model = load_whole(profile)
    data = model.createData()
    found = []
    for q in poses.q[-1, -1]:
        pin.framesForwardKinematics(model, data, q)
        found.append(data.oMf[model.getFrameId(frame)].copy())
    start, middle, end = found
    return start, middle, end


@pytest.mark.parametrize("robot", ["draco3", "kid_cosmo", "two_arms"])
def test_the_end_swings_over_the_apex_to_its_end_point(robot: str) -> None:
    profile = load_profile(robot)
    recipe = recipe_of(profile)
    told: list[int] = []
    poses = solve_poses(profile, GRID, told.append)
    assert told == [3, 6, 9, 12, 15, 18]
    assert poses.q.shape[:3] == GRID and not poses.unreachable
    assert poses.worst_error <= ACCURACY
    assert poses.q[0, 0, 0] == pytest.approx(poses.reference, abs=1e-9)
    start, middle, end = ends(profile, poses, recipe.swing)
    step = recipe.scale * np.array([recipe.forward[1], recipe.sideways[1], 0.0])
    apex = recipe.scale * np.array([0.0, 0.0, recipe.lift])
    assert end.translation - start.translation == pytest.approx(step, abs=1e-7)
    assert middle.translation - start.translation == pytest.approx(0.5 * step + apex, abs=1e-7)
    if recipe.stance:
        before, between, after = ends(profile, poses, recipe.stance)
        for place in (between, after):
            assert place.translation == pytest.approx(before.translation, abs=1e-7)
        feet = 0.5 * (after.translation + end.translation)
        assert poses.q[-1, -1, -1, :2] == pytest.approx(feet[:2])
        assert poses.q[-1, -1, :, 2] == pytest.approx(poses.reference[2])


def test_a_sole_stays_flat_and_a_line_may_roll() -> None:
    rolls = {}
    for robot in ("draco3", "kid_cosmo"):
        profile = load_profile(robot)
        start, _, end = ends(profile, solve_poses(profile, GRID), recipe_of(profile).swing)
        rolls[robot] = pin.log3(start.rotation.T @ end.rotation)
    assert rolls["draco3"] == pytest.approx(np.zeros(3), abs=1e-7)
    assert abs(rolls["kid_cosmo"][0]) > 1e-3
    assert rolls["kid_cosmo"][1:] == pytest.approx(np.zeros(2), abs=1e-7)


def test_poses_out_of_reach_are_named_with_the_reason() -> None:
    poses = solve_poses(altered("draco3", forward=(0.1, 1.5)), GRID)
    reasons = [str(pose) for pose in poses.unreachable]
    assert any(
        text.startswith("x +1.500 m, y +0.000 m, 0.500 s: the limbs are too short")
        for text in reasons
    )
    assert not np.isnan(poses.q[0]).any()
    assert np.count_nonzero(np.isnan(poses.q[..., 0])) == len(reasons)


def test_a_joint_beyond_its_limit_is_out_of_reach() -> None:
    poses = solve_poses(altered("kid_cosmo", lift=0.3), Grid(1, 1, 3))
    assert "right_knee would turn to" in poses.unreachable[0].reason
    assert "(limit -90°)" in poses.unreachable[0].reason


def test_a_robot_without_settings_is_refused() -> None:
    odd = msgspec.structs.replace(load_profile("two_arms"), inertia=None)
    with pytest.raises(StudyError, match=r"Two Arms cannot be compared: .*\[inertia\]"):
        solve_poses(odd, GRID)


def test_a_stance_of_a_fixed_base_is_refused() -> None:
    with pytest.raises(ProfileError, match=r"inertia\.stance: the base does not move"):
        solve_poses(altered("two_arms", stance="left_palm"), GRID)
