"""Capsules: the nearest points of two segments, and the capsule about a body's corners."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.picture.capsules import Capsules, RobotCapsules, nearest
from app.picture.primitives import capsule
from app.picture.robot_tree import Body, Floats, Patch, RobotTree

POINT = st.tuples(*[st.sampled_from([-1.0, -0.3, 0.0, 0.2, 1.0])] * 3)


@given(st.tuples(POINT, POINT, POINT, POINT))
def test_no_points_of_two_segments_are_nearer(ends: tuple[tuple[float, ...], ...]) -> None:
    p, q, r, s = (np.array(end) for end in ends)
    here, there = nearest(p, q, r, s)
    shares = np.linspace(0.0, 1.0, 41)[:, None]
    one, other = p + shares * (q - p), r + shares * (s - r)
    apart = np.linalg.norm(one[:, None] - other, axis=2).min()
    assert np.linalg.norm(there - here) <= apart + 1e-9
    for point, start, end in ((here, p, q), (there, r, s)):
        way = np.linalg.norm(point - start) + np.linalg.norm(end - point)
        assert way == pytest.approx(np.linalg.norm(end - start), abs=1e-9)


def test_a_body_gets_the_capsule_of_its_shape() -> None:
    mesh = capsule(0.05, 0.3)
    body = Body(-1, np.eye(4), "", np.array([0.0, 0.0, 1.0]), False, (Patch(mesh, (1.0,) * 3),))
    found = RobotCapsules(RobotTree("stick", (body,)))
    turned = np.eye(4)
    turned[:3, :3] = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]  # z to x
    turned[:3, 3] = (1.0, 2.0, 3.0)
    limb = found.at(turned[None], np.array([0]))
    assert limb.radii[0] == pytest.approx(0.05, abs=0.006)
    assert abs(limb.ends[0, 0] - limb.starts[0, 0]) == pytest.approx(0.3, abs=0.02)
    gap_m, place = limb.gap(spheres([(1.1, 2.2, 3.0)], 0.1))
    assert gap_m == pytest.approx(0.05, abs=0.006)
    assert place == pytest.approx((1.1, 2.0, 3.0), abs=0.006)
    none = np.zeros((0, 3))
    assert limb.gap(Capsules(none, none, np.zeros(0)))[0] == np.inf


def spheres(places: list[tuple[float, float, float]], radius: float) -> Capsules:
    points: Floats = np.array(places)
    return Capsules(points, points, np.full(len(places), radius))
