"""A plant's samples are late, and its IMU is turned."""

import math

import numpy as np
import pytest

from devices.sim.deviant_actuators import DeviantActuators
from devices.sim.deviant_sensors import DeviantSensors
from devices.sim.deviation import Deviation
from tests.devices.sim import rig

STILL, OPEN = np.zeros(rig.N), np.zeros(4)
UP = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 9.81])


def test_a_sample_tells_of_an_earlier_instant_with_a_new_stamp() -> None:
    found = Deviation(sensor_delay_s=0.0025)
    settings = rig.settings(deviation=found, noise=rig.QUIET)
    sensors = DeviantSensors(settings, 0, DeviantActuators(settings, np.ones(rig.N)))
    told = []
    for tick in range(6):
        sensors.measure(1e-3 * tick, np.full(rig.N, 1e-3 * tick), STILL, STILL, UP, OPEN)
        sample = sensors.read()
        told.append((sample.stamp_s, float(sample.q[0])))
    assert told[-1] == pytest.approx((5e-3, 2.5e-3), abs=1e-8)
    assert told[0] == pytest.approx((0.0, 0.0))


def test_a_turned_imu_measures_in_its_own_frame() -> None:
    found = Deviation(imu_turn_rad=(math.radians(90.0), 0.0, 0.0))
    settings = rig.settings(deviation=found, noise=rig.QUIET)
    sensors = DeviantSensors(settings, 0, DeviantActuators(settings, np.ones(rig.N)))
    sensors.measure(0.0, STILL, STILL, STILL, UP, OPEN)
    # Its y axis points up.
    assert sensors.read().accel == pytest.approx([0.0, 9.81, 0.0], abs=1e-9)
