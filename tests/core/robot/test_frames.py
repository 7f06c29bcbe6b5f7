"""Frames agree with Pinocchio's own calls."""

import numpy as np
import pinocchio as pin
import pytest

from core.errors import CoreError
from core.robot.frames import Frames, as_one
from core.robot.model import load_pinocchio
from devices.interface import Floats
from tests.core.rig import profile, random_posture

NAMES = ("left_sole", "right_hand", "head")


@pytest.fixture(scope="module")
def model() -> pin.Model:
    return load_pinocchio(profile())


def random_motion(model: pin.Model, seed: int) -> tuple[Floats, Floats]:
    """Return a configuration and a velocity."""
    rng = np.random.default_rng(seed)
    q, v = pin.neutral(model), rng.normal(0.0, 2.0, model.nv)
    q[:3] = rng.normal(0.0, 1.0, 3)
    q[3:7] = pin.Quaternion(pin.exp3(rng.normal(0.0, 1.0, 3))).coeffs()
    q[7:] = random_posture(rng)[: model.nv - 6]
    return q, v


@pytest.mark.parametrize("seed", range(5))
def test_frames_agree_with_pinocchio(model: pin.Model, seed: int) -> None:
    data, own = model.createData(), model.createData()
    q, v = random_motion(model, seed)
    frames = Frames(model, data, NAMES, v)
    pin.crba(model, data, q, pin.Convention.WORLD)
    pin.nonLinearEffects(model, data, q, v)
    frames.update()
    pin.forwardKinematics(model, own, q, v, np.zeros(model.nv))
    pin.computeJointJacobians(model, own, q)
    world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    for k, frame in enumerate(map(model.getFrameId, NAMES)):
        place = pin.updateFramePlacement(model, own, frame)
        jacobian = pin.getFrameJacobian(model, own, frame, world)
        drift = pin.getFrameClassicalAcceleration(model, own, frame, world).vector
        np.testing.assert_allclose(frames.positions[k], place.translation, atol=1e-12)
        np.testing.assert_allclose(frames.rotations[k], place.rotation, atol=1e-12)
        np.testing.assert_allclose(frames.jacobians[k], jacobian, atol=1e-12)
        np.testing.assert_allclose(frames.drifts[k], drift, atol=1e-11)
        np.testing.assert_allclose(frames.velocities[k], jacobian @ v, atol=1e-12)
        assert np.abs(drift).min() > 0.0


def test_a_prismatic_joint_is_supported() -> None:
    model = pin.Model()
    base = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "base")
    below = pin.SE3(pin.exp3(np.array([0.1, 0.2, 0.3])), np.array([0.0, 0.1, -0.2]))
    hinge = model.addJoint(base, pin.JointModelRX(), below, "hinge")
    rail = model.addJoint(hinge, pin.JointModelPY(), below, "rail")
    model.addFrame(pin.Frame("end", rail, 0, below, pin.FrameType.OP_FRAME))
    data, frame = model.createData(), model.getFrameId("end")
    q, v = pin.neutral(model), np.arange(1.0, 9.0)
    q[7:] = 0.3, 0.4
    frames = Frames(model, data, ("end",), v)
    pin.crba(model, data, q, pin.Convention.WORLD)
    pin.nonLinearEffects(model, data, q, v)
    frames.update()
    pin.forwardKinematics(model, data, q, v, np.zeros(8))
    world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    drift = pin.getFrameClassicalAcceleration(model, data, frame, world).vector
    np.testing.assert_allclose(frames.drifts[0], drift, atol=1e-12)
    jacobian = pin.getFrameJacobian(model, data, frame, world)
    np.testing.assert_allclose(frames.jacobians[0], jacobian, atol=1e-12)


def test_another_memory_layout_is_refused() -> None:
    block = np.arange(6.0)
    whole = as_one([block[:2], block[2:6]], (2, 3))
    assert np.shares_memory(whole, block) and whole.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    for parts, shape in (
        ([block[:2], block[3:]], (5,)),
        ([block[2:], block[:2]], (2, 3)),
        ([block[:2], block[2:6]], (7,)),
    ):
        with pytest.raises(CoreError, match="memory layout of this Pinocchio"):
            as_one(parts, shape)
