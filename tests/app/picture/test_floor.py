"""A robot that fell is drawn on the floor, and one that stands where it is measured."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.picture import posture
from app.picture.floor import is_laid, laid
from app.picture.outline import outline
from app.picture.robot_tree import Floats
from core.link.scene import Scene
from tests.app.console.figures import tree
from tests.app.console.rig import HELLO, READY, STANDING
from tests.draws import share

TREE = tree()
CLOSE_M = 0.004
FELL = replace(READY, mode="FAULT")
angle = st.floats(-math.pi, math.pi)


def heights(scene: Scene) -> Floats:
    """Return the height of every corner of the robot as it is drawn [m]."""
    poses = TREE.forward_kinematics(
        posture.angles(HELLO.joint_names, scene.q), posture.base(scene, TREE)
    )
    return np.concatenate(
        [
            patch.mesh.positions @ pose[2, :3] + pose[2, 3]
            for body, pose in zip(TREE.bodies, poses, strict=True)
            for patch in body.patches
        ]
    )


@settings(max_examples=share(60))
@example(roll=-2.4375, pitch=1.0, yaw=0.0, z=0.0, seed=141)
@given(
    roll=angle, pitch=st.floats(-1.5, 1.5), yaw=angle, z=st.floats(-3.0, 3.0), seed=st.integers(0)
)
def test_however_it_lies_its_lowest_corner_is_on_the_floor(
    roll: float, pitch: float, yaw: float, z: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    q = tuple(rng.uniform(HELLO.lower, HELLO.upper).tolist())
    scene = replace(STANDING, q=q, base_position=(1.0, 2.0, z), base_rpy=(roll, pitch, yaw))
    drawn = laid(scene, HELLO.joint_names, TREE)
    assert heights(drawn).min() == pytest.approx(0.0, abs=CLOSE_M)
    assert drawn.base_position[:2] == (1.0, 2.0) and drawn.base_rpy == scene.base_rpy
    drop = z - drawn.base_position[2]
    for before, after in zip(
        (scene.com, *scene.soles, *scene.support), (drawn.com, *drawn.soles, *drawn.support),
        strict=True,
    ):  # fmt: skip
        assert after == pytest.approx((before[0], before[1], before[2] - drop))


@pytest.mark.parametrize("mode", ["OFF", "DAMPED", "FAULT", "ESTOP"])
def test_a_robot_that_fell_lies_on_the_floor_in_every_limp_mode(mode: str) -> None:
    assert is_laid(HELLO, replace(READY, mode=mode))
    scene = replace(STANDING, base_position=(0.0, 0.0, 0.7), base_rpy=(0.0, -1.5, 0.0))
    drawn = laid(scene, HELLO.joint_names, TREE)
    assert heights(scene).min() > 0.3  # in the air, as it is estimated
    assert drawn.base_position[2] < 0.4


@pytest.mark.parametrize("mode", ["STANDING_UP", "READY", "PERFORM", "WALK", "SETTLE"])
def test_a_robot_that_is_driven_is_where_it_is_measured(mode: str) -> None:
    assert not is_laid(HELLO, replace(READY, mode=mode))


@pytest.mark.parametrize("support", ["gantry", "seated"])
def test_what_hangs_or_sits_is_where_it_is_measured(support: str) -> None:
    assert not is_laid(replace(HELLO, support=support), FELL)


def test_of_what_is_not_known_nothing_is_moved() -> None:
    for scene in (Scene(0.0), replace(STANDING, base_position=(0.0, 0.0, math.nan))):
        assert laid(scene, HELLO.joint_names, TREE) is scene
    assert not is_laid(None, FELL) and not is_laid(HELLO, None)


def test_a_robot_that_is_stopped_while_it_stands_does_not_jump() -> None:
    sole = float(heights(STANDING).min())
    standing = replace(STANDING, base_position=(0.0, 0.0, STANDING.base_position[2] - sole))
    drawn = laid(standing, HELLO.joint_names, TREE)
    assert drawn.base_position == pytest.approx(standing.base_position, abs=CLOSE_M)


def test_an_outline_is_made_once() -> None:
    assert outline(TREE) is outline(TREE)
