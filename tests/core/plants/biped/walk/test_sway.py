"""The sine of the body: it begins and ends at rest, and a request ends it within the blend."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.link.catalogue import safety
from core.plants.biped.walk.balance import Support, Target
from core.plants.biped.walk.sway import SwayMotion
from core.plants.biped.walk.swaying import LARGEST_TRIM_M, PUSHED_M, STILL_M, Swaying
from core.plants.interface import Sway
from shows.joints import SwayRange

LIMITS = SwayRange(left=0.05, forward=0.03, up=0.08, frequency_hz=0.5, blend_s=1.0, trim_rate=2.0)
DT = 0.01
FEET = Support((0.0, 0.0), (1.0, 0.0), (0.0, 0.1), 0.0)


def offsets(motion: SwayMotion, sway: Sway | None, begin_s: float, end_s: float) -> list[float]:
    """Return the offset to the left at every tick of a time."""
    times = np.arange(begin_s, end_s, DT).tolist()
    found = []
    for time_s in times:
        assert motion.follow(time_s, sway, True) is None
        found.append(motion.offset[1])
    return found


@pytest.mark.parametrize(
    "sway",
    [
        Sway("left", 0.051, 0.1),
        Sway("left", 0.0, 0.1),
        Sway("left", float("nan"), 0.1),
        Sway("up", 0.05, 0.51),
        Sway("up", 0.05, -0.1),
        Sway("forward", 0.02, 0.1, -1),
    ],
)
def test_a_request_beyond_the_range_is_refused_once(sway: Sway) -> None:
    motion = SwayMotion(LIMITS)
    assert motion.follow(0.0, sway, True) is sway
    assert motion.follow(DT, sway, True) is None
    assert not motion.active and motion.offset == [0.0] * 3


def test_a_robot_without_a_range_refuses_every_request() -> None:
    sway = Sway("left", 0.01, 0.1)
    assert SwayMotion(None).follow(0.0, sway, True) is sway


@given(st.floats(0.05, 0.5), st.integers(1, 3))
def test_it_begins_and_ends_at_rest_without_jumps(frequency_hz: float, cycles: int) -> None:
    motion = SwayMotion(LIMITS)
    sway = Sway("left", 0.05, frequency_hz, cycles)
    way = np.array(offsets(motion, sway, 0.0, cycles / frequency_hz + 1.5))
    assert not motion.active
    assert way[0] == way[-1] == 0.0
    speed = np.diff(way) / DT
    # The largest change of speed is that of the sine and of the blend at once.
    assert np.abs(np.diff(speed)).max() / DT < 0.05 * (8.0 + 2.0 * 12.0 * frequency_hz + 40.0)
    assert 0.03 < np.abs(way).max() <= 0.05 + 1e-12 or cycles / frequency_hz < 4.0


def test_velocity_and_acceleration_are_those_of_the_offset() -> None:
    motion, sway, h = SwayMotion(LIMITS), Sway("left", 0.05, 0.2, 2), 1e-4
    motion.follow(0.0, sway, True)
    for time_s in (0.3, 2.0, 6.0, 9.4):
        way = []
        for k in (-1, 0, 1):
            motion.follow(time_s + k * h, sway, True)
            way.append(motion.offset[1])
            if k == 0:
                velocity, acceleration = motion.velocity[1], motion.acceleration[1]
        assert velocity == pytest.approx((way[2] - way[0]) / (2.0 * h), abs=1e-6)
        assert acceleration == pytest.approx((way[2] - 2 * way[1] + way[0]) / h**2, abs=1e-4)


def test_a_request_that_ends_fades_and_the_next_one_waits() -> None:
    motion, first, second = SwayMotion(LIMITS), Sway("left", 0.05, 0.1), Sway("left", 0.02, 0.3, 1)
    offsets(motion, first, 0.0, 12.0)
    way = offsets(motion, second, 12.0, 13.0)
    assert abs(way[0]) > 0.02 and motion.active
    assert abs(way[-1]) < 1e-3
    later = offsets(motion, second, 13.0, 17.5)
    assert 0.005 < max(map(abs, later)) <= 0.02 and not motion.active


def test_a_step_ends_it_at_once_and_a_restless_robot_does_not_begin() -> None:
    swaying, sway = Swaying(LIMITS, None, np.zeros((3, 6)), DT), Sway("left", 0.05, 0.1)
    swaying.follow(0.0, sway, True, False)
    assert [one.code for one in swaying.statements] == [safety.SWAY_NOT_CALM().code]
    swaying.statements.clear()
    again = Sway("left", 0.05, 0.1)
    swaying.follow(DT, again, True, True)
    swaying.follow(2.5, again, True, True)
    assert swaying.motion.active and swaying.motion.offset[1] > 0.02
    swaying.cut()
    assert swaying.motion.offset == [0.0] * 3
    assert [one.code for one in swaying.statements] == [safety.SWAY_CUT().code]


def test_its_trim_answers_an_error_within_bounds_and_at_rest_a_small_one_alone() -> None:
    swaying, sway = Swaying(LIMITS, None, np.zeros((3, 6)), DT), Sway("left", 0.05, 0.1)
    for tick in range(1500):
        swaying.follow(tick * DT, sway, True, True)
        target = swaying.target(FEET, 3.7, Target(), (0.0, -5.0), True, False)  # it lags far behind
    free = swaying.motion.offset[1] + swaying.motion.velocity[1] / 3.7
    assert target.across == pytest.approx((free + LARGEST_TRIM_M) / 0.1)
    swaying.cut()
    for away_m, alone, learns in (
        (1.25 * PUSHED_M, True, False),
        (0.5 * STILL_M, True, False),
        (0.5 * PUSHED_M, False, False),  # a person pulls at the robot, or pushes it
        (0.5 * PUSHED_M, True, True),
    ):
        for moves in (False, True):
            if moves and away_m < STILL_M:
                continue
            before = swaying.target(FEET, 3.7, Target(), (0.0, 0.0), alone, moves).along
            for _ in range(100):
                after = swaying.target(FEET, 3.7, Target(), (-away_m, 0.0), alone, moves).along
            assert (after > before) is learns, away_m
