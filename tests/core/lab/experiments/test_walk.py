"""What is found of a walk that is known because it was made up; the ladder of speeds."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.lab.experiments.walk import (
    BOX,
    INSIDE,
    LEAD_S,
    PART_S,
    RUNG_S,
    _box,
    _inside,
    _largest,
    analyse,
)
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rows
from core.lab.script import START_S, Script
from core.record.schema import tick_dtype

CYCLE_S = 0.72


def walking(speeds: list[float], length_s: float) -> Rows:
    """Return a record of a walk that has each speed for a time, from the start on."""
    ticks = round(length_s / 0.001)
    rows = np.zeros(round(START_S / 0.001) + ticks * len(speeds), dtype=tick_dtype(28, 5, True))
    rows["t"] = 0.001 * np.arange(rows.size)
    speed = np.concatenate((np.zeros(rows.size - ticks * len(speeds)), np.repeat(speeds, ticks)))
    rows["com_velocity_true"][:, 0] = speed
    rows["com_true"][:, 0] = 0.001 * np.cumsum(speed)
    phase = 2.0 * np.pi * rows["t"] / CYCLE_S
    for side in (0, 1):
        stands = np.sin(phase + math.pi * side) > -0.1
        rows["contact_force_true"][:, side, :, 2] = np.where(stands, 60.0, 0.0)[:, None]
    return rows


def test_the_parts_of_a_walk_are_told_apart() -> None:
    parts = [0.16] * round(LEAD_S + PART_S) + [0.17] * round(PART_S) + [0.15] * round(PART_S)
    figures = analyse(walking(parts, 1.0), 0.745)
    assert figures["mean_velocity"] == pytest.approx(0.16, abs=5e-4)
    assert figures["mean_error"] == abs(figures["mean_velocity"] - 0.16)
    assert figures["shift_thumbs_up"] == pytest.approx(0.01, abs=3e-4)
    assert figures["shift_wave"] == pytest.approx(0.01, abs=3e-4)
    assert figures["step_deviation"] == pytest.approx(0.02 / 3.0, abs=3e-4)
    assert figures["step_s"] == pytest.approx(0.36, abs=1e-3)


def test_points_inside_the_box_are_inside_and_other_ones_for_each_seed() -> None:
    low, high = np.min(BOX, axis=0), np.max(BOX, axis=0)
    assert (low == (-0.2, -0.1, -0.3)).all() and (high == (0.3, 0.1, 0.3)).all()
    points = np.array(_inside(4))
    assert points.shape == (INSIDE, 3)
    assert (points > low).all() and (points < high).all()
    assert _inside(4) == _inside(4) != _inside(5)


class Stand:
    """A laboratory whose robots walk as told until a time after the start, and then fall."""

    def __init__(self, falls_after_s: float) -> None:
        self.profile = Laboratory().profile
        self.falls_after_s = falls_after_s
        self.runs = 0

    def run(self, seed: int, script: Script, **_: Any) -> Any:
        self.runs += 1
        speeds = [order.vx for order in script._orders.orders]
        length_s = script._orders.orders[0].dur
        rows = walking(speeds, length_s)
        failed = self.falls_after_s < length_s * len(speeds)
        return SimpleNamespace(rows=rows[rows["t"] <= START_S + self.falls_after_s], failed=failed)


def test_a_ladder_ends_at_the_last_speed_that_was_held_to_its_end() -> None:
    lab: Any = Stand(2.5 * RUNG_S)
    command, speed = _largest(lab, 0, "forward")
    assert command == pytest.approx(0.35)
    assert speed == pytest.approx(0.35, abs=5e-3)


def test_a_ladder_whose_first_speed_is_not_held_gives_nothing() -> None:
    lab: Any = Stand(0.5 * RUNG_S)
    assert _largest(lab, 0, "forward") == (0.0, 0.0)


def test_after_a_fall_the_box_goes_on_with_the_next_point() -> None:
    lab: Any = Stand(12.0)
    figures = _box(lab, 0)
    points = len(BOX) + INSIDE
    # Two points a run are held, the third fells it; the last run has what is left.
    assert figures["box_falls"] == points // 3
    assert lab.runs == points // 3 + 1
