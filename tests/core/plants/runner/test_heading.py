"""The hold of a heading: a robot that turns on its soles comes back by small turns."""

import math
from collections.abc import Callable

import pytest

from core.plants.runner.heading import HeadingHold
from core.robot.profile_file import load_profile

STEP = 200  # ticks of a step
RIPPLE_RAD = 0.05  # by which the body turns to and fro with its legs


def steps(hold: HeadingHold, count: int, yaw: float, slip: Callable[[int], float]) -> float:
    """Make steps that turn as they shall and slip besides; return the yaw at the end [rad]."""
    for step in range(count):
        for tick in range(STEP):
            phase = math.pi * (step + tick / STEP)
            hold.update(yaw + RIPPLE_RAD * math.sin(phase), 0.0, step, steps=True)
        yaw += hold.turn + slip(step)
    return yaw


@pytest.fixture
def hold() -> HeadingHold:
    profile = load_profile("small_biped")
    hold = HeadingHold(profile.as_runner.follow, profile.tick_s)
    hold.update(3.1, 0.0, 0, steps=False)
    return hold


def test_soles_that_slip_at_every_step_leave_a_small_error(hold: HeadingHold) -> None:
    yaw = steps(hold, 60, 3.1, lambda step: 0.004)
    assert abs(yaw - 3.1) < 0.03


def test_a_robot_that_was_turned_comes_back_by_small_turns(hold: HeadingHold) -> None:
    turned = steps(hold, 1, 3.1, lambda step: 0.5)  # beyond half a turn
    largest = load_profile("small_biped").as_runner.follow.largest_turn
    yaw = steps(hold, 2, turned, lambda step: 0.0)
    assert 0.0 < turned - yaw <= 2.0 * largest + 1e-9
    assert abs(steps(hold, 60, yaw, lambda step: 0.0) - 3.1) < 0.02


def test_a_robot_that_stands_takes_the_heading_it_has(hold: HeadingHold) -> None:
    steps(hold, 3, 3.1, lambda step: 0.1)
    assert hold.turn < 0.0
    hold.update(2.5, 0.0, 9, steps=False)
    assert hold.turn == 0.0
    assert abs(steps(hold, 20, 2.5, lambda step: 0.0) - 2.5) < 0.02
