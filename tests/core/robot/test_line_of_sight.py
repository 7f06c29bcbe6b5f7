"""The line of sight meets the point, however the joints below the head and the base are turned."""

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from core.robot.line_of_sight import LineOfSight
from core.robot.profile_file import load_profile


@pytest.mark.parametrize("robot", ["kid_cosmo", "small_biped"])
def test_a_head_at_these_angles_looks_at_the_point(robot: str) -> None:
    found = load_profile(robot)
    assert found.gaze is not None
    sight, rng = LineOfSight(found), np.random.default_rng(2)
    model = mujoco.MjModel.from_xml_path(str(found.model_path))
    data = mujoco.MjData(model)
    bodies = [model.joint(name).bodyid[0] for name in (found.gaze.yaw, found.gaze.pitch)]
    body = model.body(max(bodies)).name
    mujoco.mj_forward(model, data)
    ahead = data.body(body).xmat.reshape(3, 3).T @ (1.0, 0.0, 0.0)
    for _ in range(20):
        q = 0.2 * rng.standard_normal(len(found.joint_names))
        rotation = pin.rpy.rpyToMatrix(0.1, -0.1, float(rng.uniform(-3.0, 3.0)))
        base = rng.uniform(-1.0, 1.0, 3)
        point = base + rotation @ (2.0, rng.uniform(-1.5, 1.5), rng.uniform(-0.5, 0.8))
        angles = sight.angles(q, rotation, base, point)
        for name, angle in zip(found.joint_names, q, strict=True):
            data.joint(name).qpos[0] = angle
        for name, angle in zip((found.gaze.yaw, found.gaze.pitch), angles, strict=True):
            data.joint(name).qpos[0] = angle
        data.qpos[:3] = base
        mujoco.mju_mat2Quat(data.qpos[3:7], rotation.ravel())
        mujoco.mj_forward(model, data)
        turned = q.copy()
        turned[[found.joint_names.index(n) for n in (found.gaze.yaw, found.gaze.pitch)]] = angles
        eye = sight.eye(turned, rotation, base)
        assert eye == pytest.approx(sight.eye(q, rotation, base))
        looks = sight.direction(turned, rotation)
        assert eye + np.linalg.norm(point - eye) * looks == pytest.approx(point)
        way = point - data.body(body).xpos
        line = data.body(body).xmat.reshape(3, 3) @ ahead
        assert np.linalg.norm(np.cross(line, way)) < 0.04 * (line @ way)
