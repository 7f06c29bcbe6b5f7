"""Phases that are passed once a cycle, and the first step after a push."""

import math

import numpy as np
import pytest

from core.lab.experiments import push_stepping
from core.lab.experiments.push_stepping import Pusher, Shove, closed_form, passed
from core.lab.laboratory import Laboratory
from core.plants.biped.walk.pendulum import com_from_next_foot, propagate


@pytest.mark.parametrize("target", [k / 8 for k in range(8)])
def test_every_phase_is_passed_once_a_cycle(target: float) -> None:
    phases = np.arange(0.003, 3.0, 0.007) % 1.0
    count = sum(passed(a, b, target) for a, b in zip(phases, phases[1:], strict=False))
    assert count in (2, 3)


def test_shares_count_pushes_and_not_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def pushed(lab: object, seed: int, due: list[Shove], may_fall: bool = False) -> object:
        calls.append(len(due))
        if due[0].degrees == 90:  # falls before any push
            return Pusher(None, 0.36, list(due)), None, 1
        if due[0].degrees == 45 and len(due) > 3:  # the third push fells it
            return Pusher(None, 0.36, due[3:], due[:3]), None, 1
        return Pusher(None, 0.36, [], list(due)), None, 0

    monkeypatch.setattr(push_stepping, "_pushed", pushed)
    monkeypatch.setattr(push_stepping, "_shifts", lambda *_: [1.0])
    figures = push_stepping.run(Laboratory(), 0).figures
    assert figures["falls"] == 3.0
    # Of 64 pushes 8 were never made, and two felled it: the third and the sixth from one side.
    assert figures["survived"] == pytest.approx((64 - 8 - 2) / 64)
    assert figures["largest_0"] == max(push_stepping.LADDER)
    assert figures["largest_90"] == 0.0
    assert figures["largest_45"] == push_stepping.LADDER[1]


@pytest.mark.parametrize("left_s", [0.05, 0.2, 0.34])
def test_the_closed_form_is_what_the_planner_does_with_a_faster_pendulum(left_s: float) -> None:
    omega, step_s, change = 3.63, 0.36, 0.2
    ends = [propagate(0.01, speed, omega, left_s)[1] for speed in (0.1, 0.1 + change)]
    leads = [-com_from_next_foot(end, 0.16, omega, step_s) for end in ends]
    assert leads[1] - leads[0] == pytest.approx(closed_form(change, left_s, step_s, omega))
    assert closed_form(change, 0.0, step_s, omega) == pytest.approx(
        change / (omega * math.tanh(omega * step_s))
    )
