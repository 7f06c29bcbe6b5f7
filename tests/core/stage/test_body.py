"""The robot as preflight sees it, against first principles."""

from pathlib import Path

import numpy as np
import pytest

from core.stage.body import body_from_profile, read_shapes
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
    assert body().heel_m < middle[0] < body().toe_m
    forward = dynamics.com(still(left_shoulder_pitch=-90, right_shoulder_pitch=-90))
    assert forward[0] > middle[0] + 0.01
    aside = dynamics.com(still(left_shoulder_roll=-85))
    assert aside[1] > middle[1] + 0.002


def test_placements_are_in_the_torso_frame() -> None:
    placed = body().dynamics.placements(still())
    np.testing.assert_allclose(placed["torso"], np.eye(4), atol=1e-9)
    assert placed["left_hand"][1, 3] > 0.1 > placed["right_hand"][1, 3]


def test_limits_are_the_profile_s() -> None:
    fresh = body_from_profile(profile())
    assert fresh.stall_torque[fresh.upper.index[ELBOW]] == 8.0
    assert fresh.no_load_speed[fresh.upper.index[ELBOW]] == pytest.approx(20.9, abs=0.1)
    assert set(fresh.shapes) >= {"torso", "head", "left_hand", "right_forearm"}


def test_a_folder_without_meshes_has_no_shapes(tmp_path: Path) -> None:
    assert read_shapes(tmp_path) == {}
