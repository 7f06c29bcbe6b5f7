"""Sensors have the errors of their settings."""

import math

import numpy as np
import pytest

from devices.interface import Floats
from devices.sim.description import Noise
from devices.sim.sensors import Sensors
from tests.devices.sim import rig

Q = np.linspace(-1.0, 1.0, rig.N)
OPEN = np.zeros(4)


def _run(sensors: Sensors, ticks: int) -> dict[str, Floats]:
    torque = np.full(rig.N, 4.0)
    imu = np.array([0.1, 0.2, 0.3, 1.0, 2.0, 9.81])
    kept: dict[str, list[Floats]] = {"q": [], "dq": [], "tau": [], "gyro": [], "accel": []}
    for tick in range(ticks):
        sensors.measure(tick * 1e-3, Q, Q, torque, imu, OPEN)
        sample = sensors.read()
        for name, values in kept.items():
            values.append(getattr(sample, name).copy())
    return {name: np.array(values) for name, values in kept.items()}


def test_noise_is_as_large_as_the_settings_say() -> None:
    seen = _run(Sensors(rig.settings(), 1), 4000)
    assert np.std(seen["dq"] - Q) == pytest.approx(0.01, rel=0.03)
    assert np.std(seen["tau"][:, 8] / 4.0 - 1.0) == pytest.approx(0.02 + 0.002, rel=0.1)
    assert np.std(np.diff(seen["gyro"], axis=0)) / math.sqrt(2) == pytest.approx(9e-4, rel=0.03)
    assert np.std(np.diff(seen["accel"], axis=0)) / math.sqrt(2) == pytest.approx(0.02, rel=0.03)
    assert np.abs(seen["q"] - Q).max() <= math.pi / 2**16 + 1e-12
    assert len(np.unique(np.rint(seen["q"] / (2 * math.pi) * 2**16 * 1e6) % 1_000_000)) == 1


def test_noise_is_white_from_tick_to_tick() -> None:
    seen = _run(Sensors(rig.settings(), 2), 4000)["dq"] - Q
    correlation = float(np.mean(seen[1:] * seen[:-1]) / np.mean(seen**2))
    assert abs(correlation) < 0.02


def test_biases_differ_by_seed_and_hardly_move() -> None:
    biases = []
    for seed in range(40):
        seen = _run(Sensors(rig.settings(), seed), 300)
        biases.append(
            [seen["gyro"].mean(0) - [0.1, 0.2, 0.3], seen["accel"].mean(0) - [1, 2, 9.81]]
        )
    spread = np.std(biases, axis=(0, 2))
    assert spread == pytest.approx([1e-3, 0.025], rel=0.25)
    long = _run(Sensors(rig.settings(), 3), 6000)["gyro"]
    assert np.abs(long[-2000:].mean(0) - long[:2000].mean(0)).max() < 1e-3


def test_the_same_seed_gives_the_same_noise() -> None:
    first, again = (_run(Sensors(rig.settings(), 5), 300) for _ in range(2))
    other = _run(Sensors(rig.settings(), 6), 300)
    for name, values in first.items():
        assert np.array_equal(values, again[name])
    assert not np.array_equal(first["dq"], other["dq"])


def test_a_read_sample_stays_until_the_next_read() -> None:
    sensors = Sensors(rig.settings(noise=rig.QUIET), 0)
    sensors.measure(0.001, Q, Q, Q, np.zeros(6), OPEN)
    kept = sensors.read()
    sensors.measure(0.002, Q + 1.0, Q, Q, np.zeros(6), OPEN)
    assert kept.stamp_s == 0.001
    assert kept.q == pytest.approx(Q, abs=1e-8)
    newer = sensors.read()
    assert newer.stamp_s == 0.002
    assert newer.q == pytest.approx(Q + 1.0, abs=1e-8)
    assert sensors.read() is newer


def _press(sensors: Sensors, force: float, ticks: int = 1) -> bool:
    for _ in range(ticks):
        sensors.measure(0.0, Q, Q, Q, np.zeros(6), np.array([force, 0.0, 0.0, 0.0]))
    contacts = sensors.read().contacts
    assert not contacts[1:].any()
    return bool(contacts[0])


def test_a_switch_closes_late_and_with_hysteresis() -> None:
    sensors = Sensors(rig.settings(noise=Noise(debounce_s=0.002)), 0)
    assert not _press(sensors, 14.9, 10)
    assert not _press(sensors, 16.0)
    assert _press(sensors, 16.0)
    assert _press(sensors, 8.5, 10)
    assert _press(sensors, 7.0)
    assert not _press(sensors, 7.0)
    assert not _press(sensors, 14.0, 10)


def test_a_bounce_shorter_than_the_debounce_is_not_reported() -> None:
    sensors = Sensors(rig.settings(), 0)
    for _ in range(20):
        assert not _press(sensors, 100.0)
        assert not _press(sensors, 0.0)


def test_temperatures_come_in_whole_degrees() -> None:
    sensors = Sensors(rig.settings(), 0)
    sensors.report(np.linspace(20.0, 90.0, rig.N), 24.123456, 3.98765, 0.7)
    sensors.measure(0.0, Q, Q, Q, np.zeros(6), OPEN)
    sample = sensors.read()
    assert np.array_equal(sample.winding_c, np.rint(np.linspace(20.0, 90.0, rig.N)))
    assert (sample.battery_v, sample.battery_a, sample.battery_charge) == (24.12, 3.99, 0.7)
