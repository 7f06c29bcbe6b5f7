"""Walks that follow drawn paths."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.console.timeline.curves import walk_path
from app.console.timeline.walk_along import SHARE, walk_along
from shows.document import WalkBounds

BOUNDS = WalkBounds()
Points = list[tuple[float, float]]


def follow(points: Points) -> tuple[float, float]:
    """Return how far the walk's end is from the path's, and its points from the path [m]."""
    clips = walk_along(points, 1.0, BOUNDS)
    walked = walk_path(list(clips), 0.01)[:, :2]
    fine = np.concatenate([np.linspace(a, b, 50) for a, b in zip(points, points[1:], strict=False)])
    gaps = np.linalg.norm(walked[:, None, :] - fine[None, :, :], axis=2).min(axis=1)
    return float(np.linalg.norm(walked[-1] - points[-1])), float(gaps.max())


@pytest.mark.parametrize(
    "points",
    [
        [(0.0, 0.0), (1.5, 0.0)],
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)],
        [(0.0, 0.0), (-1.0, 0.0)],
        [(math.sin(t), 1.0 - math.cos(t)) for t in np.linspace(0.0, 1.5 * math.pi, 60)],
        [(t, 0.2 * math.sin(3.0 * t)) for t in np.linspace(0.0, 3.0, 90)],
    ],
    ids=["straight", "corner", "back", "circle", "wave"],
)
def test_the_walk_follows_the_path(points: Points) -> None:
    end_m, apart_m = follow(points)
    assert end_m < 0.06
    assert apart_m < 0.10


steps = st.tuples(st.floats(0.1, 0.6), st.floats(-2.5, 2.5))


@given(st.lists(steps, min_size=1, max_size=8))
def test_no_walk_is_faster_than_the_show_allows_and_none_leaves_a_gap(
    drawn: list[tuple[float, float]],
) -> None:
    points, heading = [(0.0, 0.0)], 0.0
    for length, turn in drawn:
        heading += turn
        x, y = points[-1]
        points.append((x + length * math.cos(heading), y + length * math.sin(heading)))
    clips = walk_along(points, 2.0, BOUNDS)
    time_s = 2.0
    for clip in clips:
        assert clip.start_s == pytest.approx(time_s, abs=1e-6)
        time_s = clip.start_s + clip.length_s
        assert 0.0 <= clip.vx <= SHARE * BOUNDS.forward * 1.02
        assert abs(clip.yaw_rate) <= SHARE * BOUNDS.turning * 1.02
        assert clip.blend_in_s + clip.blend_out_s <= clip.length_s
    assert follow(points)[0] < 0.12
