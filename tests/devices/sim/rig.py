"""Kid Cosmo's figures (paper, Tables II and III) as settings of a simulated body for tests."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from devices.interface import Floats, JointCommand
from devices.sim.body import SimulatedBody
from devices.sim.settings import Noise, SimSettings

MODEL = Path(__file__).resolve().parents[3] / "assets/robots/kid_cosmo/robot.xml"
_ARM = ("shoulder_pitch", "shoulder_roll", "elbow")
_LEG = ("hip_1", "hip_2", "hip_pitch", "knee", "ankle")
_HAND = ("wrist", "thumb", "index", "middle", "ring")
JOINTS = (
    "head_pitch",
    "head_yaw",
    *(f"{side}_{joint}" for group in (_ARM, _LEG) for side in ("left", "right") for joint in group),
    *(f"{side}_{joint}" for side in ("left", "right") for joint in _HAND),
)
N = len(JOINTS)
LEGS = range(8, 18)
CROUCH = {"hip_pitch": -38.0, "knee": -76.0, "ankle": 38.0, "shoulder_roll": -8.0}
SEAT = {"hip_pitch": -85.0, "knee": -85.0}
QUIET = Noise(
    encoder_bits=32,
    velocity=0.0,
    torque=0.0,
    torque_floor=0.0,
    gyro=0.0,
    gyro_bias=0.0,
    gyro_walk=0.0,
    accel=0.0,
    accel_bias=0.0,
    accel_walk=0.0,
)


def posture(degrees: dict[str, float]) -> Floats:
    """Return joint positions (n) [rad] from angles of both sides' joints [deg]."""
    return np.array([math.radians(degrees.get(j.split("_", 1)[1], 0.0)) for j in JOINTS])


def _figures(joint: str) -> tuple[float, float, float, float, float]:
    if joint.split("_", 1)[1] in _HAND:
        return 0.32, 21.4, 0.43, 0.01, 0.002
    if joint.endswith("knee"):
        return 79.5, 5.5, 3.9, 0.9, 0.15
    if joint.endswith("hip_pitch"):
        return 26.5, 16.5, 1.3, 0.3, 0.03
    return 8.0, 20.9, 1.16, 0.15, 0.02


def settings(degrees: dict[str, float] | None = None, **changes: Any) -> SimSettings:
    """Return settings of Kid Cosmo in a posture given by angles of both sides' joints [deg]."""
    stall, speed, constant, coulomb, viscous = zip(*map(_figures, JOINTS), strict=True)
    values: dict[str, Any] = {
        "model_path": MODEL,
        "joint_names": JOINTS,
        "stall_torque": stall,
        "no_load_speed": speed,
        "torque_constant": constant,
        "friction_coulomb": coulomb,
        "friction_viscous": viscous,
        "initial_q": tuple(posture(CROUCH if degrees is None else degrees)),
    }
    return SimSettings(**(values | changes))


def body(degrees: dict[str, float] | None = None, seed: int = 0, **changes: Any) -> SimulatedBody:
    """Return a simulated Kid Cosmo."""
    return SimulatedBody(settings(degrees, **changes), seed)


def hold(q: Floats, stiffness: float = 100.0) -> JointCommand:
    """Return a command that holds a posture (n) [rad]."""
    command = JointCommand.zeros(N)
    command.q[:] = q
    command.kp[:18] = stiffness
    command.kd[:18] = 3.0
    command.kp[18:] = 1.0
    command.kd[18:] = 0.02
    return command
