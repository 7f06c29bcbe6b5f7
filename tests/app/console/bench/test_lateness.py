"""How late a loop is, from the pulses that it felt."""

import pytest

from app.console.bench.lateness import Lateness, spread

PERIOD_S = 0.005


def test_a_loop_that_hears_every_pulse_is_not_late() -> None:
    lateness = Lateness(PERIOD_S)
    for pulse in range(100):
        lateness.feel(3.0 + PERIOD_S * pulse)
    assert len(lateness.waits_s) == pytest.approx(100, abs=1)
    assert max(lateness.waits_s) == pytest.approx(0.0, abs=1e-6)


def test_a_busy_loop_lets_every_missed_pulse_wait() -> None:
    lateness = Lateness(PERIOD_S)
    lateness.feel(1.0)
    lateness.feel(1.0502)  # ten pulses were due meanwhile
    waits_ms = [round(1e3 * wait_s) for wait_s in lateness.waits_s]
    assert waits_ms == [0, 45, 40, 35, 30, 25, 20, 15, 10, 5, 0]


def test_an_early_pulse_is_the_next_one() -> None:
    lateness = Lateness(PERIOD_S)
    for now_s in (1.0, 1.0049, 1.0101, 1.0149):
        lateness.feel(now_s)
    assert len(lateness.waits_s) == 4
    assert max(lateness.waits_s) < 0.0002


def test_the_spread_is_in_milliseconds() -> None:
    found = spread([0.001 * k for k in range(101)])
    assert {name: round(ms) for name, ms in found.items()} == {"median": 50, "p99": 99, "max": 100}
    assert spread([]) == {}
