"""The shells of each robot: the right size, light, closed at the joints, as the script draws."""

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import mujoco
import numpy as np
import pytest

from core.robot.profile_file import load_profile
from devices.sim.description import load_description
from tests.assets.looks import Looks, looks_of

HEIGHT_M = {"draco3": 1.35, "kid_cosmo": 1.45, "small_biped": 0.58}
MOST_TRIANGLES = {"draco3": 80_000, "kid_cosmo": 40_000, "small_biped": 60_000}
MOST_BYTES = {"draco3": 4_500_000, "kid_cosmo": 4_000_000, "small_biped": 3_500_000}
SOLES = {  # half length and half width of those that are flat [m]
    "draco3": (0.11, 0.05),
    "small_biped": (0.05, 0.03),
}
BENDS = {  # joints of a leg by their share of a bend that leaves the sole level, and bends [deg]
    "draco3": (
        {"hip_pitch": -1.0, "knee": 1.0, "knee_distal": 1.0, "ankle_pitch": -1.0},
        (0.0, 45.0, 60.0),
    ),
    "small_biped": ({"hip_pitch": -0.5, "knee": 1.0, "ankle_pitch": -0.5}, (0.0, 67.0, 110.0)),
}
NEIGHBOURS = [
    ("kid_cosmo", "torso", "neck", ("head_pitch",)),
    ("kid_cosmo", "neck", "head", ("head_pitch", "head_yaw")),
    ("kid_cosmo", "torso", "left_shoulder_link", ("left_shoulder_pitch",)),
    ("kid_cosmo", "left_shoulder_link", "left_upper_arm", ("left_shoulder_roll",)),
    ("kid_cosmo", "left_upper_arm", "left_forearm", ("left_elbow",)),
    ("kid_cosmo", "left_forearm", "left_hand", ("left_wrist",)),
    ("kid_cosmo", "left_hand", "left_index_link", ("left_index",)),
    ("kid_cosmo", "left_hand", "left_thumb_link", ("left_thumb",)),
    ("kid_cosmo", "torso", "left_thigh", ("left_hip_1", "left_hip_2", "left_hip_pitch")),
    ("kid_cosmo", "left_thigh", "left_shank", ("left_knee",)),
    ("kid_cosmo", "left_shank", "left_foot", ("left_ankle",)),
    ("small_biped", "pelvis_link", "waist_link", ("trunk_yaw",)),
    ("small_biped", "waist_link", "torso", ("trunk_pitch",)),
    ("small_biped", "torso", "neck_link", ("neck_pitch",)),
    ("small_biped", "neck_link", "head", ("head_yaw", "head_pitch", "head_roll")),
    ("small_biped", "torso", "left_shoulder_link", ("left_shoulder_pitch",)),
    ("small_biped", "left_shoulder_link", "left_shoulder_yoke", ("left_shoulder_roll",)),
    ("small_biped", "left_shoulder_yoke", "left_upper_arm", ("left_shoulder_yaw",)),
    ("small_biped", "left_upper_arm", "left_forearm", ("left_elbow",)),
    ("small_biped", "left_forearm", "left_hand", ("left_wrist",)),
    ("small_biped", "left_hand", "left_little_link", ("left_little",)),
    ("small_biped", "left_hand", "left_thumb_link", ("left_thumb",)),
    ("small_biped", "pelvis_link", "left_hip_link", ("left_hip_yaw",)),
    ("small_biped", "left_hip_yoke", "left_thigh", ("left_hip_pitch",)),
    ("small_biped", "left_thigh", "left_shank", ("left_knee",)),
    ("small_biped", "left_shank", "left_ankle_link", ("left_ankle_pitch",)),
    ("small_biped", "left_ankle_link", "left_foot", ("left_ankle_roll",)),
]
CURL_SHARE = 0.02  # of the robot's height that a fingertip moves at least


@pytest.fixture(params=HEIGHT_M)
def robot(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def looks(robot: str) -> Looks:
    return looks_of(robot)


def test_it_stands_on_the_ground_and_has_its_height(robot: str, looks: Looks) -> None:
    z = looks.vertices(looks.posed())[:, 2]
    assert z.min() == pytest.approx(0.0, abs=0.001)
    assert z.max() - z.min() == pytest.approx(HEIGHT_M[robot], abs=0.0035 * HEIGHT_M[robot])


@pytest.mark.parametrize("robot", SOLES)
def test_a_flat_foot_is_as_large_as_its_sole(robot: str, looks: Looks) -> None:
    data, half = looks.posed(), np.array(SOLES[robot])
    for side in ("left", "right"):
        foot = looks.vertices(data, f"{side}_foot") - data.site(f"{side}_sole").xpos
        assert foot.max(axis=0)[:2] == pytest.approx(half, abs=5e-4)
        assert foot.min(axis=0) == pytest.approx([*-half, 0.0], abs=5e-4)


def test_looks_touch_nothing_and_weigh_nothing(robot: str, looks: Looks) -> None:
    model = looks.model
    others = {model.geom(i).name for i in range(model.ngeom) if i not in looks.visual}
    switches = {name for contact in load_profile(robot).contacts for name in contact.switches}
    assert others == switches
    for i in looks.visual:
        assert (model.geom_contype[i], model.geom_conaffinity[i]) == (0, 0)
        assert model.geom_group[i] == 2
    for name in switches:
        assert model.geom(name).contype[0] == 1
    bare = ElementTree.parse(looks.folder / "robot.xml")
    for body in bare.iter("body"):
        for geom in [g for g in body.findall("geom") if "mesh" in g.attrib]:
            body.remove(geom)
    root = bare.getroot()
    assets = root.find("asset")
    assert assets is not None
    root.remove(assets)
    without = mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))
    assert without.ngeom == len(switches)
    np.testing.assert_array_equal(without.body_mass, model.body_mass)
    np.testing.assert_array_equal(without.body_inertia, model.body_inertia)
    np.testing.assert_array_equal(without.body_ipos, model.body_ipos)


def test_every_mesh_and_material_is_used_once_or_more(looks: Looks) -> None:
    tree = ElementTree.parse(looks.folder / "robot.xml")
    files = [mesh.attrib["file"] for mesh in tree.findall("asset/mesh")]
    assert sorted(files) == [path.name for path in looks.files]
    worn = [geom.attrib["mesh"] for geom in tree.iter("geom") if "mesh" in geom.attrib]
    assert sorted(worn) == [path.stem for path in looks.files]
    materials = {material.attrib["name"] for material in tree.findall("asset/material")}
    assert {g.attrib["material"] for g in tree.iter("geom") if "mesh" in g.attrib} == materials


def test_a_mesh_lies_on_the_body_and_has_the_material_of_its_name(looks: Looks) -> None:
    model = looks.model
    for i in looks.visual:
        body = model.body(model.geom_bodyid[i]).name
        material = model.mat(model.geom_matid[i]).name
        assert model.mesh(model.geom_dataid[i]).name == f"{body}-{material}"


def test_the_meshes_are_light(robot: str, looks: Looks) -> None:
    assert sum(path.stat().st_size for path in looks.files) < MOST_BYTES[robot]
    assert int(looks.model.mesh_facenum.sum()) < MOST_TRIANGLES[robot]


def test_normals_have_length_one_and_faces_turn_outward(looks: Looks) -> None:
    for path in looks.files:
        rows: dict[str, list[list[str]]] = {"o": [], "v": [], "vn": [], "f": []}
        for line in path.read_text(encoding="ascii").splitlines():
            kind, *values = line.split()
            rows[kind].append(values)
        vertices, normals = np.array(rows["v"], float), np.array(rows["vn"], float)
        assert len(vertices) == len(normals), path.stem
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=0.002)
        faces = np.array([[int(c.split("//")[0]) - 1 for c in row] for row in rows["f"]])
        a, b, c = (vertices[faces[:, k]] for k in range(3))
        area = np.cross(b - a, c - a)
        agree = (area * normals[faces].mean(axis=1)).sum(axis=1) >= -1e-9
        size = np.linalg.norm(area, axis=1)
        assert agree.mean() > 0.98, path.stem
        assert size[agree].sum() > 0.998 * size.sum(), path.stem


def test_the_right_side_is_the_mirror_image_of_the_left(looks: Looks) -> None:
    data, model = looks.posed(), looks.model
    for name in {model.body(model.geom_bodyid[i]).name for i in looks.visual}:
        if name.startswith("left_"):
            left = looks.vertices(data, name)
            right = looks.vertices(data, name.replace("left_", "right_", 1))
            for one, other in ((left.max(0), right.max(0)), (left.min(0), right.min(0))):
                np.testing.assert_allclose(one[[0, 2]], other[[0, 2]], atol=2e-5)
            assert left[:, 1].max() == pytest.approx(-right[:, 1].min(), abs=2e-5)


@pytest.mark.parametrize(("robot", "inner", "outer", "joints"), NEIGHBOURS)
def test_neighbours_overlap_over_the_whole_range(
    robot: str, inner: str, outer: str, joints: tuple[str, ...]
) -> None:
    """Each reaches into the other's box along some common region: 1 cm of a robot of 1.45 m."""
    looks = looks_of(robot)
    scale = HEIGHT_M[robot] / 1.45
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        angles = {}
        for joint in joints:
            low, high = looks.model.joint(joint).range
            angles[joint] = low + share * (high - low)
        data = looks.posed(**angles)
        a, b = looks.vertices(data, inner), looks.vertices(data, outer)
        nearest = min(
            float(((part[:, None] - b[None, ::2]) ** 2).sum(axis=2).min())
            for part in np.array_split(a, 1 + len(a) // 500)
        )
        assert np.sqrt(nearest) < 0.012 * scale
        overlap = np.minimum(a.max(axis=0), b.max(axis=0)) - np.maximum(
            a.min(axis=0), b.min(axis=0)
        )
        assert overlap.min() > 0.01 * scale


@pytest.mark.parametrize("robot", ["kid_cosmo", "small_biped"])
def test_every_finger_visibly_curls(robot: str, looks: Looks) -> None:
    hands = {limb.name for limb in load_profile(robot).limbs if limb.kind == "hand"}
    rows = [row for row in load_profile(robot).joints.rows if row.limb in hands]
    for joint in (row.name for row in rows if row.role != "wrist"):
        body, upright = f"{joint}_link", looks.posed()
        opened = looks.vertices(upright, body)
        closed = looks.vertices(looks.posed(**{joint: np.pi / 2}), body)
        tip = np.linalg.norm(opened - upright.body(body).xpos, axis=1).argmax()
        moved = np.linalg.norm(closed[tip] - opened[tip])
        assert moved > CURL_SHARE * HEIGHT_M[robot], joint


@pytest.mark.parametrize("robot", BENDS)
def test_standing_and_crouching_rest_on_the_soles_alone(robot: str, looks: Looks) -> None:
    """No shape of the simulated body reaches the floor while the soles are flat on it."""
    shapes = load_description(looks.folder / "body.toml").every_shape
    joints, bends = BENDS[robot]
    for bend in np.radians(bends):
        data = looks.posed(
            **{f"{s}_{n}": k * bend for s in ("left", "right") for n, k in joints.items()}
        )
        assert data.site("left_sole").xmat.reshape(3, 3)[2, 2] == pytest.approx(1.0)
        for shape in shapes:
            frame = data.body(shape.body)
            for end in (shape.start, shape.end):
                height = (frame.xpos + frame.xmat.reshape(3, 3) @ end)[2] - shape.radius
                assert height > 0.0148 * HEIGHT_M[robot], shape


def _check(robot: Looks, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(robot.folder / "build_meshes.py"), "--check", "--out", str(folder)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )


def test_the_script_draws_the_committed_meshes(looks: Looks) -> None:
    result = _check(looks, looks.folder / "meshes")
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_check_names_every_file_that_is_not_as_drawn(tmp_path: Path) -> None:
    looks, folder = looks_of("kid_cosmo"), tmp_path / "meshes"
    shutil.copytree(looks.folder / "meshes", folder)
    (folder / "neck-graphite.obj").unlink()
    (folder / "stray.obj").write_text("o stray\n", encoding="ascii")
    moved = folder / "torso-red.obj"
    head, first, rest = moved.read_text(encoding="ascii").split("\n", 2)
    moved.write_text(f"{head}\nv 0.5 0.5 0.5\n{rest}", encoding="ascii")
    assert first.startswith("v ")
    result = _check(looks, folder)
    assert result.returncode == 1
    assert "neck-graphite.obj: missing" in result.stdout
    assert "stray.obj: not drawn by this script" in result.stdout
    assert "torso-red.obj: vertices lie elsewhere" in result.stdout
    assert len(result.stdout.splitlines()) == 3
