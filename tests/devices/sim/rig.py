"""Kid Cosmo's figures (paper, Tables II and III) as settings of a simulated body for tests."""

import math
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from devices.interface import Floats, JointCommand
from devices.sim.body import SimulatedBody
from devices.sim.description import BodyDescription, Noise, load_description
from devices.sim.settings import GripPoint, Pack, SimSettings

FOLDER = Path(__file__).resolve().parents[3] / "assets/robots/kid_cosmo"
MODEL = FOLDER / "robot.xml"
DESCRIPTION = load_description(FOLDER / "body.toml")
PACK = Pack(capacity_ah=10.0, resistance_ohm=0.05)
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
QUIET = Noise(debounce_s=0.002)


_DESCRIBED = set(BodyDescription.__struct_fields__)


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
    """Return settings of Kid Cosmo in a posture given by angles of both sides' joints [deg].

    The changes are fields of the settings or of the body's description.
    """
    stall, speed, constant, coulomb, viscous = zip(*map(_figures, JOINTS), strict=True)
    values: dict[str, Any] = {
        "model_path": MODEL,
        "body": DESCRIPTION,
        "nominal_voltage": 22.2,
        "tick_s": 0.001,
        "contact_geoms": (("left_heel", "left_toe"), ("right_heel", "right_toe")),
        "imu_site": "imu",
        "battery": PACK,
        "grip": GripPoint(body="right_hand", offset=(0.0, 0.0, -0.08)),
        "joint_names": JOINTS,
        "stall_torque": stall,
        "no_load_speed": speed,
        "torque_constant": constant,
        "friction_coulomb": coulomb,
        "friction_viscous": viscous,
        "initial_q": tuple(posture(CROUCH if degrees is None else degrees)),
    }
    of_body = {name: changes.pop(name) for name in _DESCRIBED & set(changes)}
    values["body"] = msgspec.structs.replace(DESCRIPTION, **of_body)
    return SimSettings(**(values | changes))


TALKING_HEAD = """<mujoco><compiler angle="radian"/><worldbody><body name="stand" pos="0 0 1">
<body name="skull" pos="0 0 0.1"><joint name="nod" axis="0 1 0" range="-1 1" armature="0.01"/>
<inertial pos="0 0 0.1" mass="1" diaginertia="0.01 0.01 0.01"/><body name="jaw">
<joint name="speak" axis="0 1 0" range="0 0.5" armature="0.01"/>
<inertial pos="0.05 0 0" mass="0.2" diaginertia="1e-3 1e-3 1e-3"/></body></body></body>
</worldbody></mujoco>"""


def talking_head(path: Path, **changes: Any) -> SimSettings:
    """Return settings of a fixed robot without contacts, IMU and battery; its joints are servos."""
    values: dict[str, Any] = {
        "model_path": path,
        "body": BodyDescription(schema=1, idle_w=5.0),
        "joint_names": ("nod", "speak"),
        "stall_torque": (8.0, 2.0),
        "no_load_speed": (10.0, 10.0),
        "torque_constant": (1.0, 0.5),
        "friction_coulomb": (0.1, 0.02),
        "friction_viscous": (0.01, 0.01),
        "initial_q": (0.2, 0.1),
        "nominal_voltage": 12.0,
        "tick_s": 0.01,
        "servos": (True, True),
        "servo_kp": (100.0, 20.0),
        "servo_kd": (5.0, 1.0),
        "support": "mounted",
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
