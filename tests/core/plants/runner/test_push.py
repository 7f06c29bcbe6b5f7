"""The yielding of a push, which the durations of flights change."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from core.plants.dynamics_filter.gait import Gait
from core.plants.dynamics_filter.score import Kind
from core.plants.dynamics_filter.strider import StrideReference
from core.plants.runner.push import PushYield

TICK_S = 0.001
STANCE_S, FLIGHT_S = 0.16, 0.04
LARGEST = 0.15


@pytest.fixture
def push() -> PushYield:
    return PushYield(LARGEST)


def steps(
    push: PushYield,
    count: int,
    in_air: Callable[[float], bool],
    gait: Gait = Gait.RUN,
    flight_s: float = FLIGHT_S,
) -> None:
    """Make steps of which each leaves the ground as a function of the time since it began says."""
    plan = StrideReference(np.zeros((2, 3, 3)), np.zeros((2, 3)), gait)
    for tick in range(count * round((STANCE_S + FLIGHT_S) / TICK_S)):
        now_s = tick * TICK_S
        since_s = now_s % (STANCE_S + FLIGHT_S)
        plan.kind = Kind.FLIGHT if since_s >= STANCE_S else Kind.LEAD
        land_s = now_s - since_s + STANCE_S + flight_s
        landings_s = (land_s, land_s + 0.2) if plan.kind is Kind.FLIGHT else (math.inf, land_s)
        # A flight that is too long ends in the next stance.
        push.update(now_s, plan, landings_s, not in_air(since_s))


def long(since_s: float) -> bool:
    """Fly for 20 ms longer than planned."""
    return since_s >= STANCE_S or since_s < 0.02


def test_flights_that_last_too_long_let_the_push_yield_up_to_its_bound(push: PushYield) -> None:
    steps(push, 2, long)
    assert 0.005 < push.speed < 0.02
    steps(push, 50, long)
    assert push.speed == LARGEST
    assert push.at(0.0) == LARGEST
    assert 0.0 < push.at(0.02) < LARGEST
    assert push.at(0.1) == push.at(math.inf) == 0.0


def test_short_flights_end_the_yielding_and_never_reverse_it(push: PushYield) -> None:
    steps(push, 10, long)
    steps(push, 50, lambda since_s: since_s >= STANCE_S + 0.02)
    assert push.speed == 0.0


def test_jumps_bounces_falls_and_flights_without_an_end_teach_nothing(push: PushYield) -> None:
    steps(push, 5, long, Gait.JUMP)
    steps(push, 5, lambda since_s: STANCE_S <= since_s < STANCE_S + 0.005)
    steps(push, 5, lambda since_s: since_s >= STANCE_S or since_s < 0.10)
    steps(push, 5, long, flight_s=math.inf)
    steps(push, 5, long, flight_s=math.nan)
    assert push.speed == 0.0
