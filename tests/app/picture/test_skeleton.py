"""The person is made of capsules, one for every bone, and a head on top."""

import numpy as np

from app.picture.skeleton import SKULL_M, joints_of, radius_of, skull
from assets.takes.scenes import takes
from shows.human import BONES, INDEX

TAKES = {take.name: take for take in takes()}


def test_every_bone_has_a_radius_and_both_sides_are_alike() -> None:
    for bone in BONES[1:]:
        other = bone.replace("left_", "right_")
        assert 0.02 < radius_of(bone) < 0.15 and radius_of(other) == radius_of(bone)


def test_only_finite_joints_of_a_whole_person_are_drawn() -> None:
    joints = TAKES["t_pose"].positions[0]
    rows = [(x, y, z) for x, y, z in joints.tolist()]
    found = joints_of(rows)
    assert found is not None and np.array_equal(found, joints)
    assert joints_of(rows[1:]) is None
    assert joints_of([(np.inf, 0.0, 0.0), *rows[1:]]) is None


def test_the_head_is_above_its_joint_even_without_a_neck() -> None:
    joints = TAKES["t_pose"].positions[0].copy()
    head = joints[INDEX["head"]].copy()
    assert 0.0 < skull(joints)[2] - head[2] <= SKULL_M
    joints[INDEX["neck"]] = head
    assert skull(joints)[2] > head[2]
