"""A meter adds up what a body reports, between its two times."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.lab.measure.meter import PERIOD_S, Meter


class Body:
    """A body that takes 10 A at 20 V, warms by 1 K a second and leans as far as it is told."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.roll = 0.0
        self.actuators = SimpleNamespace(motor=np.array([1.0, -3.0]))

    def read(self) -> Any:
        return SimpleNamespace(
            stamp_s=self.now_s,
            battery_v=20.0,
            battery_a=10.0,
            battery_charge=0.9 - 0.1 * self.now_s,
            winding_c=np.array([25.0 + self.now_s, 25.0]),
        )

    def truth(self) -> Any:
        return SimpleNamespace(base_rpy=np.array([self.roll, 0.0, 1.0]))


def run(meter: Meter, body: Body, length_s: float) -> None:
    for tick in range(round(length_s / 0.001)):
        body.now_s = 0.001 * tick
        plant = SimpleNamespace(state=SimpleNamespace(stamp_s=body.now_s))
        performer: Any = SimpleNamespace(plant=plant, profile=SimpleNamespace(tick_s=0.001))
        meter(performer)


def test_without_a_tick_there_is_no_power() -> None:
    meter = Meter(Body(), from_s=1.0)
    run(meter, meter.body, 0.5)
    assert math.isnan(meter.watts)
    assert not meter.trace


def test_energy_torque_and_heat_between_two_times() -> None:
    body = Body()
    body.roll = -0.3
    meter = Meter(body, from_s=1.0, to_s=3.0)
    run(meter, body, 5.0)
    assert meter.watts == pytest.approx(200.0)
    assert meter.seconds == pytest.approx(2.0 - PERIOD_S)
    assert meter.energy_j == pytest.approx(200.0 * meter.seconds)
    assert meter.mean_torque2 == pytest.approx([1.0, 9.0])
    assert meter.hottest_c == pytest.approx([28.0, 25.0], abs=0.03)
    assert meter.tilt == pytest.approx(0.3)
    assert meter.lowest_v == 20.0
    assert meter.charge_used == pytest.approx(0.1 * meter.seconds)


def test_a_trace_has_a_point_every_ten_seconds() -> None:
    body = Body()
    meter = Meter(body)
    run(meter, body, 25.0)
    times = [point[0] for point in meter.trace]
    assert np.diff(times) == pytest.approx(10.0, abs=0.021)
    assert len(times) == 3
