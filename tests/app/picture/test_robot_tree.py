"""The tree has the shapes of a figure, and says in one sentence why it cannot be drawn."""

import numpy as np
import pytest
from msgspec.structs import replace

from app.picture.robot_tree import RobotError, tree_of
from core.link.figure import Figure, FigureBody, FigureShape, ShapeKind
from tests.app.console.figures import figure, tree

STRAIGHT = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
NOWHERE = (0.0, 0.0, 0.0)


def drawn(kind: ShapeKind, *size: float, mesh: str = "", folder: str = "") -> Figure:
    """Return the figure of one body with one shape."""
    shape = FigureShape(0, kind, (0.0, 0.0, 1.0), STRAIGHT, (0.1, 0.2, 0.3), size, mesh)
    return Figure("robby", folder, (FigureBody(-1, NOWHERE, STRAIGHT),), (shape,))


@pytest.mark.parametrize(
    ("kind", "size", "extent"),
    [
        ("box", (0.1, 0.2, 0.3), (0.1, 0.2, 0.3)),
        ("sphere", (0.1,), (0.2, 0.2, 0.2)),
        ("capsule", (0.1, 0.5), (0.2, 0.2, 0.7)),
        ("cylinder", (0.1, 0.5), (0.2, 0.2, 0.5)),
    ],
)
def test_a_primitive_has_its_size_and_faces_outward(
    kind: ShapeKind, size: tuple[float, ...], extent: tuple[float, ...]
) -> None:
    patch = tree_of(drawn(kind, *size)).bodies[0].patches[0]
    assert patch.colour == (0.1, 0.2, 0.3)
    corners = patch.mesh.positions
    assert corners.max(axis=0) - corners.min(axis=0) == pytest.approx(extent, abs=1e-6)
    middle = np.array([0.0, 0.0, 1.0])
    a, b, c = (corners[patch.mesh.triangles[:, k]] for k in range(3))
    outward = np.einsum("ni,ni->n", np.cross(b - a, c - a), (a + b + c) / 3.0 - middle)
    assert (outward > 0.0).all()
    assert (np.einsum("ni,ni->n", patch.mesh.normals, corners - middle) > 0.0).all()


def test_a_real_robot_has_all_its_shapes() -> None:
    patches = [patch for body in tree().bodies for patch in body.patches]
    assert len(patches) == len(figure().shapes)


def test_a_mesh_is_scaled() -> None:
    shape = next(iter(figure().shapes))
    plain, large = (
        tree_of(drawn("mesh", s, s, s, mesh=shape.mesh, folder=figure().folder)) for s in (1.0, 2.0)
    )
    extents = [
        np.ptp(found.bodies[0].patches[0].mesh.positions, axis=0) for found in (plain, large)
    ]
    assert extents[1] == pytest.approx(2.0 * extents[0], rel=1e-5)


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (Figure("robby", problem="robot.xml cannot be drawn"), "robot.xml cannot be drawn"),
        (Figure("robby"), "robby has no figure"),
        (drawn("mesh", 1.0, 1.0, 1.0, mesh="tail.obj", folder="/nowhere"), "tail.obj"),
        (drawn("mesh", 1.0, 1.0, 1.0, mesh="tail.stl", folder="/nowhere"), "no OBJ file"),
        (replace(drawn("sphere", 0.1), bodies=()), "robby has no figure"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(found: Figure, reason: str) -> None:
    with pytest.raises(RobotError, match=reason) as refusal:
        tree_of(found)
    assert "\n" not in str(refusal.value)


def test_a_body_that_follows_turns_by_its_ratio_of_the_joint() -> None:
    first = FigureBody(-1, NOWHERE, STRAIGHT)
    bodies = [
        FigureBody(parent, NOWHERE, STRAIGHT, "hinge", "knee", (0.0, 1.0, 0.0), ratio=ratio)
        for parent, ratio in enumerate((1.0, 2.0))
    ]
    poses = tree_of(Figure("robby", bodies=(first, *bodies))).forward_kinematics({"knee": 0.2})
    angles = np.arctan2(poses[:, 0, 2], poses[:, 0, 0])
    assert angles == pytest.approx([0.0, 0.2, 0.6])
