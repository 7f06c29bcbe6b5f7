"""The loop and a bare loop by turns; no test of how late they are."""

import gc
import os

import pytest

from core.lab.bench import lateness as bench_lateness
from core.lab.bench.benchmark import Order, Pacer
from core.lab.bench.lateness import SKIPPED_TICKS, TURN_TICKS, TurnsClock, bare_loop, punctual, run
from core.lab.laboratory import Laboratory
from core.lab.script import START_S
from core.link.catalogue.run import FIFO_REFUSED
from core.link.wording import text

pytestmark = pytest.mark.realtime
REFUSED = FIFO_REFUSED(error="not permitted")


class Late:
    """A clock that is always late by as much."""

    def now_s(self) -> float:
        return 1.0

    def wait_until(self, stamp_s: float) -> float:
        return 0.002


def stay_ordinary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not make the tests' process a real-time one."""
    monkeypatch.setattr(bench_lateness, "become_real_time", lambda: [REFUSED])


def test_the_process_is_as_before_even_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    stay_ordinary(monkeypatch)
    policy = os.sched_getscheduler(0)
    with pytest.raises(RuntimeError):
        with punctual() as refused:
            assert refused == [text(REFUSED)]
            assert not gc.isenabled()
            raise RuntimeError
    assert gc.isenabled() and gc.get_freeze_count() == 0
    assert os.sched_getscheduler(0) == policy


def test_a_bare_loop_counts_every_tick() -> None:
    late_s = bare_loop(10, 0.001)
    assert len(late_s) == 10
    assert min(late_s) >= 0.0


def test_turns_begin_once_the_robot_stands() -> None:
    told: list[str] = []
    clock = TurnsClock(Late(), 1e-6, Pacer(told.append, 2.0, "s", steps=2))
    assert clock.now_s() == 1.0
    assert clock.wait_until(START_S - 0.1) == 0.002
    assert not clock.loop_s and not clock.bare_s
    for _ in range(TURN_TICKS + 10):
        clock.wait_until(START_S)
    assert len(clock.bare_s) == 2 * (TURN_TICKS - SKIPPED_TICKS)
    assert len(clock.loop_s) == TURN_TICKS + 10 - 2 * SKIPPED_TICKS
    assert set(clock.loop_s) == {0.002}
    assert told == ["1 of 2 s"]


def test_a_second_at_real_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    stay_ordinary(monkeypatch)
    found = run(Laboratory(), Order(seconds=1.0), lambda text: None)
    assert found.report["pace"] == "real"
    assert found.report["lateness_us"]["loop"]["median"] >= 0.0
    assert found.figures["ticks"] > 900
    assert found.figures["failed"] == 0.0
    assert text(REFUSED) in found.notes
