"""Periodic work has the same rates at every tick, and at 1 kHz no two kinds share a tick."""

import pytest

from core.tick.schedule import Schedule


@pytest.mark.parametrize("tick_s", [0.001, 0.002, 0.005, 0.01])
def test_the_rates_hold_at_every_tick(tick_s: float) -> None:
    schedule, ticks = Schedule(tick_s), range(round(2.0 / tick_s))
    assert sum(map(schedule.slow, ticks)) == 200
    assert sum(map(schedule.status, ticks)) == 100
    assert sum(map(schedule.scene, ticks)) == 60
    assert sum(map(schedule.hello, ticks)) == 2
    assert sum(map(schedule.playbill, ticks)) == 2
    assert not any(schedule.status(tick) and schedule.scene(tick) for tick in ticks)


def test_at_a_kilohertz_each_kind_has_ticks_of_its_own() -> None:
    schedule = Schedule(0.001)
    kinds = (schedule.slow, schedule.status, schedule.scene, schedule.hello, schedule.playbill)
    assert all(sum(kind(tick) for kind in kinds) <= 1 for tick in range(1000))


def test_a_slow_loop_does_everything_in_each_tick() -> None:
    schedule = Schedule(0.02)
    assert all(schedule.status(tick) and schedule.slow(tick) for tick in range(100))
