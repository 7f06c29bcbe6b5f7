"""Each fidget alone."""

import random

import pytest

from core.behave.fidgets import FIDGETS, Fidget
from core.behave.idle import FIDGET_S
from tests.core.behave.upper import UPPER

COLUMNS = {name: i for i, name in enumerate(UPPER)}


def pose_at(fidget: Fidget, t: float) -> list[float]:
    pose = [0.0] * len(UPPER)
    fidget.add(t, pose)
    return pose


@pytest.mark.parametrize("kind", FIDGETS)
@pytest.mark.parametrize("seed", range(8))
def test_a_fidget_moves_and_is_over_within_its_slot(kind: type[Fidget], seed: int) -> None:
    fidget = kind(random.Random(seed), COLUMNS)
    assert not any(pose_at(fidget, 0.0))
    assert not any(pose_at(fidget, FIDGET_S))
    largest = max(abs(x) for t in range(800) for x in pose_at(fidget, t / 100.0))
    assert 0.05 < largest < 0.8


def test_the_base_class_has_no_plan_of_its_own() -> None:
    with pytest.raises(NotImplementedError):
        Fidget(random.Random(0), COLUMNS)


@pytest.mark.parametrize("kind", FIDGETS)
def test_a_body_that_lacks_joints_fidgets_with_the_rest(kind: type[Fidget]) -> None:
    fidget = kind(random.Random(1), {})
    pose: list[float] = []
    fidget.add(3.0, pose)
    assert pose == []
