"""The command of every joint: whose gains, whose torques, and what a seat changes."""

import numpy as np

from core.plants.biped.model import RobotModel
from core.plants.biped.walk.reference import LegReference
from core.plants.biped.whole_body.controller import Controller, write_command
from core.records import record_of
from core.robot.state import State
from devices.interface import JointCommand
from tests.core.rig import STAND_BEND, bent, profile

UPPER = 18  # joints above the legs, hands last


class Standing:
    """A controller over a robot that stands at rest."""

    def __init__(self) -> None:
        self.model, self.state = RobotModel(profile()), State.upright(28)
        self.state.q[:] = bent(STAND_BEND)
        self.model.update(self.state)
        self.legs = LegReference()
        self.controller = Controller(profile(), self.model, self.state, self.legs)
        self.legs.height = float(self.model.com[2] - self.model.soles[0, 2])
        self.legs.ground_height = float(self.model.soles[0, 2])
        self.legs.load_limit[0] = self.legs.load_limit[1] = 300.0
        self.q = np.linspace(-0.2, 0.2, UPPER)
        self.dq = np.linspace(-1.0, 1.0, UPPER)

    def balance(self) -> JointCommand:
        zero = np.zeros(UPPER)
        return self.controller.balance(self.q, self.dq, zero)

    def perform(self) -> JointCommand:
        return self.controller.perform(self.q, self.dq)


def test_on_its_feet_the_upper_body_follows_and_the_legs_hold() -> None:
    standing = Standing()
    command = standing.balance()
    assert command is standing.controller.command
    assert (standing.controller.qp_status, standing.controller.failures) == (1, 0)
    np.testing.assert_array_equal(command.q[:8], standing.q[:8])
    np.testing.assert_array_equal(command.q[18:], standing.q[8:])
    np.testing.assert_array_equal(command.dq[18:], standing.dq[8:])
    np.testing.assert_allclose(command.q[8:18], standing.state.q[8:18], atol=0.02)
    np.testing.assert_array_equal(command.tau[:18], standing.controller.whole_body.torque)
    np.testing.assert_array_equal(command.tau[18:], 0.0)
    np.testing.assert_array_equal(command.kp, profile().column("kp"))
    np.testing.assert_array_equal(command.kd, profile().column("kd"))


def test_on_a_seat_the_legs_are_damped_and_nothing_else() -> None:
    standing = Standing()
    standing.state.q[10] += 0.1
    standing.model.update(standing.state)
    command = standing.perform()
    legs = slice(8, 18)
    assert not command.kp[legs].any() and not command.tau[legs].any()
    assert not command.dq[legs].any()
    np.testing.assert_array_equal(command.kd[legs], profile().column("kd")[legs])
    np.testing.assert_array_equal(command.q[:8], standing.q[:8])
    # gravity of the arms is fed forward
    np.testing.assert_allclose(command.tau[:8], standing.model.bias[6:14])
    assert standing.controller.qp_status == 0


def test_a_seats_gains_are_gone_when_it_stands() -> None:
    standing = Standing()
    standing.perform()
    command = standing.balance()
    np.testing.assert_array_equal(command.kp, profile().column("kp"))


def test_failures_are_counted_and_torques_repeated_until_one_is_solved() -> None:
    standing = Standing()
    torque = standing.balance().tau.copy()
    good = standing.q.copy()
    for expected in (1, 2, 3):
        standing.q[0] = np.nan
        command = standing.balance()
        assert standing.controller.failures == expected
        assert standing.controller.qp_status == 3
        np.testing.assert_array_equal(command.tau, torque)
    standing.q[:] = good
    standing.balance()
    assert (standing.controller.failures, standing.controller.qp_status) == (0, 1)


def test_every_joint_is_told_its_own_part() -> None:
    above, legs = np.array([1.0, 2.0, 9.0]), np.array([4.0, 5.0])
    kp, kd = np.arange(10.0, 15.0), np.arange(20.0, 25.0)
    q, dq, tau, kp_out, kd_out = (np.full(5, np.nan) for _ in range(5))
    torque = np.array([0.1, 0.2, 0.3, 0.4])  # the last joint is a hand's
    constants = record_of(legs=[2, 3], above=[0, 1, 4], kp=kp, kd=kd)
    both = np.array([legs, -legs])
    write_command(constants, above, -above, both, torque, q, dq, tau, kp_out, kd_out)
    assert q.tolist() == [1.0, 2.0, 4.0, 5.0, 9.0]
    assert dq.tolist() == [-1.0, -2.0, -4.0, -5.0, -9.0]
    assert tau.tolist() == [0.1, 0.2, 0.3, 0.4, 0.0]
    assert (kp_out.tolist(), kd_out.tolist()) == (kp.tolist(), kd.tolist())
