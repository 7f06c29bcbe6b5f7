"""Feet are placed so that a pendulum keeps the speed, the width and the beat asked for."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.walk import pendulum
from core.walk.footstep import Reach, Walking, footstep
from tests.core.rig import profile

GAIT = profile().gait
REACH = Reach(GAIT.step_width, GAIT.reach_forward, GAIT.reach_out, GAIT.reach_in)
OMEGA = math.sqrt(9.81 / 0.745)


@pytest.mark.parametrize("step_s", [0.3, 0.36])
@pytest.mark.parametrize("forward", [-0.1, 0.0, 0.16])
@pytest.mark.parametrize("left", [0.0, 0.05])
def test_a_pendulum_walks_as_it_is_asked(forward: float, left: float, step_s: float) -> None:
    walking = Walking(forward, left, step_s, OMEGA)
    sign = 1.0  # of the next foot
    foot, x, y, ux, uy = [0.0, 0.0], 0.0, GAIT.step_width / 2, forward, 0.0
    feet, coms = [], []
    for _ in range(40):
        step = footstep(REACH, walking, sign, (x, y), (ux, uy), step_s)
        x, ux = pendulum.propagate(x, ux, OMEGA, step_s)
        y, uy = pendulum.propagate(y, uy, OMEGA, step_s)
        coms.append((foot[0] + x, foot[1] + y))
        feet.append(step)
        x, y = x - step[0], y - step[1]
        foot = [foot[0] + step[0], foot[1] + step[1]]
        sign = -sign
    for axis, speed in ((0, forward), (1, left)):
        mean = (coms[-1][axis] - coms[-11][axis]) / (10 * step_s)
        assert mean == pytest.approx(speed, abs=2e-3)
    width = 0.5 * (abs(feet[-1][1]) + abs(feet[-2][1]))
    assert width == pytest.approx(GAIT.step_width, abs=2e-3)


finite = st.floats(-3.0, 3.0)


@given(finite, finite, finite, finite, st.sampled_from((1.0, -1.0)), st.floats(0.0, 0.4))
def test_no_foot_leaves_its_reach_or_crosses_the_other(
    x: float, y: float, ux: float, uy: float, sign: float, until_s: float
) -> None:
    walking = Walking(0.1, 0.0, 0.36, OMEGA)
    ahead, out = footstep(REACH, walking, sign, (x, y), (ux, uy), until_s)
    assert abs(ahead) <= GAIT.reach_forward
    assert GAIT.reach_in <= sign * out <= GAIT.reach_out
