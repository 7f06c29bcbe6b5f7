"""The summary of a run."""

from pathlib import Path

import pytest

from core.record.reader import read
from core.record.summary import summarise
from tests.core.record.records import write


def test_the_figures(tmp_path: Path) -> None:
    summary = summarise(read(write(tmp_path / "run.mcap")))
    assert summary.ticks == 2500
    assert summary.duration_s == pytest.approx(2.499)
    assert summary.modes[0] == ("DAMPED", 0.0, 0.1)
    assert summary.modes[1] == ("READY", 0.1, 2499 * 1e-3)
    assert len(summary.modes) == 2
    assert summary.cues_played == 7 and summary.falls == 0
    # The limp joints' error of 3 rad does not count.
    assert summary.worst_tracking_rad == pytest.approx(0.25, abs=1e-3)
    assert summary.worst_tracking == "joint_3 at 0.15 s"
    assert summary.worst_load == pytest.approx(0.75)
    assert summary.worst_load_at == "joint_5 at 0.12 s"
    assert summary.tick_us[0] == 100.0 and summary.tick_us[2] == pytest.approx(100.0)


def test_sway_within_a_stride_is_no_distance(tmp_path: Path) -> None:
    # It sways 1 cm every tick, 25 m in all, and walks 0.25 m.
    summary = summarise(read(write(tmp_path / "run.mcap", last=False)))
    assert summary.distance_m == pytest.approx(0.25, abs=0.02)
    assert summarise(read(write(tmp_path / "run.mcap"))).distance_m == 0.3  # the core knows better


def test_without_a_report_the_last_status_tells(tmp_path: Path) -> None:
    summary = summarise(read(write(tmp_path / "run.mcap", last=False)))
    assert summary.cues_played == 49


def test_a_single_tick_has_figures_too(tmp_path: Path) -> None:
    summary = summarise(read(write(tmp_path / "run.mcap", ticks=1, last=False)))
    assert summary.duration_s == 0.0 and summary.distance_m == 0.0
    assert all(name and value for name, value in summary.rows())
