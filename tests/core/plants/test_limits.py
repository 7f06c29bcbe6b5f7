"""The last word: nothing that leaves is out of bounds or not a number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.plants.limits import VELOCITY_SHARE, Limits, damping
from core.robot.model import joint_limits
from devices.interface import Floats, JointCommand
from tests.core.rig import profile

COUNT = 28
LOWER, UPPER = joint_limits(profile())
TORQUE = profile().actuator_column("stall_torque")
SPEED = VELOCITY_SHARE * profile().no_load_speed()
KP, KD = profile().column("kp"), profile().column("kd")
FIELDS = ("q", "dq", "tau", "kp", "kd")


def limits() -> Limits:
    return Limits(profile(), LOWER, UPPER)


def gentle() -> JointCommand:
    """Return a command that nothing needs to change."""
    command = JointCommand.zeros(COUNT)
    command.q[:] = 0.5 * (LOWER + UPPER)
    command.dq[:] = 0.5 * SPEED
    command.tau[:] = -0.5 * TORQUE
    command.kp[:], command.kd[:] = KP, 0.5 * KD
    return command


def arrays(command: JointCommand) -> list[Floats]:
    return [getattr(command, name) for name in FIELDS]


def assert_damps(command: JointCommand) -> None:
    for name in ("q", "dq", "tau", "kp"):
        assert not getattr(command, name).any(), name
    np.testing.assert_array_equal(command.kd, KD)


def test_what_is_within_the_limits_passes_unchanged() -> None:
    last, command, expected = limits(), gentle(), gentle()
    assert last.clip(command) is True
    assert last.clipped == 0
    for one, other in zip(arrays(command), arrays(expected), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("joint", [0, 13, COUNT - 1])
@pytest.mark.parametrize("name", FIELDS)
def test_one_number_that_is_none_damps_every_joint(name: str, joint: int, value: float) -> None:
    command = gentle()
    getattr(command, name)[joint] = value
    assert limits().clip(command) is False
    assert_damps(command)


def test_infinities_that_cancel_are_none_either() -> None:
    command = gentle()
    command.q[3], command.dq[3] = np.inf, -np.inf
    command.tau[4], command.kp[4] = 1e308, 1.7e308
    assert limits().clip(command) is False
    assert_damps(command)


wild = st.one_of(st.floats(allow_nan=True, allow_infinity=True), st.floats(-200.0, 200.0))


@given(st.lists(st.tuples(st.sampled_from(FIELDS), st.integers(0, COUNT - 1), wild), max_size=12))
def test_whatever_comes_what_goes_is_within_the_limits(
    changes: list[tuple[str, int, float]],
) -> None:
    command, last = gentle(), limits()
    for name, joint, value in changes:
        getattr(command, name)[joint] = value
    before = [array.copy() for array in arrays(command)]
    fit = last.clip(command)
    assert all(np.isfinite(array).all() for array in arrays(command))
    assert (np.abs(command.dq) <= SPEED).all()
    assert (np.abs(command.tau) <= TORQUE).all()
    assert (command.kp >= 0.0).all() and (command.kp <= KP).all()
    assert (command.kd >= 0.0).all() and (command.kd <= KD).all()
    if not fit:
        assert_damps(command)
        return
    assert (command.q >= LOWER).all() and (command.q <= UPPER).all()
    assert all(np.isfinite(array).all() for array in before)
    assert last.clipped == int((np.abs(before[2]) > TORQUE).sum())
    # A clip is the nearest allowed value.
    bounds = ((LOWER, UPPER), (-SPEED, SPEED), (-TORQUE, TORQUE), (0 * KP, KP), (0 * KD, KD))
    for array, asked, (low, high) in zip(arrays(command), before, bounds, strict=True):
        np.testing.assert_array_equal(array, np.clip(asked, low, high))


def test_clipping_twice_changes_nothing_more() -> None:
    command, last = gentle(), limits()
    command.tau[:] = 1e4
    command.q[:] = -1e4
    assert last.clip(command) and last.clipped == COUNT
    once = [array.copy() for array in arrays(command)]
    assert last.clip(command) and last.clipped == 0
    for one, other in zip(arrays(command), once, strict=True):
        np.testing.assert_array_equal(one, other)


def test_damping_resists_motion_and_nothing_else() -> None:
    command = gentle()
    damping(command, KD)
    assert_damps(command)
