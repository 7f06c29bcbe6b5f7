"""Each fidget alone."""

import random

import pytest

from core.behave.fidgets import Fidget
from core.behave.idle_settings import FidgetKind, Fidgets, Swing
from tests.core.behave.upper import IDLE, UPPER

COLUMNS = {name: i for i, name in enumerate(UPPER)}
assert IDLE is not None and IDLE.fidgets is not None
FIDGETS = IDLE.fidgets


def pose_at(fidget: Fidget, t: float) -> list[float]:
    pose = [0.0] * len(UPPER)
    fidget.add(t, pose)
    return pose


@pytest.mark.parametrize("kind", FIDGETS.kinds, ids=lambda kind: kind.name)
@pytest.mark.parametrize("seed", range(8))
def test_a_fidget_moves_and_is_over_within_its_slot(kind: FidgetKind, seed: int) -> None:
    fidget = Fidget(FIDGETS, kind, random.Random(seed), COLUMNS)
    assert not any(pose_at(fidget, 0.0))
    assert not any(pose_at(fidget, FIDGETS.period_s))
    largest = max(abs(x) for t in range(800) for x in pose_at(fidget, t / 100.0))
    assert 0.05 < largest < 0.8


def test_the_draws_come_in_the_order_of_the_profile() -> None:
    kind = FidgetKind(
        name="sway",
        draws={"pace": (1.0, 2.0), "size": (3.0, 4.0)},
        variants=((Swing("a", (5.0, 6.0), "size", "pace"),), (Swing("a", (7.0, 8.0), 0.5),)),
    )
    settings = Fidgets(8.0, (3.0, 6.0), 0.9, (kind,))
    drawn, chance = random.Random(4), random.Random(4)
    length_s = drawn.uniform(3.0, 6.0)
    swings = drawn.choice(kind.variants)
    pace, size = drawn.uniform(1.0, 2.0), drawn.uniform(3.0, 4.0)
    lift = drawn.uniform(*swings[0].lift) if isinstance(swings[0].lift, tuple) else 0.0
    fidget = Fidget(settings, kind, chance, {"a": 0})
    assert fidget._length_s == length_s
    amplitude, frequency_hz = (size, pace) if swings is kind.variants[0] else (0.5, 0.0)
    only = fidget._swings[0]
    assert (only.lift, only.amplitude, only.frequency_hz) == (lift, amplitude, frequency_hz)
