"""Windings heat up and the battery empties."""

from dataclasses import replace

import numpy as np
import pytest

from devices.sim.power import Power
from tests.devices.sim import rig

IDLE_W = rig.DESCRIPTION.idle_w


def _burn(power: Power, torque: float, seconds: float, dt: float = 0.1) -> None:
    torque2 = np.where([j.endswith("hip_1") for j in rig.JOINTS], torque**2, 0.0)
    for _ in range(round(seconds / dt)):
        power.update(torque2 * power.loss_by_torque2 * dt, 0.0, dt)


def test_nothing_warms_up_at_rest() -> None:
    power = Power(rig.settings(ambient_c=20.0))
    _burn(power, 0.0, 100.0)
    assert power.winding_c == pytest.approx(20.0)


def test_a_hip_carries_the_papers_mean_torque_for_good_and_not_stall_torque_for_long() -> None:
    hip = rig.JOINTS.index("left_hip_1")
    power = Power(rig.settings())
    _burn(power, 4.0, 1500.0)
    assert 70.0 < power.winding_c[hip] < 105.0
    power = Power(rig.settings())
    _burn(power, 8.0, 15.0)
    assert power.winding_c[hip] > 90.0


def test_a_winding_cools_down_again() -> None:
    power = Power(rig.settings())
    _burn(power, 6.0, 60.0)
    hot = power.winding_c.copy()
    _burn(power, 0.0, 30.0)
    hip = rig.JOINTS.index("left_hip_1")
    assert 25.0 < power.winding_c[hip] < hot[hip]


def test_the_heat_is_that_of_the_current_in_the_winding() -> None:
    power = Power(rig.settings())
    hip = rig.JOINTS.index("left_hip_1")
    amperes, ohm = 4.0 / 1.16, 22.2 / (8.0 / 1.16)
    assert 16.0 * power.loss_by_torque2[hip] == pytest.approx(amperes**2 * ohm)


def test_the_battery_gives_the_power_drawn() -> None:
    power = Power(rig.settings(battery=replace(rig.PACK, charge=0.5)))
    still = power.voltage
    assert power.voltage * power.current == pytest.approx(IDLE_W)
    power.update(np.zeros(rig.N), 300.0, 1.0)
    assert power.voltage * power.current == pytest.approx(IDLE_W + 300.0)
    assert power.voltage < still
    before = power.charge
    power.update(np.zeros(rig.N), 300.0 * 3600.0, 3600.0)
    used = power.current * 3600.0 / (3600.0 * 10.0)
    assert before - power.charge == pytest.approx(min(used, before))


def test_driven_joints_charge_it_and_an_impossible_load_is_survived() -> None:
    power = Power(rig.settings(battery=replace(rig.PACK, charge=0.5)))
    power.update(np.zeros(rig.N), -200.0, 1.0)
    assert power.current < 0.0
    power.update(np.zeros(rig.N), 1e6, 1.0)
    assert np.isfinite(power.voltage)
    assert np.isfinite(power.current)


def test_an_empty_battery_stays_empty() -> None:
    power = Power(rig.settings(battery=replace(rig.PACK, charge=0.0)))
    power.update(np.zeros(rig.N), 100.0, 1.0)
    assert power.charge == 0.0


def test_an_unloaded_voltage_sets_the_charge() -> None:
    power = Power(rig.settings())
    power.set_unloaded_voltage(6 * 3.77)
    assert power.charge == pytest.approx(0.4)


def test_mains_keep_their_voltage() -> None:
    power = Power(rig.settings(battery=None))
    power.update(np.zeros(rig.N), 1000.0, 1.0)
    assert (power.voltage, power.charge) == (22.2, 1.0)
    assert power.current == pytest.approx((IDLE_W + 1000.0) / 22.2)
