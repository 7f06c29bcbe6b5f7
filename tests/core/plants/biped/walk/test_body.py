"""The body follows what a show asks, without jumps, and is exactly upright afterwards."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.plants.biped.walk.body import BodyPosture

TICK_S = 0.001
POSTURES = st.tuples(st.floats(0.0, 0.1), *[st.floats(-0.5, 0.5)] * 3)


def run(body: BodyPosture, wanted: tuple[float, ...] | None, seconds: float) -> list[list[float]]:
    target = None if wanted is None else np.array(wanted)
    found = []
    for _ in range(round(seconds / TICK_S)):
        body.follow(target)
        found.append(list(body.values))
    return found


def test_nothing_asked_is_nothing_done() -> None:
    body = BodyPosture(TICK_S)
    assert run(body, None, 0.1)[-1] == [0.0] * 4
    assert not body.active and not body.bent


@given(POSTURES)
def test_it_arrives_without_overshoot_and_comes_back_to_exactly_upright(
    wanted: tuple[float, ...],
) -> None:
    body = BodyPosture(TICK_S)
    there = np.array(run(body, wanted, 1.5))
    np.testing.assert_allclose(there[-1], wanted, atol=1e-4)
    assert (np.abs(there) <= np.abs(wanted) * 1.001 + 1e-12).all()
    assert np.abs(np.diff(there, 2, axis=0)).max() / TICK_S**2 <= 64.0 * 0.51  # [rad/s²]
    assert body.bent == (max(map(abs, body.values)) > 0.02)
    assert run(body, None, 3.0)[-1] == [0.0] * 4
    assert not body.active


def test_a_robot_that_stands_up_anew_is_upright_at_once() -> None:
    body = BodyPosture(TICK_S)
    run(body, (0.05, 0.1, 0.2, 0.3), 0.3)
    body.reset()
    assert body.values == [0.0] * 4 and not body.bent
