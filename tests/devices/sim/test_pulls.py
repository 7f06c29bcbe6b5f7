"""A hand that pulls a link: a spring of bounded force at a point."""

import numpy as np
import pytest

from devices.errors import DeviceError
from devices.sim.body import SimulatedBody
from devices.sim.pulls import MOST_N
from tests.devices.sim.rig import body, hold

LINK = "left_hand"
FAR = np.array([5.0, 0.0, 1.0])
NOWHERE = np.zeros(3)


def seated() -> SimulatedBody:
    return body(support="seated")


def advance(robot: SimulatedBody, seconds: float) -> None:
    posture = hold(robot.read().q.copy())
    for _ in range(round(seconds / 0.001)):
        robot.write(posture)


def test_it_pulls_with_a_bounded_force_and_lets_go_by_itself() -> None:
    robot = seated()
    advance(robot, 0.1)
    robot.pull(LINK, NOWHERE, FAR, 0.05, "mouse")
    advance(robot, 0.03)
    force = robot.truth().external_force
    assert np.linalg.norm(force) == pytest.approx(MOST_N, rel=1e-6) and force[0] > 0.9 * MOST_N
    advance(robot, 0.05)
    assert np.linalg.norm(robot.truth().external_force) == 0.0


def test_a_limp_arm_follows_the_hand() -> None:
    robot = seated()
    model, data = robot.model, robot.data
    place = data.body(LINK).xpos.copy()
    target = place + (0.15, 0.05, 0.1)
    posture = hold(robot.read().q.copy())
    names = robot.settings.joint_names
    arm = [i for i, name in enumerate(names) if name.startswith(("left_shoulder", "left_elbow"))]
    posture.kp[arm] = posture.kd[arm] = 0.0
    for _ in range(2500):
        robot.pull(LINK, NOWHERE, target, 0.1, "mouse")
        robot.write(posture)
    assert np.linalg.norm(data.body(LINK).xpos - target) < 0.05
    assert model.nbody > 1


def test_one_hand_has_one_pull_and_two_hands_two() -> None:
    robot = seated()
    robot.pull(LINK, NOWHERE, FAR, 1.0, "one")
    robot.pull(LINK, NOWHERE, -FAR, 1.0, "one")
    advance(robot, 0.02)
    assert robot.truth().external_force[0] < 0.0
    robot.pull("right_hand", NOWHERE, FAR, 1.0, "two")
    advance(robot, 0.02)
    assert abs(robot.truth().external_force[0]) < 0.2 * MOST_N
    robot.put_back()
    advance(robot, 0.02)
    assert np.linalg.norm(robot.truth().external_force) == 0.0


@pytest.mark.parametrize(
    ("link", "target", "seconds"),
    [("tail", FAR, 1.0), (LINK, FAR * np.nan, 1.0), (LINK, FAR, np.inf), (LINK, FAR[:2], 1.0)],
)
def test_a_pull_that_cannot_be_is_refused(link: str, target: np.ndarray, seconds: float) -> None:
    robot = seated()
    with pytest.raises(DeviceError):
        robot.pull(link, NOWHERE, target, seconds)
    advance(robot, 0.01)
