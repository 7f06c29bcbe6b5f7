"""The thighs' impact on the body's shell has the stiffness of Kid Cosmo, Table IV."""

import mujoco
import numpy as np
import pytest

from devices.sim.world import build_world
from tests.devices.sim import rig


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("depth_mm", [1.75, 3.5])
def test_the_body_shell_yields_as_table_iv_says(side: str, depth_mm: float) -> None:
    settings = rig.settings()
    world = build_world(settings)
    data = mujoco.MjData(world.model)
    shell = next(i for i, s in enumerate(settings.femur_shells) if side in s.thigh)
    joint = world.model.joint(f"{side}_hip_pitch")

    def shorten(angle: float) -> float:
        data.qpos[joint.qposadr[0]] = angle
        mujoco.mj_forward(world.model, data)
        return settings.femur_shells[shell].gap - float(data.ten_length[shell])

    outer, inner = np.radians(-100.0), np.radians(-125.0)
    for _ in range(60):
        middle = 0.5 * (outer + inner)
        outer, inner = (outer, middle) if shorten(middle) > depth_mm / 1e3 else (middle, inner)
    arm = float(data.ten_J.reshape(-1)[_moment_arm(world.model, data, shell, joint.dofadr[0])])
    force = data.qfrc_passive[joint.dofadr[0]] / arm
    assert force / depth_mm == pytest.approx(5.774, rel=1e-3)


def _moment_arm(model: mujoco.MjModel, data: mujoco.MjData, tendon: int, dof: int) -> int:
    row = int(model.ten_J_rowadr[tendon])
    columns: list[int] = model.ten_J_colind[row : row + model.ten_J_rownnz[tendon]].tolist()
    return row + columns.index(dof)


def test_the_thigh_is_free_up_to_a_hundred_degrees_of_flexion() -> None:
    world = build_world(rig.settings())
    data = mujoco.MjData(world.model)
    for degrees, touches in ((-99.0, False), (-90.0, False), (0.0, False), (-102.0, True)):
        data.qpos[world.model.joint("left_hip_pitch").qposadr[0]] = np.radians(degrees)
        mujoco.mj_forward(world.model, data)
        assert bool(np.abs(data.qfrc_passive).max() > 1e-9) is touches
