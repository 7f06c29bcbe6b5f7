"""Trims: a biased gait keeps its speed, width and symmetry, and a robot its height."""

import math

import numpy as np
import pytest

from core.plants.biped.walk.trim import (
    GAIN,
    LARGEST_HEIGHT,
    MOST_ERROR,
    HeightTrim,
    SpeedTrim,
    StaggerTrim,
    WidthTrim,
)

STEP_S = 0.4
LARGEST = 0.06
USUAL_TURN = 0.2


def new_trim() -> SpeedTrim:
    return SpeedTrim(0.0, LARGEST, USUAL_TURN, np.zeros(2))


def walk(
    trim: SpeedTrim,
    commanded: tuple[float, float],
    bias: tuple[float, float],
    steps: int,
    yaw_rate: float = 0.0,
) -> tuple[float, float]:
    """Walk with a constant bias; return the mean speed of the last cycle in its heading."""
    com, yaw, now_s = np.zeros(3), 0.3, 0.0
    cycle = (0.0, 0.0)
    for step in range(steps):
        speed = np.array(commanded) + trim.correction + np.array(bias)
        unequal = 0.03 if step % 2 else -0.03  # left and right step differ
        for _ in range(40):
            trim.watch(*commanded, yaw_rate)
            yaw += yaw_rate * STEP_S / 40.0
            forward = speed[0] + unequal
            com[0] += (math.cos(yaw) * forward - math.sin(yaw) * speed[1]) * STEP_S / 40.0
            com[1] += (math.sin(yaw) * forward + math.cos(yaw) * speed[1]) * STEP_S / 40.0
        now_s += STEP_S
        trim.touch_down(now_s, com.copy(), yaw)
        cycle = (float(speed[0]), float(speed[1]))
    return cycle


@pytest.mark.parametrize("yaw_rate", [0.0, 0.2])
def test_the_mean_speed_becomes_the_commanded_one(yaw_rate: float) -> None:
    vx, vy = walk(new_trim(), (0.16, -0.02), (-0.03, 0.02), 60, yaw_rate)
    assert vx == pytest.approx(0.16, abs=2e-3)
    assert vy == pytest.approx(-0.02, abs=2e-3)


def test_a_drift_that_turns_with_the_robot_is_learned_apart_from_a_constant_one() -> None:
    trim, constant, turning = new_trim(), np.array([-0.01, 0.02]), np.array([0.005, 0.03])
    for yaw_rate in 8 * (USUAL_TURN, -USUAL_TURN, 0.0):
        bias = constant + yaw_rate / USUAL_TURN * turning
        walk(trim, (0.0, 0.0), (bias[0], bias[1]), 20, yaw_rate)
    for yaw_rate in (USUAL_TURN, -USUAL_TURN, 0.0):
        trim.watch(0.0, 0.0, yaw_rate)
        expected = -constant - yaw_rate / USUAL_TURN * turning
        np.testing.assert_allclose(trim.correction, expected, atol=3e-3)
    walk(trim, (0.1, 0.0), (0.0, 0.05), 20, USUAL_TURN)  # an arc teaches the constant part alone
    trim.watch(0.0, 0.0, USUAL_TURN)
    after_turn = trim.correction.copy()
    trim.watch(0.0, 0.0, 0.0)
    np.testing.assert_allclose(trim.correction - after_turn, turning, atol=3e-3)


@pytest.mark.parametrize("turns", [0.0, 0.5, 2.0])
def test_the_correction_and_its_parts_are_bounded(turns: float) -> None:
    trim = new_trim()
    walk(trim, (0.0, 0.0), (-0.3, 0.3), 200, turns * USUAL_TURN)
    np.testing.assert_allclose(trim.correction, [LARGEST, -LARGEST])
    for straight in (0.0, -1.0, -2.0):
        trim.watch(0.0, 0.0, straight * USUAL_TURN)
        assert np.abs(trim.correction).max() <= LARGEST
    walk(trim, (0.16, 0.0), (0.02, 0.0), 24)  # a part that was not bounded would take longer
    assert trim.correction[0] < 0.5 * LARGEST


@pytest.mark.parametrize("turns", [0.0, 1.0, 2.0])
def test_an_error_changes_the_correction_alike_however_fast_the_robot_turns(turns: float) -> None:
    trim, bias = new_trim(), 0.04
    walk(trim, (0.0, 0.0), (bias, 0.0), 5, turns * USUAL_TURN)
    assert trim.correction[0] == pytest.approx(-GAIN * bias, rel=0.02)


def test_a_pause_keeps_what_was_learned_and_forgets_the_steps() -> None:
    trim = new_trim()
    walk(trim, (0.16, 0.0), (-0.03, 0.0), 60)
    learned = trim.correction.copy()
    trim.reset()
    # Two touchdowns far away from the last ones make no cycle.
    trim.touch_down(100.0, np.array([50.0, 0.0, 0.0]), 0.0)
    trim.touch_down(100.4, np.array([50.1, 0.0, 0.0]), 0.0)
    np.testing.assert_array_equal(trim.correction, learned)


def test_one_cycle_corrects_only_a_part() -> None:
    trim = new_trim()
    walk(trim, (0.16, 0.0), (-0.04, 0.0), 5)  # the first cycle has none before it
    assert 0.0 < trim.correction[0] < 0.02


def test_a_command_that_changes_teaches_nothing() -> None:
    trim = new_trim()
    for step in range(20):
        trim.watch(0.05 * step, 0.0, 0.0)
        trim.touch_down(STEP_S * step, np.zeros(3), 0.0)
    np.testing.assert_array_equal(trim.correction, [0.0, 0.0])


def test_a_position_of_nan_teaches_nothing() -> None:
    trim = new_trim()
    walk(trim, (0.0, 0.0), (0.0, 0.0), 8)
    for time_s in (3.6, 4.0, 4.4, 4.8):
        trim.watch(0.0, 0.0, 0.0)
        trim.touch_down(time_s, np.array([math.nan, 0.0, 0.0]), 0.0)
    np.testing.assert_allclose(trim.correction, [0.0, 0.0], atol=1e-9)


def test_the_height_is_trimmed_within_bounds_and_disorder_teaches_nothing() -> None:
    trim, lifted = HeightTrim(1.0, 0.001), 0.03
    for _ in range(6000):
        trim.learn(-(lifted + trim.shift))
    assert trim.shift == pytest.approx(-lifted, abs=0.001)
    trim.learn(math.nan)
    assert trim.shift == pytest.approx(-lifted, abs=0.001)
    for _ in range(6000):
        trim.learn(-1.0)
    assert trim.shift == -LARGEST_HEIGHT
    still = HeightTrim(0.0, 0.001)
    still.learn(1.0)
    assert still.shift == 0.0


@pytest.mark.parametrize("sway", [0.0, 0.036])
def test_steps_get_the_width_that_they_should_have(sway: float) -> None:
    """Each foot lands inside its target; sideways one step is wider and the next narrower."""
    trim = WidthTrim(LARGEST, np.zeros(1))
    for step in range(80):
        width = 0.21 - 0.05 + float(trim.correction[0]) + (sway if step % 2 else -sway)
        trim.touch_down(0.21, width)
    assert trim.correction[0] == pytest.approx(0.05, abs=0.005)


def test_a_stumble_teaches_little_of_the_width_and_nothing_that_is_not_finite_does() -> None:
    trim = WidthTrim(LARGEST, np.zeros(1))
    trim.touch_down(0.21, -0.3)
    assert 0.0 < trim.correction[0] < 0.01
    learned = float(trim.correction[0])
    trim.touch_down(0.21, math.nan)
    trim.touch_down(0.21, math.inf)
    assert trim.correction[0] == learned
    for _ in range(100):
        trim.touch_down(0.21, 1.0)
    assert trim.correction[0] == -LARGEST


@pytest.mark.parametrize("behind", [0, 1])
def test_no_foot_stays_before_the_other(behind: int) -> None:
    """One leg lands its foot 4 cm back, whatever the way of a step is."""
    trim = StaggerTrim(LARGEST, np.zeros(1))
    for step in range(300):
        side, sign = step % 2, 1.0 - 2.0 * (step % 2)
        ahead = 0.06 + sign * float(trim.correction[0]) - (0.04 if side == behind else 0.0)
        trim.touch_down(side, ahead, 0.0)
    assert trim.correction[0] == pytest.approx(0.02 if behind == 0 else -0.02, abs=1e-3)


def test_a_turn_a_lone_step_and_nonsense_teach_no_stagger() -> None:
    trim = StaggerTrim(LARGEST, np.zeros(1))
    trim.touch_down(0, 0.1, 0.0)
    trim.touch_down(0, 0.2, 0.0)
    for step in range(20):
        trim.touch_down(step % 2, 0.1 * (step % 2), 0.3)
    trim.touch_down(1, 0.1, 0.0)
    trim.touch_down(0, math.nan, 0.0)
    trim.reset()
    trim.touch_down(0, 0.1, 0.0)
    assert trim.correction[0] == 0.0
    for _ in range(500):
        trim.touch_down(1, -1.0, 0.0)
    assert trim.correction[0] == -LARGEST


def test_a_stumble_teaches_little_of_the_speed() -> None:
    trim = new_trim()
    walk(trim, (0.16, 0.0), (-3.0, 0.0), 5)  # the first cycle is not yet steady
    assert 0.0 < trim.correction[0] <= GAIN * MOST_ERROR + 1e-12
