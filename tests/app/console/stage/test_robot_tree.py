"""The tree puts every body where the simulator does, and says in one sentence why it cannot."""

import shutil
from pathlib import Path

import mujoco
import numpy as np
import pytest

from app.console.stage.robot_tree import (
    ROBOTS,
    RobotError,
    RobotTree,
    base_pose,
    load_tree,
    read_tree,
)

FOLDER = ROBOTS / "kid_cosmo"
TREE = load_tree("kid_cosmo")
MODEL = mujoco.MjModel.from_xml_path(str(FOLDER / "robot.xml"))
TURNED_XML = """<mujoco><compiler angle="{angle}" meshdir="meshes"/>
<asset><mesh file="head-red.obj"/></asset>
<worldbody><body name="a"><freejoint/>
<body name="b" pos="0.1 0 0.2" euler="{euler}"><joint name="j" axis="0 2 0"/>
<geom class="visual" mesh="head-red" rgba="0.1 0.2 0.3 1"/>
<body name="c" quat="0.6 0 0.8 0" pos="0 0.3 0"/></body></body></worldbody></mujoco>"""


def _simulated(model: mujoco.MjModel, q: dict[str, float], base: np.ndarray) -> mujoco.MjData:
    data = mujoco.MjData(model)
    data.qpos[:3] = base[:3, 3]
    mujoco.mju_mat2Quat(data.qpos[3:7], base[:3, :3].flatten())
    for name, angle in q.items():
        data.joint(name).qpos[0] = angle
    mujoco.mj_forward(model, data)
    return data


def _agree(tree: RobotTree, model: mujoco.MjModel, q: dict[str, float], base: np.ndarray) -> None:
    data, poses = _simulated(model, q, base), tree.forward_kinematics(q, base)
    for body, pose in zip(tree.bodies, poses, strict=True):
        assert pose[:3, 3] == pytest.approx(data.body(body.name).xpos, abs=1e-9), body.name
        assert pose[:3, :3].flatten() == pytest.approx(data.body(body.name).xmat, abs=1e-9)


def test_every_body_is_where_the_simulator_has_it() -> None:
    chance = np.random.default_rng(3)
    names = [body.joint for body in TREE.bodies if body.joint]
    assert len(names) == MODEL.njnt - 1
    for _ in range(5):
        base = base_pose(*chance.uniform(-1.5, 1.5, (2, 3)).tolist())
        angles = chance.uniform(-2.0, 2.0, len(names))
        _agree(TREE, MODEL, dict(zip(names, angles.tolist(), strict=True)), base)


@pytest.mark.parametrize(("angle", "euler"), [("degree", "20 -40 60"), ("radian", "0.3 1 -0.5")])
def test_turned_frames_are_read(tmp_path: Path, angle: str, euler: str) -> None:
    shutil.copytree(FOLDER / "meshes", tmp_path / "meshes")
    text = TURNED_XML.format(angle=angle, euler=euler)
    (tmp_path / "robot.xml").write_text(text)
    inertia = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    text = text.replace("<freejoint/>", f"<freejoint/>{inertia}").replace(' class="visual"', "")
    path = tmp_path / "simulated.xml"
    path.write_text(
        text.replace("geom mesh", 'geom type="mesh" mesh').replace(
            'pos="0 0.3 0"/>', f'pos="0 0.3 0">{inertia}</body>'
        )
    )
    tree = read_tree(tmp_path)
    _agree(tree, mujoco.MjModel.from_xml_path(str(path)), {"j": 0.7}, np.eye(4))
    assert tree.bodies[1].patches[0].colour == (0.1, 0.2, 0.3)


def test_contacts_are_heel_and_toe_left_before_right() -> None:
    data = _simulated(MODEL, {}, np.eye(4))
    poses = TREE.forward_kinematics({})
    places = [poses[i, :3, :3] @ place + poses[i, :3, 3] for i, place in TREE.contacts]
    names = ("left_heel", "left_toe", "right_heel", "right_toe")
    for place, name in zip(places, names, strict=True):
        assert place == pytest.approx(data.geom(name).xpos, abs=1e-9)


def test_all_visual_meshes_are_there_in_their_colours() -> None:
    patches = [patch for body in TREE.bodies for patch in body.patches]
    assert len(patches) == len(list((FOLDER / "meshes").glob("*.obj")))
    torso = TREE.bodies[0].patches
    assert torso[0].colour == (0.97, 0.89, 0.74)


def test_an_unknown_robot_is_named() -> None:
    with pytest.raises(RobotError, match="no robot 'nobody'"):
        load_tree("nobody")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("<worldbody>", "<worldbody", "well-formed"),
        ("<body ", "<bodi ", "mismatched"),
        ("axis=", 'type="slide" axis=', "one hinge"),
        ("axis=", 'pos="1 0 0" axis=', "one hinge"),
        ('mesh="head-red"', 'mesh="tail"', "no mesh tail"),
        ('file="head-red.obj"', 'name="head-red" file="gone.obj"', "gone.obj"),
        ('pos="0.1 0 0.2"', 'pos="0.1 0"', "pos of b"),
        ('pos="0.1 0 0.2"', 'pos="nan 0 0"', "pos of b"),
    ],
)
def test_a_bad_model_is_one_sentence(tmp_path: Path, old: str, new: str, reason: str) -> None:
    shutil.copytree(FOLDER / "meshes", tmp_path / "meshes")
    text = TURNED_XML.format(angle="degree", euler="0 0 0")
    (tmp_path / "robot.xml").write_text(text.replace(old, new, 1))
    with pytest.raises(RobotError, match=reason) as refusal:
        read_tree(tmp_path)
    assert "\n" not in str(refusal.value)
