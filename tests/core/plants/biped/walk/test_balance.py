"""Standing balance: coordinates of the support, and the capture point's pole."""

import math
from dataclasses import dataclass, field
from typing import cast

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.plants.biped.model import RobotModel
from core.plants.biped.walk.balance import StandingBalance, Support, Target, support_of
from core.plants.biped.walk.pendulum import natural_frequency
from devices.interface import Floats
from tests.core.rig import profile

HEIGHT = 0.745
OMEGA = natural_frequency(HEIGHT)
metres = st.floats(-2.0, 2.0)


def turned(yaw: float) -> Floats:
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


@dataclass
class Puppet:
    """As much of a model as balance looks at: a point mass over two feet."""

    com: Floats = field(default_factory=lambda: np.array([0.0, 0.0, HEIGHT]))
    com_velocity: Floats = field(default_factory=lambda: np.zeros(3))
    soles: Floats = field(default_factory=lambda: np.array([[0.0, 0.1, 0.0], [0.0, -0.1, 0.0]]))
    sole_rotations: Floats = field(default_factory=lambda: np.stack([np.eye(3)] * 2))

    @property
    def model(self) -> RobotModel:
        return cast(RobotModel, self)

    def turn(self, yaw: float, x: float, y: float) -> None:
        """Put all of it elsewhere in the world."""
        rotation = turned(yaw)
        shift = np.array([x, y, 0.0])
        self.com = rotation @ self.com + shift
        self.com_velocity = rotation @ self.com_velocity
        self.soles = self.soles @ rotation.T + shift
        self.sole_rotations = rotation @ self.sole_rotations


def balance() -> StandingBalance:
    return StandingBalance(profile().as_biped.balance, profile().contacts[0], ankle_reach=0.2)


@given(metres, metres, st.floats(-3.1, 3.1), metres, metres, st.floats(-0.3, 0.3))
def test_coordinates_and_points_are_inverse(
    x: float, y: float, yaw: float, along: float, across: float, stagger: float
) -> None:
    forward = (math.cos(yaw), math.sin(yaw))
    span = (stagger * forward[0] - 0.1 * forward[1], stagger * forward[1] + 0.1 * forward[0])
    support = Support((x, y), forward, span, yaw)
    point = support.point(along, across)
    assert support.coordinates(*point) == pytest.approx((along, across), abs=1e-9)


def test_the_feet_are_at_plus_and_minus_one() -> None:
    puppet = Puppet()
    puppet.soles[0, 0] = 0.08
    puppet.turn(0.7, 1.0, -2.0)
    support = support_of(puppet.model)
    assert support.coordinates(*puppet.soles[0, :2]) == pytest.approx((0.0, 1.0), abs=1e-9)
    assert support.coordinates(*puppet.soles[1, :2]) == pytest.approx((0.0, -1.0), abs=1e-9)
    assert support.forward == pytest.approx((math.cos(0.7), math.sin(0.7)))


def test_feet_that_toe_out_share_their_mean_direction() -> None:
    puppet = Puppet()
    puppet.sole_rotations = np.stack([turned(0.3), turned(-0.1)])
    support = support_of(puppet.model)
    assert support.forward == pytest.approx((math.cos(0.1), math.sin(0.1)))
    assert support.yaw == pytest.approx(0.1)


def test_feet_in_line_have_no_width() -> None:
    support = Support((0.0, 0.0), (1.0, 0.0), (0.1, 0.0), 0.0)
    assert support.coordinates(0.03, 0.2) == (0.03, 0.0)


@pytest.mark.parametrize("target", [(0.0, 0.0), (0.02, 0.0), (0.0, 0.4)])
@pytest.mark.parametrize("yaw", [0.0, 1.2])
def test_the_capture_points_error_decays_with_the_gain_as_its_pole(
    target: tuple[float, float], yaw: float
) -> None:
    puppet = Puppet()
    puppet.com[:2] = (0.02, 0.02)
    puppet.com_velocity[:2] = (0.03, -0.05)
    puppet.turn(yaw, 0.5, 0.2)
    keeper, out, dt = balance(), np.zeros(2), 1e-4
    start = keeper.capture_point(puppet.model, support_of(puppet.model), OMEGA)
    for _ in range(5000):
        keeper.acceleration(puppet.model, HEIGHT, Target(*target), out)
        puppet.com[:2] += dt * puppet.com_velocity[:2] + 0.5 * dt * dt * out
        puppet.com_velocity[:2] += dt * out
    end = keeper.capture_point(puppet.model, support_of(puppet.model), OMEGA)
    left = math.exp(-profile().as_biped.balance.capture_gain * 0.5)
    for axis in range(2):
        assert end[axis] - target[axis] == pytest.approx(
            left * (start[axis] - target[axis]), abs=2e-4
        )


@given(
    st.floats(-0.5, 0.5), st.floats(-0.5, 0.5), st.floats(-2, 2), st.floats(-2, 2), st.floats(-3, 3)
)
def test_the_pressure_stays_inside_the_support(
    x: float, y: float, vx: float, vy: float, yaw: float
) -> None:
    puppet = Puppet()
    puppet.com[:2] = (x, y)
    puppet.com_velocity[:2] = (vx, vy)
    puppet.turn(yaw, 0.1, 0.2)
    out = np.zeros(2)
    support = balance().acceleration(puppet.model, HEIGHT, Target(), out)
    pressure = puppet.com[:2] - out / OMEGA**2
    along, across = support.coordinates(float(pressure[0]), float(pressure[1]))
    feet, margin = profile().contacts[0], profile().as_biped.balance.support_margin
    assert feet.heel + margin - 1e-9 <= along <= feet.toe - margin + 1e-9
    assert abs(across) <= 0.95 + 1e-9


@given(st.floats(-3.0, 3.0), metres, metres, st.floats(-0.05, 0.05), st.floats(-0.05, 0.05))
def test_where_the_world_begins_does_not_matter(
    yaw: float, x: float, y: float, com_x: float, com_y: float
) -> None:
    near, far = Puppet(), Puppet()
    for puppet in (near, far):
        puppet.com[:2] = (com_x, com_y)
        puppet.com_velocity[:2] = (0.1, -0.2)
    far.turn(yaw, x, y)
    one, other = np.zeros(2), np.zeros(2)
    balance().acceleration(near.model, HEIGHT, Target(0.0, 0.1), one)
    balance().acceleration(far.model, HEIGHT, Target(0.0, 0.1), other)
    np.testing.assert_allclose(turned(yaw)[:2, :2] @ one, other, atol=1e-9)


@given(st.floats(-0.2, 0.2), st.floats(-1.5, 1.5))
def test_a_step_is_due_beyond_the_share_of_the_way_to_the_edge(along: float, across: float) -> None:
    settings, keeper = profile().as_biped.balance, balance()
    forward_edge = settings.step_at * keeper.toe
    backward_edge = settings.step_at * keeper.heel
    assume(min(abs(along - forward_edge), abs(along - backward_edge)) > 1e-9)
    outside = not backward_edge < along < forward_edge or abs(across) > settings.step_at
    assert keeper.must_step(support_of(Puppet().model), along, across) == outside


def test_weak_ankles_shorten_the_support_and_strong_ones_do_not_lengthen_it() -> None:
    feet = profile().contacts[0]
    strong = balance()
    assert (strong.heel, strong.toe) == (feet.heel, feet.toe)
    weak = StandingBalance(profile().as_biped.balance, feet, ankle_reach=0.03)
    assert feet.heel < weak.heel < weak.toe < feet.toe
    assert weak.toe - weak.heel == pytest.approx(0.06)
    edge = 0.9 * weak.toe
    support = support_of(Puppet().model)
    assert weak.must_step(support, edge, 0.0) and not strong.must_step(support, edge, 0.0)


def test_a_pull_is_answered_like_an_offset_of_the_com() -> None:
    pulled, moved, one, other = Puppet(), Puppet(), np.zeros(2), np.zeros(2)
    gain = 1.0 + balance().settings.capture_gain / OMEGA
    balance().acceleration(pulled.model, HEIGHT, Target(), one, (0.02, 0.1))
    moved.com[:2] = (0.02 / gain, 0.01 / gain)
    balance().acceleration(moved.model, HEIGHT, Target(), other)
    # The same pressure under a CoM that is not moved.
    assert one == pytest.approx(other - OMEGA**2 * moved.com[:2])


def test_parts_of_a_vector_do_not_depend_on_the_place() -> None:
    puppet = Puppet()
    puppet.turn(0.4, 3.0, -1.0)
    x, y = (turned(0.4) @ np.array([0.03, 0.05, 0.0]))[:2]
    assert support_of(puppet.model).parts(x, y) == pytest.approx((0.03, 0.5))


def test_the_middle_of_the_reach_is_below_the_ankle() -> None:
    feet = profile().contacts[0]
    weak = StandingBalance(profile().as_biped.balance, feet, ankle_reach=0.05)
    assert weak.middle == pytest.approx(feet.ankle)
    assert balance().middle == pytest.approx(0.5 * (feet.heel + feet.toe))


def test_a_bias_is_balanced_like_the_same_way_of_the_com() -> None:
    # What is asked of the true CoM is less by what its offset does without being asked.
    own, moved, one, other = Puppet(), Puppet(), np.zeros(2), np.zeros(2)
    keeper = StandingBalance(
        profile().as_biped.balance, profile().contacts[0], 0.2, bias=np.array([0.01, -0.02])
    )
    keeper.acceleration(own.model, HEIGHT, Target(), one)
    moved.com[:2] = keeper.bias
    balance().acceleration(moved.model, HEIGHT, Target(), other)
    assert one + OMEGA**2 * keeper.bias == pytest.approx(other)


def test_a_capture_point_is_outside_from_the_edge_of_the_feet_on() -> None:
    support, feet = support_of(Puppet().model), profile().contacts[0]
    weak = StandingBalance(profile().as_biped.balance, feet, ankle_reach=0.03)
    for along, across, outside in (
        (feet.toe - 0.001, 0.99, False),
        (feet.toe + 0.001, 0.0, True),
        (feet.heel - 0.001, 0.0, True),
        (0.0, -1.01, True),
    ):
        assert weak.is_outside(support, along, across) == outside
    assert weak.is_outside(support, math.nan, 0.0)
