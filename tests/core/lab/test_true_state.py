"""The truth in the place of the estimate."""

import numpy as np
import pytest

from core.errors import CoreError
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import rehearse
from core.lab.script import Script
from core.lab.true_state import know_truth
from core.plants.build import build_plant
from core.robot.profile_file import load_profile
from core.run.launch import WalkOrder
from core.tick.performer import Performer
from devices.interface import Support
from tests.core.rig import StatueBody, profile


def test_what_is_believed_is_what_is_true() -> None:
    rows = Laboratory(true_state=True).run(0, Script(0.05)).rows[1:]
    for believed, true in (
        ("base_position_est", "base_position_true"),
        ("base_velocity_est", "base_velocity_true"),
        ("rpy_est", "rpy_true"),
    ):
        np.testing.assert_array_equal(rows[believed], rows[true], err_msg=believed)
    assert (rows["q"] != rows["q_true"]).any()


def test_the_load_of_a_hand_is_learned_from_the_torques_as_on_an_estimate() -> None:
    lab, found = Laboratory(true_state=True), [0.0]

    def watch(performer: Performer) -> None:
        found[0] = float(np.abs(performer.plant.state.tau).max())

    lab.run(0, Script(0.05), watch=watch)
    assert found[0] > 1.0  # the legs carry the robot


def test_a_robot_that_knows_the_truth_stands_and_walks() -> None:
    lab = Laboratory(true_state=True)
    done = lab.run(0, Script(2.5, [WalkOrder(vx=0.16, dur=2.5)]))
    assert not done.failed
    assert not lab.notes
    way = done.rows["base_position_true"][-1, 0] - done.rows["base_position_true"][3000, 0]
    assert way > 0.15


def test_a_runner_believes_the_truth_too() -> None:
    rows = Laboratory(true_state=True, robot="small_biped").run(0, Script(0.05)).rows[1:]
    np.testing.assert_array_equal(rows["base_position_est"], rows["base_position_true"])
    np.testing.assert_array_equal(rows["rpy_est"], rows["rpy_true"])


def test_a_robot_without_legs_has_no_estimate_to_replace() -> None:
    arms = load_profile("two_arms")
    plant = build_plant(arms, Support.MOUNTED)
    with pytest.raises(CoreError, match="no biped"):
        know_truth(plant, Laboratory(robot="small_biped").body(0), arms)


def test_a_body_that_knows_no_truth_is_refused() -> None:
    with pytest.raises(ValueError, match="only a simulated body"):
        rehearse(profile(), StatueBody(), Script(1.0), true_state=True)
