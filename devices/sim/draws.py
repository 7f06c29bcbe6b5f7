"""Draws plants: robots that deviate from their model by as much as a spread allows.

At a spread of 1, masses with their inertias differ by up to 5 %, the centre of mass of the
heaviest link by up to 15 mm along each axis, encoder zeros by up to 0.5° and torques by up to 7 %,
drawn evenly. A lighter link's centre of mass differs by less, in proportion to the cube root of
its mass: a link's own size grows so, and 15 mm would lie outside a finger. What has no sign is as
large as the spread says, in every plant: commands and samples are 2 ms late together, of which a
part that is drawn belongs to the commands; every gear has a play of 0.2° and takes 5 % of its
torque; the IMU is turned by 1° about an axis that is drawn. Legs collide with each other. The
same seed and number draw the same plant at every spread, nearer to the model or farther away.
"""

import math
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import mujoco
import numpy as np

from devices.errors import DeviceError
from devices.interface import Floats
from devices.sim.deviation import Deviation
from devices.sim.settings import SimSettings

MASS = 0.05  # as a share of the model's
COM_M = 0.015  # of the heaviest link
ZERO_RAD = math.radians(0.5)
TORQUE = 0.07  # as a share of the model's
DELAY_S = 0.002
PLAY_RAD = math.radians(0.2)
LOSS = 0.05  # as a share of the torque
IMU_RAD = math.radians(1.0)
MOST_SPREAD = 10.0


def as_plant(settings: SimSettings, seed: int, plant: int, spread: float) -> SimSettings:
    """Return the settings of a plant instead of the model.

    Args:
        settings: of the model.
        seed: of the draw.
        plant: number of the plant, from 0.
        spread: how far it is from the model; at 0 it is the model.

    Raises:
        DeviceError: the spread or the number is out of its range, or the model cannot be read.
    """
    if not (math.isfinite(spread) and 0.0 <= spread <= MOST_SPREAD and plant >= 0):
        text = f"plant {plant} at a spread of {spread} is refused; give a spread from 0 to"
        raise DeviceError("simulator", f"{text} {MOST_SPREAD:g} and a number from 0")
    if spread == 0.0:
        return settings
    masses = _masses(settings.model_path)
    return replace(settings, deviation=draw(masses, len(settings.joint_names), seed, plant, spread))


def draw(masses: dict[str, float], joints: int, seed: int, plant: int, spread: float) -> Deviation:
    """Return the deviation of a plant; the order of the draws is fixed.

    Args:
        masses: of the links by name [kg].
        joints: their number.
        seed: of the draw.
        plant: number of the plant.
        spread: how far it is from the model, above 0.
    """
    random = np.random.default_rng((seed, plant))

    def even(shape: int | tuple[int, int], most: float) -> Floats:
        return random.uniform(-1.0, 1.0, shape) * most * spread

    heaviest = max(masses.values())
    sizes = np.cbrt(np.array(list(masses.values())) / heaviest)
    factors = 1.0 + even(len(masses), MASS)
    offsets = even((len(masses), 3), COM_M) * sizes[:, None]
    zeros, torques = even(joints, ZERO_RAD), 1.0 + even(joints, TORQUE)
    share = float(random.uniform())
    axis = random.standard_normal(3)
    turn = axis / np.linalg.norm(axis) * IMU_RAD * spread
    return Deviation(
        mass_factors=dict(zip(masses, factors.tolist(), strict=True)),
        com_offsets={
            name: (x, y, z) for name, (x, y, z) in zip(masses, offsets.tolist(), strict=True)
        },
        zero_rad=tuple(zeros.tolist()),
        torque_factors=tuple(torques.tolist()),
        gear_losses=(LOSS * spread,) * joints,
        play_rad=(PLAY_RAD * spread,) * joints,
        command_delay_s=share * DELAY_S * spread,
        sensor_delay_s=(1.0 - share) * DELAY_S * spread,
        imu_turn_rad=(float(turn[0]), float(turn[1]), float(turn[2])),
        legs_touch=True,
    )


@lru_cache(maxsize=8)
def _masses(path: Path) -> dict[str, float]:
    """Return the mass of every link that has one and moves [kg]."""
    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        raise DeviceError("simulator", f"{path} gives no model: {error}") from error
    moving = [i for i in range(model.nbody) if model.body_weldid[i] and model.body_mass[i] > 0.0]
    return {model.body(i).name: float(model.body_mass[i]) for i in moving}
