"""Responses to pushes that are known because they were made up."""

import math

import numpy as np
import pytest

from core.lab.experiments.push import _limit, lift_off, response, settling, shove
from core.lab.laboratory import Laboratory
from core.record.schema import tick_dtype


def test_settling_is_when_the_speed_stays_low() -> None:
    t = np.arange(0.0, 5.0, 0.001)
    speed = 0.1 * np.exp(-t)
    assert settling(t, speed) == pytest.approx(math.log(10.0), abs=2e-3)
    speed[3000] = 0.011
    assert settling(t, speed) == pytest.approx(3.001, abs=2e-3)
    assert settling(t, np.full(t.size, 0.02)) == math.inf
    assert settling(t, np.zeros(t.size)) == 0.0


def test_an_excursion_is_counted_from_where_the_push_found_the_robot() -> None:
    rows = np.zeros(6000, dtype=tick_dtype(28, 5, True))
    rows["t"] = 0.001 * np.arange(6000)
    since = np.maximum(0.0, rows["t"] - 1.0)
    rows["com_true"][:, 0] = 7.0 + 0.3 * since * np.exp(-2.0 * since)
    rows["com_velocity_true"][:, 0] = 0.3 * (1.0 - 2.0 * since) * np.exp(-2.0 * since)
    way, time_s = response(rows, 1.0, 0.1, 6.0)
    assert way == pytest.approx(0.3 * 0.5 / math.e, abs=1e-5)
    # 0.3 (2 s - 1) exp(-2 s) = 0.01
    assert 0.3 * (2.0 * (time_s + 0.1) - 1.0) * math.exp(-2.0 * (time_s + 0.1)) == pytest.approx(
        0.01, rel=0.01
    )


def test_a_shove_has_the_impulse_that_it_is_called_by() -> None:
    push = shove(12.0, -90.0)
    assert push.fy * push.duration_s == pytest.approx(-12.0)
    assert push.fx == pytest.approx(0.0, abs=1e-9)


def test_the_limit_of_a_robot_that_does_not_step() -> None:
    lab = Laboratory()
    omega = math.sqrt(9.81 / lab.profile.as_biped.balance.stand_height)
    assert _limit(lab, 0, 0.12) == pytest.approx(lab.model.mass * omega * 0.10, rel=1e-9)
    assert _limit(lab, 270, 0.12) == pytest.approx(lab.model.mass * omega * 0.12, rel=1e-9)
    assert _limit(lab, 135, 0.12) == pytest.approx(lab.model.mass * omega * 0.1 * math.sqrt(2.0))


def test_the_first_step_begins_when_the_ground_bears_one_foot_alone() -> None:
    rows = np.zeros(3000, dtype=tick_dtype(28, 5, True))
    rows["t"] = 0.001 * np.arange(3000)
    rows["contact_true"] = 1.0
    assert math.isnan(lift_off(rows, 1.0))
    rows["contact_true"][500:600, 0] = 0.0  # before the push
    rows["contact_true"][1100:, 1] = 0.0
    assert lift_off(rows, 1.0) == pytest.approx(0.1)
