"""Pictures of a robot drawn by the processor: what is seen, where, and in which light."""

import numpy as np
import pytest

from app.film.raster import fill
from app.film.studio import EYES, Image, Studio
from app.picture.mesh import Mesh
from app.picture.primitives import box
from app.picture.robot_tree import Body, Patch, RobotTree

WIDE, HIGH = 96, 120
RED = (0.9, 0.1, 0.1)


def block(size: tuple[float, float, float], middle: tuple[float, float, float]) -> Mesh:
    """Return a block around a place."""
    mesh = box(*size)
    moved = (mesh.positions + np.array(middle)).astype(np.float32)
    return Mesh(moved, mesh.normals, mesh.triangles)


def tree() -> RobotTree:
    """Return a column that carries a board, which turns about a vertical hinge at its top."""
    top, vertical = np.eye(4), np.array([0.0, 0.0, 1.0])
    top[2, 3] = 1.0
    column = block((0.2, 0.2, 1.0), (0.0, 0.0, 0.5))
    board = block((0.1, 0.9, 0.3), (0.0, 0.45, 0.2))
    return RobotTree(
        "toy",
        (
            Body(-1, np.eye(4), "", vertical, False, (Patch(column, (0.2, 0.3, 0.9)),)),
            Body(0, top, "turn", vertical, False, (Patch(board, RED),)),
        ),
    )


def studio() -> Studio:
    return Studio(tree(), {}, "light")


def red(picture: Image) -> "np.ndarray":
    """Return where a picture is red."""
    values = picture.astype(int)
    where: np.ndarray = (values[..., 0] > 90) & (values[..., 1] < 70)
    return where


def test_the_nearest_triangle_is_seen() -> None:
    x = np.array([0, 9, 0, 0, 9, 0], np.float32)
    y = np.array([0, 0, 9, 0, 0, 9], np.float32)
    near = np.array([1, 1, 1, 2, 2, 2], np.float32)
    depth, owner = np.zeros((10, 10), np.float32), np.full((10, 10), -1, np.int32)
    fill(x, y, near, np.array([[0, 1, 2], [3, 4, 5]], np.int32), depth, owner)
    assert owner[1, 1] == 1 and owner[8, 8] == -1
    assert depth[1, 1] == pytest.approx(2.0)
    behind = np.array([1, 1, 1, -2, 2, 2], np.float32)
    owner[:] = -1
    depth[:] = 0.0
    fill(x, y, behind, np.array([[0, 1, 2], [3, 4, 5]], np.int32), depth, owner)
    assert owner[1, 1] == 0, "what is behind the eye is not drawn"


def test_a_joint_moves_what_it_carries() -> None:
    drawn = studio()
    poses = [{"turn": 0.0}, {"turn": np.pi}]
    camera = drawn.camera("front", poses, WIDE, HIGH)
    left, right = (red(drawn.draw(pose, camera, WIDE, HIGH)) for pose in poses)
    # Seen from the front, the robot's left is on the right of the picture.
    assert np.argwhere(left)[:, 1].mean() > WIDE / 2 + 5
    assert np.argwhere(right)[:, 1].mean() < WIDE / 2 - 5


@pytest.mark.parametrize("angle", list(EYES))
def test_every_view_shows_the_whole_robot(angle: str) -> None:
    drawn = studio()
    poses = [{"turn": float(turn)} for turn in np.linspace(0.0, 2.0 * np.pi, 9)]
    camera = drawn.camera(angle, poses, WIDE, HIGH)  # type: ignore[arg-type]
    for pose in poses:
        seen = red(drawn.draw(pose, camera, WIDE, HIGH, smooth=1))
        assert not seen[[0, -1]].any() and not seen[:, [0, -1]].any()
        assert seen.sum() > 10


def test_the_robot_throws_a_shadow_on_the_floor() -> None:
    drawn = studio()
    camera = drawn.camera("above", [{}], WIDE, HIGH)
    picture = drawn.draw({}, camera, WIDE, HIGH).astype(int)
    grey = np.abs(picture[..., 0] - picture[..., 2]) < 25
    assert picture[grey].min() < 0.75 * picture[grey].max()


def test_a_robot_without_a_surface_gives_an_empty_floor() -> None:
    bare = RobotTree("bare", (Body(-1, np.eye(4), "", np.array([0.0, 0.0, 1.0]), False, ()),))
    drawn = Studio(bare, {}, "dark")
    picture = drawn.draw({}, drawn.camera("front", [{}], 64, 64), 64, 64)
    assert picture.shape == (64, 64, 3) and not red(picture).any()
