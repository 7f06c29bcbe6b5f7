"""Kid Cosmo's meshes: the right size, light, closed at the joints, and as the script draws them."""

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from tests.tracked import REPOSITORY

ROBOT = REPOSITORY / "assets" / "robots" / "kid_cosmo"
MESHES = sorted((ROBOT / "meshes").glob("*.obj"))
MODEL = mujoco.MjModel.from_xml_path(str(ROBOT / "robot.xml"))
MESH = mujoco.mjtGeom.mjGEOM_MESH
SOLES = {"left_heel", "left_toe", "right_heel", "right_toe"}
VISUAL = [i for i in range(MODEL.ngeom) if MODEL.geom_type[i] == MESH]
HEIGHT_M, MAX_TRIANGLES, MAX_BYTES = 1.45, 40_000, 4_000_000


def _posed(**angles: float) -> Any:
    data = mujoco.MjData(MODEL)
    data.qpos[2] = 0.62
    for joint, angle in angles.items():
        data.joint(joint).qpos[0] = angle
    mujoco.mj_forward(MODEL, data)
    return data


def _vertices(data: Any, *bodies: str) -> np.ndarray:
    """Return the visual vertices (n, 3) of bodies, or of all, in the world frame [m]."""
    found = []
    for i in VISUAL:
        if bodies and MODEL.body(MODEL.geom_bodyid[i]).name not in bodies:
            continue
        mesh = MODEL.geom_dataid[i]
        start = MODEL.mesh_vertadr[mesh]
        local = MODEL.mesh_vert[start : start + MODEL.mesh_vertnum[mesh]]
        found.append(local @ data.geom_xmat[i].reshape(3, 3).T + data.geom_xpos[i])
    return np.concatenate(found)


def test_it_stands_1_45_m_tall_on_the_ground() -> None:
    z = _vertices(_posed())[:, 2]
    assert z.min() == pytest.approx(0.0, abs=0.001)
    assert z.max() - z.min() == pytest.approx(HEIGHT_M, abs=0.005)


def test_the_boots_touch_the_ground_where_the_line_contacts_do() -> None:
    data = _posed()
    for side in ("left", "right"):
        boot = _vertices(data, f"{side}_foot")
        flat = boot[boot[:, 2] < 0.002]
        assert flat[:, 0].max() >= data.geom(f"{side}_toe").xpos[0]
        assert flat[:, 0].min() <= data.geom(f"{side}_heel").xpos[0] + 0.01
        assert 0.25 < np.ptp(boot[:, 0]) < 0.29
        assert 0.10 < np.ptp(boot[:, 1]) < 0.12


def test_visual_geoms_touch_nothing_and_weigh_nothing() -> None:
    soles = {MODEL.geom(i).name for i in range(MODEL.ngeom) if i not in VISUAL}
    assert soles == SOLES
    for i in VISUAL:
        assert (MODEL.geom_contype[i], MODEL.geom_conaffinity[i]) == (0, 0)
        assert MODEL.geom_group[i] == 2
    for name in SOLES:
        assert MODEL.geom(name).contype[0] == 1
    bare = ElementTree.parse(ROBOT / "robot.xml")
    for body in bare.iter("body"):
        for geom in [g for g in body.findall("geom") if "mesh" in g.attrib]:
            body.remove(geom)
    root = bare.getroot()
    assets = root.find("asset")
    assert assets is not None
    root.remove(assets)
    without = mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))
    assert without.ngeom == len(SOLES)
    np.testing.assert_array_equal(without.body_mass, MODEL.body_mass)
    np.testing.assert_array_equal(without.body_inertia, MODEL.body_inertia)
    np.testing.assert_array_equal(without.body_ipos, MODEL.body_ipos)


def test_every_mesh_and_material_is_used_once_or_more() -> None:
    tree = ElementTree.parse(ROBOT / "robot.xml")
    files = [mesh.attrib["file"] for mesh in tree.findall("asset/mesh")]
    assert sorted(files) == [path.name for path in MESHES]
    worn = [geom.attrib["mesh"] for geom in tree.iter("geom") if "mesh" in geom.attrib]
    assert sorted(worn) == [path.stem for path in MESHES]
    materials = {material.attrib["name"] for material in tree.findall("asset/material")}
    assert {g.attrib["material"] for g in tree.iter("geom") if "mesh" in g.attrib} == materials


def test_a_mesh_lies_on_the_body_and_has_the_material_of_its_name() -> None:
    for i in VISUAL:
        body = MODEL.body(MODEL.geom_bodyid[i]).name
        material = MODEL.mat(MODEL.geom_matid[i]).name
        assert MODEL.mesh(MODEL.geom_dataid[i]).name == f"{body}-{material}"


def test_the_meshes_are_light() -> None:
    assert sum(path.stat().st_size for path in MESHES) < MAX_BYTES
    assert int(MODEL.mesh_facenum.sum()) < MAX_TRIANGLES


@pytest.mark.parametrize("path", MESHES, ids=lambda path: path.stem)
def test_normals_have_length_one_and_faces_turn_outward(path: Path) -> None:
    rows: dict[str, list[list[str]]] = {"o": [], "v": [], "vn": [], "f": []}
    for line in path.read_text(encoding="ascii").splitlines():
        kind, *values = line.split()
        rows[kind].append(values)
    vertices, normals = np.array(rows["v"], float), np.array(rows["vn"], float)
    assert len(vertices) == len(normals)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=0.002)
    faces = np.array([[int(c.split("//")[0]) - 1 for c in row] for row in rows["f"]])
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    agree = (np.cross(b - a, c - a) * normals[faces].mean(axis=1)).sum(axis=1) >= -1e-9
    assert agree.mean() > 0.99


def test_the_right_side_is_the_mirror_image_of_the_left() -> None:
    data = _posed()
    for name in {MODEL.body(MODEL.geom_bodyid[i]).name for i in VISUAL}:
        if name.startswith("left_"):
            left = _vertices(data, name)
            right = _vertices(data, name.replace("left_", "right_", 1))
            np.testing.assert_allclose(
                left.max(axis=0)[[0, 2]], right.max(axis=0)[[0, 2]], atol=2e-5
            )
            assert left[:, 1].max() == pytest.approx(-right[:, 1].min(), abs=2e-5)


@pytest.mark.parametrize(
    ("inner", "outer", "joints"),
    [
        ("torso", "neck", ("head_pitch",)),
        ("neck", "head", ("head_pitch", "head_yaw")),
        ("torso", "left_shoulder_link", ("left_shoulder_pitch",)),
        ("left_shoulder_link", "left_upper_arm", ("left_shoulder_roll",)),
        ("left_upper_arm", "left_forearm", ("left_elbow",)),
        ("left_forearm", "left_hand", ("left_wrist",)),
        ("left_hand", "left_index_link", ("left_index",)),
        ("left_hand", "left_thumb_link", ("left_thumb",)),
        ("torso", "left_thigh", ("left_hip_1", "left_hip_2", "left_hip_pitch")),
        ("left_thigh", "left_shank", ("left_knee",)),
        ("left_shank", "left_foot", ("left_ankle",)),
    ],
)
def test_neighbours_overlap_over_the_whole_range(
    inner: str, outer: str, joints: tuple[str, ...]
) -> None:
    """Each reaches into the other's box by a centimetre along some common region."""
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        angles = {}
        for joint in joints:
            low, high = MODEL.joint(joint).range
            angles[joint] = low + share * (high - low)
        data = _posed(**angles)
        a, b = _vertices(data, inner), _vertices(data, outer)
        nearest = np.sqrt(((a[:, None] - b[None, ::2]) ** 2).sum(axis=2).min())
        assert nearest < 0.012
        overlap = np.minimum(a.max(axis=0), b.max(axis=0)) - np.maximum(
            a.min(axis=0), b.min(axis=0)
        )
        assert overlap.min() > 0.01


@pytest.mark.parametrize("finger", ["thumb", "index", "middle", "ring"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_finger_visibly_curls(side: str, finger: str) -> None:
    body = f"{side}_{finger}_link"
    opened = _vertices(_posed(), body)
    closed = _vertices(_posed(**{f"{side}_{finger}": np.pi / 2}), body)
    tip = np.linalg.norm(opened - _posed().body(body).xpos, axis=1).argmax()
    assert np.linalg.norm(closed[tip] - opened[tip]) > 0.03


def _check(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROBOT / "build_meshes.py"), "--check", "--out", str(folder)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )


def test_the_script_draws_the_committed_meshes() -> None:
    result = _check(ROBOT / "meshes")
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_check_names_every_file_that_is_not_as_drawn(tmp_path: Path) -> None:
    folder = tmp_path / "meshes"
    shutil.copytree(ROBOT / "meshes", folder)
    (folder / "neck-graphite.obj").unlink()
    (folder / "stray.obj").write_text("o stray\n", encoding="ascii")
    moved = folder / "torso-red.obj"
    head, first, rest = moved.read_text(encoding="ascii").split("\n", 2)
    moved.write_text(f"{head}\nv 0.5 0.5 0.5\n{rest}", encoding="ascii")
    assert first.startswith("v ")
    result = _check(folder)
    assert result.returncode == 1
    assert "neck-graphite.obj: missing" in result.stdout
    assert "stray.obj: not drawn by this script" in result.stdout
    assert "torso-red.obj: vertices lie elsewhere" in result.stdout
    assert len(result.stdout.splitlines()) == 3
