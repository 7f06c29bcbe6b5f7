"""Costs that are known because they were made up, and a few seconds of a robot."""

import math

import numpy as np
import pytest

from core.lab.experiments.energy import (
    discharge,
    heated,
    idle_power,
    late_rise,
    mechanical_power,
    run_show,
    run_walk,
    warm_limit,
)
from core.lab.laboratory import Laboratory
from core.record.schema import tick_dtype


@pytest.fixture(scope="module")
def lab() -> Laboratory:
    return Laboratory()


def test_a_battery_warns_then_settles_the_robot_then_cuts(lab: Laboratory) -> None:
    warning, settle, cut = discharge(lab, 150.0)
    assert 0.0 < warning < settle < cut < math.inf
    # What is gone at the warning is 80 % of the charge, at some 23 V on average.
    amperes = 0.8 * 3600.0 * capacity_ah(lab) / warning
    assert 150.0 / 25.2 < amperes < 150.0 / 21.0
    assert discharge(lab, 300.0)[0] < 0.51 * warning


def capacity_ah(lab: Laboratory) -> float:
    battery = lab.profile.battery
    assert battery is not None
    return battery.capacity_ah


def test_a_power_that_drains_nothing_is_never_cut(lab: Laboratory) -> None:
    assert discharge(lab, 1e-3) == (math.inf, math.inf, math.inf)


def test_motors_that_do_nothing_stay_cold_and_a_stalled_one_does_not(lab: Laboratory) -> None:
    torque2 = np.zeros(len(lab.profile.joint_names))
    warm_s, celsius = heated(lab, torque2, 60.0)
    assert math.isinf(warm_s)
    cold_c = celsius.copy()
    knee = lab.profile.joint_names.index("left_knee")
    torque2[knee] = lab.profile.actuator_column("stall_torque")[knee] ** 2
    warm_s, celsius = heated(lab, torque2, 60.0)
    assert 0.0 < warm_s < 60.0
    assert celsius[knee] > warm_limit(lab.profile)
    assert np.delete(celsius, knee) == pytest.approx(np.delete(cold_c, knee), abs=1e-9)


def test_derating_begins_where_the_failsafe_has_it(lab: Laboratory) -> None:
    settings = lab.profile.health
    assert warm_limit(lab.profile) == settings.winding_limit_c - settings.warm_below_c < 100.0


def test_braking_is_no_mechanical_work() -> None:
    rows = np.zeros(2, dtype=tick_dtype(28, 5, True))
    rows["tau_applied"][:, :2] = ((2.0, 3.0), (2.0, -3.0))
    rows["dq_true"][:, :2] = ((1.0, -1.0), (1.0, -1.0))
    assert mechanical_power(rows) == pytest.approx(0.5 * (2.0 + 5.0))


def test_a_late_rise_is_that_of_the_last_third() -> None:
    t = np.arange(0.0, 901.0, 10.0)
    assert late_rise(t, 25.0 + t / 10.0) == pytest.approx(30.0, abs=0.7)
    assert late_rise(t, np.full(t.size, 60.0)) == 0.0
    assert math.isnan(late_rise(t[:1], t[:1]))


@pytest.mark.long
def test_walking_costs_more_than_standing_and_than_its_mechanical_work(lab: Laboratory) -> None:
    found = run_walk(lab, 0, length_s=2.0)
    figures = found.figures
    assert figures["falls"] == 0.0
    assert figures["power"] > figures["standing"] > idle_power(lab)
    assert figures["cost_electrical"] > figures["cost_actuators"] > figures["cost_mechanical"] > 0.0
    assert figures["cost_electrical"] == pytest.approx(
        figures["power"] / (lab.model.mass * 9.81 * figures["speed"])
    )
    assert found.notes
    assert "hip" in found.notes[0]


def test_a_show_names_its_limits(lab: Laboratory) -> None:
    found = run_show(lab, 0, length_s=4.0)
    figures = found.figures
    assert (figures["falls"], figures["ended"], figures["rounds"]) == (0.0, 1.0, 0.0)
    assert figures["minutes"] == pytest.approx(4.0 / 60.0, abs=0.001)
    assert figures["power"] > idle_power(lab)
    used_j = 60.0 * figures["minutes"] * figures["power"]
    whole_j = 3600.0 * capacity_ah(lab) * 24.0
    assert 0.0 < figures["winding"] < warm_limit(lab.profile)
    assert figures["winding"] == max(v for k, v in figures.items() if k.startswith("winding_"))
    assert used_j < 0.01 * whole_j
    assert {"t", "charge", "warm"} < set(found.curves)
    assert found.curves["t"].size == found.curves["charge"].size
    assert "warmest windings" in found.notes[0]
    assert "of stall" in found.notes[1]


def test_a_run_that_fails_says_so_and_counts_nothing_else() -> None:
    lab = Laboratory()
    body = lab.body(0)
    lab.body = lambda seed, **room: body  # type: ignore[method-assign]
    body.open_estop()
    assert run_show(lab, 0, length_s=1.0).figures["ended"] == 0.0
    assert lab.notes
