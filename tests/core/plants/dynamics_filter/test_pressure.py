"""The pressure of a plan beside a dense KKT system, at its bounds, and where there is none."""

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from core.lab.experiments.strides.planner import USUAL, Rehearsal, rest_of
from core.lab.oracle.series import least
from core.plants.dynamics_filter.gait import Gait
from core.plants.dynamics_filter.plan import Plan, sole_of
from core.plants.dynamics_filter.pressure import Knots, Pressures, inside, solve
from core.robot.profile_file import load_profile
from devices.interface import Floats

STRIDES = load_profile("small_biped").as_runner.strides
RATE = 6.0
STEP_S = 0.2


def knots_of(n: int, half: float, **changes: Any) -> Knots:
    """Return knots within ± half of a straight line of places, the last two of which move."""
    follows = np.zeros((n, 1))
    follows[-2:] = 1.0
    knots = Knots(
        places=np.stack((0.05 * np.arange(1, n + 1), np.zeros(n)), axis=1),
        axes=np.tile(np.eye(2), (n, 1, 1)),
        bounds=np.full((n, 2), half),
        held=np.zeros(n),
        follows=follows,
        end_follows=np.ones(1),
        yaws=np.zeros(1),
        weights=np.array((STRIDES.feet.shift_weight,)),
        lowest=np.full((1, 2), -0.2),
        highest=np.full((1, 2), 0.2),
    )
    return replace(knots, **changes)


def effect_of(n: int) -> Floats:
    """Return the effect of n knots on the end: terms of equal length with the same λ."""
    c, s, t = np.cosh(RATE * STEP_S), np.sinh(RATE * STEP_S), STEP_S
    step = np.array(((c, s / RATE), (RATE * s, c)))
    first = np.array((-c + s / (RATE * t), -RATE * s - (1.0 - c) / t))
    last = np.array((1.0 - s / (RATE * t), (1.0 - c) / t))
    effect = np.zeros((2, 3 + n))
    effect[:, :2] = np.eye(2)
    for k in range(n):
        effect = step @ effect
        effect[:, 2 + k] += first
        effect[:, 3 + k] += last
    return effect


def solved(knots: Knots, velocity: float, n: int = 6) -> tuple[Pressures, Floats]:
    """Return the solution for a CoM that begins with a velocity, and the state that it ends in."""
    effect, start = effect_of(n), np.array(((0.0, 0.25), (0.0, velocity)))
    first, end = np.zeros(2), knots.places[-1]
    found = solve(effect, start, first, end, knots)
    pressures = np.vstack((first, found.knots))
    reached = np.stack([effect[:, :2] @ start[a] + effect[:, 2:] @ pressures[:, a] for a in (0, 1)])
    wanted = np.stack((end + knots.end_follows @ found.shifts, np.zeros(2)), axis=1)
    return found, np.abs(reached - wanted).max(axis=0)


def test_where_no_pressure_reaches_the_end_the_error_is_told() -> None:
    found, error = solved(knots_of(6, 0.01), 3.0)
    assert found.bounded and found.slack > 1e-3
    assert error.max() > 1e-3  # it is not reached
    assert np.abs(found.knots[:-2] - knots_of(6, 0.01).places[:-2]).max() <= 0.01 + 1e-6


def test_a_bound_is_kept_and_the_end_is_reached() -> None:
    wide, _ = solved(knots_of(6, 1.0), 0.25)
    assert not wide.bounded
    half = 0.9 * float(np.abs(wide.knots[:4] - knots_of(6, 1.0).places[:4]).max())
    narrow, error = solved(knots_of(6, half), 0.25)
    assert narrow.bounded and narrow.slack == 0.0
    assert error.max() < 1e-5
    away = narrow.knots - knots_of(6, half).places - knots_of(6, half).follows @ narrow.shifts
    assert np.abs(away).max() <= half + 1e-6
    assert np.abs(narrow.shifts).max() <= 0.2 + 1e-6


def test_a_held_knot_stays_where_it_is() -> None:
    held, follows = np.zeros(6), knots_of(6, 1.0).follows
    held[0] = 1.0
    found, error = solved(knots_of(6, 1.0, held=held, follows=follows), 0.05)
    np.testing.assert_array_equal(found.knots[0], knots_of(6, 1.0).places[0])
    assert not found.bounded and error.max() < 1e-9


def test_bounds_count_along_their_axes() -> None:
    axes, bounds = np.tile(np.eye(2), (1, 1, 1)), np.array(((0.01, 0.02),))
    none: Floats = np.zeros(0)
    still = np.zeros(1)
    for x, y, keeps in ((0.009, 0.019, True), (0.011, 0.0, False), (0.0, -0.021, False)):
        solution = np.array(((x, y),))
        rest = none, np.zeros((0, 2)), np.zeros((0, 2))
        assert inside(solution, axes, bounds, still, *rest) is keeps
    turned = np.array((((0.0, 1.0), (-1.0, 0.0)),))
    assert inside(np.array(((0.019, 0.009),)), turned, bounds, still, *rest)
    assert not inside(np.array(((0.009, 0.019),)), turned, bounds, still, *rest)


@pytest.fixture(scope="module")
def free() -> list[Plan]:
    profile = load_profile("small_biped")
    rehearsal = Rehearsal(STRIDES, sole_of(profile))
    rehearsal.lead([(0.1, USUAL[Gait.WALK]), (0.8, USUAL[Gait.RUN])], 1.8)
    return [plan for _, plan in rehearsal.plans if not plan.bounded][10::35]


def test_the_closed_form_is_the_solution_of_the_dense_kkt_system(free: list[Plan]) -> None:
    assert len(free) >= 2
    for plan in free:
        points, shifts = least(plan, rest_of(plan)[0])
        np.testing.assert_allclose(plan.pressures[1:], points, atol=1e-9)
        np.testing.assert_allclose(plan.shifts, shifts, atol=1e-9)
        steps = tuple(replace(step, weight=10.0 * step.weight) for step in plan.score.steps)
        heavy = replace(plan, score=replace(plan.score, steps=steps))
        other, _ = least(heavy, rest_of(plan)[0])
        assert np.abs(plan.pressures[1:] - other).max() > 1e-6  # another objective, another plan
