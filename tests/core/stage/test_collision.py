"""Capsules and their distances, against brute force and by construction."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.stage.collision import CollisionModel, _between, _to_points, fit_capsule
from tests.core.stage.robot import body

seeds = st.integers(0, 10_000)


@given(seed=seeds)
def test_the_distance_of_two_lines_is_that_of_their_nearest_points(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b, c, d = rng.uniform(-1.0, 1.0, (4, 1, 3))
    if seed % 4 == 0:
        d = c + (b - a) * rng.uniform(0.1, 2.0)  # parallel
    if seed % 5 == 0:
        d = c  # a point
    s, t = np.meshgrid(np.linspace(0.0, 1.0, 201), np.linspace(0.0, 1.0, 201))
    first = a + s.reshape(-1, 1) * (b - a)
    second = c + t.reshape(-1, 1) * (d - c)
    brute = np.linalg.norm(first - second, axis=1).min()
    found = float(_between(a, b, c, d)[0])
    assert found <= brute + 1e-9
    assert found >= brute - 0.02


def test_the_distance_of_a_line_to_points_counts_its_ends() -> None:
    begin, end = np.zeros(3), np.array([1.0, 0.0, 0.0])
    points = np.array([[0.5, 0.3, 0.0], [2.0, 0.0, 0.0]])
    assert _to_points(begin, end, points) == 0.3
    assert _to_points(begin, end, points[1:]) == 1.0
    assert _to_points(begin, begin, points[1:]) == 2.0


def test_a_capsule_holds_the_points_of_a_rod() -> None:
    rng = np.random.default_rng(1)
    angle, along = rng.uniform(0.0, 2.0 * np.pi, 2000), rng.uniform(-0.2, 0.2, 2000)
    points = np.stack([along, 0.05 * np.cos(angle), 0.05 * np.sin(angle)], axis=1) + 1.0
    capsule = fit_capsule(points)
    assert abs(capsule.radius - 0.05) < 0.002
    assert abs(np.linalg.norm(capsule.end - capsule.begin) - 0.3) < 0.02
    np.testing.assert_allclose(0.5 * (capsule.begin + capsule.end), [1.0, 1.0, 1.0], atol=0.01)


def upper(**degrees: float) -> np.ndarray:
    q = np.array([body().rest_q[i] for i in body().upper.table_index])
    for name, angle in degrees.items():
        q[body().upper.index[name]] = np.deg2rad(angle)
    return q


def test_arms_at_rest_touch_nothing_and_an_arm_in_the_chest_does() -> None:
    dynamics = body().dynamics
    model = CollisionModel(body().shapes, dynamics.placements(upper()))
    assert all(c.depth_m < 0.005 for c in model.deepest([dynamics.placements(upper())]))
    inward = upper(left_shoulder_pitch=-40, left_shoulder_roll=35, left_elbow=100)
    touching = model.deepest([dynamics.placements(upper()), dynamics.placements(inward)])
    worst = max(touching, key=lambda contact: contact.depth_m)
    assert worst.depth_m > 0.01
    assert worst.sample == 1
    assert worst.parts[1] == "torso"


def test_without_shapes_there_is_nothing_to_check() -> None:
    assert not CollisionModel({}, {})
