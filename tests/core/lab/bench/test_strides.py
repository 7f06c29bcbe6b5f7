"""The time of a plan: every robot that runs is measured, and ticks late by a plan are found."""

import numpy as np
import pytest

from core.lab.bench import lateness, strides
from core.lab.bench.benchmark import Order
from core.lab.bench.replans import Replans
from core.lab.laboratory import Laboratory
from core.link.catalogue.run import FIFO_REFUSED
from core.link.wording import text
from core.plants.dynamics_filter.strider import Strider


def test_a_tick_is_late_by_a_plan_if_it_is_in_time_without() -> None:
    found = Replans(
        "Hopkin",
        1000.0,
        work_us=np.array((1001.0, 1500.0, 1001.0, 999.0, 1200.0)),
        planner_us=np.array((2.0, 400.0, 500.0, 900.0, 201.0)),
        planned=np.array((True, True, False, True, True)),
        failed=False,
    )
    # The first and the last are in time without it; the second is not, the third has no plan.
    assert found.late == 2
    assert found.long(True) == 3 and found.long(False) == 1


def test_plans_of_every_robot_that_runs_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strides, "TOUR_S", 1.5)
    monkeypatch.setattr(strides, "TOURS", 1)
    monkeypatch.setattr(strides, "DRAWS", 1)
    monkeypatch.setattr(strides, "DRAWN", 2)
    refused = FIFO_REFUSED(error="not permitted")
    monkeypatch.setattr(lateness, "become_real_time", lambda: [refused])
    told: list[str] = []
    original = Strider.update
    found = strides.run(Laboratory(), Order(seconds=0.5), told.append)
    assert Strider.update is original
    planner, ticks = found.listings
    assert {row[0] for row in planner.rows} == {"Hopkin"} and len(planner.rows) == 2
    assert found.figures["plans"] == sum(int(row[-1]) for row in planner.rows) > 100
    assert 0.0 < found.figures["median"] <= found.figures["p99_9"]
    measured = found.report["replan_ticks"]["Hopkin"]
    assert 20 <= found.figures["tick_plans"] == measured["plans"] < measured["ticks"] == 500
    # A tick with a plan has the planner's time in it, and others have little of that.
    assert measured["planner_with_plan"]["median"] < measured["with_plan"]["median"]
    assert (
        0.0 < measured["planner_without_plan"]["median"] < measured["planner_with_plan"]["median"]
    )
    assert text(refused) in found.notes
    assert all(len(row) == len(ticks.headings) for row in ticks.rows)
    assert "2 of 2 runs of the planner" in told and told[-1] == "0.5 of 0.5 s simulated"
