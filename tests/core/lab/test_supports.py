"""Rehearsals under the gantry and on the seat."""

import numpy as np

from core.behave.reference import MotionState
from core.safety.modes import Mode
from tests.core.lab.test_rehearsal import assert_done, during, run, walk, wave


def test_under_the_gantry_a_walk_completes() -> None:
    done = run(support="gantry", walk=walk(3.0, vx=0.1))
    assert_done(done)
    walking = during(done, Mode.WALK)
    assert walking.size > 2900
    assert (walking["contact_true"].sum(axis=1) == 1.0).any()  # it steps, and does not hang


def test_a_gesture_does_not_push_the_robot_off_its_seat() -> None:
    # Gestures go with orders to walk; at zero velocity none of them asks the seat to.
    done = run(support="seated", walk=walk(6.0), gestures=("wave",), prepared=wave())
    assert_done(done)
    assert (done.rows["motion_state"][:, 1:3] == MotionState.ACTION).sum() > 1000
    positions = done.rows["base_position_true"]
    assert np.linalg.norm(positions - positions[0], axis=1).max() < 0.05
