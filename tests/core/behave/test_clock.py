"""The clock of a limb: freezing and resuming it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.behave.clock import MotionClock


def test_it_is_real_time_to_the_last_bit_until_frozen() -> None:
    clock = MotionClock()
    for now_s in (0.0, 0.1, 123.456789, 98765.4321):
        clock.advance(now_s)
        assert clock.motion_s == now_s
        assert clock.rate == 1.0
    assert clock.is_real_time


def test_a_freeze_rests_and_a_resume_goes_on_from_there() -> None:
    clock = MotionClock()
    clock.freeze(10.0, 0.15)
    clock.advance(10.15)
    rested_s = clock.motion_s
    assert clock.at_rest
    assert rested_s == pytest.approx(10.075)
    clock.advance(500.0)
    assert clock.motion_s == rested_s
    clock.resume(500.0, 0.15)
    assert clock.motion_s == rested_s
    clock.advance(501.0)
    assert clock.motion_s == pytest.approx(rested_s + 1.0 - 0.075)
    assert not clock.is_real_time


@given(st.lists(st.tuples(st.booleans(), st.floats(0.001, 0.4)), max_size=12))
def test_time_and_rate_are_continuous_however_it_is_interrupted(
    turns: list[tuple[bool, float]],
) -> None:
    clock, now_s = MotionClock(), 7.0
    clock.advance(now_s)
    for freeze, wait_s in turns:
        before = (clock.motion_s, clock.rate)
        turn = clock.freeze if freeze else clock.resume
        turn(now_s, 0.15)
        clock.advance(now_s)
        assert (clock.motion_s, clock.rate) == pytest.approx(before, abs=1e-12)
        steps = 40
        for i in range(1, steps + 1):
            last_s, last_rate, last_slope = clock.motion_s, clock.rate, clock.rate_slope
            clock.advance(now_s + wait_s * i / steps)
            h = wait_s / steps
            assert clock.motion_s >= last_s
            assert 0.0 <= clock.rate <= 1.0
            mean = 0.5 * (last_rate + clock.rate)
            assert clock.motion_s - last_s == pytest.approx(mean * h, abs=30.0 * h**3 + 1e-12)
            slope = 0.5 * (last_slope + clock.rate_slope)
            # The slope itself may jump where a ramp is cut short or ends.
            assert clock.rate - last_rate == pytest.approx(slope * h, abs=15.0 * h + 1e-12)
        now_s += wait_s


def test_a_copy_goes_its_own_way() -> None:
    clock = MotionClock()
    clock.freeze(1.0, 0.2)
    clock.advance(1.1)
    twin = clock.copy()
    assert (twin.motion_s, twin.rate, twin.frozen) == (clock.motion_s, clock.rate, True)
    twin.resume(1.1, 0.2)
    assert clock.frozen
    assert not twin.frozen
