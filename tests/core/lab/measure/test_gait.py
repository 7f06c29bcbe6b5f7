"""Gaits of known speed: what is found must be what was put in."""

import math

import numpy as np
import pytest

from core.lab.measure.gait import cycles, down, forward_velocity, ripple, steps, touchdowns
from core.lab.rehearsal import Rows
from core.plants.biped.walk.pendulum import natural_frequency
from core.record.schema import tick_dtype

CYCLE_S = 0.8


def walking(
    speed: float, yaw: float = 0.0, yaw_rate: float = 0.0, length_s: float = 8.0, sway: float = 0.02
) -> Rows:
    """Return a record of a walk that sways and goes faster and slower within every cycle."""
    t = np.arange(0.0, length_s, 0.001)
    rows = np.zeros(t.size, dtype=tick_dtype(28, 5, True))
    rows["t"] = t
    phase = 2.0 * np.pi * t / CYCLE_S
    heading = yaw + yaw_rate * t
    along = speed * t + 0.01 * np.sin(2.0 * phase)
    across = sway * np.sin(phase)
    rate = speed + 0.01 * 4.0 * np.pi / CYCLE_S * np.cos(2.0 * phase)
    rows["com_true"][:, 0] = np.cos(yaw) * along - np.sin(yaw) * across
    rows["com_true"][:, 1] = np.sin(yaw) * along + np.cos(yaw) * across
    rows["com_velocity_true"][:, 0] = np.cos(yaw) * rate
    rows["com_velocity_true"][:, 1] = np.sin(yaw) * rate
    rows["rpy_true"][:, 2] = heading
    for side in (0, 1):
        stands = np.sin(phase + math.pi * side) > -0.1
        rows["contact_force_true"][:, side, :, 2] = np.where(stands, 60.0, 0.0)[:, None]
    return rows


@pytest.mark.parametrize("yaw", [0.0, 0.7, -2.5])
def test_the_mean_over_whole_cycles_is_the_speed_whatever_happens_within(yaw: float) -> None:
    found = cycles(walking(0.16, yaw))
    assert found.duration_s == pytest.approx(CYCLE_S, abs=0.0015)
    assert found.velocity[:, 0] == pytest.approx(0.16, abs=1e-3)
    assert found.velocity[:, 1] == pytest.approx(0.0, abs=1e-3)
    assert found.mean() == pytest.approx([0.16, 0.0, 0.0], abs=5e-4)


def test_steps_that_are_unlike_are_told_apart_where_cycles_are_alike() -> None:
    rows = walking(0.16)
    rows["com_true"][:, 0] += 0.004 * np.cos(2.0 * np.pi * rows["t"] / CYCLE_S)
    found = steps(rows)
    assert found.duration_s == pytest.approx(0.5 * CYCLE_S, abs=0.03)
    assert np.abs(found.velocity[:, 0] - 0.16) == pytest.approx(0.02, abs=2e-3)
    assert cycles(rows).velocity[:, 0] == pytest.approx(0.16, abs=1e-3)


def test_turning_is_found_across_the_seam_of_the_angle() -> None:
    found = cycles(walking(0.0, yaw=3.0, yaw_rate=0.3))
    assert found.yaw_rate == pytest.approx(0.3, abs=1e-4)


def test_cycles_within_a_time_lie_wholly_in_it() -> None:
    found = cycles(walking(0.16)).within(2.0, 5.0)
    assert found.start_s.size == 3
    assert found.start_s[0] >= 2.0
    assert found.start_s[-1] + found.duration_s[-1] <= 5.0


def test_without_a_step_there_is_no_mean() -> None:
    rows = walking(0.16)
    rows["contact_force_true"][:] = 60.0
    assert np.isnan(cycles(rows).mean()).all()


def test_a_foot_that_bounces_between_the_thresholds_stays_what_it_was() -> None:
    force = np.array([0.0, 30.0, 60.0, 30.0, 11.0, 9.0, 30.0, 51.0])
    assert down(force).tolist() == [False, False, True, True, True, False, False, True]
    assert touchdowns(force).tolist() == [2, 7]


def test_forward_is_where_the_torso_heads() -> None:
    assert forward_velocity(walking(0.2, yaw=1.2)).mean() == pytest.approx(0.2, abs=2e-3)


@pytest.mark.parametrize(("step_s", "expected"), [(0.3, 0.006), (0.4, 0.010), (0.5, 0.016)])
def test_the_ripple_of_a_pendulum_is_the_closed_form(step_s: float, expected: float) -> None:
    assert ripple(0.16, step_s, 0.75) == pytest.approx(expected, abs=6e-4)
    # By integration: |u - mean| has its zeros where cosh(wt) = sinh(a) / a.
    a = 0.5 * natural_frequency(0.75) * step_s
    zero = math.acosh(math.sinh(a) / a)
    exact = 0.16 * 2.0 * (zero - a * math.sinh(zero) / math.sinh(a)) / a
    assert ripple(0.16, step_s, 0.75) == pytest.approx(exact, rel=1e-3)
    assert ripple(-0.16, step_s, 0.75) == pytest.approx(exact, rel=1e-3)
