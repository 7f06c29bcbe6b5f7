"""Plants are drawn by seed and number, within the bounds of their spread."""

import math

import numpy as np
import pytest

from devices.errors import DeviceError
from devices.sim.deviation import Deviation
from devices.sim.draws import as_plant
from tests.devices.sim import rig


def drawn(plant: int = 0, spread: float = 1.0, seed: int = 0) -> Deviation:
    return as_plant(rig.settings(), seed, plant, spread).deviation


def test_a_spread_of_zero_is_the_model() -> None:
    model = rig.settings()
    assert as_plant(model, 3, 5, 0.0) is model
    assert not (model.deviation.of_drives or model.deviation.of_sensors)


def test_the_same_draw_is_the_same_plant_and_every_other_one_differs() -> None:
    assert drawn() == drawn()
    zeros = {drawn(plant, 1.0, seed).zero_rad for plant in (0, 1) for seed in (0, 1)}
    assert len(zeros) == 4


def test_a_plant_goes_away_from_the_model_in_proportion_to_the_spread() -> None:
    near, far = drawn(2, 1.0), drawn(2, 3.0)
    np.testing.assert_allclose(3.0 * np.array(near.zero_rad), far.zero_rad)
    factors = [np.array(list(one.mass_factors.values())) - 1.0 for one in (near, far)]
    np.testing.assert_allclose(3.0 * factors[0], factors[1])
    delays = [one.command_delay_s + one.sensor_delay_s for one in (near, far)]
    assert delays == pytest.approx([0.002, 0.006])


def test_every_deviation_is_within_its_bound_and_nearly_reaches_it() -> None:
    many = [drawn(plant) for plant in range(30)]
    torso = [abs(x) for one in many for x in one.com_offsets["torso"]]
    thumb = [abs(x) for one in many for x in one.com_offsets["left_thumb_link"]]
    small = 0.015 * np.cbrt(0.04 / 13.0)
    for values, most in (
        ([abs(f - 1.0) for one in many for f in one.mass_factors.values()], 0.05),
        ([abs(f - 1.0) for one in many for f in one.torque_factors], 0.07),
        ([abs(zero) for one in many for zero in one.zero_rad], math.radians(0.5)),
        (torso, 0.015),
        (thumb, small),
        ([math.hypot(*one.imu_turn_rad) for one in many], math.radians(1.0)),
    ):
        assert 0.9 * most < max(values) <= most * (1.0 + 1e-9)
    assert set(many[0].play_rad) == {math.radians(0.2)} and set(many[0].gear_losses) == {0.05}


@pytest.mark.parametrize(("plant", "spread"), [(0, -1.0), (0, 10.1), (0, math.nan), (-1, 1.0)])
def test_what_is_no_plant_is_refused(plant: int, spread: float) -> None:
    with pytest.raises(DeviceError, match="give a spread from 0 to 10 and a number from 0"):
        drawn(plant, spread)
