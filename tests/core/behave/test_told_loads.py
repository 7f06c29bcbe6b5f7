"""Loads that a person enters: at once before limbs float, gradually while they do."""

import pytest

from core.behave.told_loads import KG_PER_S, ToldLoads

TICK_S = 0.001


@pytest.fixture
def loads() -> ToldLoads:
    return ToldLoads(TICK_S)


def test_loads_are_there_before_a_limb_begins_to_float(loads: ToldLoads) -> None:
    loads.tell({"hand": 0.5, "other": 0.0}, gently=False)
    assert loads.loads_kg == {"hand": 0.5} and not loads.moves


def test_limbs_that_are_not_named_keep_the_load_that_the_robot_reckons_with() -> None:
    loads = ToldLoads(TICK_S)
    loads.begin({"hand": 0.8, "other": 0.0})
    loads.tell({"other": 0.2}, gently=False)
    assert loads.loads_kg == {"hand": 0.8, "other": 0.2}
    loads.tell({}, gently=True)
    assert not loads.moves


def test_loads_of_floating_limbs_change_gradually(loads: ToldLoads) -> None:
    loads.tell({"hand": 0.5}, gently=True)
    assert loads.loads_kg == {}
    told = [0.0]
    while told[-1] != 0.5:
        assert loads.moves and len(told) < 2000
        loads.follow()
        told.append(loads.loads_kg["hand"])
    steps = [after - before for before, after in zip(told, told[1:], strict=False)]
    assert max(steps) <= KG_PER_S * TICK_S + 1e-12
    assert len(steps) == pytest.approx(0.5 / KG_PER_S / TICK_S, abs=2)


def test_a_hand_that_is_emptied_loses_its_load_gradually(loads: ToldLoads) -> None:
    loads.tell({"hand": 0.3}, gently=False)
    loads.tell({"hand": 0.0}, gently=True)
    loads.follow()
    assert loads.loads_kg == {"hand": pytest.approx(0.3 - KG_PER_S * TICK_S)}
    for _ in range(700):
        loads.follow()
    assert loads.loads_kg == {} and not loads.moves


def test_a_load_that_changes_on_the_way_is_followed(loads: ToldLoads) -> None:
    loads.tell({"hand": 1.0}, gently=True)
    for _ in range(100):
        loads.follow()
    loads.tell({"hand": 0.01}, gently=True)
    for _ in range(200):
        loads.follow()
    assert loads.loads_kg == {"hand": 0.01}
