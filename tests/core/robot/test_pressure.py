"""How far joints that accelerate move the pressure under the feet."""

import numpy as np
import pinocchio as pin
import pytest

from core.robot.joint_table import joint_table
from core.robot.model import load_pinocchio
from core.robot.pressure import PressureLevers
from core.robot.profile_file import load_profile
from shows.body_limb import COORDINATES


@pytest.mark.parametrize("robot", ["kid_cosmo", "draco3", "small_biped"])
def test_both_sides_are_alike_and_the_torso_counts_most(robot: str) -> None:
    profile = load_profile(robot)
    levers = PressureLevers(profile)
    arms = [limb.name for limb in profile.limbs if limb.kind == "arm"]
    rows = profile.joints.rows
    left, right = (levers.of_joints([row.name for row in rows if row.limb == arm]) for arm in arms)
    assert left == pytest.approx(right, rel=0.05)
    body = levers.of_body()
    assert body[:2].min() > max(left.max(), right.max())
    assert not body[2:].any()


def test_a_lever_times_the_weight_is_a_moment_that_the_joint_s_own_inertia_explains() -> None:
    profile = load_profile("kid_cosmo")
    model = load_pinocchio(profile)
    q = pin.neutral(model)
    matrix = pin.crba(model, model.createData(), q)
    column = model.joints[model.getJointId("head_pitch")].idx_v
    weight = pin.computeTotalMass(model) * 9.81
    moment = PressureLevers(profile).of_joints(["head_pitch"])[0] * weight
    # About the centre of mass the head has a longer way than about its own joint.
    assert matrix[column, column] < moment < 3.0 * matrix[column, column]


def test_what_follows_a_person_moves_the_pressure_no_farther_than_the_profile_says() -> None:
    profile = load_profile("kid_cosmo")
    table, motion = joint_table(profile), profile.motion
    head = ["head_pitch", "head_yaw"]
    levers = PressureLevers(profile).of_joints(head)
    for joint, lever in zip(head, levers.tolist(), strict=True):
        strongest = table.acceleration_led[table.index[joint]]
        assert strongest == min(motion.live_acceleration, motion.live_pressure / lever)
    assert table.acceleration_led[table.index["head_pitch"]] < 0.25 * motion.live_acceleration
    pitch = table.index[COORDINATES[1]]
    assert table.acceleration_led[pitch] < table.acceleration[pitch]
    of_arms = joint_table(load_profile("two_arms"))
    assert (of_arms.acceleration_led == load_profile("two_arms").motion.live_acceleration).all()
    assert np.isfinite(table.acceleration_led).all()
