"""A pull at a standing robot: it is found, bounded, leaned against and forgotten."""

import numpy as np
import pytest

from core.plants.biped.walk.pull import PullObserver
from core.records import Record, make_record
from devices.interface import Floats
from tests.core.rig import profile

DT, OMEGA = 0.001, 3.6
SETTINGS = profile().as_biped.guided


class Pendulum:
    """A point mass that a pull accelerates, and that the controller believes to be free."""

    def __init__(self) -> None:
        self.body: Record = make_record(com_velocity=3)
        self.velocity: Floats = self.body["com_velocity"][0]
        self.observer = PullObserver(SETTINGS, self.body, np.zeros(2), DT)

    def pull(self, offset: tuple[float, float], seconds: float, wait: float = 0.0) -> None:
        """Pull like an offset of the CoM [m], while the controller asks for nothing."""
        for _ in range(round(seconds / DT)):
            self.observer.watch(OMEGA, wait, 0.0)
            asked = np.array([0.1, -0.2])
            self.observer.asked(asked)
            self.velocity[:2] += DT * (asked + OMEGA**2 * np.array(offset))


@pytest.fixture
def pendulum() -> Pendulum:
    return Pendulum()


def test_a_pull_is_what_the_command_does_not_explain(pendulum: Pendulum) -> None:
    pendulum.pull((0.06, -0.02), 0.5)
    assert pendulum.observer.offset == pytest.approx((0.06, -0.02), abs=1e-3)
    pendulum.pull((0.0, 0.0), 0.5)
    assert pendulum.observer.offset == pytest.approx((0.0, 0.0), abs=1e-3)


def test_without_a_pull_nothing_is_found(pendulum: Pendulum) -> None:
    pendulum.pull((0.0, 0.0), 0.5)
    assert np.abs(pendulum.observer.offset).max() < 1e-3
    assert np.abs(pendulum.observer.lean).max() < 1e-3


def test_it_begins_with_the_velocity_that_there_is(pendulum: Pendulum) -> None:
    pendulum.velocity[:] = (0.3, 0.0, 0.0)
    pendulum.observer.watch(OMEGA, 0.0, 0.0)
    assert pendulum.observer.offset == pytest.approx((0.0, 0.0), abs=1e-9)


def test_the_robot_leans_against_it_within_bounds(pendulum: Pendulum) -> None:
    pendulum.pull((0.04, -5.0), 2.0, wait=-0.01)
    observer = pendulum.observer
    assert observer.lean[0] == pytest.approx(-0.01 - SETTINGS.lean_share * 0.04, abs=1e-3)
    assert observer.offset[1] == -SETTINGS.largest_offset
    assert observer.lean[1] == pytest.approx(SETTINGS.largest_lean)


def test_a_lean_comes_and_goes_slowly(pendulum: Pendulum) -> None:
    observer, step = pendulum.observer, SETTINGS.lean_speed * DT
    leans = []
    for _ in range(300):
        pendulum.pull((0.1, 0.0), DT)
        leans.append(observer.lean[0])
    assert leans[-1] == pytest.approx(-SETTINGS.largest_lean)
    while leans[-1] != 0.0:
        assert observer.active and len(leans) < 1000
        observer.rest()
        leans.append(observer.lean[0])
    assert np.abs(np.diff(leans)).max() <= step + 1e-12
    assert leans[-1] == 0.0 and not observer.offset.any()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_teaches_nothing(pendulum: Pendulum, bad: float) -> None:
    pendulum.pull((0.05, 0.0), 0.5)
    before = pendulum.observer.offset.copy()
    good = pendulum.velocity.copy()
    pendulum.velocity[:] = bad
    pendulum.observer.watch(OMEGA, 0.0, 0.0)
    assert pendulum.observer.offset == pytest.approx(before)
    pendulum.velocity[:] = good
    pendulum.pull((0.05, 0.0), 0.2)
    assert pendulum.observer.offset[0] == pytest.approx(0.05, abs=1e-3)


def test_one_that_never_watched_is_not_active(pendulum: Pendulum) -> None:
    pendulum.observer.rest()
    assert not pendulum.observer.active and not pendulum.observer.lean.any()
