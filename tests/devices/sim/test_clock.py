"""Simulated time against the wall's."""

import time

import pytest

from devices.sim.clock import Pace, SimulatedClock


def test_at_maximal_pace_nothing_is_waited_for() -> None:
    clock = SimulatedClock()
    began = time.monotonic()
    assert clock.wait_until(1e6) == 0.0
    assert time.monotonic() - began < 1.0
    assert clock.now_s() == 0.0


def test_at_real_pace_a_deadline_is_the_walls() -> None:
    clock = SimulatedClock(Pace.REAL)
    began = time.monotonic()
    for tick in range(1, 6):
        assert clock.wait_until(0.01 * tick) >= 0.0
    assert time.monotonic() - began >= 0.05 - 1e-3


def test_lateness_is_reported_and_a_long_sleep_is_not_made_up_for() -> None:
    clock = SimulatedClock(Pace.REAL)
    time.sleep(0.02)
    assert clock.wait_until(0.005) == pytest.approx(0.015, abs=0.2)
    assert clock.wait_until(0.005) >= 0.015
    assert clock.wait_until(-2.0) >= 2.0
    assert clock.wait_until(-1.999) < 0.4
