"""Which foot stands, from four switches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.plants.biped.model import RobotModel
from core.plants.biped.sense.contact import (
    DOUBT_S,
    SETTLED_S,
    UNKNOWN_DOUBT_S,
    UNKNOWN_S,
    ContactEstimator,
)
from core.robot.state import State
from devices.interface import Floats, Sample
from tests.core.rig import STAND_BEND, bent, holding, profile, random_posture, statue

TICK_S = 0.001
MODEL = RobotModel(profile())
SETTINGS = profile().as_biped.estimator


def pose(q: Floats | None = None) -> None:
    """Bring the model into a posture; it stands unless told otherwise."""
    state = State.upright(28)
    state.q[:] = bent(STAND_BEND) if q is None else q
    MODEL.update(state)


class Switches:
    """A contact estimator that is fed switches, one tick after the other.

    The torques speak neither for nor against a foot: the force lies between the thresholds.
    """

    def __init__(self) -> None:
        pose()
        self.estimator = ContactEstimator(SETTINGS, MODEL)
        self.sample = Sample.zeros(28, 4)
        self.sample.contact_age_s[:] = TICK_S
        self.press((30.0, 30.0))

    def press(self, forces: tuple[float, float]) -> None:
        """Give the legs the torques of these vertical forces on the soles [N]."""
        rows = MODEL.sole_jacobians[:, 2, 6:]
        self.sample.tau[:18] = -(forces[0] * rows[0] + forces[1] * rows[1])

    def feed(self, *closed: bool, ticks: int = 1) -> None:
        """Feed left heel, left toe, right heel, right toe."""
        for _ in range(ticks):
            self.sample.contacts[:] = closed
            self.estimator.update(self.sample)
            self.sample.stamp_s += TICK_S

    @property
    def loaded(self) -> list[bool]:
        return [bool(b) for b in self.estimator.loaded]

    @property
    def planted(self) -> list[bool]:
        return [bool(b) for b in self.estimator.planted]


SETTLED_TICKS = round(SETTLED_S / TICK_S) + 2


def test_in_the_air_nothing_is_loaded() -> None:
    switches = Switches()
    switches.feed(False, False, False, False, ticks=50)
    assert switches.loaded == switches.planted == [False, False]


def test_heel_or_toe_alone_loads_its_own_foot_at_once() -> None:
    for closed, expected in (
        ((True, False, False, False), [True, False]),
        ((False, True, False, False), [True, False]),
        ((False, False, True, False), [False, True]),
        ((False, False, False, True), [False, True]),
    ):
        switches = Switches()
        switches.feed(*closed)
        assert switches.loaded == expected
        assert switches.planted == [False, False]


def test_a_foot_is_planted_only_after_it_has_stood_for_a_while() -> None:
    switches = Switches()
    switches.feed(False, False, False, False)
    switches.feed(True, True, False, False, ticks=SETTLED_TICKS - 3)
    assert switches.planted == [False, False]
    switches.feed(True, True, False, False, ticks=4)
    assert switches.planted == [True, False]


def test_lifting_unplants_at_once_and_the_wait_begins_anew() -> None:
    switches = Switches()
    switches.feed(True, True, True, True, ticks=3 * SETTLED_TICKS)
    assert switches.planted == [True, True]
    switches.feed(True, True, False, False)
    assert switches.planted == [True, False]
    assert switches.loaded == [True, False]
    switches.feed(True, True, True, True, ticks=5)
    assert switches.loaded == [True, True]
    assert switches.planted == [True, False]


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), max_size=60))
def test_a_planted_foot_is_a_loaded_one(history: list[list[bool]]) -> None:
    switches = Switches()
    since = np.zeros(2)
    for closed in history:
        switches.feed(*closed)
        for side in range(2):
            loaded = closed[2 * side] or closed[2 * side + 1]
            since[side] = since[side] + 1 if loaded else 0
            assert switches.loaded[side] == loaded
            assert not switches.planted[side] or since[side] * TICK_S > SETTLED_S - 1e-9


# The torques' word


@pytest.mark.parametrize("forces", [(0.0, 0.0), (122.0, 123.0), (245.0, 0.0), (10.0, 60.0)])
def test_the_forces_are_those_that_the_torques_hold(forces: tuple[float, float]) -> None:
    switches = Switches()
    switches.press(forces)
    switches.feed(True, True, True, True)
    np.testing.assert_allclose(switches.estimator.forces, forces, rtol=0.08, atol=1.0)


def test_of_a_standing_robot_they_are_its_weight() -> None:
    pose()
    estimator, sample = ContactEstimator(SETTINGS, MODEL), statue()
    assert sample.tau[:18].tolist() == list(holding(STAND_BEND))
    estimator.update(sample)
    # the legs' own 5 kg are left out
    assert estimator.forces.sum() == pytest.approx(25.0 * 9.81, abs=0.25 * 25.0 * 9.81)


@pytest.mark.parametrize("side", [0, 1])
def test_a_stuck_switch_is_believed_until_the_torques_have_long_said_otherwise(side: int) -> None:
    for stuck, force in ((True, 0.0), (False, 120.0)):
        switches = Switches()
        closed = [stuck, stuck, stuck, stuck]
        forces = [30.0, 30.0]
        forces[side] = force
        switches.press((forces[0], forces[1]))
        switches.feed(*closed, ticks=round(DOUBT_S / TICK_S))
        assert switches.loaded == [stuck, stuck]
        switches.feed(*closed, ticks=3)
        assert switches.loaded[side] is not stuck
        assert switches.loaded[1 - side] is stuck


def test_doubt_that_is_interrupted_begins_anew() -> None:
    switches = Switches()
    for _ in range(4):
        switches.press((0.0, 30.0))
        switches.feed(True, True, True, True, ticks=round(0.8 * DOUBT_S / TICK_S))
        switches.press((30.0, 30.0))
        switches.feed(True, True, True, True)
    assert switches.loaded == [True, True]


def test_no_posture_makes_a_force_that_is_no_number() -> None:
    rng = np.random.default_rng(0)
    for posture in (np.zeros(28), *(random_posture(rng) for _ in range(20))):
        pose(posture)  # legs straight are singular
        estimator, sample = ContactEstimator(SETTINGS, MODEL), Sample.zeros(28, 4)
        sample.contact_age_s[:] = TICK_S
        sample.tau[:] = rng.normal(0.0, 10.0, 28)
        estimator.update(sample)
        assert np.isfinite(estimator.forces).all()


@pytest.mark.parametrize("age_s", [UNKNOWN_S + 1e-4, np.inf, np.nan])
def test_of_a_foot_whose_switches_are_silent_the_torques_decide(age_s: float) -> None:
    switches = Switches()
    switches.feed(True, True, True, True, ticks=20)
    switches.sample.contact_age_s[2:] = age_s
    switches.feed(True, True, True, True, ticks=200)
    assert switches.loaded == [True, True]  # nothing speaks against what was told last
    switches.press((30.0, 0.0))
    ticks = round(UNKNOWN_DOUBT_S / TICK_S)
    switches.feed(True, True, True, True, ticks=ticks - 2)
    assert switches.loaded == [True, True]
    switches.feed(True, True, True, True, ticks=4)
    assert switches.loaded == [True, False]
    switches.press((30.0, 30.0))  # between the thresholds: it stays in the air
    switches.feed(True, True, True, True, ticks=200)
    assert switches.loaded == [True, False]
    switches.press((30.0, 300.0))
    switches.feed(True, True, False, False, ticks=ticks + 2)
    assert switches.loaded == [True, True]


def test_switches_that_are_heard_again_count_at_once() -> None:
    switches = Switches()
    switches.feed(True, True, True, True, ticks=20)
    switches.sample.contact_age_s[:] = 1.0
    switches.press((0.0, 30.0))
    switches.feed(True, True, True, True, ticks=60)
    assert switches.loaded == [False, True]
    switches.sample.contact_age_s[:] = TICK_S
    switches.feed(True, True, True, True)
    assert switches.loaded == [True, True]
