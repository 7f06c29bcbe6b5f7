"""Build the visual meshes of Kid Cosmo: `python build_meshes.py [--out FOLDER] [--check]`."""

from __future__ import annotations

import argparse
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path

import numpy as np
from character import Part, arm_parts, hand_parts, head_parts, leg_parts, torso_parts
from sculpt import Mesh, joined

HERE = Path(__file__).resolve().parent


def palm_side(robot_xml: Path) -> float:
    """Return the sign of y toward which the left index finger closes, from its axis."""
    joint = ElementTree.parse(robot_xml).find(".//joint[@name='left_index']")
    if joint is None:
        raise ValueError(f"{robot_xml}: no joint left_index, which tells where the palm is")
    axis = np.array([float(v) for v in joint.attrib["axis"].split()])
    return float(np.sign(np.cross(axis, [0.0, 0.0, -1.0])[1]))


def build(robot_xml: Path) -> dict[str, Mesh]:
    """Return every mesh by the name `body-material`."""
    parts = head_parts() + torso_parts() + arm_parts() + hand_parts(palm_side(robot_xml)) + leg_parts()
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


def main() -> int:
    """Build the meshes into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE / "meshes", help="folder to write to")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    meshes = build(HERE / "robot.xml")
    for name, mesh in meshes.items():
        (options.out / f"{name}.obj").write_text(to_obj(name, mesh), encoding="ascii")
    triangles = sum(len(mesh.faces) for mesh in meshes.values())
    print(f"{len(meshes)} meshes, {triangles} triangles, in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
