"""Gears lose torque and have play; commands come late."""

import numpy as np
import pytest

from devices.interface import Floats
from devices.sim.deviant_actuators import DeviantActuators
from devices.sim.deviation import Deviation
from tests.devices.sim import rig

ARMATURE = np.full(rig.N, 0.01)
STILL = np.zeros(rig.N)
ROW = (1.0,) * rig.N
JOINT = 8  # a hip, which has 8 N·m


def actuators(**changes: object) -> DeviantActuators:
    nothing = {"friction_coulomb": (0.0,) * rig.N, "friction_viscous": (0.0,) * rig.N}
    settings = rig.settings(deviation=Deviation(**changes), **nothing)  # type: ignore[arg-type]
    return DeviantActuators(settings, ARMATURE)


def torque(newton_metres: float) -> object:
    command = rig.hold(STILL, 0.0)
    command.kp[:], command.kd[:], command.tau[:] = 0.0, 0.0, newton_metres
    return command


def drive(plant: DeviantActuators, asked: float, dq: Floats) -> float:
    return float(plant.drive(torque(asked), STILL, dq)[JOINT])  # type: ignore[arg-type]


def test_a_gear_takes_torque_in_both_directions_of_the_power() -> None:
    plant = actuators(torque_factors=(1.1,) * rig.N, gear_losses=(0.1,) * rig.N)
    moving = np.full(rig.N, 1.0)
    assert drive(plant, 4.0, moving) == pytest.approx(4.4 * 0.9)
    assert drive(plant, 4.0, -moving) == pytest.approx(4.4 * 1.1)
    assert drive(plant, 4.0, STILL) == pytest.approx(4.4)  # what is held costs no power
    assert plant.motor[JOINT] == pytest.approx(4.0)  # by its current


def test_a_motor_crosses_its_play_before_its_joint_feels_it_and_no_momentum_is_lost() -> None:
    play = 0.004
    plant = actuators(play_rad=(play,) * rig.N)
    given = [drive(plant, 2.0, STILL) for _ in range(20)]
    reached = next(i for i, value in enumerate(given) if value)
    # Half of the play at 200 rad/s² takes 4.5 ms.
    assert reached in (3, 4)
    assert sum(given[: reached + 1]) == pytest.approx(2.0 * (reached + 1))
    assert given[reached + 1 :] == pytest.approx([2.0] * (19 - reached))
    assert plant.shift[JOINT] == pytest.approx(0.5 * play)
    back = [drive(plant, -2.0, STILL) for _ in range(20)]
    assert back[:4] == [0.0] * 4 and back[-1] == pytest.approx(-2.0)
    assert plant.shift[JOINT] == pytest.approx(-0.5 * play)


def test_a_late_command_is_the_one_of_so_many_steps_ago_but_damping_is_at_once() -> None:
    plant = actuators(command_delay_s=0.003)
    given = [drive(plant, asked, STILL) for asked in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)]
    assert given == pytest.approx([1.0, 1.0, 1.0, 1.0, 2.0, 3.0])
    plant.damp(STILL)
    assert drive(plant, 7.0, STILL) == pytest.approx(7.0)
