"""Phases that are passed once a cycle, and the first step after a push."""

import math

import numpy as np
import pytest

from core.lab.push_stepping import closed_form, passed
from core.walk.pendulum import com_from_next_foot, propagate


@pytest.mark.parametrize("target", [k / 8 for k in range(8)])
def test_every_phase_is_passed_once_a_cycle(target: float) -> None:
    phases = np.arange(0.003, 3.0, 0.007) % 1.0
    count = sum(passed(a, b, target) for a, b in zip(phases, phases[1:], strict=False))
    assert count in (2, 3)


@pytest.mark.parametrize("left_s", [0.05, 0.2, 0.34])
def test_the_closed_form_is_what_the_planner_does_with_a_faster_pendulum(left_s: float) -> None:
    omega, step_s, change = 3.63, 0.36, 0.2
    ends = [propagate(0.01, speed, omega, left_s)[1] for speed in (0.1, 0.1 + change)]
    leads = [-com_from_next_foot(end, 0.16, omega, step_s) for end in ends]
    assert leads[1] - leads[0] == pytest.approx(closed_form(change, left_s, step_s, omega))
    assert closed_form(change, 0.0, step_s, omega) == pytest.approx(
        change / (omega * math.tanh(omega * step_s))
    )
