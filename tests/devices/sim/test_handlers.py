"""People hold the robot before it stands and after it settled, and never catch a fall."""

import numpy as np
import pytest

from devices.interface import JointCommand
from tests.devices.sim import rig


def test_a_limp_robot_is_held_where_it_is() -> None:
    robot = rig.body()
    for _ in range(1000):
        robot.stop()
    truth = robot.truth()
    assert np.abs(truth.base_position - robot.world.initial_qpos[:3]).max() < 0.02
    assert np.abs(truth.base_rpy).max() < 0.05


def test_moving_the_arms_alone_is_no_reason_to_let_go() -> None:
    robot = rig.body()
    command = rig.hold(rig.posture(rig.CROUCH))
    command.kp[list(rig.LEGS)] = 0.0
    for _ in range(200):
        robot.write(command)
    assert robot.handlers_grip == 1.0


@pytest.mark.parametrize("torque", [False, True])
def test_they_let_go_gradually_when_the_legs_take_over(torque: bool) -> None:
    robot = rig.body()
    command = JointCommand.zeros(rig.N)
    if torque:
        command.tau[11] = -1.0
    else:
        command = rig.hold(rig.posture(rig.CROUCH))
    grips = []
    for _ in range(1250):
        robot.write(command)
        grips.append(robot.handlers_grip)
    assert grips[0] > 0.999
    assert 0.3 < grips[600] < 0.7
    assert grips[-1] == 0.0
    assert np.all(np.diff(grips) <= 0.0)


def test_a_robot_damped_in_its_crouch_is_held_again() -> None:
    robot = rig.body()
    command = rig.hold(rig.posture(rig.CROUCH), 300.0)
    for _ in range(1201):
        robot.write(command)
    assert robot.handlers_grip == 0.0
    robot.place(position=robot.world.initial_qpos[:3])
    robot.write(command)
    robot.damp()
    assert robot.handlers_grip == 1.0
    for _ in range(500):
        robot.damp()
    assert robot.truth().base_position[2] == pytest.approx(robot.world.initial_qpos[2], abs=0.02)


@pytest.mark.parametrize(
    ("rise", "lean", "speed"), [(0.10, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, 0.0, 0.5)]
)
def test_a_fall_is_never_caught(rise: float, lean: float, speed: float) -> None:
    robot = rig.body()
    command = rig.hold(rig.posture(rig.CROUCH), 300.0)
    for _ in range(1201):
        robot.write(command)
    robot.place(
        position=robot.world.initial_qpos[:3] + [0.0, 0.0, rise],
        quaternion=np.array([np.cos(lean / 2), 0.0, np.sin(lean / 2), 0.0]),
        velocity=np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0]),
    )
    robot.write(command)
    # However slowly it sinks while it is damped, they only watch.
    for _ in range(1500):
        robot.damp()
        assert robot.handlers_grip == 0.0
    assert robot.truth().base_position[2] < robot.world.initial_qpos[2] - 0.05


@pytest.mark.parametrize(("support", "grip"), [("gantry", 1.0), ("seated", 0.0)])
def test_people_set_a_robot_on_its_feet_below_the_gantry_but_not_on_a_seat(
    support: str, grip: float
) -> None:
    robot = rig.body(support=support)
    robot.damp()
    assert robot.handlers_grip == grip
