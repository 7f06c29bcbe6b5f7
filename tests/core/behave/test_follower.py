"""The head by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.behave.follower import MAX_CATCH_UP_S, Follower


@given(st.lists(st.floats(-1.5, 1.5), min_size=1, max_size=8), st.floats(0.0005, 0.02))
def test_speed_and_acceleration_are_limited_and_add_up(goals: list[float], dt: float) -> None:
    follower, block = Follower(14.0, 2.5, 30.0), np.zeros((3, 1))
    for goal in goals:
        for _ in range(40):
            q, dq = block[0, 0], block[1, 0]
            follower.follow(block, np.array([goal]), dt)
            assert abs(block[1, 0]) <= 2.5
            assert abs(block[2, 0]) <= 30.0
            assert abs(block[1, 0] - dq) <= 30.0 * dt + 1e-12
            if dt <= 0.01:
                mean = 0.5 * (dq + block[1, 0])
                assert block[0, 0] - q == pytest.approx(mean * dt, abs=1e-12)


def test_it_arrives_and_stays() -> None:
    follower, block, goal = Follower(14.0, 2.5, 30.0), np.zeros((3, 2)), np.array([1.2, -0.4])
    for _ in range(3000):
        follower.follow(block, goal, 0.001)
        assert block[0, 0] < 1.25
    assert block[0] == pytest.approx(goal, abs=1e-6)
    assert block[1] == pytest.approx(np.zeros(2), abs=1e-6)


def test_a_gap_in_time_is_not_caught_up() -> None:
    long, short = np.zeros((3, 1)), np.zeros((3, 1))
    follower, goal = Follower(14.0, 2.5, 30.0), np.array([1.0])
    follower.follow(long, goal, 60.0)
    follower.follow(short, goal, MAX_CATCH_UP_S)
    assert (long == short).all()
    assert short[0, 0] < 1.0
