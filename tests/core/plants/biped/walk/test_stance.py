"""Feet that have crept apart are noticed, and steps put them right before the robot falls."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

from core.lab.laboratory import Laboratory
from core.lab.script import START_S, Script
from core.plants.biped.model import RobotModel
from core.plants.biped.plant import biped_of
from core.plants.biped.walk import stance
from core.plants.biped.walk.reference import Phase
from core.plants.biped.walk.stance import (
    NARROW_SHARE,
    PATIENCE_S,
    PERIOD_S,
    QUIET_S,
    Stance,
    creep_of,
)
from core.tick.performer import Performer
from tests.core.rig import profile

GAIT = replace(profile().as_biped.gait, step_width=0.2)
WIDTH, FAR, TOO_FAR = GAIT.step_width, GAIT.creep, GAIT.largest_creep
BETWEEN, NARROW = 0.5 * (FAR + TOO_FAR), NARROW_SHARE * 0.5 * WIDTH


def standing(along: float = 0.0, wider: float = 0.0, yaw: float = 0.0) -> RobotModel:
    """A model whose feet are off by these, the left one forward."""
    model = RobotModel(profile())
    cos, sin = math.cos(yaw), math.sin(yaw)
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    model.sole_rotations[:] = turn
    left = turn @ np.array([along, 0.5 * WIDTH + wider, 0.0])
    middle = np.array([0.3, -0.7, 0.0])
    model.soles[:] = middle + left, middle - left
    return model


@pytest.mark.parametrize("yaw", [0.0, 0.9, -2.5])
@pytest.mark.parametrize(
    ("along", "wider"), [(0.0, 0.0), (0.03, 0.0), (-0.04, 0.01), (0.0, 0.06), (0.0, -0.05)]
)
def test_the_creep_is_the_offset_of_the_feet(along: float, wider: float, yaw: float) -> None:
    found = creep_of(standing(along, wider, yaw), 0.5 * WIDTH)
    assert found == pytest.approx((abs(along), wider), abs=1e-12)


def settled() -> Stance:
    """A watch over a robot that has stood for long at 100 s."""
    found = Stance(GAIT)
    assert not found.watch(100.0 - PATIENCE_S, standing(wider=1.0), calm=True, pushed=False)
    return found


def test_feet_that_are_far_apart_are_put_right_when_it_disturbs_nothing() -> None:
    watch = settled()
    assert not watch.watch(100.0, standing(wider=0.9 * FAR), calm=True, pushed=False)
    model = standing(wider=BETWEEN)
    assert not watch.watch(101.0, model, calm=False, pushed=False)
    # It looks now and then.
    assert not watch.watch(101.0 + 0.5 * PERIOD_S, model, calm=True, pushed=False)
    assert watch.watch(102.0, model, calm=True, pushed=False)
    assert watch.asks
    assert not watch.watch(103.0, model, calm=True, pushed=False)  # said once
    watch.rest()
    assert not watch.asks


def test_pushes_do_not_keep_feet_that_are_apart_from_being_put_right() -> None:
    watch, model = Stance(GAIT), standing(wider=1.1 * TOO_FAR)
    asked = [watch.watch(0.5 * i, model, calm=False, pushed=True) for i in range(60)]
    assert asked.index(True) == round(2.0 * PATIENCE_S)


def test_before_they_are_too_far_apart_it_disturbs_what_it_must() -> None:
    watch = settled()
    assert not watch.watch(100.0, standing(along=-0.9 * TOO_FAR), calm=False, pushed=False)
    assert watch.watch(101.0, standing(along=-1.1 * TOO_FAR), calm=False, pushed=False)


def test_who_has_just_stepped_may_stand_as_he_landed() -> None:
    watch = settled()
    watch.rest()
    model = standing(wider=2.0 * TOO_FAR)
    assert not watch.watch(200.0, model, calm=True, pushed=False)
    assert not watch.watch(200.0 + 0.99 * PATIENCE_S, model, calm=True, pushed=False)
    assert watch.watch(200.0 + 1.01 * PATIENCE_S, model, calm=True, pushed=False)


@pytest.mark.parametrize(("calm", "narrow"), [(True, NARROW), (False, FAR)])
def test_a_narrow_stance_is_put_right_as_soon_as_nobody_pushes(calm: bool, narrow: float) -> None:
    watch, model = Stance(GAIT), standing(wider=-1.05 * narrow)
    assert not watch.watch(10.0, model, calm, pushed=False)
    assert not watch.watch(11.0, model, calm, pushed=True)
    assert not watch.watch(10.99 + QUIET_S, model, calm, pushed=False)
    assert not watch.watch(11.5 + QUIET_S, standing(wider=-0.95 * narrow), calm, pushed=False)
    assert watch.watch(12.0 + QUIET_S, model, calm, pushed=False)


def test_a_robot_steps_until_its_feet_are_right_and_stands_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The robot stands up from a crouch with a wider stance.
    monkeypatch.setattr(stance.Stance, "largest", lambda self, calm: 0.013)
    monkeypatch.setattr(stance, "PATIENCE_S", 0.5)
    seen: list[tuple[Phase, float]] = []

    def look(performer: Performer) -> None:
        plant = biped_of(performer.plant)
        seen.append((plant.walker.reference.phase, max(map(abs, creep_of(plant.model, 0.105)))))

    lab = Laboratory()
    done = lab.run(0, Script(6.0), gestures=False, watch=look)
    phases = [phase for phase, _ in seen]
    first, last = phases.index(Phase.STEP), len(phases) - phases[::-1].index(Phase.STEP)
    assert seen[first - 1000][1] > 0.013
    assert phases[first - 1000] is Phase.STAND
    assert last - first > 500  # ms: a step with each foot
    assert phases[-1] is Phase.STAND
    assert seen[-1][1] < seen[first - 1000][1]
    assert not done.failed


def test_feet_that_push_each_other_apart_stand_still() -> None:
    lab, gaps = Laboratory(), []
    body = lab.body(0)

    def look(performer: Performer) -> None:
        if performer.plant.state.stamp_s > START_S + 1.0:
            left, right = (body.data.site(contact.frame).xpos for contact in lab.profile.contacts)
            gaps.append(float(np.linalg.norm(left - right)))

    done = lab.run(0, Script(2.5), body=body, keep=False, watch=look)
    assert not done.failed and len(gaps) > 1000
    assert abs(gaps[-1] - gaps[0]) < 3e-5  # [m]
