"""The figure has every body where the simulator has it, and every shape of the model."""

from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np
import pytest

from app.picture.robot_tree import RobotTree, base_pose, tree_of
from core.report.figure import figure_of
from core.robot.folders import robot_folder
from core.robot.profile_file import load_profile
from tests.app.console.figures import figure, tree

ROBOT = "kid_cosmo"
XML = """<mujoco><compiler angle="{angle}"/><worldbody><body name="a">{base}
<geom type="box" size="0.1 0.2 0.3" rgba="0.1 0.2 0.3 1"/>
<geom type="sphere" size="0.05" pos="0 0 1"/>
<body name="b" pos="0.1 0 0.2" euler="{euler}"><joint name="turns" axis="0 2 0" pos="0 0.1 0"/>
<geom type="capsule" size="0.02 0.15"/>
<body name="c" quat="0.6 0 0.8 0" pos="0 0.3 0"><joint name="slides" type="slide" axis="1 0 1"/>
<geom type="cylinder" size="0.02 0.15"/></body></body></body></worldbody></mujoco>"""


@dataclass(frozen=True)
class Fake:
    """A profile with what a figure needs."""

    model_path: Path
    name: str = ROBOT
    contacts: tuple[()] = ()


def _simulated(model: mujoco.MjModel, q: dict[str, float], base: np.ndarray) -> mujoco.MjData:
    data = mujoco.MjData(model)
    if model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE:
        data.qpos[:3] = base[:3, 3]
        mujoco.mju_mat2Quat(data.qpos[3:7], base[:3, :3].flatten())
    for name, angle in q.items():
        data.joint(name).qpos[0] = angle
    mujoco.mj_forward(model, data)
    return data


def _agree(found: RobotTree, model: mujoco.MjModel, q: dict[str, float], base: np.ndarray) -> None:
    data, poses = _simulated(model, q, base), found.forward_kinematics(q, base)
    for body, pose in zip(found.bodies, poses, strict=True):
        if body.joint:
            moved = data.body(model.joint(body.joint).bodyid[0])
            anchor = model.joint(body.joint).pos
            rotation = moved.xmat.reshape(3, 3)
            assert pose[:3, 3] == pytest.approx(moved.xpos + rotation @ anchor, abs=1e-9)
            assert pose[:3, :3] == pytest.approx(rotation, abs=1e-9)


def test_every_body_is_where_the_simulator_has_it() -> None:
    model = mujoco.MjModel.from_xml_path(str(robot_folder(ROBOT) / "robot.xml"))
    chance = np.random.default_rng(3)
    names = [body.joint for body in tree().bodies if body.joint]
    assert len(names) == model.njnt - 1
    for _ in range(5):
        base = base_pose(*chance.uniform(-1.5, 1.5, (2, 3)).tolist())
        angles = chance.uniform(-2.0, 2.0, len(names))
        _agree(tree(), model, dict(zip(names, angles.tolist(), strict=True)), base)


@pytest.mark.parametrize(("angle", "euler"), [("degree", "20 -40 60"), ("radian", "0.3 1 -0.5")])
@pytest.mark.parametrize("base", ["<freejoint/>", ""])
def test_primitives_and_both_kinds_of_joint_come_through(
    tmp_path: Path, angle: str, euler: str, base: str
) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(XML.format(angle=angle, euler=euler, base=base))
    found = figure_of(Fake(path))  # type: ignore[arg-type]
    assert [body.kind for body in found.bodies] == ["fixed", "hinge", "slide"]
    kinds = {shape.kind: shape for shape in found.shapes}
    assert set(kinds) == {"box", "sphere", "capsule", "cylinder"}
    assert kinds["box"].size == pytest.approx((0.2, 0.4, 0.6))
    assert kinds["capsule"].size == pytest.approx((0.02, 0.3))
    assert kinds["box"].colour == pytest.approx((0.1, 0.2, 0.3))
    model = mujoco.MjModel.from_xml_path(str(path))
    _agree(tree_of(found), model, {"turns": 0.7, "slides": 0.2}, np.eye(4))


def test_contacts_are_heel_and_toe_left_before_right() -> None:
    contacts = load_profile(ROBOT).contacts
    points = figure().contacts
    assert len(points) == 2 * len(contacts)
    poses = tree().forward_kinematics({})
    y = [
        (poses[point.body, :3, :3] @ point.position + poses[point.body, :3, 3]) for point in points
    ]
    assert y[0][0] < y[1][0] and y[0][1] == pytest.approx(y[1][1]) and y[0][1] > 0.0 > y[2][1]


def test_all_visual_meshes_are_there() -> None:
    meshes = robot_folder(ROBOT) / "meshes"
    assert sorted(shape.mesh for shape in figure().shapes) == sorted(
        f"meshes/{path.name}" for path in meshes.glob("*.obj")
    )


@pytest.mark.parametrize("text", ["<mujoco>", "<mujoco><worldbody><bodi/></worldbody></mujoco"])
def test_a_model_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(text)
    assert "robot.xml cannot be drawn" in figure_of(Fake(path)).problem  # type: ignore[arg-type]


COUPLED = """<mujoco><worldbody><body name="a"><freejoint/><geom size="0.1"/>
<body name="b" pos="0 0 -0.3"><joint name="bends" axis="0 1 0"/><geom size="0.1"/>
<body name="c" pos="0 0 -0.1"><joint name="rolls" axis="0 1 0"/><geom size="0.1"/></body></body>
</body></worldbody>
<equality><joint joint1="rolls" joint2="bends" polycoef="0 -0.5 0 0 0"/></equality></mujoco>"""


def test_a_joint_that_follows_is_drawn_by_the_joint_that_it_follows(tmp_path: Path) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(COUPLED)
    found = figure_of(Fake(path))  # type: ignore[arg-type]
    assert [(body.joint, body.ratio) for body in found.bodies[1:]] == [
        ("bends", 1.0), ("bends", -0.5)
    ]  # fmt: skip
    model = mujoco.MjModel.from_xml_path(str(path))
    data = _simulated(model, {"bends": 0.8, "rolls": -0.4}, np.eye(4))
    pose = tree_of(found).forward_kinematics({"bends": 0.8}, np.eye(4))[2]
    assert pose[:3, 3] == pytest.approx(data.body("c").xpos, abs=1e-9)
    assert pose[:3, :3] == pytest.approx(data.body("c").xmat.reshape(3, 3), abs=1e-9)


def test_a_wrong_coupling_is_the_figures_problem(tmp_path: Path) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(COUPLED.replace("0 -0.5 0", "1 -0.5 0"))
    assert "rolls" in figure_of(Fake(path)).problem  # type: ignore[arg-type]
