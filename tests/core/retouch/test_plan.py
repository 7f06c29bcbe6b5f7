"""Pieces: closed forms beside integration and dense systems, bounds, and the stream of them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from core.retouch.detach import detachment
from core.retouch.piece import sample
from core.retouch.plan import Bounds, Planner, Wish, natural_frequency
from core.retouch.region import Region
from core.retouch.stream import BodySample, Stream, standing_bounds

OMEGA, ALPHA = natural_frequency(0.75), 3.0
SQUARE = Region.around([(x, y) for x in (-0.1, 0.1) for y in (-0.1, 0.1)])
ZERO = np.zeros(2)
lengths = st.floats(-0.2, 0.2)


@settings(max_examples=20)
@given(
    st.tuples(lengths, lengths, lengths, lengths),
    st.sampled_from((0.5, 1.0 - 1e-7, 1.0, 1.0 + 1e-9, 3.0, 6.0)),
)
def test_the_closed_form_is_the_integral_of_the_pendulum(
    start: tuple[float, ...], alpha: float
) -> None:
    x, rate, first, last = start

    def fall(t: float, state: list[float]) -> list[float]:
        pressure = last + (first - last) * math.exp(-alpha * OMEGA * t)
        return [state[1], OMEGA**2 * (state[0] - pressure)]

    out = np.zeros((4, 1))
    sample(np.array([[x], [rate], [first], [last]]), OMEGA, alpha, 0.4, out)
    integral = solve_ivp(fall, (0.0, 0.4), [x, rate], method="DOP853", rtol=1e-13, atol=1e-13)
    assert np.abs(out[:2, 0] - integral.y[:, -1]).max() < 1e-10


def test_an_exact_end_asks_for_a_pressure_beyond_the_feet() -> None:
    planner = Planner(natural_frequency(0.3), 3.0)
    wish = Wish(np.array([0.05, 0.0]), np.array([0.1, 0.0]), ZERO, ZERO)
    piece = planner.plan(np.zeros((2, 2)), wish, None, 0.3)
    assert piece is not None
    # The weight of 1e3 leaves the end 1.2 mm off; the exact p₀ is -0.206 m.
    assert piece.motion[2, 0] == pytest.approx(-0.206, abs=0.01)
    bounds = standing_bounds(SQUARE)
    bounded = planner.plan(np.zeros((2, 2)), wish, bounds, 0.3)
    assert bounded is not None
    assert SQUARE.beyond(bounded.motion[2]) < 1e-9


@settings(max_examples=30)
@given(st.tuples(*[lengths] * 8))
def test_a_plan_is_the_optimum_within_its_bounds(numbers: tuple[float, ...]) -> None:
    x, y, vx, vy, ex, ey, evx, evy = numbers
    planner, start = Planner(OMEGA, ALPHA), np.array([[x, y], [vx, vy]]) * 0.5
    wish = Wish(np.array([ex, ey]), np.array([evx, evy]), SQUARE.nearest(start[0]), ZERO)
    piece = planner.plan(start, wish, standing_bounds(SQUARE), 0.3)
    assert piece is not None
    for pressure in piece.motion[2:]:
        assert SQUARE.beyond(pressure) < 1e-8
    out = np.zeros((4, 2))
    sample(piece.motion, OMEGA, ALPHA, 0.3, out)
    assert SQUARE.beyond(out[0] + out[1] / OMEGA) < piece.outside + 1e-8
    free = planner.plan(start, wish, None, 0.3)
    assert free is not None
    if all(SQUARE.beyond(p) < 0 for p in free.motion[2:]):
        sample(free.motion, OMEGA, ALPHA, 0.3, out)
        if SQUARE.beyond(out[0] + out[1] / OMEGA) < 0.0:
            assert np.abs(free.motion - piece.motion).max() < 1e-9


def test_lines_and_points_are_regions() -> None:
    line = Region.around([(0.0, -0.1), (0.0, 0.1)])
    assert line.beyond(np.array([0.01, 0.0])) == pytest.approx(0.01)
    assert line.beyond(np.array([0.0, 0.15])) == pytest.approx(0.05)
    assert np.allclose(line.nearest(np.array([0.3, 0.2])), (0.0, 0.1))
    point = Region.around([(1.0, 2.0)])
    assert point.beyond(np.array([1.0, 2.0])) == pytest.approx(0.0, abs=1e-12)
    assert point.beyond(np.array([1.0, 2.1])) == pytest.approx(0.1)
    half = Region.around([(0.0, 0.0), (0.2, 0.0), (0.2, 0.2), (0.0, 0.2)], 0.5)
    assert half.beyond(np.array([0.1, 0.16])) == pytest.approx(0.01)


@settings(max_examples=50)
@given(st.tuples(lengths, lengths, lengths, lengths))
def test_a_foot_waits_until_the_pressure_has_left_it(numbers: tuple[float, ...]) -> None:
    first, last = np.array(numbers[:2]), np.array(numbers[2:]) * 0.4
    rate = ALPHA * OMEGA
    found = detachment(first, last, rate, SQUARE)
    times = np.arange(0.0, 2.0, 1e-4)
    way = last + (first - last) * np.exp(-rate * times)[:, None]
    inside = [SQUARE.beyond(point) <= 1e-12 for point in way]
    searched = times[inside.index(True)] if True in inside else math.inf
    assert found == pytest.approx(searched, abs=1e-3) or searched > 1.9
    assert detachment(first, np.array([0.3, 0.0]), rate, SQUARE) == math.inf


def test_before_its_start_a_piece_stays_where_it_begins() -> None:
    stream = Stream(Planner(OMEGA, ALPHA), "slide")
    stream.begin(np.zeros(2))
    assert stream.receive(5.0, swaying(4.99), standing_bounds(SQUARE))
    assert (stream.at(2.0).position == 0.0).all()
    assert (stream.at(2.0).pressure == stream.at(5.0).pressure).all()


def swaying(time_s: float) -> BodySample:
    """Return a performer who sways by 6 cm at 0.8 Hz, which the feet of the robot cannot."""
    turn = 2.0 * math.pi * 0.8
    sine, cosine = math.sin(turn * time_s), math.cos(turn * time_s)
    side = np.array([0.0, 1.0])
    position, velocity = 0.06 * sine * side, 0.06 * turn * cosine * side
    return BodySample(time_s, position, velocity, -turn * turn * position)


@pytest.mark.parametrize("mode", ["slide", "segment"])
def test_a_stream_is_smooth_bounded_and_the_same_at_every_tick_rate(mode: str) -> None:
    bounds: Bounds = standing_bounds(SQUARE)
    ways = []
    for tick_s in (0.001, 0.003):
        stream = Stream(Planner(OMEGA, ALPHA), "slide" if mode == "slide" else "segment")
        stream.begin(ZERO)
        rows, jumps = [], []
        for tick in range(round(6.0 / tick_s)):
            now_s = tick * tick_s
            if round(now_s * 1000) % 30 == 0:
                before = stream.at(now_s)
                stream.receive(now_s, swaying(now_s), bounds)
                after = stream.at(now_s)
                jumps.append(np.abs(after.position - before.position).max())
                jumps.append(np.abs(after.velocity - before.velocity).max())
            if round(now_s * 1000) % 3 == 0:
                found = stream.at(now_s)
                assert SQUARE.beyond(found.pressure) < 1e-8
                rows.append((*found.position, *found.velocity))
        assert max(jumps) < 1e-9
        ways.append(np.array(rows))
    assert np.abs(ways[0] - ways[1]).max() < 1e-12
    assert 0.02 < np.abs(ways[0][500:, 1]).max() < 0.1


def test_a_stream_that_ends_comes_to_rest_over_the_feet() -> None:
    stream = Stream(Planner(OMEGA, ALPHA), "slide")
    stream.begin(ZERO)
    for tick in range(20):
        stream.receive(0.03 * tick, swaying(0.03 * tick), standing_bounds(SQUARE))
    found = stream.at(5.0)
    assert np.abs(found.velocity).max() < 1e-4
    assert SQUARE.beyond(found.position) < 1e-6
    late = swaying(0.57)
    assert not stream.receive(0.9, late, standing_bounds(SQUARE))
