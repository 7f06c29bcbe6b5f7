"""A load in a hand is found by the arm's torques, and nothing else is taken for one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.link.catalogue.safety import HAND_LOADED
from core.link.statement import Statement
from core.plants.biped.model import RobotModel
from core.plants.biped.sense.hand_load import PERIOD_S, HandLoad, HandLoads
from core.robot.state import State
from devices.interface import Floats
from tests.core.rig import profile

PER_KG = np.array([-2.0, -0.4, 1.5])
DRY = np.full(3, 0.15)
DT = PERIOD_S
SETTINGS = profile().as_biped.loads
RIGHT_ARM = slice(5, 8)


def held(load: HandLoad, excess: Floats, seconds: float) -> HandLoad:
    for _ in range(round(seconds / DT)):
        load.learn(PER_KG, excess, DRY, DT)
    return load


@pytest.mark.parametrize("kg", [0.5, 1.0, 1.8])
def test_a_load_is_found_but_for_the_friction(kg: float) -> None:
    load = held(HandLoad(SETTINGS), PER_KG * kg, 60.0)
    assert load.carries
    assert kg - 0.15 < load.found <= kg
    assert load.kg == pytest.approx(load.found)


@given(st.lists(st.floats(-0.15, 0.15), min_size=3, max_size=3))
def test_friction_is_no_load(friction: list[float]) -> None:
    load = held(HandLoad(SETTINGS), np.array(friction), 0.5)
    assert (load.found, load.kg, load.carries) == (0.0, 0.0, False)


def test_small_things_do_not_count() -> None:
    load = held(HandLoad(SETTINGS), PER_KG * 0.2, 60.0)
    assert (load.carries, load.kg) == (False, 0.0)


def test_a_load_that_is_put_down_is_forgotten() -> None:
    load = held(HandLoad(SETTINGS), PER_KG * 1.0, 60.0)
    assert load.carries
    held(load, np.zeros(3), 60.0)
    assert (load.carries, load.kg) == (False, 0.0)


def test_the_models_mass_follows_slowly() -> None:
    load = HandLoad(SETTINGS)
    for _ in range(300):
        before = load.kg
        load.learn(50.0 * PER_KG, 50.0 * PER_KG * 2.0, DRY, DT)
        assert abs(load.kg - before) <= SETTINGS.kg_per_s * DT + 1e-12
    assert load.kg > 1.0


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=3, max_size=3))
def test_whatever_is_measured_it_stays_a_mass(torques: list[float]) -> None:
    load = held(HandLoad(SETTINGS), PER_KG * 1.0, 5.0)
    with np.errstate(invalid="ignore", over="ignore"):
        held(load, np.array(torques), 1.0)
    for kg in (load.found, load.kg):
        assert math.isfinite(kg) and 0.0 <= kg <= SETTINGS.largest_kg


def raised(model: RobotModel, shoulder: float = 1.2) -> State:
    """Return a standing state with both arms raised forward."""
    state = State.upright(28)
    state.q[[2, 5]] = -shoulder
    model.update(state)
    return state


def test_the_right_hands_load_is_the_models_then_and_the_left_hand_stays_empty() -> None:
    model = RobotModel(profile())
    loads, state = HandLoads(profile(), model), raised(model)
    model.carry((0.0, 1.0))
    model.update(state)
    state.tau[:18] = model.bias[6:]  # as an arm that holds still
    loads.forget()
    model.update(state)
    told: list[Statement] = []
    for _ in range(20_000):
        told += loads.watch(state.tau, np.zeros(8))
        model.update(state)
    left, right = loads.hands
    assert (left.kg, left.carries) == (0.0, False)
    assert right.kg == pytest.approx(1.0, abs=0.06)
    assert model.mass == pytest.approx(25.0 + right.kg)
    assert told == [HAND_LOADED(limb="right_hand")]
    assert loads.loads_kg == {"right_hand": right.kg}
    loads.tell(loads.loads_kg | {"left_hand": 0.5})  # a person enters one, and the other stays
    assert model.mass == pytest.approx(25.5 + right.kg)
    loads.tell(None)
    assert model.mass == pytest.approx(25.0)


def test_what_feedback_or_acceleration_needs_is_no_load() -> None:
    model = RobotModel(profile())
    loads, state = HandLoads(profile(), model), raised(model)
    ddq = np.zeros(8)
    ddq[RIGHT_ARM] = (6.0, -2.0, 4.0)
    state.tau[:8] = model.mass_matrix[6:14, 6:14] @ ddq + model.bias[6:14]
    for _ in range(2000):
        assert loads.watch(state.tau, ddq) == ()
    assert [hand.found for hand in loads.hands] == [0.0, 0.0]


def test_it_looks_only_now_and_then() -> None:
    model = RobotModel(profile())
    loads, state = HandLoads(profile(), model), raised(model)
    state.tau[RIGHT_ARM] = 50.0
    for _ in range(round(PERIOD_S / profile().tick_s) - 1):
        loads.watch(state.tau, np.zeros(8))
    assert loads.hands[1].found == 0.0
