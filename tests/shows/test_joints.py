"""A joint table: what it derives from limbs and roles, and what it refuses."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from shows.errors import ShowError
from shows.joints import FULL_SPEED_TIME_S, Gaze
from tests.shows.examples import ARMS, HANDS, HEAD, LEG, joint_table

PAIR = joint_table((HEAD,))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"lower": [-1.0]}, "lower"),
        ({"lower": [-1.0, np.nan]}, "lower"),
        ({"lower": [-1.0, 5.0]}, "lower, upper"),
        ({"velocity_limit": [5.0, 0.0], "acceleration_limit": [1.0, 1.0]}, "lower, upper"),
        ({"names": ("a", "a"), "gaze": None}, "names"),
        ({"roles": ("yaw",)}, "roles"),
        ({"joint_limbs": ("head", "tail")}, "joint_limbs"),
        ({"gaze": Gaze("head_yaw", "nose")}, "gaze"),
    ],
)
def test_refuses_what_does_not_fit_together(change: dict[str, Any], place: str) -> None:
    with pytest.raises(ShowError) as refused:
        replace(PAIR, **change)
    assert refused.value.place == place


def test_its_arrays_are_copies_that_nobody_can_write() -> None:
    lower = np.array([-1.0, -1.0])
    table = replace(PAIR, lower=lower)
    lower[0] = 9.0
    assert table.lower[0] == -1.0
    with pytest.raises(ValueError, match="read-only"):
        table.lower[0] = 0.0


def test_acceleration_limit_is_given_or_derived() -> None:
    table = joint_table()
    np.testing.assert_allclose(table.acceleration, table.velocity_limit / FULL_SPEED_TIME_S)
    given = replace(PAIR, acceleration_limit=np.array([7.0, 8.0]))
    np.testing.assert_array_equal(given.acceleration, [7.0, 8.0])


def test_behaviour_moves_every_limb_that_has_joints_and_is_no_leg() -> None:
    table = joint_table()
    assert table.names[table.index["right_elbow"]] == "right_elbow"
    assert [limb.name for limb in table.moved_limbs] == list(table.joints_of)
    assert table.limb_of["right_elbow"] == "right_arm"
    assert "left_knee" not in table.limb_of
    bare = replace(table, limbs=(*table.limbs, ARMS[0].__class__(name="t", title="T", kind="arm")))
    assert bare.moved_limbs == table.moved_limbs


def test_mirror_images_follow_limbs_and_roles() -> None:
    table = joint_table()
    assert table.mirror["left_elbow"] == "right_elbow"
    assert table.mirror["right_wrist"] == "left_wrist"
    assert table.mirror["head_yaw"] == "head_yaw"
    assert "left_knee" not in table.mirror  # it has no right leg
    flipped = {name for name in table.names if table.flips(name)}
    assert flipped == {"head_yaw"}
    lone = joint_table((ARMS[0], HANDS[1], LEG))
    assert lone.mirror == {}


def test_an_angle_beyond_the_limits_is_a_fault() -> None:
    assert PAIR.angle_fault("head_pitch", 0.5) is None
    fault = PAIR.angle_fault("head_pitch", 0.6)
    assert fault is not None
    assert "head_pitch at 0.6 rad" in fault
