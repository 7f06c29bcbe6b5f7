"""How far a robot got, from records that are known because they were made up."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.lab.experiments import terrain
from core.lab.experiments.terrain import TERRAINS, gone, run
from core.lab.rehearsal import Rows
from core.lab.script import START_S, Script
from core.record.schema import tick_dtype


def walked(length_s: float, speed: float = 0.16) -> Rows:
    """Return a record of a walk that begins at the start and sways by 4 cm."""
    rows = np.zeros(round((START_S + length_s) / 0.001), dtype=tick_dtype(28, 5, True))
    rows["t"] = 0.001 * np.arange(rows.size)
    since = np.maximum(0.0, rows["t"] - START_S)
    rows["com_true"][:, 0] = speed * since
    rows["com_true"][:, 1] = 0.04 * np.sin(2.0 * np.pi * since / 0.72)
    return rows


def test_sway_is_no_way() -> None:
    assert gone(walked(20.0), START_S, START_S + 20.0) == pytest.approx(3.2, rel=0.05)
    assert gone(walked(20.0, 0.0), START_S, START_S + 20.0) < 0.4
    assert gone(walked(1.0), START_S, START_S) == 0.0


def test_a_bend_counts_along_its_length() -> None:
    rows = walked(40.0)
    angle = 2.0 * np.pi * (rows["t"] - START_S) / 40.0
    rows["com_true"][:, 0], rows["com_true"][:, 1] = np.cos(angle), np.sin(angle)
    assert gone(rows, START_S, START_S + 40.0) == pytest.approx(2.0 * np.pi, rel=0.01)


@dataclass
class Falling:
    """A laboratory in which every robot falls after ten seconds, and then slides a metre."""

    rooms: list[dict[str, Any]]

    def body(self, seed: int, **room: Any) -> None:
        self.rooms.append(room)

    def run(self, seed: int, script: Script, **_: Any) -> Any:
        script.fell_s = START_S + 10.0
        rows = walked(10.3)
        rows["com_true"][rows["t"] > START_S + 10.0, 0] += 1.0
        return SimpleNamespace(rows=rows, failed=True)


def test_what_comes_after_a_fall_is_not_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = Falling([])
    figures = run(lab, 0).figures  # type: ignore[arg-type]
    assert lab.rooms == [room for _, room in TERRAINS.values()]
    for name in TERRAINS:
        assert figures[f"{name}_falls"] == 1.0
        assert figures[f"{name}_time"] == 10.0
        assert figures[f"{name}_way"] == pytest.approx(1.6, rel=0.05)
    assert {bar.figure for bar in terrain.EXPERIMENT.bars} == set(figures)
