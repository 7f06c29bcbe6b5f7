"""The room around the robot is built as the settings say."""

import math
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from devices.errors import DeviceError
from devices.sim.settings import GripPoint
from devices.sim.world import SET_DOWN, build_world
from tests.devices.sim import rig

HAND = GripPoint(body="left_hand", offset=(0.0, 0.0, -0.08))


def test_a_missing_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="robot.xml"):
        build_world(rig.settings(model_path=tmp_path / "robot.xml"))


def test_a_broken_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "robot.xml").write_text("<mujoco><worldbody>")
    with pytest.raises(DeviceError, match="gives no model"):
        build_world(rig.settings(model_path=tmp_path / "robot.xml"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"support": "mounted"}, "moves freely: it cannot be mounted"),
        ({"support": "gantry", "rope_point": None}, "gives no rope_point"),
        ({"imu_site": "nowhere"}, "nowhere"),
    ],
)
def test_settings_that_do_not_fit_the_robot_are_refused(
    changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(DeviceError, match=words):
        build_world(rig.settings(**changes))


def test_a_fixed_base_stands_on_no_floor(tmp_path: Path) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(rig.TALKING_HEAD)
    with pytest.raises(DeviceError, match="is fixed: it can only be mounted"):
        build_world(rig.talking_head(path, support="floor"))


def test_names_unknown_to_the_model_are_refused() -> None:
    names = (*rig.JOINTS[:-1], "right_tail")
    with pytest.raises(DeviceError, match="right_tail"):
        build_world(rig.settings(joint_names=names))
    with pytest.raises(DeviceError, match="right_foot_1"):
        build_world(rig.settings(contact_geoms=(("left_heel", "left_toe"), ("right_foot_1", "x"))))
    with pytest.raises(DeviceError, match="third_hand"):
        build_world(
            rig.settings(payload_kg=1.0, grip=GripPoint(body="third_hand", offset=(0.0, 0.0, 0.0)))
        )


def test_the_profile_order_is_mapped_to_the_model() -> None:
    world = build_world(rig.settings())
    for index, name in enumerate(rig.JOINTS):
        assert world.q_address[index] == world.model.joint(name).qposadr[0]
        assert world.v_address[index] == world.model.joint(name).dofadr[0]
    assert [i for i in range(rig.N) if world.legs[i]] == list(rig.LEGS)


@pytest.mark.parametrize("slope", [-8.0, 0.0, 5.0])
def test_the_floor_has_the_slope_asked_and_the_robot_stands_on_it(slope: float) -> None:
    crouch = rig.CROUCH | {"ankle": 30.0, "knee": -68.0}
    world = build_world(rig.settings(crouch, slope_deg=slope))
    data = mujoco.MjData(world.model)
    data.qpos[:] = world.initial_qpos
    mujoco.mj_kinematics(world.model, data)
    up = data.geom("floor").xmat.reshape(3, 3)[:, 2]
    assert math.degrees(math.atan2(-up[0], up[2])) == pytest.approx(slope)
    assert world.normal == pytest.approx(up)
    gaps = data.geom_xpos[list(world.contact_geoms)] @ up - 0.01
    # The ankles take up the slope, so that heel and toe touch together.
    assert gaps == pytest.approx(np.full(4, -SET_DOWN), abs=1e-9)


def test_the_payload_is_in_the_hand() -> None:
    bare = build_world(rig.settings()).model
    laden = build_world(rig.settings(payload_kg=0.5, grip=HAND)).model
    for name, more in (("torso", 0.5), ("left_hand", 0.5), ("right_hand", 0.0)):
        mass = laden.body(name).subtreemass[0] - bare.body(name).subtreemass[0]
        assert mass == pytest.approx(more)
    payload = laden.body("payload")
    assert payload.pos + payload.ipos == pytest.approx([0.0, 0.0, -0.08])  # among the fingers


def test_bumps_are_as_high_as_asked_and_lie_where_their_seed_says() -> None:
    first = build_world(rig.settings(bump_height_m=0.01)).model
    again = build_world(rig.settings(bump_height_m=0.01)).model
    other = build_world(rig.settings(bump_height_m=0.01, bump_seed=1)).model
    boxes = np.flatnonzero(first.geom_type == mujoco.mjtGeom.mjGEOM_BOX)
    assert len(boxes) > 50
    assert first.geom_pos[boxes, 2] + first.geom_size[boxes, 2] == pytest.approx(0.01)
    assert np.array_equal(first.geom_pos, again.geom_pos)
    assert not np.array_equal(first.geom_pos, other.geom_pos)


def test_the_robot_touches_the_floor_and_not_itself() -> None:
    world = build_world(rig.settings())
    model = world.model
    robot = np.flatnonzero(model.body_rootid[model.geom_bodyid] == world.base)
    assert model.geom_contype[robot].all()
    assert not model.geom_conaffinity[robot].any()


def test_a_diverged_model_does_not_reset_itself() -> None:
    model = build_world(rig.settings()).model
    assert model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_AUTORESET
