"""The positions of the soles by the leg chains are those of the whole model."""

import numpy as np
import pytest

from core.plants.biped.model import RobotModel
from core.plants.biped.sense.feet import FeetKinematics
from core.robot.state import State
from tests.core.rig import profile, random_posture


@pytest.mark.parametrize("seed", range(5))
def test_the_soles_are_where_the_model_has_them(seed: int) -> None:
    model = RobotModel(profile())
    feet = FeetKinematics(model, profile())
    state = State.upright(28)
    state.position_base_in_world[:] = 0.0
    state.q[:] = random_posture(np.random.default_rng(seed))
    model.update(state)
    feet.update(state.q)
    np.testing.assert_allclose(feet.positions, model.soles - model.imu_in_base, atol=1e-12)
    assert np.ptp(feet.positions) > 0.1
