"""A played motion beside the one that was led: differences are known, as they were made."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.behave.joints import UpperJoints
from core.lab.experiments import playback
from core.lab.experiments.floating import Arm
from core.lab.experiments.playback import EXPERIMENT, LATE_S, Led, compare, joint_names, offset_s
from core.lab.laboratory import Laboratory
from core.record.schema import tick_dtype
from core.robot.joint_table import joint_table
from devices.interface import Floats
from shows.motion import Motion

LENGTH_S = 6.0
TAKE_AT_S = 2.0
LAB = Laboratory()
ARM = Arm(LAB.profile, 0)
BARS = {bar.figure: bar for bar in EXPERIMENT.for_robot(LAB.profile).bars}


def led() -> Led:
    """Return a path as a hand leads it, and no noise."""
    times_s = np.arange(0.0, LENGTH_S, 0.001)
    q = playback.path(LAB.profile, ARM, times_s, LENGTH_S)
    gesture = Motion("led", tuple(joint_names(LAB.profile, ARM)), 100.0, q[::10])
    return Led(gesture, times_s, q)


def played(found: Led, late_s: float = 0.0) -> tuple[Floats, Floats]:
    """Return the gesture's times and the angles of a robot that plays it, late by a time [s]."""
    times_s = found.times_s[500:-500]
    return times_s, playback._at(found, times_s - late_s)


def test_a_motion_is_like_itself() -> None:
    found = led()
    figures = compare(LAB.profile, ARM, found, *played(found))
    assert figures["offset"] <= 0.5
    assert all(figures[f"rms_{name}"] < 1e-9 for name in joint_names(LAB.profile, ARM))
    assert figures["late"] == pytest.approx(1e3 * LATE_S, abs=1.0)


@pytest.mark.parametrize("late_s", [-0.05, -0.012, 0.004, 0.03])
def test_the_offset_is_found_to_half_a_millisecond(late_s: float) -> None:
    found = led()
    assert offset_s(found, *played(found, late_s)) == pytest.approx(late_s, abs=6e-4)


def test_a_motion_that_is_late_fails_the_bar() -> None:
    found = led()
    figures = compare(LAB.profile, ARM, found, *played(found, 0.012))
    assert not BARS["offset"].holds(figures["offset"])


def test_one_joint_that_is_off_fails_its_own_bar() -> None:
    found = led()
    times_s, q = played(found)
    q[:, 1] += np.radians(1.6)
    figures = compare(LAB.profile, ARM, found, times_s, q)
    names = joint_names(LAB.profile, ARM)
    failed = [name for name in names if not BARS[f"rms_{name}"].holds(figures[f"rms_{name}"])]
    assert failed == [names[1]]


def test_a_path_stays_within_the_limits_and_begins_and_ends_at_rest() -> None:
    table, found = joint_table(LAB.profile), led()
    assert (found.q > table.lower[ARM.columns]).all()
    assert (found.q < table.upper[ARM.columns]).all()
    speed = np.diff(found.q, axis=0) / 0.001
    assert np.abs(speed[[0, -1]]).max() < 0.01 < np.abs(speed).max() < 3.0


def test_a_take_of_a_record_becomes_the_gesture_at_the_times_of_the_take(tmp_path: Path) -> None:
    profile, found = LAB.profile, led()
    rest = profile.posture("rest")
    limbs = len(UpperJoints.from_table(joint_table(profile)).limbs)
    rows = np.zeros(9000, dtype=tick_dtype(len(rest), limbs, True))
    rows["t"] = 0.001 * np.arange(len(rows))
    rows["q"] = rest
    places = np.clip(np.arange(len(rows)) - 2500, 0, len(found.q) - 1)
    rows["q"][:, ARM.columns] = found.q[places]
    take = playback.record(profile, ARM, rows, TAKE_AT_S, tmp_path / "a.take")
    raw, gesture = playback.make_gesture(take, ARM, joint_table(profile))
    assert raw.joint_names == gesture.joint_names == tuple(joint_names(profile, ARM))
    assert raw.duration_s == pytest.approx(9.0 - TAKE_AT_S, abs=0.01)
    expected = np.column_stack(
        [np.interp(TAKE_AT_S + 0.005 * np.arange(len(raw.positions)), rows["t"], column)
         for column in rows["q"][:, ARM.columns].T]
    )  # fmt: skip
    assert raw.positions == pytest.approx(expected, abs=2e-3)
    assert np.abs(gesture.positions).max() == pytest.approx(np.abs(raw.positions).max(), abs=0.01)


def test_a_gesture_that_was_slowed_would_be_seen() -> None:
    found = led()
    slow = replace(found, times_s=1.1 * found.times_s)
    times_s, q = played(found)
    figures = compare(LAB.profile, ARM, slow, times_s, q)
    assert not all(
        BARS[f"rms_{name}"].holds(figures[f"rms_{name}"]) for name in joint_names(LAB.profile, ARM)
    )


@pytest.mark.long
@pytest.mark.timeout(600)
def test_it_is_measured_on_a_robot() -> None:
    figures = playback.run(Laboratory(), 0, 11.0).figures
    assert set(figures) == set(BARS)
    assert not [name for name, bar in BARS.items() if not bar.holds(figures[name])]
