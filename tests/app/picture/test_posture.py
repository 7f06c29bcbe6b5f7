"""What the core does not know is not drawn."""

import math

import pytest
from msgspec.structs import replace

from app.picture import posture
from core.link.scene import Scene
from tests.app.console.figures import tree
from tests.app.console.rig import HELLO, STANDING

TREE = tree()


def test_angles_have_their_names() -> None:
    assert posture.angles(HELLO.joint_names, (0.1, math.nan, 0.3)) == {
        HELLO.joint_names[0]: 0.1,
        HELLO.joint_names[2]: 0.3,
    }
    assert posture.angles((), (0.1,)) == {}


def test_the_torso_is_where_the_core_has_it_or_where_the_model_has_it() -> None:
    placed = posture.base(replace(STANDING, base_position=(1.0, 2.0, 0.7)), TREE)
    assert placed[:3, 3] == pytest.approx((1.0, 2.0, 0.7))
    for unknown in (Scene(0.0), replace(STANDING, base_rpy=(0.0, math.nan, 0.0))):
        assert posture.base(unknown, TREE) is TREE.bodies[0].frame
