"""Kid Cosmo's boots on the ground have the stiffness of the paper, Table IV."""

import mujoco
import numpy as np
import pytest

from devices.sim.ground_springs import GroundSprings
from devices.sim.world import build_world
from tests.devices.sim import rig

TABLE_IV = {"heel": 0.123, "toe roll": 0.147, "toe pitch": 0.098}  # [N/mm]
PART = ("heel", "toe roll", "toe roll", "toe pitch") * 2


SPRINGS = rig.DESCRIPTION.ground_springs


@pytest.mark.parametrize("index", range(len(SPRINGS)))
@pytest.mark.parametrize("slope", [0.0, 4.0])
def test_a_boot_yields_as_table_iv_says(index: int, slope: float) -> None:
    spring = SPRINGS[index]
    settings = rig.settings(ground_springs=(spring,), slope_deg=slope)
    world = build_world(settings)
    data = mujoco.MjData(world.model)
    springs = GroundSprings(settings, world, data)
    for depth_mm in (4.0, 8.0, 12.0, 16.0):
        data.qpos[:] = world.initial_qpos
        mujoco.mj_kinematics(world.model, data)
        height = float(data.site("spring_0").xpos @ world.normal)
        data.qpos[:3] -= (height + depth_mm / 1e3) * world.normal
        mujoco.mj_fwdPosition(world.model, data)
        wrenches = np.zeros((world.model.nbody, 6))
        assert springs.add_forces(wrenches)
        foot = world.model.body(spring.body).id
        force = wrenches[foot, :3]
        assert force == pytest.approx(TABLE_IV[PART[index]] * depth_mm * world.normal)
        assert np.linalg.norm(force) < 2.4  # the largest force that the paper recorded [N]
        # The same force at the spring's point, as MuJoCo maps it to the joints.
        expected, mapped = np.zeros(world.model.nv), np.zeros(world.model.nv)
        point = data.site("spring_0").xpos
        mujoco.mj_applyFT(world.model, data, force, np.zeros(3), point, foot, expected)
        com = data.xipos[foot]
        mujoco.mj_applyFT(world.model, data, force, wrenches[foot, 3:], com, foot, mapped)
        assert mapped == pytest.approx(expected, abs=1e-12)
        wrenches[foot] = 0.0
        assert not wrenches.any()


def test_a_flat_foot_stands_on_its_sole_alone() -> None:
    settings = rig.settings()
    world = build_world(settings)
    data = mujoco.MjData(world.model)
    data.qpos[:] = world.initial_qpos
    mujoco.mj_fwdPosition(world.model, data)
    wrenches = np.zeros((world.model.nbody, 6))
    assert not GroundSprings(settings, world, data).add_forces(wrenches)
    assert not wrenches.any()


def test_a_robot_without_springs_feels_none() -> None:
    settings = rig.settings(ground_springs=())
    world = build_world(settings)
    assert not GroundSprings(settings, world, mujoco.MjData(world.model)).add_forces(
        np.zeros((1, 6))
    )
