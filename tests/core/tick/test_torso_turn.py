"""The torso turns after the head: later, slower, no farther than it can, and back at the end."""

import math

import pytest

from core.behave.settings import LookSettings
from core.tick.torso_turn import TorsoTurn

SETTINGS, REACH, TICK_S = LookSettings(), 0.25, 0.001


class Look:
    """A torso, and what it did at the worst."""

    def __init__(self) -> None:
        self.torso = TorsoTurn(SETTINGS, REACH)
        self.now_s = 7.0
        self.fastest = self.farthest = 0.0

    def last(self, time_s: float, azimuth: float | None, frozen: bool = False) -> float:
        """Look for a time; return the turn at its end [rad]."""
        for _ in range(round(time_s / TICK_S)):
            self.torso.follow(self.now_s, azimuth, frozen)
            self.now_s += TICK_S
            turn, speed, _ = self.torso.motion.tolist()
            self.fastest, self.farthest = max(self.fastest, abs(speed)), max(self.farthest, turn)
        return float(self.torso.motion[0])


def test_a_comfortable_point_leaves_the_torso_alone_however_long() -> None:
    assert Look().last(5.0, SETTINGS.comfortable - 0.01) == 0.0


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_far_point_turns_it_after_a_delay_to_the_same_side_and_a_released_one_back(
    side: float,
) -> None:
    look = Look()
    far = side * (SETTINGS.comfortable + 0.2)
    assert look.last(SETTINGS.delay_s - 0.01, far) == 0.0
    assert look.last(3.0, far) == pytest.approx(0.2 * side, abs=0.005)
    assert 0.05 < look.fastest <= SETTINGS.turn_speed
    assert look.last(4.0, None) == 0.0 and not look.torso.active


def test_it_turns_no_farther_than_it_can_and_waits_anew_for_the_next_look() -> None:
    look = Look()
    look.last(5.0, math.pi)
    assert look.farthest == pytest.approx(REACH, abs=1e-3)
    look.last(9.0, None)
    assert look.last(SETTINGS.delay_s - 0.01, math.pi) == 0.0


def test_a_frozen_body_comes_to_rest_where_it_is() -> None:
    look = Look()
    turn = look.last(SETTINGS.delay_s + 0.4, 1.0)
    assert turn > 0.01
    rest = look.last(2.0, None, frozen=True)
    assert turn < rest < turn + SETTINGS.turn_speed / SETTINGS.turn_stiffness
    assert look.last(1.0, None, frozen=True) == pytest.approx(rest, abs=1e-4)
