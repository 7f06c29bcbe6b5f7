"""The deviations of one plant, a robot that is built, from the model that describes it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import mujoco

from devices.errors import DeviceError

Vector = tuple[float, float, float]
LEAST_MASS = 0.1  # as a share of the model's
MOST_LOSS = 0.9  # of a gear, as a share of the torque


@dataclass(frozen=True, kw_only=True, slots=True)
class Deviation:
    """The differences between a plant and its model; by default there is none.

    Joint arrays have the order of the settings; an empty one stands for no difference.

    Attributes:
        mass_factors: mass and inertia of bodies by the model's, by the body's name.
        com_offsets: shift of the centres of mass in the frames of their bodies (3) [m], by name.
        zero_rad: measured angle of each joint where its true angle is 0 (n) [rad].
        torque_factors: true torque of each motor by the torque that its current stands for (n).
        gear_losses: share of each motor's torque that its gear takes, in both directions (n).
        play_rad: angle by which each motor turns before its joint follows (n) [rad].
        command_delay_s: from the command to the motors, besides the model's [s].
        sensor_delay_s: from the sensors to the sample, besides the model's [s].
        imu_turn_rad: rotation vector of the IMU in its mount (3) [rad].
        legs_touch: legs collide with each other.
    """

    mass_factors: Mapping[str, float] = field(default_factory=dict)
    com_offsets: Mapping[str, Vector] = field(default_factory=dict)
    zero_rad: tuple[float, ...] = ()
    torque_factors: tuple[float, ...] = ()
    gear_losses: tuple[float, ...] = ()
    play_rad: tuple[float, ...] = ()
    command_delay_s: float = 0.0
    sensor_delay_s: float = 0.0
    imu_turn_rad: Vector = (0.0, 0.0, 0.0)
    legs_touch: bool = False

    @property
    def of_drives(self) -> bool:
        """Whether the actuators differ from the model's."""
        columns = (self.zero_rad, self.torque_factors, self.gear_losses, self.play_rad)
        return any(columns) or self.command_delay_s > 0.0

    @property
    def of_sensors(self) -> bool:
        """Whether the measurements differ from the model's."""
        turned = any(angle != 0.0 for angle in self.imu_turn_rad)
        return self.of_drives or self.sensor_delay_s > 0.0 or turned

    def behind_lines(self) -> Self:
        """Return what is left where the zeros are in devices, and commands wait on lines."""
        return replace(self, zero_rad=(), command_delay_s=0.0)

    def check(self, joint_count: int) -> None:
        """Refuse a deviation that no plant of so many joints has.

        Raises:
            DeviceError: a number is not finite or out of its range, or an array has another length.
        """
        for name, low, high in (
            ("zero_rad", -math.pi, math.pi),
            ("torque_factors", 0.0, 10.0),
            ("gear_losses", 0.0, MOST_LOSS),
            ("play_rad", 0.0, 0.5),
        ):
            values: tuple[float, ...] = getattr(self, name)
            if values and len(values) != joint_count:
                text = f"has {len(values)} values; give one for each of {joint_count} joints"
                raise _refusal(name, text)
            _check(name, values, low, high)
        _check("mass_factors", self.mass_factors.values(), LEAST_MASS, 10.0)
        for offset in self.com_offsets.values():
            _check("com_offsets", offset, -0.5, 0.5)
        _check("imu_turn_rad", self.imu_turn_rad, -math.pi, math.pi)
        for name in ("command_delay_s", "sensor_delay_s"):
            _check(name, (getattr(self, name),), 0.0, 0.1)

    def change_masses(self, model: Any) -> None:
        """Give the bodies of a compiled model the plant's masses, inertias and centres of mass.

        Raises:
            DeviceError: the model lacks a body.
        """
        if not (self.mass_factors or self.com_offsets):
            return
        for name, factor in self.mass_factors.items():
            body = _body(model, name)
            model.body_mass[body] *= factor
            model.body_inertia[body] *= factor
        for name, offset in self.com_offsets.items():
            model.body_ipos[_body(model, name)] += offset
        mujoco.mj_setConst(model, mujoco.MjData(model))


def _body(model: Any, name: str) -> int:
    found = int(mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name))
    if found < 0:
        raise _refusal("plant", f"has a body {name!r}, which the model lacks")
    return found


def _check(name: str, values: Any, low: float, high: float) -> None:
    for value in values:
        if not (math.isfinite(value) and low <= value <= high):
            raise _refusal(name, f"is {value}; give a number from {low:g} to {high:g}")


def _refusal(name: str, fault: str) -> DeviceError:
    return DeviceError("simulator", f"the deviation {name} {fault}")
