"""The bench of following: the robot follows in one turn and stands in the next."""

import pytest

from core.lab.bench import follow
from core.lab.bench.benchmark import Order
from core.lab.laboratory import Laboratory


def test_the_robot_follows_and_stands_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "TURN_S", 2.0)
    told: list[str] = []
    found = follow.run(Laboratory(), Order(seconds=8.0), told.append)
    assert found.figures["followed"] == 1.0 and found.figures["failed"] == 0.0
    assert found.figures["ratio"] > 0.0 and told[-1] == "8 of 8 s simulated"
    rows = {row[0]: float(row[1]) for row in found.listings[0].rows}
    assert set(rows) == {"following", "standing"} and min(rows.values()) > 0.0
