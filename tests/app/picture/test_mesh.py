"""Surfaces are read as they are, refused when they are not triangles, and thinned with care."""

from pathlib import Path

import numpy as np
import pytest

from app.picture.mesh import Mesh, merged, read_obj, simplified
from shows.folders import ROBOTS

HEAD = ROBOTS / "kid_cosmo" / "meshes" / "head-red.obj"
CORNERS = "v 0 0 0\nv 1 0 0\nv 0 1 0\n" + "vn 0 0 1\n" * 3


def _written(folder: Path, text: str) -> Path:
    path = folder / "part.obj"
    path.write_text(text)
    return path


def test_a_triangle_is_read(tmp_path: Path) -> None:
    mesh = read_obj(_written(tmp_path, "o part\n" + CORNERS + "f 1//1 2//2 3//3\n"))
    assert mesh.positions.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert mesh.normals.tolist() == [[0, 0, 1]] * 3
    assert mesh.triangles.tolist() == [[0, 1, 2]]


@pytest.mark.parametrize(
    "faces",
    ["f 1//1 2//2 4//4\n", "f 1//1 2//3 3//2\n", "f 1//1 2//2\n", "f 1/1/1 2/2/2 3/3/3\n", "f a\n"],
)
def test_anything_else_is_refused_with_the_name_of_the_file(tmp_path: Path, faces: str) -> None:
    with pytest.raises(ValueError, match="part.obj"):
        read_obj(_written(tmp_path, CORNERS + faces))


def test_a_corner_without_a_normal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="normal"):
        read_obj(_written(tmp_path, CORNERS + "v 1 1 0\nf 1//1 2//2 3//3\n"))


def test_thinning_leaves_fewer_triangles_near_the_old_ones() -> None:
    whole = read_obj(HEAD)
    thin = simplified(whole, 0.03)
    assert 20 < len(thin.triangles) < 0.6 * len(whole.triangles)
    assert thin.triangles.max() < len(thin.positions) == len(thin.normals)
    gaps = np.linalg.norm(thin.positions[:, None] - whole.positions[None], axis=2).min(axis=1)
    assert gaps.max() < 0.03
    assert np.linalg.norm(thin.normals, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_thinning_tears_no_hole() -> None:
    thin = simplified(read_obj(HEAD.with_name("torso-red.obj")), 0.03)
    _, place = np.unique(thin.positions.round(6), axis=0, return_inverse=True)
    edges = np.sort(place[thin.triangles][:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    _, uses = np.unique(edges, axis=0, return_counts=True)
    assert (uses >= 2).all()  # of a closed surface every edge belongs to two triangles


def test_nothing_stays_nothing() -> None:
    nothing = Mesh(np.zeros((0, 3), "f4"), np.zeros((0, 3), "f4"), np.zeros((0, 3), "i4"))
    assert simplified(nothing, 0.01) is nothing


def test_merged_surfaces_keep_their_triangles() -> None:
    head = read_obj(HEAD)
    both = merged([head, head])
    assert np.array_equal(
        both.positions[both.triangles[len(head.triangles) :]], head.positions[head.triangles]
    )
