"""The order of a gait: which request comes first, and within which bounds."""

import numpy as np
import pytest

from core.plants.dynamics_filter.gait import Gait, GaitOrder
from core.plants.interface import Stepping
from core.plants.runner.orders import GaitChoice
from core.robot.profile_file import load_profile
from shows.gaits import Jump

RUNNER = load_profile("small_biped").as_runner
TICK_S = 0.001
STILL, AHEAD = np.zeros(3), np.array((0.1, 0.0, 0.0))
WALK, RUN = Stepping(), Stepping(gait="run")


def settled(choice: GaitChoice, stepping: Stepping) -> GaitOrder:
    """Return the order once the velocity has reached the commanded one."""
    for _ in range(1000):
        order = choice.choose(AHEAD, False, stepping, None)
    return order


@pytest.mark.parametrize("stepping, gait", [(WALK, Gait.WALK), (RUN, Gait.RUN)])
def test_a_velocity_becomes_the_way_of_a_step(stepping: Stepping, gait: Gait) -> None:
    times = RUNNER.strides.times
    step_s = times.walk_double_s + times.walk_single_s
    if gait is Gait.RUN:
        step_s = times.run_stance_s + times.run_flight_s
    choice = GaitChoice(RUNNER, TICK_S)
    first = choice.choose(AHEAD, False, stepping, None)
    assert first.gait is gait and 0.0 < first.stride[0] < 0.1 * step_s  # it is ramped
    order = settled(choice, stepping)
    assert order.stride == pytest.approx((0.1 * step_s, 0.0, 0.0))
    assert choice.choose(AHEAD, False, stepping, None) is order


def test_a_jump_comes_before_a_velocity_until_it_ends() -> None:
    choice, jump = GaitChoice(RUNNER, TICK_S), Jump(2, 0.1, 0.05, 0.0, 0.1, 0.8)
    order = choice.choose(AHEAD, False, WALK, jump)
    assert order == GaitOrder(Gait.JUMP, (0.05, 0.0, 0.1), 2, 0.8, 0.1)
    assert choice.choose(AHEAD, False, WALK, jump) is order
    again = choice.choose(AHEAD, False, WALK, Jump(2, 0.1, 0.05, 0.0, 0.1, 0.8))
    assert again == order and again is not order
    assert choice.choose(AHEAD, False, WALK, None).gait is Gait.WALK


def test_a_robot_that_may_not_step_stands_and_one_that_settles_crouches() -> None:
    choice = GaitChoice(RUNNER, TICK_S)
    assert choice.choose(AHEAD, True, RUN, Jump(), may_step=False) == GaitOrder()
    low = choice.choose(STILL, False, WALK, None, may_step=False, settles=True)
    assert low == GaitOrder(height=RUNNER.strides.heights.crouch)


@pytest.mark.parametrize("gait", ["walk", "run"])
def test_a_height_is_kept_between_crouching_and_standing(gait: str) -> None:
    heights, choice = RUNNER.strides.heights, GaitChoice(RUNNER, TICK_S)
    for asked, kept in ((0.05, heights.crouch), (0.27, 0.27), (1.0, heights.stand), (0.0, 0.0)):
        stepping = Stepping(gait="run" if gait == "run" else "walk", height=asked)
        assert choice.choose(STILL, True, stepping, None).height == kept
        assert choice.choose(STILL, False, stepping, None).height == kept
