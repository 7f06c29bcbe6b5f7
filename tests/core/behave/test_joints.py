"""The upper body taken from a joint table."""

import numpy as np
import pytest

from core.behave.errors import BehaveError
from core.behave.joints import UpperJoints
from core.behave.reference import LIMBS
from shows.joints import JointTable
from tests.core.behave.upper import GROUPS, TABLE_ORDER, UPPER, table, upper_joints


def test_the_order_is_limb_after_limb_whatever_the_table_has() -> None:
    joints = upper_joints()
    assert joints.names == UPPER
    assert [TABLE_ORDER[i] for i in joints.table_index] == list(UPPER)
    assert joints.columns == (slice(0, 2), slice(2, 5), slice(5, 8), slice(8, 13), slice(13, 18))
    assert joints.lower[UPPER.index("left_elbow")] == pytest.approx(np.deg2rad(-25))
    assert len(joints) == 18


def test_limbs_are_numbered_in_order_and_strangers_refused() -> None:
    joints = upper_joints()
    assert joints.limbs(None) == (0, 1, 2, 3, 4)
    assert joints.limbs(("right_hand", "head", "head")) == (0, 4)
    assert joints.limbs(()) == ()
    with pytest.raises(BehaveError, match="tail.*head, left_arm"):
        joints.limbs(("tail",))


@pytest.mark.parametrize("missing", LIMBS)
def test_a_robot_without_a_limb_is_refused(missing: str) -> None:
    whole = table()
    groups = {limb: names for limb, names in GROUPS.items() if limb != missing}
    lame = JointTable(whole.names, groups, whole.lower, whole.upper, whole.velocity_limit)
    with pytest.raises(BehaveError, match=missing):
        UpperJoints.from_table(lame)
