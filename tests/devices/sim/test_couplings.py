"""Coupled hinges of a simulated robot: they stay together, and their motors are checked."""

from dataclasses import replace

import numpy as np
import pytest

from core.__main__ import sim_settings
from core.robot.profile_file import load_profile
from core.run.launch import LaunchConfig
from devices.errors import DeviceError
from devices.interface import JointCommand
from devices.sim.body import SimulatedBody
from devices.sim.settings import SimSettings, Transmission

PROFILE = load_profile("draco3")
KNEE, DISTAL, OTHER = "left_knee", "left_knee_distal", "left_elbow"


@pytest.fixture(scope="module")
def settings() -> SimSettings:
    return sim_settings(LaunchConfig(endpoint="tcp/127.0.0.1:1", pace="max"), PROFILE)


@pytest.mark.parametrize(
    ("motor", "reason"),
    [
        (Transmission("left_tail", ((KNEE, 1.0),)), "drives no joint 'left_tail'"),
        (Transmission(KNEE, (("left_tail", 1.0),)), "turns 'left_tail', which the model lacks"),
        (Transmission(KNEE, ((OTHER, 1.0),)), "'left_elbow' does not follow 'left_knee'"),
        (Transmission(KNEE, ((KNEE, 1.0), (DISTAL, -1.0))), "no motor turns 'left_knee'"),
    ],
)
def test_a_transmission_that_does_not_fit_is_refused(
    settings: SimSettings, motor: Transmission, reason: str
) -> None:
    with pytest.raises(DeviceError, match=reason):
        SimulatedBody(replace(settings, transmissions=(motor,)))


def test_stiction_is_refused_where_it_would_part_the_hinges(settings: SimSettings) -> None:
    with pytest.raises(DeviceError, match="stiction holds no coupled joints"):
        SimulatedBody(replace(settings, stiction=True))


def test_the_hinges_start_together_and_stay_so_under_torque(settings: SimSettings) -> None:
    body = SimulatedBody(settings)
    assert body.coupling_error_rad == 0.0
    q = PROFILE.posture("crouch") + 0.1
    body.place(q=q, dq=np.full(q.size, 0.5))
    assert body.coupling_error_rad < 1e-12
    command = JointCommand.zeros(q.size)
    command.tau[PROFILE.joint_names.index(KNEE)] = 40.0
    parted = []
    for _ in range(50):
        body.write(command)
        parted.append(body.coupling_error_rad)
    assert max(parted) < 1e-6
    forces = body.data.qfrc_applied
    first, second = (body.model.joint(name).dofadr[0] for name in (KNEE, DISTAL))
    assert forces[first] == forces[second] != 0.0
    alone = SimulatedBody(replace(settings, transmissions=()))
    alone.write(command)
    applied = alone.data.qfrc_applied
    assert applied[first] != 0.0 and applied[second] == 0.0
