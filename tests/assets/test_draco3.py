"""DRACO 3 has the published values, knees that roll, and looks that fit its bodies."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from core.robot.couplings import eliminate, read_couplings
from devices.sim.description import load_description
from tests.tracked import REPOSITORY

ROBOT = REPOSITORY / "assets" / "robots" / "draco3"
XML = ROBOT / "robot.xml"
MODEL = mujoco.MjModel.from_xml_path(str(XML))
MESH = mujoco.mjtGeom.mjGEOM_MESH
VISUAL = [i for i in range(MODEL.ngeom) if MODEL.geom_type[i] == MESH]
RADIUS_M = 0.05587  # of the knee's rolling contact


def _posed(**angles: float) -> Any:
    data = mujoco.MjData(MODEL)
    for joint, angle in angles.items():
        data.joint(joint).qpos[0] = angle
    mujoco.mj_forward(MODEL, data)
    return data


def _vertices(data: Any, *bodies: str) -> np.ndarray:
    """Return the visual vertices (n, 3) of bodies, or of all, in the world frame [m]."""
    found = []
    for i in VISUAL:
        if not bodies or MODEL.body(MODEL.geom_bodyid[i]).name in bodies:
            mesh = MODEL.geom_dataid[i]
            start = MODEL.mesh_vertadr[mesh]
            local = MODEL.mesh_vert[start : start + MODEL.mesh_vertnum[mesh]]
            found.append(local @ data.geom_xmat[i].reshape(3, 3).T + data.geom_xpos[i])
    return np.concatenate(found)


def test_mass_and_lengths_are_the_published_ones() -> None:
    data = _posed()
    assert MODEL.body("torso").subtreemass[0] == pytest.approx(39.15, abs=0.002)
    left, right = (data.site(f"{side}_sole").xpos for side in ("left", "right"))
    assert left - right == pytest.approx([0.0, 0.1852, 0.0], abs=1e-6)
    assert data.body("torso").xpos[2] - left[2] == pytest.approx(0.922, abs=5e-5)
    links = data.body("left_knee_link").xpos - data.body("left_shank").xpos
    assert links == pytest.approx([0.0, 0.0, 2.0 * RADIUS_M])


def test_eliminated_followers_leave_the_mass_matrix_and_gravity_of_mujoco() -> None:
    couplings = read_couplings(XML)
    assert [(c.follower, c.primary, c.ratio) for c in couplings] == [
        (f"{side}_knee_distal", f"{side}_knee", 1.0) for side in ("left", "right")
    ]
    model = eliminate(pin.buildModelFromMJCF(str(XML)), couplings, XML.name)
    assert model.nv == MODEL.nv - 2 == 31
    names = [MODEL.joint(i).name for i in range(1, MODEL.njnt)]
    independent = [name for name in names if not name.endswith("_distal")]
    rng = np.random.default_rng(3)
    data, found = mujoco.MjData(MODEL), model.createData()
    for _ in range(5):
        q, angles = pin.neutral(model), {}
        for name in independent:
            angles[name] = rng.uniform(*MODEL.joint(name).range)
            q[model.joints[model.getJointId(name)].idx_q] = angles[name]
        for name in names:
            data.joint(name).qpos[0] = angles[name.removesuffix("_distal")]
        mujoco.mj_forward(MODEL, data)  # at rest, so that the bias is gravity
        mass = np.zeros((MODEL.nv, MODEL.nv))
        mujoco.mj_fullM(MODEL, data, mass)
        fold = np.zeros((MODEL.nv, model.nv))
        fold[:6, :6] = np.eye(6)
        for name in names:
            column = model.joints[model.getJointId(name.removesuffix("_distal"))].idx_v
            fold[MODEL.joint(name).dofadr[0], column] = 1.0
        # In the local convention, Pinocchio adds to what the last call left of followers' columns.
        upper = np.triu(pin.crba(model, found, q, pin.Convention.WORLD))
        ours = upper + np.triu(upper, 1).T
        np.testing.assert_allclose(ours, fold.T @ mass @ fold, atol=1e-9)
        gravity = pin.computeGeneralizedGravity(model, found, q)
        np.testing.assert_allclose(gravity, fold.T @ data.qfrc_bias, atol=1e-8)


def test_it_stands_1_35_m_tall_on_flat_soles() -> None:
    data = _posed()
    z = _vertices(data)[:, 2]
    assert z.min() == pytest.approx(0.0, abs=1e-4)
    assert z.max() == pytest.approx(1.35, abs=0.003)
    for side in ("left", "right"):
        foot = _vertices(data, f"{side}_foot") - data.site(f"{side}_sole").xpos
        assert foot.max(axis=0)[:2] == pytest.approx([0.11, 0.05], abs=5e-4)
        assert foot.min(axis=0) == pytest.approx([-0.11, -0.05, 0.0], abs=5e-4)


@pytest.mark.parametrize("bend", [0.0, np.pi / 4, np.radians(87.5)])
def test_the_pulleys_of_a_knee_touch_at_every_angle(bend: float) -> None:
    """Neither shell enters the circle of the other pulley, and the circles touch."""
    data = _posed(left_knee=bend, left_knee_distal=bend)
    upper, lower = data.body("left_knee_link").xpos, data.body("left_shank").xpos
    touch = 0.5 * (upper + lower)
    for body, other in (("left_thigh", lower), ("left_shank", upper)):
        points = _vertices(data, body)
        distance = np.hypot(*(points - other)[:, [0, 2]].T)
        assert distance.min() == pytest.approx(RADIUS_M, abs=0.001)
        assert np.hypot(*(points - touch)[:, [0, 2]].T).min() < 0.005


def test_the_right_side_is_the_mirror_image_of_the_left() -> None:
    data = _posed()
    for name in {MODEL.body(MODEL.geom_bodyid[i]).name for i in VISUAL}:
        if name.startswith("left_"):
            left = _vertices(data, name)
            right = _vertices(data, name.replace("left_", "right_", 1))
            for one, other in ((left.max(axis=0), right.max(axis=0)), (left.min(0), right.min(0))):
                np.testing.assert_allclose(one[[0, 2]], other[[0, 2]], atol=2e-5)
            assert left[:, 1].max() == pytest.approx(-right[:, 1].min(), abs=2e-5)


def test_looks_touch_and_weigh_nothing_and_none_is_missing() -> None:
    for i in VISUAL:
        assert (MODEL.geom_contype[i], MODEL.geom_conaffinity[i]) == (0, 0)
        body, material = MODEL.body(MODEL.geom_bodyid[i]).name, MODEL.mat(MODEL.geom_matid[i]).name
        assert MODEL.mesh(MODEL.geom_dataid[i]).name == f"{body}-{material}"
    others = [MODEL.geom(i).name for i in range(MODEL.ngeom) if i not in VISUAL]
    assert len(others) == 8 and all("heel" in name or "toe" in name for name in others)
    tree = ElementTree.parse(XML)
    worn = sorted(geom.attrib["mesh"] for geom in tree.iter("geom") if "mesh" in geom.attrib)
    assert worn == sorted(path.stem for path in (ROBOT / "meshes").glob("*.obj"))


def test_the_script_draws_the_committed_meshes() -> None:
    result = subprocess.run(
        [sys.executable, str(ROBOT / "build_meshes.py"), "--check"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_standing_and_crouching_rest_on_the_soles_alone() -> None:
    """No shape of the simulated body reaches the floor while the soles are flat on it."""
    shapes = load_description(ROBOT / "body.toml").every_shape
    for bend in np.radians([0.0, 45.0, 60.0]):
        joints = {"hip_pitch": -bend, "knee": bend, "knee_distal": bend, "ankle_pitch": -bend}
        angles = {f"{s}_{n}": a for s in ("left", "right") for n, a in joints.items()}
        data = _posed(**angles)
        floor = data.site("left_sole").xpos[2]
        for shape in shapes:
            frame = data.body(shape.body)
            for end in (shape.start, shape.end):
                height = (frame.xpos + frame.xmat.reshape(3, 3) @ end)[2] - shape.radius - floor
                assert height > 0.02, shape
