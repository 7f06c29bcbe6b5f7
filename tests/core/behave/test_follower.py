"""Followers of sticks and live partners."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.behave.follower import MAX_CATCH_UP_S, Follower, calm_speed, limits_of


def follower(*goals: float) -> Follower:
    """Return a follower at rest at zero, which shall go to some positions."""
    made = Follower(limits_of(len(goals), 14.0, 2.5, 30.0))
    made.target[:] = goals
    return made


@given(st.lists(st.floats(-1.5, 1.5), min_size=1, max_size=8), st.floats(0.0005, 0.02))
def test_speed_and_acceleration_are_limited_and_add_up(goals: list[float], dt: float) -> None:
    one = follower(0.0)
    block = one.block
    for goal in goals:
        one.target[0] = goal
        for _ in range(40):
            q, dq = block[0, 0], block[1, 0]
            one.follow(dt)
            assert abs(block[1, 0]) <= 2.5
            assert abs(block[2, 0]) <= 30.0 + 1e-9
            assert abs(block[1, 0] - dq) <= 30.0 * dt + 1e-12
            if dt <= 0.01:
                mean = 0.5 * (dq + block[1, 0])
                assert block[0, 0] - q == pytest.approx(mean * dt, abs=1e-12)
                assert block[1, 0] - dq == pytest.approx(block[2, 0] * dt, abs=1e-12)


def test_it_arrives_and_stays() -> None:
    one = follower(1.2, -0.4)
    for _ in range(3000):
        one.follow(0.001)
        assert one.block[0, 0] < 1.25
    assert one.block[0] == pytest.approx((1.2, -0.4), abs=1e-6)
    assert one.block[1] == pytest.approx(np.zeros(2), abs=1e-6)


@given(st.floats(2.0, 40.0), st.floats(0.5, 100.0), st.floats(0.01, 3.0))
def test_from_a_calm_speed_it_stops_at_its_target(
    stiffness: float, strongest: float, way: float
) -> None:
    limits = limits_of(1, stiffness, 0.0, strongest)
    limits[1] = calm_speed(limits[0], limits[2])
    one = Follower(limits)
    one.target[0] = way
    for _ in range(3000):
        one.follow(1e-3)
        # The tick in which it begins to brake is not known exactly.
        assert one.block[0, 0] <= way + 2e-3 * limits[1, 0]


def test_a_target_whose_rate_is_known_is_followed_without_lag() -> None:
    blind, knowing = follower(0.0), follower(0.0)
    knowing.rate[0] = 1.0
    for tick in range(2000):
        for one in (blind, knowing):
            one.target[0] = 0.001 * (tick + 1)
            one.follow(0.001)
    assert knowing.block[0, 0] == pytest.approx(2.0, abs=3e-3)
    assert blind.block[0, 0] == pytest.approx(2.0 - 2.0 / 14.0, abs=3e-3)


def test_a_gap_in_time_is_not_caught_up() -> None:
    long, short = follower(1.0), follower(1.0)
    long.follow(60.0)
    short.follow(MAX_CATCH_UP_S)
    assert (long.block == short.block).all()
    assert short.block[0, 0] < 1.0
