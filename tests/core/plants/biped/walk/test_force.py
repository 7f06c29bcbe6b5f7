"""The force of a push: found beside the contact forces, bounded, and none of disorder."""

import math

import numpy as np
import pytest

from core.constants import GRAVITY
from core.plants.biped.walk.force import ForceObserver, planned_rate, velocity_about_ground
from core.plants.biped.walk.pendulum import effective_velocity
from core.records import Record, make_record
from devices.interface import Floats
from tests.core.rig import profile

DT, OMEGA, MASS = 0.001, 3.6, 25.0
SETTINGS = profile().as_biped.pushed


HEIGHT = GRAVITY / OMEGA**2
POINTS = np.array([[[-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]]] * 2)


def arms(feet: Record, body: Record, points: Floats) -> Floats:
    """Return the ways from the CoM to the points of the contacts (2 p, 3) [m]."""
    rotations, positions = feet["rotations"][0], feet["positions"][0]
    world: Floats = np.einsum("sij,spj->spi", rotations, points) + positions[:, np.newaxis]
    found: Floats = world.reshape(-1, 3) - body["com"][0]
    return found


class Mass:
    """A mass that stands on its feet, which a push accelerates and turns."""

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
            self.observer.watch(MASS, OMEGA, yaw, stands, stands, False)
            moment = np.cross(arms(self.feet, self.body, POINTS), self.forces).sum(axis=0)
            force = self.forces.sum(axis=0) - (0.0, 0.0, MASS * GRAVITY)
            force[:2] += (1.0 - self.turns) * np.array((x, y))
            moment[:2] += self.turns * HEIGHT * np.array((-y, x))
            self.momentum += DT * np.append(force, moment)


def standing() -> Mass:
    """Return a mass that has stood for long enough to know its bias."""
    mass = Mass()
    mass.push(0.0, 0.0, 1.5, stands=True)
    return mass


@pytest.mark.parametrize("count", [2, 4])
def test_contact_forces_turn_the_robot_about_the_ground(count: int) -> None:
    draw = np.random.default_rng(count)
    mass, scale = Mass(), 1.0 / (MASS * HEIGHT)
    mass.feet["rotations"][0] = [turned_axes(draw) for _ in range(2)]
    mass.feet["positions"][0] += draw.normal(0.0, 0.1, (2, 3))
    mass.body["com"][0] += draw.normal(0.0, 0.1, 3)
    mass.momentum[:] = draw.normal(0.0, 5.0, 6)
    points, forces = draw.normal(0.0, 0.1, (2, count, 3)), draw.normal(0.0, 50.0, (2 * count, 3))
    moment = np.cross(arms(mass.feet, mass.body, points), forces).sum(axis=0)
    expected = forces.sum(axis=0)[:2] / MASS + scale * np.array((moment[1], -moment[0]))
    found = planned_rate(mass.body, mass.feet, points, forces, MASS, scale)
    assert found == pytest.approx(tuple(expected), rel=1e-9)
    ground, u = mass.body["com"][0] - (0.0, 0.0, HEIGHT), np.zeros(2)
    effective_velocity(mass.body["com"][0], ground, mass.momentum, scale, u)
    assert velocity_about_ground(mass.body, MASS, scale) == pytest.approx(tuple(u), rel=1e-9)


def turned_axes(draw: np.random.Generator) -> Floats:
    """Return the axes of a frame that is turned at random (3, 3)."""
    return np.linalg.qr(draw.normal(size=(3, 3)))[0]


@pytest.mark.parametrize(("x", "y"), [(-30.0, 0.0), (0.0, 30.0)])
@pytest.mark.parametrize("turns", [0.0, 0.6, 1.0])
def test_a_push_is_found_within_a_tenth_of_a_second_and_forgotten_as_soon(
    turns: float, x: float, y: float
) -> None:
    mass, expected = standing(), np.array((x, y)) / (MASS * OMEGA**2)
    mass.turns = turns
    mass.push(x, y, 0.1)
    assert mass.offset == pytest.approx(expected, abs=0.15 * np.abs(expected).max())
    mass.push(0.0, 0.0, 0.15)
    assert mass.offset.tolist() == [0.0, 0.0]


def test_contact_forces_and_small_forces_are_no_push() -> None:
    mass = standing()
    shift = 0.1 * MASS * GRAVITY
    mass.forces += [(8.0, 0.0, -shift), (0.0, -5.0, shift), (4.0, 9.0, -shift), (0.0, 0.0, shift)]
    mass.push(0.0, 4.0, 0.3)
    assert mass.offset.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("stands", [True, False])
def test_nothing_is_a_push_before_the_robot_knows_its_bias(stands: bool) -> None:
    mass = Mass()
    mass.momentum[:] = 3.0  # it moves when it is let go
    mass.push(0.0, 0.0, 0.01, stands=stands)
    assert np.abs(mass.observer.raw).max() < 1e-6
    mass.push(30.0, 0.0, 0.6, stands=stands)
    assert mass.offset.tolist() == [0.0, 0.0]
    whole = 30.0 / (MASS * OMEGA**2)
    assert mass.bias[0] + mass.observer.raw[0] == pytest.approx(whole, abs=0.01)
    assert (mass.bias[0] > 0.5 * whole) == stands
    for _ in range(1300):
        mass.observer.watch(MASS, OMEGA, 0.0, False, False, True)
        mass.momentum[:2] += DT * np.array((30.0, 0.0))
    assert mass.offset.any(), "it has been on its feet for long enough"


def test_a_robot_that_has_stood_without_a_force_can_be_pushed_soon_after_its_start() -> None:
    mass = Mass()
    mass.push(0.0, 0.0, 0.25, stands=True)
    mass.push(0.0, 30.0, 0.02, stands=True)
    assert mass.offset.tolist() == [0.0, 0.0], "a force that comes so soon may be its own"
    mass = Mass()
    mass.push(0.0, 0.0, 0.35, stands=True)
    mass.push(0.0, 30.0, 0.1, stands=True)
    assert mass.offset[1] > 0.02
    assert np.abs(mass.bias).max() < 0.002


def test_who_holds_a_robot_since_its_start_does_not_push_it_by_letting_go() -> None:
    mass = Mass()
    mass.push(-10.0, 0.0, 0.6, stands=True)
    for _ in range(300):
        mass.push(0.0, 0.0, DT, stands=True)
        assert mass.offset.tolist() == [0.0, 0.0]


def test_disorder_teaches_nothing_and_a_blow_is_bounded() -> None:
    assert SETTINGS is not None
    mass = standing()
    mass.push(1000.0, 0.0, 0.1)
    assert mass.offset[0] == SETTINGS.largest_offset
    before = mass.observer.raw.copy()
    mass.momentum[:] = math.nan
    mass.observer.watch(MASS, OMEGA, math.nan, True, True, False)
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
