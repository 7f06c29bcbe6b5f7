"""The upper body taken from a joint table."""

import numpy as np
import pytest

from core.behave.errors import BehaveError
from core.behave.joints import UpperJoints
from tests.core.behave.upper import LIMBS, UPPER, arms_table, table, upper_joints


def test_the_order_is_limb_by_limb_without_the_legs() -> None:
    joints = upper_joints()
    assert joints.limb_names == LIMBS
    assert [table().names[i] for i in joints.table_index] == list(UPPER)
    assert joints.columns == (slice(0, 2), slice(2, 5), slice(5, 8), slice(8, 13), slice(13, 18))
    assert joints.lower[UPPER.index("left_elbow")] == pytest.approx(np.deg2rad(-25))
    assert len(joints) == 18


def test_limbs_are_numbered_in_order_and_unknown_names_refused() -> None:
    joints = upper_joints()
    assert joints.numbers(None) == (0, 1, 2, 3, 4)
    assert joints.numbers(("right_hand", "head", "head")) == (0, 4)
    assert joints.numbers(()) == ()
    with pytest.raises(BehaveError, match="tail.*head, left_arm"):
        joints.numbers(("tail",))


def test_the_gaze_is_found_in_the_limb_that_owns_its_joints() -> None:
    gaze = upper_joints().gaze
    assert gaze is not None
    assert (gaze.limb, gaze.yaw, gaze.pitch) == (0, UPPER.index("head_yaw"), 0)
    assert UpperJoints.from_table(arms_table()).gaze is None


def test_roles_pair_the_sides_and_a_yaw_of_the_middle_flips() -> None:
    joints = upper_joints()
    partners = {UPPER[i]: UPPER[partner] for i, partner in enumerate(joints.mirror)}
    assert partners["left_elbow"] == "right_elbow"
    assert partners["right_thumb"] == "left_thumb"
    assert partners["head_pitch"] == "head_pitch"
    flipped = [name for name, sign in zip(UPPER, joints.mirror_sign, strict=True) if sign < 0.0]
    assert flipped == ["head_yaw"]
