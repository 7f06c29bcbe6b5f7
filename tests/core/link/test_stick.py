"""Sticks: zero in the dead zone, limits at full travel, monotonic and continuous between."""

import math

from hypothesis import given
from hypothesis import strategies as st

from core.link.commands import Walk
from core.link.hello import Hello
from core.link.stick import (
    FULL,
    HeadRange,
    body_coordinate,
    body_deflection,
    head_deflection,
    head_direction,
    head_range,
    shape_axis,
    shape_stick,
    walk_deflection,
    walk_velocity,
)
from shows.body_limb import Coordinate
from shows.document import WalkBounds
from tests.app.console.rig import HELLO

ways = st.floats(-1.0, 1.0)
dead_zones = st.floats(0.0, 0.5)
expos = st.floats(0.0, 1.0)
REACH = HeadRange(right=-1.5, left=1.4, up=-0.5, down=0.6)
BOUNDS = WalkBounds(forward=0.25, backward=0.15, sideways=0.12, turning=0.6)


@given(ways, dead_zones, expos)
def test_an_axis_in_its_dead_zone_asks_for_nothing(way: float, zone: float, expo: float) -> None:
    assert shape_axis(way * zone, zone, expo) == 0.0


@given(ways, dead_zones, expos)
def test_an_axis_never_asks_for_more_than_all_nor_the_other_way(
    way: float, zone: float, expo: float
) -> None:
    asked = shape_axis(way, zone, expo)
    assert -1.0 <= asked <= 1.0
    assert asked * way >= 0.0
    assert abs(asked) <= abs(way) / FULL + 1e-12


@given(ways, ways, dead_zones, expos)
def test_further_out_asks_for_no_less(one: float, other: float, zone: float, expo: float) -> None:
    near, far = sorted((abs(one), abs(other)))
    assert shape_axis(near, zone, expo) <= shape_axis(far, zone, expo)


@given(dead_zones, expos)
def test_a_worn_stick_still_reaches_the_end(zone: float, expo: float) -> None:
    assert math.isclose(shape_axis(FULL, zone, expo), 1.0)
    assert math.isclose(shape_axis(-1.0, zone, expo), -1.0)


@given(dead_zones, expos, st.floats(0.0, 0.02))
def test_the_edge_of_the_dead_zone_is_no_step(zone: float, expo: float, way: float) -> None:
    assert abs(shape_axis(zone + way, zone, expo)) <= way / (FULL - 0.5) + 1e-12


@given(ways, ways, dead_zones, expos)
def test_a_stick_stays_in_the_circle_and_keeps_its_direction(
    x: float, y: float, zone: float, expo: float
) -> None:
    right, along = shape_stick(x, y, zone, expo)
    assert math.hypot(right, along) <= 1.0 + 1e-9
    assert abs(right * y - along * x) <= 1e-9
    assert right * x >= 0.0 and along * y >= 0.0


def test_expo_makes_the_middle_finer_and_leaves_the_end() -> None:
    assert shape_axis(0.4, 0.1, 1.0) < shape_axis(0.4, 0.1, 0.5) < shape_axis(0.4, 0.1, 0.0)
    assert shape_axis(1.0, 0.1, 1.0) == shape_axis(1.0, 0.1, 0.0) == 1.0


def test_no_number_asks_for_nothing() -> None:
    assert shape_axis(math.nan, 0.1, 0.4) == 0.0
    assert shape_stick(math.nan, 1.0, 0.1, 0.4) == (0.0, 0.0)


@given(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0))
def test_the_head_is_never_asked_beyond_its_joints(right: float, down: float) -> None:
    yaw, pitch = head_direction(right, down, REACH)
    assert REACH.right <= yaw <= REACH.left
    assert REACH.up <= pitch <= REACH.down


@given(ways, ways)
def test_a_direction_is_drawn_where_it_was_asked(right: float, down: float) -> None:
    again = head_deflection(*head_direction(right, down, REACH), REACH)
    assert math.isclose(again[0], right, abs_tol=1e-9)
    assert math.isclose(again[1], down, abs_tol=1e-9)


def test_the_pads_ends_are_the_joints_limits() -> None:
    assert head_direction(-1.0, 1.0, REACH) == (1.4, 0.6)
    assert head_direction(1.0, -1.0, REACH) == (-1.5, -0.5)
    assert head_direction(0.0, 0.0, REACH) == (0.0, 0.0)


def test_a_head_that_cannot_turn_to_a_side_is_not_turned_there() -> None:
    fixed = HeadRange(right=0.0, left=1.0, up=0.1, down=0.2)
    assert head_direction(1.0, 0.0, fixed) == (0.0, 0.1)
    assert head_deflection(-0.3, 0.15, fixed)[0] == 0.0


def test_the_range_comes_from_the_core() -> None:
    assert head_range(HELLO) == HeadRange(right=-1.57, left=1.57, up=-0.52, down=0.52)
    headless = Hello(
        "r", "sim", "floor", "real", 0, True, ("knee",), (), (0.0,), (1.0,), (1.0,), (), ()
    )
    assert head_range(headless) is None


@given(ways, ways, ways, st.floats(0.0, 1.0))
def test_a_walk_stays_within_the_shows_bounds_times_the_share(
    forward: float, left: float, turn: float, share: float
) -> None:
    walk = walk_velocity(forward, left, turn, BOUNDS, share)
    slack = 1e-12
    assert -BOUNDS.backward * share - slack <= walk.vx <= BOUNDS.forward * share + slack
    assert abs(walk.vy) <= BOUNDS.sideways * share + slack
    assert abs(walk.yaw_rate) <= BOUNDS.turning * share + slack
    assert (walk.vx >= 0.0) == (forward * share * BOUNDS.forward >= 0.0) or walk.vx == 0.0


def test_no_deflection_and_no_share_are_standing() -> None:
    assert walk_velocity(0.0, 0.0, 0.0, BOUNDS, 1.0) == Walk()
    assert walk_velocity(1.0, 1.0, 1.0, BOUNDS, 0.0) == Walk()
    assert walk_velocity(-1.0, 0.0, 0.0, BOUNDS, 1.0).vx == -0.15


@given(ways, ways, st.floats(0.1, 1.0))
def test_a_velocity_is_drawn_where_it_was_asked(forward: float, turn: float, share: float) -> None:
    walk = walk_velocity(forward, 0.0, turn, BOUNDS, share)
    right, ahead = walk_deflection(walk.vx, walk.yaw_rate, BOUNDS.turning, BOUNDS, share)
    assert math.isclose(right, -turn, abs_tol=1e-9)
    assert math.isclose(ahead, forward, abs_tol=1e-9)


def test_a_velocity_beyond_the_pad_is_drawn_at_its_edge() -> None:
    assert walk_deflection(2.0, -9.0, 0.6, BOUNDS, 0.5) == (1.0, 1.0)
    assert walk_deflection(0.2, 0.2, 0.6, BOUNDS, 0.0) == (0.0, 0.0)


@given(ways)
def test_the_ends_of_a_coordinate_of_the_body_are_its_limits(way: float) -> None:
    reach = Coordinate(lower=0.05, upper=0.3, speed=1.0, acceleration=1.0)
    assert body_coordinate(0.0, reach) == 0.0
    assert (body_coordinate(-1.0, reach), body_coordinate(1.0, reach)) == (-0.05, 0.3)
    assert math.isclose(body_deflection(body_coordinate(way, reach), reach), way, abs_tol=1e-12)
