"""The control law, limited by the torque-speed line, less friction."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from devices.errors import DeviceError
from devices.interface import Floats, JointCommand
from devices.sim.actuators import POWER_S, Actuators
from tests.devices.sim import rig

POWER_STEPS = round(POWER_S / 0.001)
HEAD = 0  # 8 N·m, 20.9 rad/s


def _actuators(friction: bool = False, **changes: Any) -> Actuators:
    if not friction:
        none = (0.0,) * rig.N
        return Actuators(
            rig.settings(friction_coulomb=none, friction_viscous=none, **changes), np.ones(rig.N)
        )
    return Actuators(rig.settings(**changes), np.full(rig.N, 0.0068))


def _feed(torque: float) -> JointCommand:
    command = JointCommand.zeros(rig.N)
    command.tau[:] = torque
    return command


def _speed(value: float) -> Floats:
    return np.full(rig.N, value)


@pytest.mark.parametrize("field", ["q", "dq", "tau", "kp", "kd"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_command_that_is_not_finite_is_refused_by_joint(field: str, value: float) -> None:
    command = rig.hold(_speed(0.1))
    getattr(command, field)[11] = value
    with pytest.raises(DeviceError, match="left_knee"):
        _actuators().drive(command, _speed(0.0), _speed(0.5))


def test_the_law_is_pd_with_feed_forward() -> None:
    command = JointCommand.zeros(rig.N)
    command.q[:], command.dq[:], command.tau[:] = 0.3, 0.2, 0.01
    command.kp[:], command.kd[:] = 0.5, 0.1
    applied = _actuators().drive(command, _speed(0.1), _speed(-0.1))
    assert applied == pytest.approx(0.5 * 0.2 + 0.1 * 0.3 + 0.01)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_torque_falls_along_the_line_with_speed(sign: float) -> None:
    actuators = _actuators()
    volts = actuators.power.voltage
    reach, slope = 8.0 * volts / 22.2, 8.0 / 20.9
    for speed in (0.0, 5.0, 15.0, 20.0, 30.0):
        applied = actuators.drive(_feed(sign * 100.0), _speed(0.0), _speed(sign * speed))
        expected = min(max(reach - slope * speed, 0.0), 8.0)
        assert applied[HEAD] == pytest.approx(sign * expected)


def test_braking_is_limited_by_stall_torque_alone() -> None:
    applied = _actuators().drive(_feed(-100.0), _speed(0.0), _speed(15.0))
    assert applied[HEAD] == pytest.approx(-8.0)


def test_an_empty_battery_slows_the_joints_down() -> None:
    full, empty = (_actuators(battery=replace(rig.PACK, charge=c)) for c in (1.0, 0.0))
    speed = _speed(15.0)
    strong = full.drive(_feed(100.0), _speed(0.0), speed)[HEAD]
    assert empty.drive(_feed(100.0), _speed(0.0), speed)[HEAD] < 0.7 * strong


def test_friction_resists_either_way_and_never_drives() -> None:
    actuators = _actuators(friction=True)
    for speed in (3.0, -3.0):
        applied = actuators.release(_speed(speed))
        assert (applied * speed < 0.0).all()
        assert abs(applied[HEAD]) == pytest.approx(0.15 + 0.02 * 3.0)
    assert actuators.release(_speed(0.0)) == pytest.approx(0.0)


def test_shorted_windings_brake_with_the_slope_of_the_line() -> None:
    assert _actuators().damp(_speed(2.0))[HEAD] == pytest.approx(-2.0 * 8.0 / 20.9)


def test_applied_torque_draws_power_and_heats_the_winding() -> None:
    actuators = _actuators()
    for _ in range(POWER_STEPS):
        actuators.drive(_feed(0.2), _speed(0.0), _speed(1.0))
    power = actuators.power
    heat = 0.04 * _actuators().power.loss_by_torque2.sum()
    watts = 35.0 + rig.N * 0.2 + heat
    assert power.voltage * power.current == pytest.approx(watts)
    assert (power.winding_c > 25.0).all()
