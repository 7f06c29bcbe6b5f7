"""What a gait learns from a step, and what it keeps when the robot stands up again."""

import math

import numpy as np
import pytest

from core.plants.biped.model import RobotModel
from core.plants.biped.walk.learning import GaitLearning
from core.plants.biped.walk.records import walk_memory
from core.records import Record
from tests.core.rig import profile

YAW = 0.7
WIDTH = profile().as_biped.gait.step_width


def learning() -> tuple[GaitLearning, RobotModel, Record]:
    """A gait whose feet land 3 cm too narrow, the left one 4 cm before the right one."""
    model, memory = RobotModel(profile()), walk_memory()
    cos, sin = math.cos(YAW), math.sin(YAW)
    half_ahead, half_left = 0.02, 0.5 * (WIDTH - 0.03)
    left = np.array([cos * half_ahead - sin * half_left, sin * half_ahead + cos * half_left, 0.01])
    model.soles[:] = left, -left
    return GaitLearning(profile(), model, memory), model, memory


def step(learned: GaitLearning, count: int, recovers: bool = False, moving: bool = True) -> None:
    for i in range(count):
        learned.touch_down(0.4 * i, i % 2, YAW, 1.05, 0.0, recovers, moving)


def test_a_step_of_a_walk_teaches_width_stagger_duration_and_slope() -> None:
    learned, _, memory = learning()
    step(learned, 2)
    assert memory["widening"][0] > 0.0
    assert memory["stagger"][0] < 0.0  # the left foot is to land farther back
    assert learned.punctuality.share > 1.0
    assert np.abs(memory["slope"][0]).max() > 0.0


@pytest.mark.parametrize(("recovers", "moving"), [(True, True), (True, False), (False, False)])
def test_a_recovery_teaches_no_place_and_a_step_in_place_no_width(
    recovers: bool, moving: bool
) -> None:
    learned, _, memory = learning()
    step(learned, 4, recovers, moving)
    assert memory["widening"][0] == 0.0
    assert (memory["stagger"][0] == 0.0) == recovers


def test_a_recovery_parts_the_steps_before_it_from_those_after_it() -> None:
    learned, model, memory = learning()
    step(learned, 1)
    step(learned, 1, recovers=True)
    model.soles[:] = model.soles[::-1].copy()
    learned.touch_down(2.0, 1, YAW, 1.0, 0.0, False, True)
    assert memory["stagger"][0] == 0.0


def test_a_robot_that_stands_up_again_keeps_what_is_its_own() -> None:
    learned, _, memory = learning()
    step(learned, 4)
    memory["offset"][0] = 0.02
    widening, stagger = memory["widening"].copy(), memory["stagger"].copy()
    learned.forget()
    np.testing.assert_array_equal(memory["widening"], widening)
    np.testing.assert_array_equal(memory["stagger"], stagger)
    assert not memory["offset"][0].any() and not memory["slope"][0].any()
    assert learned.punctuality.share == 1.0
