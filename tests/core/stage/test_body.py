"""The robot as preflight sees it, against first principles."""

import numpy as np
import pytest
from msgspec.structs import replace

from core.stage.body import Footing, body_from_profile
from tests.core.stage.robot import body, profile

ELBOW = "right_elbow"


def still(**degrees: float) -> np.ndarray:
    q = np.zeros(len(body().upper))
    for name, angle in degrees.items():
        q[body().upper.index[name]] = np.deg2rad(angle)
    return q


def test_a_hanging_arm_needs_no_torque_and_a_level_forearm_needs_its_weight() -> None:
    zero = np.zeros(len(body().upper))
    elbow = body().upper.index[ELBOW]
    assert abs(body().dynamics.torque(still(), zero, zero)[elbow]) < 0.05
    level = body().dynamics.torque(still(right_elbow=90), zero, zero)[elbow]
    # 0.2 kg at 7 cm, the hand's 0.24 kg and four fingers of 0.04 kg beyond 17 cm.
    assert level == pytest.approx(9.81 * (0.2 * 0.07 + 0.4 * 0.24), abs=0.2)


def test_torque_rises_with_acceleration_by_inertia_and_armature() -> None:
    zero = np.zeros(len(body().upper))
    elbow = body().upper.index[ELBOW]
    spin = zero.copy()
    spin[elbow] = 10.0
    more = body().dynamics.torque(still(), zero, spin) - body().dynamics.torque(still(), zero, zero)
    assert 10.0 * 0.0068 < more[elbow] < 10.0 * 0.06


def test_the_centre_of_mass_goes_where_the_arms_go() -> None:
    dynamics = body().dynamics
    middle = dynamics.com(still())
    assert abs(middle[1]) < 1e-3
    footing = body().footing
    assert footing is not None
    assert footing.heel_m < middle[0] < footing.toe_m
    forward = dynamics.com(still(left_shoulder_pitch=-90, right_shoulder_pitch=-90))
    assert forward[0] > middle[0] + 0.01
    aside = dynamics.com(still(left_shoulder_roll=-85))
    assert aside[1] > middle[1] + 0.002


def test_placements_are_those_of_the_pairs_bodies() -> None:
    pairs = profile().collisions
    assert pairs is not None
    placed = body().dynamics.placements(still())
    assert placed.keys() == {name for pair in pairs.pairs for name in pair}
    aside = placed["left_hand"][:3, 3] - placed["torso"][:3, 3]
    assert aside[1] > 0.1
    np.testing.assert_allclose(placed["torso"][:3, :3], np.eye(3), atol=1e-9)


def test_limits_are_the_profile_s() -> None:
    elbow = body().upper.index[ELBOW]
    assert body().stall_torque[elbow] == 8.0
    assert body().no_load_speed[elbow] == pytest.approx(20.9, abs=0.1)
    gait = profile().as_biped.gait
    walk = body().walk
    assert walk is not None
    np.testing.assert_array_equal(
        walk.speed, [gait.max_speed_forward, gait.max_speed_sideways, gait.max_yaw_rate]
    )
    assert body().footing == Footing(-0.1, 0.1, 0.5 * gait.step_width)


def test_a_robot_without_gait_and_pairs_has_neither() -> None:
    fixed = body_from_profile(replace(profile(), biped=None, collisions=None))
    assert (fixed.walk, fixed.footing, fixed.collision) == (None, None, None)
