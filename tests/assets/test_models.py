"""MuJoCo and Pinocchio read the same robot from each model."""

from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from tests.tracked import REPOSITORY

MODELS = sorted((REPOSITORY / "assets" / "robots").glob("*/robot.xml"))


class TwoLibraries:
    """The same state in MuJoCo and in Pinocchio.

    A free joint's linear velocity is in the world frame in MuJoCo and in the body's own frame in
    Pinocchio; the angular one is in the body's frame in both. With v_mujoco = T v_pinocchio,
    M_pinocchio = T' M_mujoco T, and the bias takes up the derivative of T.
    """

    def __init__(self, path: Path) -> None:
        self.model = mujoco.MjModel.from_xml_path(str(path))
        self.data = mujoco.MjData(self.model)
        self.pinocchio = pin.buildModelFromMJCF(str(path))
        self.pinocchio_data = self.pinocchio.createData()
        self.floating = bool(self.model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE)
        self.first = 6 if self.floating else 0
        hinges = range(int(self.floating), self.model.njnt)
        self.limits = self.model.jnt_range[int(self.floating) :].T
        names = [self.model.joint(i).name for i in hinges]
        joints = [self.pinocchio.joints[self.pinocchio.getJointId(name)] for name in names]
        self.q_index = np.array([joint.idx_q for joint in joints])
        self.v_index = np.array([joint.idx_v for joint in joints])

    def random_state(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Set MuJoCo to a random state and return it as Pinocchio's (q, v)."""
        data = self.data
        q, v = np.zeros(self.pinocchio.nq), np.zeros(self.pinocchio.nv)
        if self.floating:
            quaternion_wxyz = rng.normal(size=4)
            data.qpos[:3] = rng.normal(size=3)
            data.qpos[3:7] = quaternion_wxyz / np.linalg.norm(quaternion_wxyz)
        data.qpos[-len(self.q_index) :] = rng.uniform(*self.limits)
        data.qvel[:] = rng.normal(scale=3.0, size=self.model.nv)
        mujoco.mj_forward(self.model, data)
        if self.floating:
            q[:3], q[3:6], q[6] = data.qpos[:3], data.qpos[4:7], data.qpos[3]
            v[:3], v[3:6] = self._rotation().T @ data.qvel[:3], data.qvel[3:6]
        q[self.q_index] = data.qpos[-len(self.q_index) :]
        v[self.v_index] = data.qvel[self.first :]
        return q, v

    def _rotation(self) -> np.ndarray:
        base = int(self.model.jnt_bodyid[0])
        return np.asarray(self.data.xmat[base]).reshape(3, 3)

    def from_mujoco(self, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return MuJoCo's mass matrix and bias in Pinocchio's coordinates and order."""
        data, nv = self.data, self.model.nv
        mass = np.zeros((nv, nv))
        mujoco.mj_fullM(self.model, data, mass)
        transform, drift = np.eye(nv), np.zeros(nv)
        if self.floating:
            transform[:3, :3] = self._rotation()
            drift[:3] = self._rotation() @ np.cross(v[3:6], v[:3])
        bias = transform.T @ (data.qfrc_bias + mass @ drift)
        order = np.concatenate([np.arange(self.first), self.v_index])
        mass_out, bias_out = np.empty_like(mass), np.empty_like(bias)
        mass_out[np.ix_(order, order)] = transform.T @ mass @ transform
        bias_out[order] = bias
        return mass_out, bias_out


@pytest.fixture(scope="module", params=MODELS, ids=lambda path: path.parent.name)
def two(request: pytest.FixtureRequest) -> TwoLibraries:
    return TwoLibraries(request.param)


def test_mujoco_and_pinocchio_agree_on_mass_matrix_and_bias(two: TwoLibraries) -> None:
    rng = np.random.default_rng(7)
    for _ in range(50):
        q, v = two.random_state(rng)
        mass, bias = two.from_mujoco(v)
        upper = np.triu(pin.crba(two.pinocchio, two.pinocchio_data, q))
        ours = upper + np.triu(upper, 1).T
        np.testing.assert_allclose(ours, mass, rtol=0.0, atol=1e-8)
        effects = pin.nonLinearEffects(two.pinocchio, two.pinocchio_data, q, v)
        np.testing.assert_allclose(effects, bias, rtol=0.0, atol=1e-8)


def test_the_armature_is_in_both(two: TwoLibraries) -> None:
    """The comparison above would miss an armature that both leave out."""
    armature = two.model.dof_armature[two.first :]
    np.testing.assert_array_equal(two.pinocchio.armature[two.v_index], armature)
    assert (armature > 0.0).all()


def test_pinocchio_reads_the_same_limits(two: TwoLibraries) -> None:
    low, high = two.limits
    np.testing.assert_allclose(two.pinocchio.lowerPositionLimit[two.q_index], low, atol=1e-12)
    np.testing.assert_allclose(two.pinocchio.upperPositionLimit[two.q_index], high, atol=1e-12)


def test_every_inertia_is_one_that_a_body_can_have(two: TwoLibraries) -> None:
    """No principal moment exceeds the sum of the other two."""
    model = two.model
    moments = np.sort(model.body_inertia[model.body_mass > 0.0], axis=1)
    assert (moments[:, 0] > 0).all()
    assert (moments[:, 2] <= moments[:, 0] + moments[:, 1]).all()
