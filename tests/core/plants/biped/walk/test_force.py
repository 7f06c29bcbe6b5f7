"""The force of a push: found beside the contact forces, bounded, and none of disorder."""

import math

import numpy as np
import pytest

from core.constants import GRAVITY
from core.plants.biped.walk.force import ForceObserver
from core.records import Record, make_record
from devices.interface import Floats
from tests.core.rig import profile

DT, OMEGA, MASS = 0.001, 3.6, 25.0
SETTINGS = profile().as_biped.pushed


HEIGHT = GRAVITY / OMEGA**2
POINTS = np.array([[[-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]]] * 2)


class Mass:
    """A mass over its feet, which contact forces and a push accelerate and turn."""

    def __init__(self) -> None:
        self.body: Record = make_record(com=3, momentum=6)
        self.feet: Record = make_record(positions=(2, 3), rotations=(2, 3, 3))
        self.feet["positions"][0] = (0.0, 0.1, 0.0), (0.0, -0.1, 0.0)
        self.feet["rotations"][0] = np.eye(3)
        self.body["com"][0] = 0.0, 0.0, HEIGHT
        self.momentum: Floats = self.body["momentum"][0]
        self.forces: Floats = np.zeros((4, 3))
        self.forces[:, 2] = 0.25 * MASS * GRAVITY
        self.offset: Floats = np.zeros(2)
        self.bias: Floats = np.zeros(2)
        arrays = self.body, self.feet, self.offset, self.bias
        self.observer = ForceObserver(SETTINGS, *arrays, DT)
        self.observer.attach(self.forces, POINTS)
        self.turns = 0.0  # share of a push that turns the robot instead of accelerating it

    def push(
        self, x: float, y: float, seconds: float, yaw: float = 0.0, stands: bool = False
    ) -> None:
        """Push with a force [N]."""
        for _ in range(round(seconds / DT)):
            self.observer.watch(MASS, OMEGA, yaw, stands, stands)
            self.momentum[:2] += (1.0 - self.turns) * DT * np.array((x, y))
            self.momentum[3:5] += self.turns * DT * HEIGHT * np.array((-y, x))


def standing() -> Mass:
    """Return a mass that has stood for long enough to know its bias."""
    mass = Mass()
    mass.push(0.0, 0.0, 1.5, stands=True)
    return mass


@pytest.mark.parametrize("turns", [0.0, 0.6, 1.0])
def test_a_push_is_found_within_a_tenth_of_a_second_and_forgotten_as_soon(turns: float) -> None:
    mass, expected = standing(), 30.0 / (MASS * OMEGA**2)
    mass.turns = turns
    mass.push(-30.0, 0.0, 0.1)
    assert mass.offset == pytest.approx((-expected, 0.0), abs=0.15 * expected)
    mass.push(0.0, 0.0, 0.15)
    assert mass.offset.tolist() == [0.0, 0.0]


def test_a_shifted_pressure_is_expected_to_turn_the_robot() -> None:
    mass, ahead = standing(), 0.03
    shift = 0.5 * ahead / 0.1 * 0.5 * MASS * GRAVITY
    mass.forces[:, 2] += [-shift, shift, -shift, shift]
    mass.push(-MASS * OMEGA**2 * ahead, 0.0, 0.3)
    assert mass.offset.tolist() == [0.0, 0.0]
    mass.push(0.0, 0.0, 0.3)
    assert mass.offset == pytest.approx((ahead, 0.0), abs=0.05 * ahead)


def test_contact_forces_and_small_forces_are_no_push() -> None:
    mass = standing()
    mass.push(0.0, 4.0, 0.5)
    assert mass.offset.tolist() == [0.0, 0.0]


def test_disorder_teaches_nothing_and_a_blow_is_bounded() -> None:
    assert SETTINGS is not None
    mass = standing()
    mass.push(1000.0, 0.0, 0.1)
    assert mass.offset[0] == SETTINGS.largest_offset
    before = mass.observer.raw.copy()
    mass.momentum[:] = math.nan
    mass.observer.watch(MASS, OMEGA, math.nan, True, True)
    assert mass.observer.raw.tolist() == before.tolist()


def test_a_force_since_the_start_is_the_robots_own_and_only_a_change_is_a_push() -> None:
    mass, own = Mass(), -12.0 / (MASS * OMEGA**2)
    mass.push(-12.0, 0.0, 1.5, stands=True)
    assert mass.bias == pytest.approx((own, 0.0), abs=0.002)
    assert mass.offset.tolist() == [0.0, 0.0]
    mass.push(8.0, 0.0, 1.0, stands=True)
    assert mass.bias == pytest.approx((own, 0.0), abs=0.004)
    assert mass.offset == pytest.approx((20.0 / (MASS * OMEGA**2), 0.0), abs=0.005)
    mass.push(-12.0, 0.0, 0.2, yaw=math.pi, stands=False)
    assert mass.bias == pytest.approx((-own, 0.0), abs=0.004), "it turns with the robot"


def test_a_force_that_lasts_becomes_the_robots_own_within_its_bound() -> None:
    assert SETTINGS is not None
    mass = standing()
    mass.push(0.0, 30.0, 1.9, stands=True)
    assert mass.bias == pytest.approx((0.0, 0.0), abs=0.004)
    mass.push(0.0, 30.0, 3.0, stands=True)
    assert mass.bias[1] == SETTINGS.largest_bias
    mass.observer.start()
    assert mass.bias.tolist() == mass.offset.tolist() == [0.0, 0.0]
    mass.push(0.0, 30.0, 3.0)
    assert mass.bias.tolist() == [0.0, 0.0], "it steps"
