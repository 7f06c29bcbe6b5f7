"""Torques of a motion: gravity at rest, inertia in movement, and what preflight computes."""

import numpy as np
import pytest

from core.link.torque import TorqueQuestion
from core.stage.torque_check import answer_torques
from devices.interface import Floats
from tests.core.stage.robot import body

RATE_HZ = 100.0
ELBOW, SHOULDER = "left_elbow", "left_shoulder_pitch"


def asked(q: Floats, *names: str) -> TorqueQuestion:
    return TorqueQuestion("console-1-ab", 3, names, RATE_HZ, tuple(q.ravel().tolist()))


def test_a_joint_that_the_robot_does_not_move_is_named() -> None:
    answer = answer_torques(asked(np.zeros((3, 1)), "tail"), body())
    assert answer.number == 3 and "no joint tail" in answer.trouble
    assert answer.torque == answer.most == ()


def test_a_held_pose_needs_the_torque_of_gravity() -> None:
    robot = body()
    pose = np.array([-1.4, 0.6])
    answer = answer_torques(asked(np.tile(pose, (5, 1)), SHOULDER, ELBOW), robot)
    q = robot.rest_q[list(robot.upper.table_index)].copy()
    columns = [robot.upper.index[name] for name in (SHOULDER, ELBOW)]
    q[columns] = pose
    still = np.zeros_like(q)
    weight = robot.dynamics.torque(q, still, still)[columns]
    torque = np.array(answer.torque).reshape(-1, 2)
    assert np.abs(torque - weight).max() < 1e-3 and np.abs(weight).max() > 0.5
    most = np.array(answer.most).reshape(-1, 2)
    assert np.abs(most - robot.stall_torque[columns]).max() < 1e-3


@pytest.mark.parametrize("hz", [0.5, 1.0])
def test_a_movement_needs_the_torque_of_its_exact_derivatives(hz: float) -> None:
    robot = body()
    omega, times = 2.0 * np.pi * hz, np.arange(300) / RATE_HZ
    answer = answer_torques(asked(0.6 + 0.5 * np.sin(omega * times)[:, None], ELBOW), robot)
    torque = np.array(answer.torque)
    column = robot.upper.index[ELBOW]
    q = robot.rest_q[list(robot.upper.table_index)].copy()
    for sample in (40, 137, 222):
        dq, ddq = np.zeros_like(q), np.zeros_like(q)
        phase = omega * times[sample]
        q[column] = 0.6 + 0.5 * np.sin(phase)
        dq[column] = 0.5 * omega * np.cos(phase)
        ddq[column] = -0.5 * omega**2 * np.sin(phase)
        exact = robot.dynamics.torque(q, dq, ddq)[column]
        exact += robot.friction_coulomb[column] * np.sign(dq[column])
        exact += robot.friction_viscous[column] * dq[column]
        assert torque[sample] == pytest.approx(exact, abs=0.02)


def test_a_driving_motor_has_less_torque_at_speed_and_a_braking_one_all() -> None:
    robot = body()
    times = np.arange(200) / RATE_HZ
    answer = answer_torques(asked(0.6 + 0.5 * np.sin(2.0 * times)[:, None], ELBOW), robot)
    column = robot.upper.index[ELBOW]
    most, stall = np.array(answer.most), robot.stall_torque[column]
    drives = np.array(answer.torque) * np.cos(2.0 * times) > 0.0
    assert most[drives].min() < 0.99 * stall and most.max() <= stall + 1e-3
    assert np.abs(most[~drives] - stall).max() < 1e-3
