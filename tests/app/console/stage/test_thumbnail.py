"""A posed robot is drawn without OpenGL: whole, in its colours, and as it is posed."""

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from app.console.stage.thumbnail import SIDE, motion_thumbnail, render_thumbnail
from app.picture.robot_tree import RobotTree
from shows.motion import Motion
from tests.app.console.figures import tree

TREE = tree()


def _rows(image: QImage) -> np.ndarray:
    rows: np.ndarray = np.frombuffer(image.constBits(), np.uint8).astype(int)
    return rows.reshape(image.height(), image.width(), 4)


def _pixels(image: QImage) -> np.ndarray:
    return _rows(image)[..., :3]


def _drawn(image: QImage) -> np.ndarray:
    drawn: np.ndarray = _rows(image)[..., 3] > 60
    return drawn


@pytest.mark.parametrize("size", [(96, 96), (60, 120), (150, 80)])
def test_the_robot_fills_the_picture_and_is_not_cut(size: tuple[int, int]) -> None:
    image = render_thumbnail(TREE, {}, QSize(*size))
    assert (image.width(), image.height()) == size
    drawn = _drawn(image)
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    assert rows[0] >= 1 and rows[-1] < size[1] - 1
    assert columns[0] >= 1 and columns[-1] < size[0] - 1
    assert max((rows[-1] - rows[0]) / size[1], (columns[-1] - columns[0]) / size[0]) > 0.85


def test_it_has_its_colours() -> None:
    pixels = _pixels(render_thumbnail(TREE, {}, QSize(96, 96))).reshape(-1, 3)
    red = (pixels[:, 0] > 120) & (pixels[:, 1] < 80) & (pixels[:, 2] < 80)
    navy = (pixels[:, 2] > 40) & (pixels[:, 0] < 40)
    assert red.sum() > 200 and navy.sum() > 100


def test_a_pose_is_seen() -> None:
    still = _drawn(render_thumbnail(TREE, {}, QSize(96, 96)))
    raised = _drawn(
        render_thumbnail(
            TREE, {"left_shoulder_pitch": -2.6, "left_shoulder_roll": -0.7}, QSize(96, 96)
        )
    )
    assert (still != raised).sum() > 100


def test_what_is_inside_is_hidden() -> None:
    pixels = _pixels(render_thumbnail(TREE, {}, QSize(200, 200)))
    thigh = pixels[132:142, 86:94].reshape(-1, 3)
    assert (thigh[:, 2] > thigh[:, 0] + 10).all()


def test_a_robot_without_surfaces_is_an_empty_picture() -> None:
    image = render_thumbnail(RobotTree("bare", TREE.bodies[:0]), {}, QSize(20, 30))
    assert (image.width(), image.height()) == (20, 30)
    assert not _drawn(image).any()


def test_a_gesture_is_drawn_without_the_legs_at_its_thumbnail_time() -> None:
    positions = np.array([[0.0], [0.0], [-2.6]])
    names = ("left_shoulder_pitch",)
    still = motion_thumbnail(TREE, Motion("raise", names, 10.0, positions))
    raised = motion_thumbnail(TREE, Motion("raise", names, 10.0, positions, thumbnail_s=0.2))
    assert (raised.width(), raised.height()) == (SIDE, SIDE)
    assert (_drawn(still) != _drawn(raised)).sum() > 500
    whole = render_thumbnail(TREE, {}, QSize(SIDE, SIDE))
    assert _drawn(still).sum() > 1.3 * _drawn(whole).sum()


def test_a_robot_without_legs_is_drawn_whole() -> None:
    arms = tree("two_arms")
    still = Motion("still", (), 10.0, np.zeros((3, 0)))
    assert motion_thumbnail(arms, still) == render_thumbnail(arms, {}, QSize(SIDE, SIDE))
