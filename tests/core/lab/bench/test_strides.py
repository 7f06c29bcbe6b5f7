"""The time of a plan: every robot that runs is measured, and nothing else is needed for it."""

import pytest

from core.lab.bench import strides
from core.lab.bench.benchmark import Order
from core.lab.laboratory import Laboratory


def test_the_planner_of_every_robot_that_runs_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strides, "TOUR_S", 1.5)
    monkeypatch.setattr(strides, "TOURS", 1)
    monkeypatch.setattr(strides, "DRAWS", 1)
    monkeypatch.setattr(strides, "DRAWN", 2)
    told: list[str] = []
    found = strides.run(Laboratory(), Order(), told.append)
    robots = {row[0] for row in found.listings[0].rows}
    assert robots == {"Hopkin"} and len(found.listings[0].rows) == 2
    assert found.figures["plans"] == sum(int(row[-1]) for row in found.listings[0].rows) > 100
    assert 0.0 < found.figures["median"] <= found.figures["p99_9"]
    assert told[-1] == "2 of 2 runs of the planner"
