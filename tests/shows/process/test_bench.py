"""The bench computes what changed, and keeps the rest."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shows.motion import Motion
from shows.process import bench, steps
from shows.process.bench import Bench
from shows.process.steps import (
    Loop,
    Mirror,
    Retime,
    Reverse,
    ScaleAmplitude,
    Smooth,
    Step,
    Trim,
)
from tests.shows.examples import wave_motion
from tests.shows.process.examples import JOINTS, refusal

STEPS: tuple[Step, ...] = (Smooth(4.0), Retime(1.5), Mirror(), Loop(0.1), Reverse())


def find(name: str) -> Motion:
    return wave_motion(name)


def new_bench() -> Bench:
    return Bench(wave_motion(), JOINTS, find)


def test_a_refused_step_is_named_and_changes_nothing() -> None:
    tried = new_bench()
    tried.use(STEPS[:2])
    kept = tried.motion
    error = refusal(lambda: tried.add(Trim(5.0, 6.0)))
    assert error.place == "step 3 (trim), start_s"
    assert tried.motion is kept
    assert tried.steps == STEPS[:2]


def test_refuses_a_step_that_there_is_not() -> None:
    assert "0 steps" in refusal(lambda: new_bench().before(0)).reason
    assert "step 0" in refusal(lambda: new_bench().after(-1)).place


@given(st.lists(st.sampled_from(STEPS), max_size=5), st.integers(0, 4))
def test_undo_is_the_prefix(chosen: list[Step], dropped: int) -> None:
    used = new_bench()
    used.use(chosen)
    for _ in range(dropped):
        used.drop()
    prefix = chosen[: max(0, len(chosen) - dropped)]
    again = new_bench()
    np.testing.assert_array_equal(again.use(prefix).positions, used.motion.positions)
    assert used.steps == tuple(prefix)
    assert used.motion.markers == again.motion.markers
    for step in chosen[len(prefix) :]:
        used.add(step)
    np.testing.assert_array_equal(again.use(chosen).positions, used.motion.positions)


def test_a_change_of_the_last_step_computes_that_step_alone(monkeypatch: Any) -> None:
    performed: list[Step] = []

    def count(step: Step, *others: Any) -> Motion:
        performed.append(step)
        return steps.perform(step, *others)

    monkeypatch.setattr(bench, "perform", count)
    used = new_bench()
    used.use(STEPS)
    performed.clear()
    kept = [used.after(i) for i in range(4)]
    used.use((*STEPS[:4], ScaleAmplitude(0.5)))
    assert performed == [ScaleAmplitude(0.5)]
    assert [used.after(i) for i in range(4)] == kept
    assert used.before(0) is used.raw
    assert used.before(4) is used.after(3)
    assert used.after(4) is used.motion
