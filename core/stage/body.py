"""What preflight must know of the robot: torques, balance and shapes, from profile and model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
import pinocchio as pin

from core.behave.joints import UpperJoints
from core.behave.settings import MotionSettings
from core.robot.joint_table import joint_table
from core.robot.profile import Profile
from core.stage.collision import COLLIDING
from devices.interface import Floats
from shows.joints import JointTable


class UpperDynamics(Protocol):
    """What moving the upper body costs, the legs standing still."""

    def torque(self, q: Floats, dq: Floats, ddq: Floats) -> Floats:
        """Return the joint torques (u) [N·m] at a state (u) [rad], [rad/s], [rad/s²]."""

    def com(self, q: Floats) -> Floats:
        """Return the centre of mass from the middle between the soles (3) [m]."""

    def placements(self, q: Floats) -> Mapping[str, Floats]:
        """Return the frame of each body that may collide in the torso frame, as a matrix (4, 4)."""


class PinocchioDynamics:
    """The robot's model with the torso upright and the legs in one posture."""

    def __init__(self, profile: Profile, upper: UpperJoints, posture: str = "rest") -> None:
        self._model = pin.buildModelFromMJCF(str(profile.model_path))
        self._data = self._model.createData()
        self._q = pin.neutral(self._model)
        self._zero = np.zeros(self._model.nv)
        self._v, self._a = self._zero.copy(), self._zero.copy()
        angles = profile.posture(posture)
        for name, angle in zip(profile.joint_names, angles, strict=True):
            self._q[self._joint(name).idx_q] = angle
        self._q_at = [self._joint(name).idx_q for name in upper.names]
        self._v_at = [self._joint(name).idx_v for name in upper.names]
        self._bodies = [
            (frame.name, i)
            for i, frame in enumerate(self._model.frames)
            if frame.type == pin.FrameType.BODY and frame.name in COLLIDING
        ]
        pin.framesForwardKinematics(self._model, self._data, self._q)
        soles = [self._model.getFrameId(f"{side}_sole") for side in ("left", "right")]
        self._ground = np.mean([self._data.oMf[i].translation for i in soles], axis=0)
        self._torso = next(i for name, i in self._bodies if name == "torso")

    def _joint(self, name: str) -> "pin.JointModel":
        return self._model.joints[self._model.getJointId(name)]

    def torque(self, q: Floats, dq: Floats, ddq: Floats) -> Floats:
        """Return the joint torques (u) [N·m]."""
        self._q[self._q_at] = q
        self._v[self._v_at] = dq
        self._a[self._v_at] = ddq
        tau: Floats = pin.rnea(self._model, self._data, self._q, self._v, self._a)[self._v_at]
        return tau

    def com(self, q: Floats) -> Floats:
        """Return the centre of mass from the middle between the soles (3) [m]."""
        self._q[self._q_at] = q
        com: Floats = pin.centerOfMass(self._model, self._data, self._q) - self._ground
        return com

    def placements(self, q: Floats) -> Mapping[str, Floats]:
        """Return the frame of each body that may collide in the torso frame, as a matrix (4, 4)."""
        self._q[self._q_at] = q
        pin.framesForwardKinematics(self._model, self._data, self._q)
        torso = self._data.oMf[self._torso].inverse()
        return {name: (torso * self._data.oMf[i]).homogeneous for name, i in self._bodies}


@dataclass(frozen=True, eq=False)
class PreflightBody:
    """A robot as preflight sees it. Arrays are in upper order.

    Attributes:
        table: the robot's joints.
        rest_q: rest posture in the table's order (n) [rad].
        motion: settings of the motion manager.
        upper: the upper body's joints.
        stall_torque: at standstill (u) [N·m].
        no_load_speed: where no torque is left (u) [rad/s].
        friction_coulomb: what the actuators lose (u) [N·m].
        friction_viscous: what they lose for each rad/s (u) [N·m·s/rad].
        walk_limit: largest vx, vy, yaw rate (3) [m/s, m/s, rad/s].
        walk_acceleration: their largest slopes (3) [m/s², m/s², rad/s²].
        heel_m, toe_m: ends of the feet from the middle between the soles, x [m].
        half_stance_m: half the distance between the feet [m].
        dynamics: torque, balance and placements.
        shapes: body name to points on its surface, in its frame (k, 3) [m].
    """

    table: JointTable
    rest_q: Floats
    motion: MotionSettings
    upper: UpperJoints
    stall_torque: Floats
    no_load_speed: Floats
    friction_coulomb: Floats
    friction_viscous: Floats
    walk_limit: Floats
    walk_acceleration: Floats
    heel_m: float
    toe_m: float
    half_stance_m: float
    dynamics: UpperDynamics
    shapes: Mapping[str, Floats] = field(default_factory=dict)


def body_from_profile(profile: Profile) -> PreflightBody:
    """Build what preflight needs from a robot's profile, model and meshes."""
    table = joint_table(profile)
    upper = UpperJoints.from_table(table)
    picked = list(upper.table_index)
    gait = profile.as_biped.gait
    return PreflightBody(
        table=table,
        rest_q=profile.posture("rest"),
        motion=profile.motion,
        upper=upper,
        stall_torque=profile.actuator_column("stall_torque")[picked],
        no_load_speed=profile.no_load_speed()[picked],
        friction_coulomb=profile.actuator_column("friction_coulomb")[picked],
        friction_viscous=profile.actuator_column("friction_viscous")[picked],
        walk_limit=np.array([gait.max_speed_forward, gait.max_speed_sideways, gait.max_yaw_rate]),
        walk_acceleration=np.array([gait.acceleration, gait.acceleration, gait.yaw_acceleration]),
        heel_m=profile.contacts[0].heel,
        toe_m=profile.contacts[0].toe,
        half_stance_m=0.5 * gait.step_width,
        dynamics=PinocchioDynamics(profile, upper),
        shapes=read_shapes(profile.model_path.parent / "meshes"),
    )


def read_shapes(folder: Path) -> dict[str, Floats]:
    """Return points on each body's surface from the meshes `BODY-*.obj` of a folder (k, 3) [m]."""
    points: dict[str, list[list[float]]] = {}
    for path in sorted(folder.glob("*.obj")):
        body = path.stem.partition("-")[0]
        lines = path.read_text(encoding="utf-8").splitlines()
        found = [[float(v) for v in line.split()[1:4]] for line in lines if line.startswith("v ")]
        points.setdefault(body, []).extend(found)
    return {body: np.array(cloud) for body, cloud in points.items() if len(cloud) > 3}
