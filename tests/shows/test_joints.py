"""A joint table that does not fit together is refused."""

import numpy as np
import pytest

from shows.errors import ShowError
from shows.joints import FULL_SPEED_TIME_S, JointTable
from tests.shows.examples import joint_table

NAMES = ("a", "b")
GOOD = ([-1.0, -1.0], [1.0, 1.0], [5.0, 5.0])


@pytest.mark.parametrize(
    ("names", "groups", "arrays"),
    [
        (NAMES, {}, ([-1.0], [1.0, 1.0], [5.0, 5.0])),
        (NAMES, {}, ([-1.0, np.nan], [1.0, 1.0], [5.0, 5.0])),
        (NAMES, {}, ([-1.0, 1.0], [1.0, 1.0], [5.0, 5.0])),
        (NAMES, {}, ([-1.0, -1.0], [1.0, 1.0], [5.0, 0.0])),
        (("a", "a"), {}, GOOD),
        (NAMES, {"limb": ("c",)}, GOOD),
    ],
)
def test_refuses(
    names: tuple[str, ...], groups: dict[str, tuple[str, ...]], arrays: tuple[list[float], ...]
) -> None:
    with pytest.raises(ShowError):
        JointTable(names, groups, *(np.array(values) for values in arrays))


def test_its_arrays_are_copies_that_nobody_can_write() -> None:
    lower = np.array([-1.0, -1.0])
    table = JointTable(NAMES, {}, lower, *(np.array(values) for values in GOOD[1:]))
    lower[0] = 9.0
    assert table.lower[0] == -1.0
    with pytest.raises(ValueError, match="read-only"):
        table.lower[0] = 0.0


def test_acceleration_limit_is_given_or_derived() -> None:
    table = joint_table()
    np.testing.assert_allclose(table.acceleration, table.velocity_limit / FULL_SPEED_TIME_S)
    lower, upper, speed = (np.array(values) for values in GOOD)
    given = JointTable(NAMES, {}, lower, upper, speed, np.array([7.0, 8.0]))
    np.testing.assert_array_equal(given.acceleration, [7.0, 8.0])


def test_knows_each_joints_place_and_limb() -> None:
    table = joint_table()
    assert table.names[table.index["right_elbow"]] == "right_elbow"
    assert table.group_of["right_elbow"] == "right_arm"
    assert "left_knee" not in table.group_of
