"""The plant of a fixed base follows its reference and carries its own weight."""

from functools import cache

import numpy as np
import pinocchio as pin
import pytest

from core.behave.reference import UpperReference
from core.plants.fixed.plant import FixedPlant
from core.plants.interface import Wanted
from core.robot.model import load_pinocchio
from core.robot.profile import Profile
from core.robot.profile_file import load_profile
from devices.interface import Floats, Sample, Support


@cache
def profile() -> Profile:
    return load_profile("two_arms")


@pytest.fixture
def plant() -> FixedPlant:
    return FixedPlant(profile(), Support.MOUNTED)


def sample(q: Floats) -> Sample:
    found = Sample.zeros(q.size, 0)
    found.q[:] = q
    found.joint_age_s[:] = 0.0
    return found


def wanted(q: Floats) -> Wanted:
    count = q.size
    states = np.zeros(len(profile().limbs), dtype=np.int8)
    return Wanted(UpperReference(q, np.zeros(count), np.zeros(count), np.zeros((3, 0)), states))


def gravity(q: Floats) -> Floats:
    """Return the torque that gravity asks of each joint, in the profile's order (n) [N·m]."""
    model = load_pinocchio(profile())
    data, names = model.createData(), profile().joint_names
    placed = pin.neutral(model)
    for name, angle in zip(names, q, strict=True):
        if model.existJointName(name):
            placed[model.joints[model.getJointId(name)].idx_q] = angle
    torque = pin.computeGeneralizedGravity(model, data, placed)
    return np.array(
        [
            torque[model.joints[model.getJointId(name)].idx_v] if model.existJointName(name) else 0
            for name in names
        ]
    )


def test_gravity_is_an_offset_of_the_position_of_servos(plant: FixedPlant) -> None:
    rest = profile().posture("rest")
    plant.estimate(sample(rest), limp=False)
    command = plant.command(0.0, wanted(rest))
    assert command is not None
    stiffness = profile().column("kp")
    assert (command.q - rest) * stiffness == pytest.approx(gravity(rest), abs=1e-9)
    assert not command.tau.any()
    assert command.kp == pytest.approx(stiffness)


def test_a_derated_joint_gets_a_share_of_its_stall_torque_at_most(plant: FixedPlant) -> None:
    rest = profile().posture("rest")
    plant.estimate(sample(rest), limp=False)
    shares = np.full(rest.size, 1e-3)
    plant.derate(shares)
    command = plant.command(0.0, wanted(rest))
    assert command is not None
    fed = np.abs(command.q - rest) * profile().column("kp")
    assert (fed <= 1e-3 * profile().actuator_column("stall_torque") + 1e-12).all()
    plant.start(1.0)
    command = plant.command(1.0, wanted(rest))
    assert command is not None
    assert (command.q - rest) * profile().column("kp") == pytest.approx(gravity(rest), abs=1e-9)


def test_it_has_risen_once_its_joints_have_arrived(plant: FixedPlant) -> None:
    rest = profile().posture("rest")
    settings = profile().fixed
    assert settings is not None
    late_s = settings.rise_s + 0.01
    for q, elapsed_s, risen in (
        (rest, late_s, True),
        (rest, 0.5 * settings.rise_s, False),
        (rest + 0.3, late_s, False),
    ):
        plant.estimate(sample(q), limp=False)
        plant.command(0.0, wanted(rest))
        assert plant.facts(sample(q), True, elapsed_s).risen is risen


def test_a_state_that_is_not_finite_is_told(plant: FixedPlant) -> None:
    rest = profile().posture("rest")
    broken = sample(rest)
    broken.dq[0] = np.nan
    plant.estimate(broken, limp=False)
    assert not plant.facts(broken, True, 0.0).finite


def test_a_damped_robot_is_commanded_damping_only(plant: FixedPlant) -> None:
    plant.rest()
    command = plant.newest_command
    assert not (command.kp.any() or command.tau.any())
    assert command.kd == pytest.approx(profile().column("kd"))
