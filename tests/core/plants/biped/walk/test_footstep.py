"""Feet are placed so that a pendulum keeps the speed, the width and the beat asked for."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.plants.biped.walk import pendulum
from core.plants.biped.walk.footstep import Reach, Walking, footstep, sway_lead
from tests.core.rig import profile

GAIT = profile().as_biped.gait
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


@given(st.floats(-0.1, 0.1), st.sampled_from((1.0, -1.0)), st.floats(0.0, 0.3), finite)
def test_the_lead_is_what_the_sway_is_ahead_of_the_plan(
    left: float, sign: float, gone_s: float, delay_s: float
) -> None:
    walking = Walking(0.0, left, 0.36, OMEGA)
    slope = math.tanh(0.5 * OMEGA * 0.36)
    # A periodic step: half of the width on each side, half of the way before and after.
    y = -sign * -0.5 * GAIT.step_width - 0.5 * left * 0.36
    u = -sign * 0.5 * GAIT.step_width * OMEGA * slope + 0.5 * left * 0.36 * OMEGA / slope
    y, u = pendulum.propagate(y, u, OMEGA, gone_s)
    lead = sway_lead(GAIT.step_width, walking, sign, y, u, 0.36 - gone_s + delay_s)
    assert lead == pytest.approx(delay_s, abs=1e-9)


@given(finite, finite, st.sampled_from((1.0, -1.0)))
def test_a_robot_that_sways_to_the_other_side_has_no_lead(y: float, u: float, sign: float) -> None:
    lead = sway_lead(GAIT.step_width, Walking(0.0, 0.0, 0.36, OMEGA), sign, y, u, 0.3)
    ahead = sign * (y + u / OMEGA)
    if ahead <= 0.0:
        assert lead == -math.inf
    elif ahead > 1e-6:
        assert math.isfinite(lead)
