"""The force of a push: found beside the contact forces, bounded, and none of disorder."""

import math

import numpy as np
import pytest

from core.plants.biped.walk.force import ForceObserver
from core.records import Record, make_record
from devices.interface import Floats
from tests.core.rig import profile

DT, OMEGA, MASS = 0.001, 3.6, 25.0
SETTINGS = profile().as_biped.pushed


class Mass:
    """A mass that contact forces and a push accelerate."""

    def __init__(self) -> None:
        self.body: Record = make_record(com_velocity=3)
        self.velocity: Floats = self.body["com_velocity"][0]
        self.forces: Floats = np.zeros((4, 3))
        self.forces[:, 0] = 3.0
        self.offset: Floats = np.zeros(2)
        self.bias: Floats = np.zeros(2)
        self.observer = ForceObserver(SETTINGS, self.body, self.offset, self.bias, DT)
        self.observer.attach(self.forces)

    def push(
        self, x: float, y: float, seconds: float, yaw: float = 0.0, stands: bool = False
    ) -> None:
        """Push with a force [N]."""
        for _ in range(round(seconds / DT)):
            self.observer.watch(MASS, OMEGA, yaw, stands, stands)
            force = self.forces.sum(axis=0)[:2] + (x, y)
            self.velocity[:2] += DT / MASS * force


def test_a_push_is_found_within_a_tenth_of_a_second_and_forgotten_as_soon() -> None:
    mass, expected = Mass(), 30.0 / (MASS * OMEGA**2)
    mass.push(-30.0, 0.0, 0.1)
    assert mass.offset == pytest.approx((-expected, 0.0), abs=0.15 * expected)
    mass.push(0.0, 0.0, 0.15)
    assert mass.offset.tolist() == [0.0, 0.0]


def test_contact_forces_and_small_forces_are_no_push() -> None:
    mass = Mass()
    mass.push(0.0, 4.0, 0.5)
    assert mass.offset.tolist() == [0.0, 0.0]


def test_disorder_teaches_nothing_and_a_blow_is_bounded() -> None:
    assert SETTINGS is not None
    mass = Mass()
    mass.push(1000.0, 0.0, 0.1)
    assert mass.offset[0] == SETTINGS.largest_offset
    before = mass.observer.raw.copy()
    mass.velocity[:] = math.nan
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
    mass = Mass()
    mass.push(0.0, 0.0, 1.5, stands=True)
    mass.push(0.0, 30.0, 1.9, stands=True)
    assert mass.bias == pytest.approx((0.0, 0.0), abs=0.004)
    mass.push(0.0, 30.0, 3.0, stands=True)
    assert mass.bias[1] == SETTINGS.largest_bias
    mass.observer.start()
    assert mass.bias.tolist() == mass.offset.tolist() == [0.0, 0.0]
    mass.push(0.0, 30.0, 3.0)
    assert mass.bias.tolist() == [0.0, 0.0], "it steps"
