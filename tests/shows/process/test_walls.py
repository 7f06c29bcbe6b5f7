"""A recorded motion that was pressed at a joint's stop: back within the limits, and smooth."""

from dataclasses import replace

import numpy as np
import pytest

from shows.motion import Motion, check_motion
from shows.process.walls import APPROACH_RAD, BEYOND_RAD, within_limits
from tests.shows.process.examples import JOINTS as TABLE

RATE_HZ = 200.0
JOINT = "left_elbow"
COLUMN = TABLE.index[JOINT]


def swing(lower: float, upper: float) -> Motion:
    """Return a joint that swings between two positions [rad] in 2 s."""
    times_s = np.arange(0.0, 4.0, 1.0 / RATE_HZ)
    path = lower + (upper - lower) * (0.5 - 0.5 * np.cos(np.pi * times_s))
    return Motion("raw", (JOINT,), RATE_HZ, path[:, None], source="recorded")


@pytest.mark.parametrize("beyond_rad", [0.005, 0.03, 0.99 * BEYOND_RAD])
def test_both_stops_are_kept_with_continuous_velocity(beyond_rad: float) -> None:
    lower, upper = TABLE.lower[COLUMN], TABLE.upper[COLUMN]
    raw = swing(lower - beyond_rad, upper + beyond_rad)
    found = within_limits(raw, TABLE)
    check_motion(found, TABLE)
    change = np.abs(found.positions - raw.positions)
    assert change.max() <= beyond_rad + 0.25 * APPROACH_RAD
    inner = (raw.positions > lower + APPROACH_RAD) & (raw.positions < upper - APPROACH_RAD)
    assert change[inner].max() < 1e-12
    fast, before = (np.diff(m.positions, axis=0) * RATE_HZ for m in (found, raw))
    assert (np.abs(fast) <= np.abs(before) + 1e-9).all()
    bend = np.abs(before).max() ** 2 / APPROACH_RAD / RATE_HZ
    assert np.abs(np.diff(fast, axis=0)).max() < bend, "the velocity has a step"


def test_what_is_within_or_no_measurement_is_left() -> None:
    lower, upper = TABLE.lower[COLUMN], TABLE.upper[COLUMN]
    for raw in (swing(lower, upper), swing(0.0, upper + 1.1 * BEYOND_RAD)):
        assert (within_limits(raw, TABLE).positions == raw.positions).all()


def test_other_joints_are_left() -> None:
    raw = swing(0.0, TABLE.upper[COLUMN] + 0.02)
    both = replace(
        raw,
        joint_names=(JOINT, "right_elbow"),
        positions=np.column_stack((raw.positions, 0.5 * raw.positions)),
    )
    found = within_limits(both, TABLE)
    assert (found.positions[:, 1] == both.positions[:, 1]).all()
    assert (found.positions[:, 0] != both.positions[:, 0]).any()
