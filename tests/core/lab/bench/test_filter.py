"""The part of the bench about the dynamics filter, on a very short tour and run."""

import pytest

from core.lab.bench import filter as bench_filter
from core.lab.bench.benchmark import STEPS, BenchError, Order
from core.lab.laboratory import Laboratory


def test_plans_and_ticks_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_filter, "TOUR_S", 1.5)
    told: list[str] = []
    lab = Laboratory(robot="small_biped")
    found = bench_filter.run(lab, Order(seconds=2.0), told.append)
    figures = found.figures
    assert len(told) == STEPS
    assert 0.0 < figures["replan"] <= figures["replan_p99_9"]
    assert figures["plans"] > 20.0 and figures["ticks"] > 2000.0
    assert 0.0 < figures["tick"] <= figures["tick_p99_9"]
    assert figures["failed"] == 0.0
    assert len(found.listings[0].rows) == 3 and found.report["filter_us"]


def test_the_robot_is_the_one_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bench_filter.runner_profile().name == "small_biped"
    monkeypatch.setattr(bench_filter, "robot_folders", lambda: {"two_arms": None})
    with pytest.raises(BenchError, match="no robot runs"):
        bench_filter.runner_profile()
