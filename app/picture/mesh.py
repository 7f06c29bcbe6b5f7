"""Triangles of an OBJ file, and fewer of them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats32 = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Mesh:
    """A surface of triangles.

    Attributes:
        positions: of the corners (n, 3) [m].
        normals: outward at each corner (n, 3), of length 1.
        triangles: three corners each, counter-clockwise seen from outside (m, 3).
    """

    positions: Floats32
    normals: Floats32
    triangles: Integers


def read_obj(path: Path) -> Mesh:
    """Return the surface of a file in which every corner has its own normal (`f 1//1 2//2 3//3`).

    Raises:
        ValueError: it holds anything but such triangles.
        OSError: it cannot be read.
    """
    rows: dict[str, list[str]] = {"v": [], "vn": [], "f": []}
    for line in path.read_text(encoding="ascii").splitlines():
        kind, _, rest = line.partition(" ")
        if kind in rows:
            rows[kind].append(rest)
    try:
        positions, normals = (
            np.array(" ".join(rows[kind]).split(), dtype=np.float32).reshape(-1, 3)
            for kind in ("v", "vn")
        )
        pairs = np.array(" ".join(rows["f"]).replace("//", " ").split(), dtype=np.int32)
        corners = pairs.reshape(-1, 3, 2) - 1
    except ValueError as error:
        raise ValueError(f"{path.name}: is no surface of triangles with normals") from error
    if len(normals) != len(positions) or not (corners[..., 0] == corners[..., 1]).all():
        raise ValueError(f"{path.name}: not every corner has a normal of its own")
    if len(corners) and not 0 <= corners.min() <= corners.max() < len(positions):
        raise ValueError(f"{path.name}: a triangle names a corner that is not there")
    return Mesh(positions, normals, np.ascontiguousarray(corners[..., 0]))


def merged(meshes: list[Mesh]) -> Mesh:
    """Return several surfaces as one; the corners keep their order."""
    starts = np.cumsum([0, *(len(mesh.positions) for mesh in meshes)])
    return Mesh(
        np.concatenate([mesh.positions for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate(
            [mesh.triangles + start for mesh, start in zip(meshes, starts, strict=False)]
        ).astype(np.int32),
    )


def simplified(mesh: Mesh, cell_m: float) -> Mesh:
    """Return a surface whose corners within one cell of a grid are one.

    Corners that face different ways stay apart, so that thin parts and edges keep their shading,
    but they move to one place, so that no crack opens.

    Args:
        mesh: the mesh to reduce.
        cell_m: size of the grid [m]; small meshes get a finer one.
    """
    if not len(mesh.triangles):
        return mesh
    low = mesh.positions.min(axis=0)
    extent = float((mesh.positions.max(axis=0) - low).max())
    cell = max(min(cell_m, extent / 7.0), 1e-6)
    grid = np.floor((mesh.positions - low) / cell).astype(np.int64)
    place = (grid[:, 0] << 40) | (grid[:, 1] << 20) | grid[:, 2]
    facing = ((mesh.normals > 0.0) * np.array([1, 2, 4])).sum(axis=1)
    _, places = np.unique(place, return_inverse=True)
    centres = _means(mesh.positions, places)
    _, first, corners = np.unique(places * 8 + facing, return_index=True, return_inverse=True)
    normals = _means(mesh.normals, corners)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    a, b, c = places[mesh.triangles].T
    kept = mesh.triangles[(a != b) & (b != c) & (a != c)]
    return Mesh(
        centres[places[first]].astype(np.float32),
        normals.astype(np.float32),
        corners[kept].astype(np.int32),
    )


def _means(values: Floats32, groups: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
    counts = np.bincount(groups)[:, None]
    sums = [np.bincount(groups, weights=values[:, axis]) for axis in range(3)]
    means: npt.NDArray[np.float64] = np.stack(sums, axis=1) / counts
    return means
