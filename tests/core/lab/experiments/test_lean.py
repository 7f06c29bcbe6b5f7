"""Every lean is made, whether the robot falls in an earlier one or not."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.lab.experiments import lean
from core.lab.laboratory import Laboratory
from core.lab.script import START_S, Script
from core.record.schema import tick_dtype


class Faller:
    """A laboratory whose robot falls in the second lean of its first run."""

    def __init__(self) -> None:
        self.runs: list[int] = []

    def run(self, seed: int, script: Script, **_: Any) -> Any:
        self.runs.append(len(script._due))
        if len(self.runs) == 1:
            script.fell_s = START_S + lean.PERIOD_S + 0.5
        rows = np.zeros(100, dtype=tick_dtype(28, 5, True))
        rows["t"] = np.linspace(0.0, script._end_s, rows.size)
        return SimpleNamespace(rows=rows, failed=len(self.runs) == 1)

    def soles(self, row: Any) -> Any:
        return np.zeros((2, 3))


def test_after_a_fall_the_other_sides_are_leaned_on() -> None:
    lab: Any = Faller()
    figures = lean.run(lab, 0).figures
    assert lab.runs == [8, 6]
    assert figures["falls"] == 1.0
    sides = {d for d in lean.SIDES if np.isfinite(figures[f"excursion_{d}"])}
    assert sides == set(lean.SIDES) - {45}


def test_a_robot_that_is_leaned_on_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lean, "SIDES", (90,))
    monkeypatch.setattr(lean, "PERIOD_S", 1.5)
    figures = lean.run(Laboratory(), 0).figures
    assert figures["falls"] == 0.0
    assert 0.002 < figures["excursion_90"] < 0.2
