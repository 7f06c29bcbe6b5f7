"""DRACO 3 has the published values and knees that roll."""

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from core.robot.couplings import eliminate, read_couplings
from tests.assets.looks import looks_of

LOOKS = looks_of("draco3")
XML, MODEL = LOOKS.folder / "robot.xml", LOOKS.model
RADIUS_M = 0.05587  # of the knee's rolling contact


def test_mass_and_lengths_are_the_published_ones() -> None:
    data = LOOKS.posed()
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


@pytest.mark.parametrize("bend", [0.0, np.pi / 4, np.radians(87.5)])
def test_the_pulleys_of_a_knee_touch_at_every_angle(bend: float) -> None:
    """Neither shell enters the circle of the other pulley, and the circles touch."""
    data = LOOKS.posed(left_knee=bend, left_knee_distal=bend)
    upper, lower = data.body("left_knee_link").xpos, data.body("left_shank").xpos
    touch = 0.5 * (upper + lower)
    for body, other in (("left_thigh", lower), ("left_shank", upper)):
        points = LOOKS.vertices(data, body)
        distance = np.hypot(*(points - other)[:, [0, 2]].T)
        assert distance.min() == pytest.approx(RADIUS_M, abs=0.001)
        assert np.hypot(*(points - touch)[:, [0, 2]].T).min() < 0.005
