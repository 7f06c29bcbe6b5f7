"""The path of a transition keeps the joints' range, also if it starts or ends fast."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.behave.hermite import fill_basis, new_basis
from core.behave.path import Bounds, Segment, path_between
from devices.interface import Floats

JOINTS = 3
STRONGEST = 40.0
BOUNDS = Bounds(
    np.full(JOINTS, -0.5), np.full(JOINTS, 1.5), np.full(JOINTS, 4.0), STRONGEST, longest_s=8.0
)
position = st.floats(-0.5, 1.5)
share = st.floats(-1.0, 1.0)


def states(segment: Segment, count: int = 60) -> Floats:
    """Return position, velocity and acceleration over a segment (count, 3, n)."""
    basis, flat = new_basis()
    found = []
    for s in np.linspace(0.0, 1.0, count):
        fill_basis(flat, float(s), segment.duration_s, 1.0)
        found.append(basis @ segment.knots)
    return np.array(found)


def able(q: float, share: float) -> float:
    """Return a velocity from which a joint can stop within its range."""
    room = max(min(1.5 - q if share > 0.0 else q + 0.5, 0.2), 0.0)
    return share * float(np.sqrt(1.9 * STRONGEST * room))


ends = st.tuples(*[st.tuples(position, share, position, share)] * JOINTS)


@given(ends, st.floats(0.3, 2.0))
def test_a_path_meets_its_ends_and_respects_its_bounds(
    draws: tuple[tuple[float, float, float, float], ...], asked_s: float
) -> None:
    ends = ((a, able(a, u), b, w * min(able(b, 1.0), -able(b, -1.0))) for a, u, b, w in draws)
    knots = np.array(list(ends)).T
    path = path_between(knots, asked_s, BOUNDS)
    duration_s = sum(segment.duration_s for segment in path)
    assert asked_s <= duration_s + 1e-9
    assert duration_s < 8.0
    np.testing.assert_array_equal(path[0].knots[:2], knots[:2])
    np.testing.assert_array_equal(path[-1].knots[2:], knots[2:])
    for before, after in zip(path, path[1:], strict=False):
        np.testing.assert_array_equal(before.knots[2:], after.knots[:2])
    found = np.concatenate([states(segment) for segment in path])
    fastest = np.maximum(4.0, np.abs(knots[1::2]).max(axis=0))
    assert (np.abs(found[:, 1]) <= fastest + 1e-6).all()
    assert found[:, 0].min() >= -0.5 - 2e-3
    assert found[:, 0].max() <= 1.5 + 2e-3
    room = np.where(found[:, 1] > 0.0, 1.5 - found[:, 0], found[:, 0] + 0.5)
    needed = 0.5 * found[:, 1] ** 2 - 1.05 * STRONGEST * np.maximum(room, 0.0)
    assert needed.max() <= 0.01, "it can always stop within its range"


def test_only_the_joint_that_would_leave_its_range_brakes() -> None:
    knots = np.array([[1.38, 0.0, 0.3], [3.0, 1.0, 0.0], [0.0, 0.4, 0.1], [0.0, 0.0, 0.5]])
    brake, rest = path_between(knots, 1.0, BOUNDS)
    stopped = states(brake)[-1]
    assert np.allclose(stopped[:2, 0], [1.5, 0.0])
    whole = states(Segment(knots, 1.0), 101)
    cut_s = brake.duration_s + 0.5 * rest.duration_s
    basis, flat = new_basis()
    fill_basis(flat, cut_s, 1.0, 1.0)
    assert np.allclose((basis @ knots)[:, 1:], states(rest, 3)[1][:, 1:])
    assert whole[:, 0, 0].max() > 1.6


def test_a_path_that_ends_in_motion_starts_from_the_end_of_the_range() -> None:
    knots = np.tile([[0.0], [0.0], [1.4], [-2.0]], JOINTS)
    rest, start = path_between(knots, 1.0, BOUNDS)
    assert states(rest)[-1][0, 0] == 1.5
    assert states(start)[:, 0].max() <= 1.5


def test_a_joint_that_cannot_stop_in_time_brakes_hard() -> None:
    knots = np.tile([[1.49], [3.0], [0.0], [0.0]], JOINTS)
    brake = path_between(knots, 1.0, BOUNDS)[0]
    assert np.allclose(states(brake)[:, 2], -1.5 * STRONGEST)
