"""What postures ask of the joints: rates that noise hardly moves, and a body within its range."""

import numpy as np
import pytest

from core.behave.joints import UpperJoints
from core.link.partner import Posture
from core.robot.joint_table import joint_table
from core.robot.profile_file import load_profile
from core.tick.posture_goal import PostureGoal
from shows.body_limb import COORDINATES

JOINTS = UpperJoints.from_table(joint_table(load_profile("kid_cosmo")))
PERIOD_S = 0.03


def posture(joints: float = 0.0, pitch: float = 0.0, up: float = 0.0) -> Posture:
    """Return a posture with one angle of every joint, pitch of the trunk and height."""
    feet = ((0.0, 0.1, 0.0), (0.0, -0.1, 0.0))
    still = (0.0, 0.0, 0.0)
    own = (joints,) * JOINTS.joint_count
    return Posture(1, 0.0, own, (0.0, 0.0, up), still, still, (0.0, pitch, 0.0), feet, (True, True))


def goal_of(*angles: float, period_s: float = PERIOD_S) -> PostureGoal:
    """Return a goal that has heard postures one after the other."""
    goal = PostureGoal(JOINTS)
    goal.begin(0.0, posture(angles[0]))
    for count, angle in enumerate(angles[1:], 1):
        goal.hear(count * period_s, posture(angle))
    return goal


def test_the_rate_of_a_steady_motion_is_exact_and_noise_moves_it_little() -> None:
    steady = goal_of(*(0.1 + 0.5 * PERIOD_S * np.arange(6)))
    assert steady.rate[: JOINTS.joint_count] == pytest.approx(0.5)
    random = np.random.default_rng(0)
    angles = random.normal(0.0, 0.01, 400)
    goal, rates = goal_of(0.0), []
    for count, angle in enumerate(angles.tolist(), 1):
        goal.hear(count * PERIOD_S, posture(angle))
        rates.append(goal.rate[0])
    differences = np.diff(angles) / PERIOD_S
    assert np.std(rates[4:]) < 0.4 * np.std(differences)


def test_neither_a_jump_nor_postures_far_apart_tell_a_rate_beyond_a_person_s() -> None:
    assert goal_of(0.0, 3.0).rate[0] == 6.0
    assert goal_of(0.0, 1.0, period_s=0.2).rate[0] == 0.0
    assert goal_of(0.0).rate[0] == 0.0


def test_the_body_follows_a_little_exactly_and_comes_to_rest_within_its_range() -> None:
    pitch, height = (JOINTS.index[COORDINATES[role]] for role in (1, 3))
    goal = PostureGoal(JOINTS)
    goal.begin(0.0, posture(pitch=0.5, up=0.9))
    assert goal.position[pitch] == 0.0 and goal.position[height] == 0.0
    goal.hear(PERIOD_S, posture(pitch=0.52, up=0.899))
    assert goal.position[pitch] == pytest.approx(0.02, rel=0.01)
    assert goal.position[height] == pytest.approx(-0.001, rel=0.01)
    for count, bent in enumerate(np.linspace(0.52, 2.0, 30), 2):
        goal.hear(count * PERIOD_S, posture(pitch=float(bent), up=0.2))
        assert JOINTS.lower[height] < goal.position[height] < 0.0
        assert 0.0 < goal.position[pitch] < JOINTS.upper[pitch]
    assert abs(goal.rate[pitch]) < 1e-3, "no sudden stop at the end of the range"


def test_another_person_counts_from_the_own_first_posture() -> None:
    goal = goal_of(0.0, 1.0)
    goal.forget()
    assert goal.first is None
    goal.begin(1.2 * PERIOD_S, posture(0.3))
    assert goal.position[0] == 0.3 and not goal.rate.any()
