"""The way to a mark: a robot that follows the velocity arrives, by either way, in limits."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.link.approach import (
    BACKWARD,
    CLOSE_M,
    CLOSE_RAD,
    GAIN,
    SHARE,
    TRIES,
    Approach,
    Goal,
    Part,
    length_s,
)
from core.plants.pace import Pace
from core.stage.mark_check import MarkCheck
from core.stage.timeline import MarkSegment
from core.tick.marks import PATIENCE, PATIENCE_S
from shows.marks import ORIGIN, Place
from tests.core.stage.cues import cue, walk
from tests.draws import share

PACE = Pace(0.35, 0.15, 0.4, 0.4, 1.0)
RANGE = PACE.range
TICK_S = 0.02
places = st.builds(Place, *(st.floats(-3.0, 3.0) for _ in range(2)), st.floats(-math.pi, math.pi))


@given(places, places, places)
def test_places_are_seen_from_each_other_and_back(a: Place, b: Place, c: Place) -> None:
    assert a.within(b).beyond(b)[:2] == pytest.approx(a[:2], abs=1e-9)
    assert math.remainder(a.within(b).beyond(b).yaw - a.yaw, math.tau) == pytest.approx(
        0.0, abs=1e-9
    )
    assert a.within(b).within(c.within(b))[:2] == pytest.approx(a.within(c)[:2], abs=1e-9)


@settings(max_examples=share(3))
@given(places, places)
def test_a_robot_that_follows_arrives_within_its_pace(goal: Place, here: Place) -> None:
    approach, velocity, now_s = Approach(goal, "left", RANGE, here), np.zeros(3), 0.0
    while approach.part is Part.WALK:
        approach.update(now_s, here, False, velocity)
        assert -BACKWARD * RANGE.forward - 1e-9 <= velocity[0]
        assert velocity[0] <= SHARE * RANGE.forward + 1e-9
        assert abs(velocity[1]) <= SHARE * RANGE.sideways + 1e-9
        assert abs(velocity[2]) <= SHARE * RANGE.turning + 1e-9
        here = Place(*(TICK_S * velocity)).beyond(here)
        now_s += TICK_S
        assert now_s < PATIENCE_S + PATIENCE * approach.usual_s
    assert not velocity.any() and not approach.steps and approach.last_foot == 0
    assert approach.error.distance <= CLOSE_M and abs(approach.error.yaw) <= CLOSE_RAD
    approach.update(now_s, here, True, velocity)
    assert approach.part is Part.ARRIVED


@pytest.mark.parametrize("drift_m_s", [(0.006, 0.0), (-0.004, 0.005)])
def test_a_robot_that_drifts_in_a_walk_is_led_to_the_place_itself(
    drift_m_s: tuple[float, float],
) -> None:
    here, velocity, now_s = ORIGIN, np.zeros(3), 0.0
    approach = Approach(Place(0.5, 0.3, 1.0), "either", RANGE, here)
    while approach.part is Part.WALK:
        approach.update(now_s, here, False, velocity)
        moved = TICK_S * (velocity + (*drift_m_s, 0.0))
        here, now_s = Place(*moved).beyond(here), now_s + TICK_S
        assert now_s < 30.0
    assert approach.error.distance < 0.7 * math.hypot(*drift_m_s) / GAIN


def test_the_time_of_standing_between_two_tries_teaches_no_velocity() -> None:
    approach, velocity = Approach(Place(0.05, 0.0, 0.0), "either", RANGE, ORIGIN), np.zeros(3)
    now_s, here = 0.0, Place(0.05, 0.0, 0.0)
    while approach.part is Part.WALK:
        approach.update(now_s, here, False, velocity)
        now_s += TICK_S
    off = Place(0.035, 0.0, 0.0)
    for _ in range(100):
        approach.update(now_s, off, False, velocity)
        now_s += TICK_S
    approach.update(now_s, off, True, velocity)
    assert approach.steps and velocity[0] == pytest.approx(GAIN * 0.015, rel=0.02)


def test_it_tries_again_if_its_last_steps_lead_it_off_but_not_for_ever() -> None:
    goal, velocity = Place(0.05, 0.0, 0.0), np.zeros(3)
    approach = Approach(goal, "either", RANGE, ORIGIN)
    now_s, tries = 0.0, 0
    while approach.part is not Part.ARRIVED:
        settles = approach.part is Part.SETTLE
        tries += settles
        here = Place(0.08, 0.0, 0.0) if settles else goal
        approach.update(now_s, here, settles, velocity)
        now_s += 0.1
    assert tries == TRIES and approach.error.distance == pytest.approx(0.03)


def test_a_robot_on_its_mark_takes_no_step() -> None:
    approach, velocity = Approach(ORIGIN, "left", RANGE, ORIGIN), np.zeros(3)
    approach.update(0.0, ORIGIN, True, velocity)
    assert approach.part is Part.ARRIVED and not velocity.any() and approach.usual_s == 0.0
    assert length_s(Goal(ORIGIN), RANGE, ORIGIN) == 0.0


def test_a_far_mark_is_faced_and_a_near_one_is_not() -> None:
    velocity = np.zeros(3)
    Approach(Place(0.0, 2.8, 0.5), "either", RANGE, ORIGIN).update(0.0, ORIGIN, False, velocity)
    assert velocity[2] > 0.0 and velocity[1] > 0.0
    Approach(Place(0.0, 0.3, 0.0), "either", RANGE, ORIGIN).update(0.0, ORIGIN, False, velocity)
    assert velocity[2] == 0.0 and velocity[1] > 0.0


def test_a_walk_with_too_little_time_is_told_where_the_place_before_is_known() -> None:
    def to(x: float, begin_s: float, end_s: float) -> tuple[MarkSegment, MarkSegment]:
        name = f"at_{x:g}"
        return (
            MarkSegment(begin_s, x, 0.0, 0.0, "either", name, True),
            MarkSegment(end_s, x, 0.0, 0.0, "either", name, False),
        )

    check = MarkCheck(PACE)
    (late,) = check.late(cue("1", *to(1.0, 0.0, 4.0), *to(1.1, 4.0, 20.0)))
    assert late.mark == "at_1" and late.length_s == 4.0 and 6.0 < late.needed_s < 12.0
    assert not list(check.late(cue("2", walk(0.0, 0.1), *to(3.0, 2.0, 3.0))))
    assert len(list(check.late(cue("3", *to(0.0, 0.0, 5.0))))) == 1
