"""Growth of memory: its slope, processes that have gone, and one real run."""

import math
import os

import numpy as np
import pytest

from core.lab.bench.benchmark import Order
from core.lab.bench.memory import Watch, found_in, growth, resident_mb, run
from core.lab.laboratory import Laboratory

pytestmark = pytest.mark.realtime

GONE = 2**22 + 1  # beyond what Linux numbers processes with


def test_a_process_that_has_gone_has_no_size() -> None:
    assert math.isnan(resident_mb(GONE))
    assert 1.0 < resident_mb(os.getpid()) < 1e5


def test_growth_is_the_slope_and_a_step_is_none() -> None:
    hours = np.linspace(0.0, 1.0, 101)
    assert growth(hours, 300.0 + 5.0 * hours) == pytest.approx(5.0)
    step = np.where(hours > 0.9, 302.0, 300.0)
    assert growth(hours, step) == 0.0
    sizes = 300.0 + 5.0 * hours
    sizes[::7] = math.nan
    assert growth(hours, sizes) == pytest.approx(5.0)
    assert math.isnan(growth([0.0], [300.0]))


def test_a_run_that_ends_early_has_failed() -> None:
    watch = Watch({"loop": os.getpid()})
    for now_s in range(10):
        watch.look(float(now_s))
    found = found_in(watch, False, "the robot fell")
    assert found.figures["failed"] == 1.0
    assert "The run ended early: the robot fell." in found.notes


@pytest.mark.long
def test_a_real_run_is_watched_process_by_process() -> None:
    told: list[str] = []
    found = run(Laboratory(), Order(hours=0.0004), told.append)
    assert len(told) == 10
    assert set(found.report["memory"]) == {"loop", "stagehand"}
    assert found.report["memory"]["loop"]["start_mb"] > 50.0
    assert found.figures["failed"] == 0.0
