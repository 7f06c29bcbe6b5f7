"""The table has every gesture of the library; transitions are as long as their states last."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.behave.reference import MotionState
from core.lab.experiments.gestures import (
    EXPERIMENT,
    _add_tracking,
    _moves_an_arm,
    transition_times,
)
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rows
from core.lab.script import START_S
from core.record.schema import tick_dtype


def test_every_gesture_has_its_rows() -> None:
    clips = Laboratory().gestures.clips
    figures = {bar.figure for bar in EXPERIMENT.for_robot(Laboratory().profile).bars}
    assert len(clips) > 10
    for name in clips:
        assert {f"{name}_worst", f"walking_{name}_worst"} <= figures
    assert sum(figure.endswith("_worst") for figure in figures) == 2 * len(clips) + 1


def test_a_joint_that_is_behind_counts_as_one_that_is_ahead() -> None:
    rows = record((MotionState.ACTION, 1.0))
    rows["q_true"][:, 0], rows["q_true"][:, 1] = -0.05, 0.01
    figures: dict[str, float] = {}
    lab: Any = SimpleNamespace(profile=Laboratory().profile)
    _add_tracking(figures, lab, rows, [("wave", START_S, START_S + 1.0)], "")
    assert figures["wave_rms"] == figures["rms"] == pytest.approx(0.05)
    assert figures["wave_worst"] == figures["worst"] == pytest.approx(0.05)


def test_a_gesture_of_the_head_or_the_fingers_alone_moves_no_arm() -> None:
    profile = Laboratory().profile
    clips = {"nod": (0, 1), "fist": (9, 10, 11, 12), "point": (1, 4), "all": tuple(range(18))}
    shown = {name: SimpleNamespace(joints=joints) for name, joints in clips.items()}
    lab: Any = SimpleNamespace(profile=profile, gestures=SimpleNamespace(clips=shown))
    assert [name for name in clips if _moves_an_arm(lab, name)] == ["point", "all"]


def record(*states: tuple[MotionState, float]) -> Rows:
    """Return a record in which the head goes through states, each for a time [s]."""
    lengths = [round(START_S / 0.001), *(round(length_s / 0.001) for _, length_s in states)]
    rows = np.zeros(sum(lengths), dtype=tick_dtype(28, 5, True))
    rows["t"] = 0.001 * np.arange(rows.size)
    told = [MotionState.REST, *(state for state, _ in states)]
    rows["motion_state"][:, 0] = np.repeat(told, lengths)
    return rows


def test_a_transition_lasts_from_state_to_state() -> None:
    rows = record(
        (MotionState.REST, 0.5),
        (MotionState.TRANSITION, 0.4),
        (MotionState.ACTION, 1.0),
        (MotionState.TRANSITION, 1.5),
        (MotionState.REST, 1.0),
    )
    assert transition_times(rows, 0.001) == pytest.approx((0.4, 1.5))


def test_a_transition_that_the_record_cuts_does_not_count() -> None:
    rows = record((MotionState.REST, 1.0), (MotionState.TRANSITION, 0.1))
    assert all(math.isnan(time_s) for time_s in transition_times(rows, 0.001))
