"""The walker's kernels: machine code and Python agree to the last bit, and limits hold."""

import math
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.plants.biped.walk import adaptation as habits
from core.plants.biped.walk import kernels, pendulum
from core.plants.biped.walk.footstep import Reach, Walking, footstep

finite = st.floats(-3.0, 3.0)
pair = st.tuples(finite, finite).map(np.array)
triple = st.tuples(finite, finite, finite).map(np.array)
LIMITS, STEPS = np.array([0.3, 0.1, 0.3]), np.array([4e-4, 4e-4, 1e-3])


def plain(kernel: Any) -> Any:
    """Return the Python function that a kernel was made of."""
    return kernel.py_func


@given(st.floats(-0.4, 0.4), finite, st.floats(2.0, 6.0), st.floats(0.0, 0.5))
def test_a_compiled_pendulum_moves_as_an_interpreted_one(
    x: float, u: float, omega: float, time_s: float
) -> None:
    assert pendulum.propagate(x, u, omega, time_s) == plain(pendulum.propagate)(x, u, omega, time_s)
    step_s = 0.1 + time_s
    foot, mean = pendulum.com_from_next_foot, pendulum.end_speed_for_mean
    assert foot(u, x, omega, step_s) == plain(foot)(u, x, omega, step_s)
    assert mean(u, omega, step_s) == plain(mean)(u, omega, step_s)


@given(triple, triple, triple, pair, st.floats(-3.1, 3.1), st.floats(0.0, 0.03))
def test_the_observer_follows_what_is_measured(
    com: Any, sole: Any, momentum: Any, u: Any, yaw: float, offset: float
) -> None:
    whole = np.concatenate((momentum, momentum[::-1]))
    pendulum, believed = np.array([np.zeros(2), np.zeros(2), u]), np.array([offset, -offset])
    soles = np.array([sole + 1.0, sole])
    kernels.observe(com, soles, 1, whole, 0.1, yaw, 3.6, 1e-3, 0.02, True, believed, pendulum)
    (lever, measured, after), before = pendulum, u
    cos, sin = math.cos(yaw), math.sin(yaw)
    shift = np.array([cos * offset + sin * offset, sin * offset - cos * offset])
    np.testing.assert_allclose(lever, com[:2] - sole[:2] + shift, atol=1e-12)
    predicted = before + 3.6 * 3.6 * 1e-3 * lever
    np.testing.assert_allclose(after, predicted + 0.02 * (measured - predicted), atol=1e-12)
    x, y = (measured - predicted).tolist()
    learned = np.array([offset, -offset])
    habits.learn_offset(learned, cos * x + sin * y, cos * y - sin * x)
    np.testing.assert_allclose(believed, learned, atol=1e-12)
    kernels.observe(com, soles, 1, whole, 0.1, yaw, 3.6, 1e-3, 0.02, False, believed, pendulum)
    np.testing.assert_allclose(believed, learned, atol=1e-12)


@given(pair, pair, st.floats(-3.1, 3.1), st.sampled_from((1.0, -1.0)), st.floats(0.01, 0.4))
def test_a_foot_is_placed_where_the_footstep_says(
    lever: Any, u: Any, yaw: float, sign: float, until_s: float
) -> None:
    sole, target = np.array([1.0, 2.0, 0.01]), np.zeros(3)
    velocity, correction = np.array([0.1, 0.02, 0.3]), np.array([0.01, -0.01])
    kernels.place_foot(
        sole, yaw, lever, u, sign, until_s, 0.36, 3.6, velocity, correction,
        np.array([0.2, 0.25, 0.35, 0.12]), 0.1, 0.0, target,
    )  # fmt: skip
    cos, sin = math.cos(yaw), math.sin(yaw)
    (x, y), (ux, uy) = lever.tolist(), u.tolist()
    position, speed = (
        (cos * x + sin * y, cos * y - sin * x),
        (cos * ux + sin * uy, cos * uy - sin * ux),
    )
    walking = Walking(0.1 + 0.01, 0.02 - 0.01, 0.36, 3.6)
    ahead, side = footstep(Reach(0.2, 0.25, 0.35, 0.12), walking, sign, position, speed, until_s)
    way = np.array([cos * ahead - sin * side, sin * ahead + cos * side])
    np.testing.assert_allclose(target[:2] - sole[:2], way, atol=1e-12)
    assert abs(target[2] - sole[2]) <= 0.02 + 1e-12
    assert abs(ahead) <= 0.25 and 0.12 <= sign * side <= 0.35


@given(st.tuples(*[st.floats()] * 3).map(np.array), triple)
def test_a_velocity_changes_no_faster_than_its_steps(command: Any, wild: Any) -> None:
    velocity = np.clip(wild, -LIMITS, LIMITS)
    before = velocity.copy()
    moves = kernels.follow_command(command, np.array([LIMITS, STEPS]), velocity)
    assert (np.abs(velocity - before) <= STEPS + 1e-15).all()
    assert (np.abs(velocity) <= LIMITS + 1e-15).all()
    asked, goes = (command != 0.0).any(), (np.abs(velocity) > kernels.STILL_SPEED).any()
    assert moves == (asked or goes)


def test_a_new_contact_takes_its_load_slowly_and_the_leaving_foot_loses_it() -> None:
    limit, since_s = np.zeros(2), np.array([1.0, 0.0])
    kernels.share_load(1.02, since_s, 0.04, 500.0, -1, 0, limit)
    np.testing.assert_allclose(limit, (250.0, 250.0))
    kernels.share_load(1.02, since_s, 0.04, 500.0, 1, 0, limit)
    np.testing.assert_allclose(limit, (250.0, 0.0))
    kernels.share_load(9.0, since_s, 0.04, 500.0, -1, -1, limit)
    assert limit.tolist() == [500.0, 500.0]


def test_a_height_is_reached_gently_and_kept() -> None:
    height, rate, before = 0.6, 0.0, 0.0
    for _ in range(5000):
        height, rate = kernels.follow_height(0.7, height, rate, 0.1, 5e-4, 1e-3)
        assert abs(rate) <= 0.1 and abs(rate - before) <= 5e-4 + 1e-15
        before = rate
    assert abs(height - 0.7) < 1e-6 and abs(rate) < 1e-6


@given(pair, pair, st.floats(-3.1, 3.1), st.sampled_from((0, 1)), st.floats(0.0, 0.5))
def test_a_swing_goes_where_the_foot_is_placed(
    lever: Any, u: Any, yaw: float, stance: int, elapsed_s: float
) -> None:
    soles = np.array([[1.0, 0.1, 0.0], [1.0, -0.1, 0.01]])
    pendulum, path = np.array([lever, np.zeros(2), u]), np.array([soles[1 - stance]] * 2)
    velocity, correction = np.array([0.1, 0.02, 0.3]), np.array([0.01, -0.01])
    reach, since_s = np.array([0.2, 0.25, 0.35, 0.12]), np.zeros(2)
    swing, limit, shared = np.zeros((3, 3)), np.zeros(2), np.zeros(2)

    def advance(places: bool) -> None:
        kernels.advance_swing(
            1.0, since_s, 0.04, 500.0, stance, soles, places, yaw, pendulum, 0.2, 0.36, 3.6,
            velocity, correction, reach, 0.1, 0.0, elapsed_s, 0.3, 0.05, 0.2, path, swing, limit,
        )  # fmt: skip

    advance(False)
    np.testing.assert_array_equal(path[1], path[0])
    advance(True)
    target = np.zeros(3)
    sign = 1.0 if stance == 1 else -1.0
    kernels.place_foot(
        soles[stance], yaw, lever, u, sign, 0.2, 0.36, 3.6, velocity, correction, reach,
        0.1, 0.0, target,
    )  # fmt: skip
    np.testing.assert_allclose(path[1], target, atol=1e-12)
    np.testing.assert_array_equal(path[0], soles[1 - stance])
    late_s = elapsed_s - 0.3
    if late_s > 0.0:
        np.testing.assert_allclose(swing[0], target - (0.0, 0.0, 0.2 * late_s), atol=1e-12)
        assert swing[1].tolist() == [0.0, 0.0, -0.2]
    kernels.share_load(1.0, since_s, 0.04, 500.0, 1 - stance, stance, shared)
    np.testing.assert_array_equal(limit, shared)
