"""A plant's model, joints and sensors deviate as they are told to."""

import math
from typing import Any

import mujoco
import numpy as np
import pytest

from devices.errors import DeviceError
from devices.sim.deviation import Deviation
from tests.devices.sim import rig


def test_masses_and_centres_of_mass_are_those_of_the_plant() -> None:
    model = rig.body().model
    found = Deviation(mass_factors={"torso": 1.1}, com_offsets={"left_thigh": (0.01, 0.0, -0.02)})
    plant = rig.body(deviation=found).model
    torso, thigh = model.body("torso").id, model.body("left_thigh").id
    assert plant.body_mass.sum() - model.body_mass.sum() == pytest.approx(1.3)
    assert plant.body_inertia[torso] == pytest.approx(1.1 * model.body_inertia[torso])
    assert plant.body_subtreemass[torso] == pytest.approx(model.body_subtreemass[torso] + 1.3)
    assert plant.body_ipos[thigh] - model.body_ipos[thigh] == pytest.approx([0.01, 0.0, -0.02])
    assert (plant.dof_invweight0 != model.dof_invweight0).any()


def test_a_joint_whose_zero_is_wrong_is_held_beside_the_command_and_measured_at_it() -> None:
    zero = np.zeros(rig.N)
    zero[rig.JOINTS.index("head_yaw")] = 0.02
    body = rig.body(support="seated", deviation=Deviation(zero_rad=tuple(zero)))
    command = rig.hold(np.array(body.settings.initial_q))
    for _ in range(1000):
        body.write(command)
    true, measured = body.truth().q, body.read().q
    yaw = rig.JOINTS.index("head_yaw")
    assert true[yaw] == pytest.approx(-0.02, abs=1e-3)
    assert measured[yaw] == pytest.approx(0.0, abs=1e-3)
    assert measured - true == pytest.approx(zero, abs=1e-4)


@pytest.mark.parametrize("touch", [False, True])
def test_crossed_legs_meet_only_in_a_plant(touch: bool) -> None:
    body = rig.body(support="gantry", deviation=Deviation(legs_touch=touch))
    q = np.array(body.settings.initial_q)
    for joint, degrees in (("left_hip_1", 20.0), ("left_hip_2", -20.0)):
        q[rig.JOINTS.index(joint)] = math.radians(degrees)
    body.place(q=q)
    geoms = body.model.geom_bodyid[body.data.contact.geom]
    robot = [pair for pair in geoms if body.model.body_rootid[pair].all() and min(pair) > 0]
    legs = [pair for pair in robot if len(set(body.model.body_rootid[pair])) == 1]
    assert bool(legs) is touch


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"zero_rad": (0.1,)}, "zero_rad has 1 values"),
        ({"gear_losses": (1.0,) * rig.N}, "gear_losses is 1.0"),
        ({"play_rad": (-0.1,) * rig.N}, "play_rad is -0.1"),
        ({"mass_factors": {"torso": 0.0}}, "mass_factors is 0.0"),
        ({"mass_factors": {"tail": 1.1}}, "has a body 'tail'"),
        ({"sensor_delay_s": math.nan}, "sensor_delay_s is nan"),
    ],
)
def test_what_no_plant_has_is_refused_in_one_sentence(changes: Any, named: str) -> None:
    with pytest.raises(DeviceError) as refusal:
        rig.body(deviation=Deviation(**changes))
    assert named in str(refusal.value) and "\n" not in str(refusal.value)


def test_no_deviation_leaves_the_model_to_the_bit() -> None:
    plain, told = rig.body().model, rig.body(deviation=Deviation()).model
    size = mujoco.mj_sizeModel(plain)
    stored = [np.zeros(size, dtype=np.uint8) for _ in range(2)]
    for model, buffer in zip((plain, told), stored, strict=True):
        mujoco.mj_saveModel(model, None, buffer)
    assert (stored[0] == stored[1]).all()
