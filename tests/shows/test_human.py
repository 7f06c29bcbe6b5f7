"""A take holds one skeleton; it can be turned, placed and scaled."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.errors import ShowError
from shows.human import (
    BONES,
    INDEX,
    PARENTS,
    HumanTake,
    axes_from,
    chain_height,
    heading,
    trunk_axes,
)
from tests.shows.people import offset_of


def take(count: int = 4) -> HumanTake:
    positions = np.zeros((22, 3))
    for i, parent in enumerate(PARENTS):
        positions[i] = offset_of(BONES[i]) + (positions[parent] if parent >= 0 else 0.0)
    turns = np.tile(np.eye(3), (count, 22, 1, 1))
    return HumanTake("still", 60.0, np.tile(positions, (count, 1, 1)), turns)


def turned(take: HumanTake, yaw: float, shift: tuple[float, float, float]) -> HumanTake:
    c, s = np.cos(yaw), np.sin(yaw)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return replace(
        take, positions=take.positions @ turn.T + shift, orientations=turn @ take.orientations
    )


def test_the_skeleton_has_22_bones_each_after_its_parent() -> None:
    assert len(BONES) == 22
    assert PARENTS[0] == -1
    assert all(parent < bone for bone, parent in enumerate(PARENTS))


@given(st.floats(-3.1, 3.1), st.floats(-5.0, 5.0))
def test_a_normalised_take_stands_at_the_origin_and_faces_along_x(yaw: float, shift: float) -> None:
    moved = turned(take(), yaw, (shift, -shift, 0.5))
    assert np.cos(heading(moved.positions[0]) - yaw) == pytest.approx(1.0)
    back = moved.normalised()
    np.testing.assert_allclose(back.positions[0, 0, :2], 0.0, atol=1e-9)
    assert back.positions[0, :, 2].min() == pytest.approx(0.0)
    np.testing.assert_allclose(back.orientations, take().orientations, atol=1e-9)
    np.testing.assert_allclose(trunk_axes(back.positions), np.tile(np.eye(3), (4, 1, 1)), atol=1e-9)


def test_height_and_bones() -> None:
    still = take()
    assert still.height_m == pytest.approx(0.1 + 0.12 + 0.12 + 0.2 + 0.1 + 0.42 + 0.41)
    assert still.duration_s == pytest.approx(3 / 60)
    assert still.of("hips")[0].tolist() == [0.0, 0.0, 0.95]
    lengths = dict(zip(BONES, still.bone_lengths().tolist(), strict=True))
    assert chain_height(lengths) == still.height_m


def test_arrays_are_read_only_copies() -> None:
    with pytest.raises(ValueError, match="read-only"):
        take().positions[0, 0, 0] = 1.0


def test_what_is_no_take_is_refused() -> None:
    good = take()
    bad = good.positions.copy()
    bad[1, INDEX["head"], 2] = np.nan
    for changes, word in (
        ({"positions": bad}, "positions"),
        ({"positions": good.positions[:, :21]}, "shape"),
        ({"positions": good.positions * 1e6}, "metres"),
        ({"orientations": good.orientations * 1.1}, "rotations"),
        ({"orientations": -good.orientations}, "rotations"),
        ({"positions": good.positions[:1], "orientations": good.orientations[:1]}, "2 samples"),
        ({"rate_hz": 0.0}, "rate_hz"),
        ({"rate_hz": float("nan")}, "rate_hz"),
    ):
        with pytest.raises(ShowError, match=word):
            replace(good, **changes)


def test_axes_of_vectors_on_one_line_are_a_rotation() -> None:
    for up in (np.zeros(3), np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 2.0])):
        axes = axes_from(up, np.array([0.0, 1.0, 0.0]))
        np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
        assert np.linalg.det(axes) == pytest.approx(1.0)
