"""The meshes of a robot: parts by body and material, as OBJ files or compared with them."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sculpt import Mesh, joined

ROUNDING_M = 3e-5  # another machine may round the last digit of a file differently
ROUNDING_NORMAL = 0.01


@dataclass(frozen=True)
class Part:
    """A mesh of one material, in the frame of one body."""

    body: str
    material: str
    mesh: Mesh


def pair(mesh: Mesh) -> Mesh:
    """Return a mesh of the left side together with its mirror image."""
    return joined([mesh, mesh.mirrored()])


def grouped(parts: Sequence[Part]) -> dict[str, Mesh]:
    """Return every mesh by the name `body-material`; left bodies also give the right ones."""
    groups: dict[tuple[str, str], list[Part]] = defaultdict(list)
    for part in parts:
        groups[part.body, part.material].append(part)
    meshes: dict[str, Mesh] = {}
    for (body, material), group in groups.items():
        mesh = joined([part.mesh for part in group])
        meshes[f"{body}-{material}"] = mesh
        if body.startswith("left_"):
            meshes[f"{body.replace('left_', 'right_', 1)}-{material}"] = mesh.mirrored()
    return meshes


def to_obj(name: str, mesh: Mesh) -> str:
    """Write a mesh as Wavefront OBJ with a normal per vertex; lengths in metres."""
    lines = [f"o {name}"]
    lines += [f"v {x:.5f} {y:.5f} {z:.5f}" for x, y, z in mesh.vertices]
    lines += [f"vn {x:.3f} {y:.3f} {z:.3f}" for x, y, z in mesh.normals]
    lines += [f"f {a}//{a} {b}//{b} {c}//{c}" for a, b, c in mesh.faces + 1]
    return "\n".join(lines).replace("-0.00000", "0.00000").replace("-0.000 ", "0.000 ") + "\n"


def from_obj(text: str) -> Mesh:
    """Read back what `to_obj` wrote."""
    rows: dict[str, list[list[str]]] = defaultdict(list)
    for line in text.splitlines():
        kind, *values = line.split()
        rows[kind].append(values)
    faces = [[int(corner.split("/")[0]) - 1 for corner in row] for row in rows["f"]]
    return Mesh(np.array(rows["v"], float), np.array(rows["vn"], float), np.array(faces))


def differences(meshes: dict[str, Mesh], folder: Path) -> list[str]:
    """Return in words how the OBJ files of a folder differ from meshes, rounding aside."""
    strangers = [path.name for path in sorted(folder.glob("*.obj")) if path.stem not in meshes]
    found = [f"{name}: not drawn by this script" for name in strangers]
    for name, mesh in meshes.items():
        path = folder / f"{name}.obj"
        if not path.is_file():
            found.append(f"{path.name}: missing")
            continue
        old, new = from_obj(path.read_text(encoding="ascii")), from_obj(to_obj(name, mesh))
        if not np.array_equal(old.faces, new.faces):
            found.append(f"{path.name}: other triangles")
        elif not np.allclose(old.vertices, new.vertices, rtol=0.0, atol=ROUNDING_M):
            found.append(f"{path.name}: vertices lie elsewhere")
        elif not np.allclose(old.normals, new.normals, rtol=0.0, atol=ROUNDING_NORMAL):
            found.append(f"{path.name}: other normals")
    return found


def run(robot: str, folder: Path, build: Callable[[], dict[str, Mesh]]) -> int:
    """Write the meshes of a robot, or compare them with its files, as the command line says."""
    parser = argparse.ArgumentParser(description=f"Build the visual meshes of {robot}.")
    parser.add_argument("--out", type=Path, default=folder / "meshes", help="folder of the meshes")
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 if they differ")
    options = parser.parse_args()
    meshes = build()
    if options.check:
        found = differences(meshes, options.out)
        print("\n".join(found) or f"{len(meshes)} meshes are as drawn")
        return 1 if found else 0
    options.out.mkdir(parents=True, exist_ok=True)
    for name, mesh in meshes.items():
        (options.out / f"{name}.obj").write_text(to_obj(name, mesh), encoding="ascii")
    triangles = sum(len(mesh.faces) for mesh in meshes.values())
    print(f"{len(meshes)} meshes, {triangles} triangles, in {options.out}")
    return 0
