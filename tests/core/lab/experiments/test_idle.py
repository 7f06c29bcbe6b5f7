"""The figures of a waiting robot: a beat, a recurrence and a step are found where they are."""

import numpy as np
import pytest

from core.lab.experiments.idle import EXPERIMENT, PERIOD_S, glances, recurrence, run
from core.lab.laboratory import Laboratory
from devices.interface import Floats

TIMES_S = np.arange(0.0, 900.0, PERIOD_S)
BARS = {bar.figure: bar for bar in EXPERIMENT.for_robot(Laboratory().profile).bars}


def looks(onsets_s: Floats) -> Floats:
    """Return the speed of a gaze that turns for 0.4 s at each onset [rad/s]."""
    since = TIMES_S[:, None] - onsets_s
    return np.where(((since >= 0.0) & (since < 0.4)).any(axis=1), 1.0, 0.0)


def test_what_recurs_is_found_and_what_does_not_is_not() -> None:
    noise = np.random.default_rng(0).normal(size=TIMES_S.size)
    breath = np.sin(2.0 * np.pi * 0.27 * TIMES_S)
    assert not BARS["recurrence"].holds(recurrence(breath + 0.5 * noise))
    smooth = np.convolve(noise, np.hanning(25), "same")
    assert BARS["recurrence"].holds(recurrence(smooth))


def test_glances_on_a_beat_fail_and_those_at_irregular_times_pass() -> None:
    random = np.random.default_rng(1)
    beat = glances(looks(2.3 * np.arange(380.0) + random.uniform(0.0, 0.3, 380)))
    assert beat["between"] == pytest.approx(2.3, abs=0.02)
    assert not BARS["beat"].holds(beat["beat"]) and not BARS["spread"].holds(beat["spread"])
    free = glances(looks(np.cumsum(1.3 + random.exponential(1.9, 270))))
    assert BARS["beat"].holds(free["beat"]) and BARS["spread"].holds(free["spread"])


def test_a_waiting_robot_moves_its_torso_and_takes_no_step() -> None:
    figures = run(Laboratory(), 0, length_s=8.0).figures
    assert figures["falls"] == figures["steps"] == 0.0
    assert figures["roll"] > 0.1 and figures["pitch"] > 0.1
    assert 20.0 < figures["inside"] < 100.0
