"""The walker's kernels: machine code and Python agree bit for bit, and limits hold."""

import math
from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from core.plants.biped.walk import kernels, pendulum
from core.plants.biped.walk.adaptation import learn_offset
from core.plants.biped.walk.footstep import Reach, Walking, footstep, may_close
from core.plants.biped.walk.records import walk_memory
from core.records import Record, make_record, record_of

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


GAIT = record_of(
    reach_forward=0.25, reach_out=0.35, reach_in=0.12,
    apex=0.05, late_descent_m_s=0.2, load_s=0.04, force_max=500.0,
    momentum_rate=20.0, offset_rate=3.0, largest_offset=0.03, largest_rise=0.02,
    push_share=0.5, push_rate=200.0, pressure_rate=8.0, largest_pressure=0.05,
    closing_along=0.04,
)  # fmt: skip


def memory_of(**values: Any) -> Record:
    """Return a walker's memory of zeros but for some values."""
    memory = walk_memory()
    memory["step_width"] = 0.2
    for name, value in values.items():
        memory[name][0] = value
    return memory


def walking_memory(lever: Any, u: Any, **values: Any) -> Record:
    """Return the memory of a walk on rising ground."""
    command, correction, slope = (0.1, 0.02, 0.3), (0.01, -0.01), (0.1, 0.0)
    return memory_of(
        lever=lever, velocity=u, command=command, correction=correction, slope=slope, **values
    )


@given(triple, triple, triple, pair, st.floats(-3.1, 3.1), st.floats(0.0, 0.03))
def test_the_observer_follows_the_measured_velocity(
    com: Any, sole: Any, momentum: Any, u: Any, yaw: float, offset: float
) -> None:
    body = record_of(com=com, momentum=np.concatenate((momentum, momentum[::-1])))
    feet = record_of(positions=np.array([sole + 1.0, sole]))
    offsets = np.array([[0.02, 0.01], [offset, -offset]])
    push = {"push": (0.04, 2.0 * offset), "expected_push": (0.01, 0.0), "believes": 1.0}
    memory = memory_of(velocity=u, offset=offsets, **push)
    targets = record_of(pressure=np.array([0.01]))
    kernels.observe(GAIT, memory, body, feet, targets, 1, 0.1, yaw, 3.6, 1e-3, True)
    lever, measured = memory["lever"][0], memory["measured_velocity"][0].copy()
    cos, sin = math.cos(yaw), math.sin(yaw)
    shift = np.array([cos * offset + sin * offset, sin * offset - cos * offset])
    shift += (0.012, 0.2 * offset)  # a fifth of the way to half of the push
    np.testing.assert_allclose(lever, com[:2] - sole[:2] + shift, atol=1e-12)
    predicted = u + 3.6 * 3.6 * 1e-3 * (lever - 0.01 * np.array([cos, sin]))
    after = memory["velocity"][0]
    np.testing.assert_allclose(after, predicted + 0.02 * (measured - predicted), atol=1e-12)
    x, y = (measured - predicted).tolist()
    learned = offsets.copy()
    learn_offset(0.003, 0.03, learned, 1, cos * x + sin * y, cos * y - sin * x)
    np.testing.assert_allclose(memory["offset"][0], learned, atol=1e-12)
    kernels.observe(GAIT, memory, body, feet, targets, 1, 0.1, yaw, 3.6, 1e-3, False)
    np.testing.assert_allclose(memory["offset"][0], learned, atol=1e-12)


@given(
    pair,
    pair,
    st.floats(-3.1, 3.1),
    st.sampled_from((0, 1)),
    st.floats(0.01, 0.4),
    st.floats(-0.06, 0.06),
    st.floats(-0.06, 0.06),
)
def test_a_foot_is_placed_on_the_footstep(
    lever: Any,
    u: Any,
    yaw: float,
    stance: int,
    until_s: float,
    widening: float,
    stagger: float,
) -> None:
    sole = np.array([1.0, 2.0, 0.01])
    memory = walking_memory(lever, u, widening=widening, stagger=stagger)
    feet = record_of(positions=np.array([sole, sole]))
    kernels.place_foot(GAIT, memory, feet, stance, yaw, until_s, 0.36, 3.6)
    sign = 1.0 if stance == 1 else -1.0
    cos, sin = math.cos(yaw), math.sin(yaw)
    (x, y), (ux, uy) = lever.tolist(), u.tolist()
    position, speed = (
        (cos * x + sin * y, cos * y - sin * x),
        (cos * ux + sin * uy, cos * uy - sin * ux),
    )
    turn = 0.3 * (until_s + 0.36)  # until the step ends that begins there
    c, s = math.cos(turn), math.sin(turn)
    walking = Walking(0.11 * c - 0.01 * s, 0.11 * s + 0.01 * c, 0.36, 3.6)
    reach = Reach(0.2 + widening, 0.25, 0.35, 0.12)
    ahead, side = footstep(reach, walking, sign, position, speed, until_s)
    ahead += stagger if stance == 1 else -stagger  # the left foot swings over the right one
    ahead = min(0.25, max(-0.25, ahead))
    way = np.array([cos * ahead - sin * side, sin * ahead + cos * side])
    target = memory["target"][0]
    np.testing.assert_allclose(target[:2] - sole[:2], way, atol=1e-12)
    assert abs(target[2] - sole[2]) <= 0.02 + 1e-12
    assert abs(ahead) <= 0.25 and 0.12 <= sign * side <= 0.35


@given(
    st.floats(-0.06, 0.06), st.floats(-0.05, 0.25), st.floats(-3.1, 3.1), st.sampled_from((0, 1))
)
def test_the_last_step_closes_the_stance_if_it_can(
    ahead: float, share: float, yaw: float, stance: int
) -> None:
    edges = abs(ahead) - 0.04, share - 0.03, share - 0.17
    assume(min(map(abs, edges)) > 1e-9)  # there the rounding decides
    sign, cos, sin = 1.0 if stance == 1 else -1.0, math.cos(yaw), math.sin(yaw)
    until_s = 0.1
    growth = math.exp(3.6 * until_s)  # of the capture point, until the landing
    x, y = ahead / growth, sign * share / growth  # of a robot at rest
    memory = walking_memory((cos * x - sin * y, sin * x + cos * y), (0.0, 0.0), closes=1.0)
    feet = record_of(positions=np.array([[1.0, 2.0, 0.01]] * 2))
    kernels.place_foot(GAIT, memory, feet, stance, yaw, until_s, 0.36, 3.6)
    can = may_close(0.2, 0.04, sign, (x, y), (0.0, 0.0), until_s, 3.6)
    assert can == (abs(ahead) < 0.04 and 0.03 < share < 0.17)
    way = memory["target"][0][:2] - (1.0, 2.0)
    assert memory["closed"][0, 0] == can
    beside = sign * 0.2 * np.array([-sin, cos])
    assert np.allclose(way, beside, atol=1e-9) == can


@given(st.floats(-0.05, 0.05), st.floats(-0.03, 0.03), st.floats(-3.1, 3.1))
def test_the_pressure_returns_a_pendulum_to_its_speed(
    v_error: float, x_error: float, yaw: float
) -> None:
    omega, step_s, dt, ahead = 3.6, 0.36, 1e-3, np.array([math.cos(yaw), math.sin(yaw)])
    x, v = pendulum.periodic(0.1, omega, step_s, -0.5 * step_s)
    x, v = x + 0.5 * x_error, v + v_error
    memory, targets = walking_memory((0.0, 0.0), (0.0, 0.0)), make_record(pressure=1)
    pressure = targets["pressure"][0]
    for tick in range(360):
        memory["lever"][0] = x * ahead
        body = record_of(com_velocity=np.array([*(v * ahead), 0.0]))
        until_s = step_s - tick * dt
        kernels.move_pressure(GAIT, memory, body, targets, yaw, omega, step_s, until_s)
        assert abs(pressure[0]) <= 0.05
        x, v = x + v * dt, v + omega * omega * (x - pressure[0]) * dt
    _, wanted = pendulum.periodic(0.1, omega, step_s, 0.5 * step_s)
    assert abs(v - wanted) <= 0.1 * abs(v_error) + 2e-3
    memory["lever"][0] = math.nan
    kernels.move_pressure(GAIT, memory, body, targets, yaw, omega, step_s, 0.1)
    assert pressure[0] == 0.0


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
    memory, targets = memory_of(loaded_since_s=(1.0, 0.0)), make_record(load_limit=2)
    limit = targets["load_limit"][0]
    kernels.share_load(GAIT, memory, targets, 1.02, -1, 0)
    np.testing.assert_allclose(limit, (250.0, 250.0))
    kernels.share_load(GAIT, memory, targets, 1.02, 1, 0)
    np.testing.assert_allclose(limit, (250.0, 0.0))
    kernels.share_load(GAIT, memory, targets, 9.0, -1, -1)
    assert limit.tolist() == [500.0, 500.0]


def test_a_height_is_reached_gently_and_kept() -> None:
    height, rate, before = 0.6, 0.0, 0.0
    for _ in range(5000):
        height, rate = kernels.follow_height(0.7, height, rate, 0.1, 5e-4, 4.0, 1e-3)
        assert abs(rate) <= 0.1 and abs(rate - before) <= 5e-4 + 1e-15
        before = rate
    assert abs(height - 0.7) < 1e-6 and abs(rate) < 1e-6


@given(pair, pair, st.floats(-3.1, 3.1), st.sampled_from((0, 1)), st.floats(0.0, 0.5))
def test_a_swing_ends_where_the_foot_is_placed(
    lever: Any, u: Any, yaw: float, stance: int, elapsed_s: float
) -> None:
    soles = np.array([[1.0, 0.1, 0.0], [1.0, -0.1, 0.01]])
    feet, targets = record_of(positions=soles), make_record(swing=(3, 3))
    lift_off = soles[1 - stance]
    memory, placed = (
        walking_memory(lever, u, lift_off=lift_off, target=lift_off),
        walking_memory(lever, u),
    )

    def advance(places: bool) -> None:
        kernels.advance_swing(
            GAIT, memory, feet, targets, stance, places, yaw, 0.2, 0.36, 3.6, elapsed_s, 0.3
        )

    advance(False)
    np.testing.assert_array_equal(memory["target"][0], lift_off)
    advance(True)
    kernels.place_foot(GAIT, placed, feet, stance, yaw, 0.2, 0.36, 3.6)
    target, swing = placed["target"][0], targets["swing"][0]
    np.testing.assert_allclose(memory["target"][0], target, atol=1e-12)
    np.testing.assert_array_equal(memory["lift_off"][0], lift_off)
    late_s = elapsed_s - 0.3
    if late_s > 0.0:
        np.testing.assert_allclose(swing[0], target - (0.0, 0.0, 0.2 * late_s), atol=1e-12)
        assert swing[1].tolist() == [0.0, 0.0, -0.2]
