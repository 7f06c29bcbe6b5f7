"""The upper bodies of the tests: one like a small humanoid's, and one without head and hands."""

from typing import Any

import msgspec
import numpy as np

from core.behave.clip import Clip
from core.behave.idle_settings import Idle
from core.behave.joints import UpperJoints
from core.behave.manager import MotionManager
from core.behave.reference import UpperReference
from core.robot.profile_file import load_profile
from devices.interface import Floats
from shows.body_limb import COORDINATES
from shows.joints import Gaze, JointTable
from shows.limbs import Limb, LimbSide

SIDES: tuple[LimbSide, LimbSide] = ("left", "right")
FINGERS = ("thumb", "index", "middle", "ring")
LIMITS_DEG = {
    "pitch": (-30, 30),
    "yaw": (-90, 90),
    "shoulder_pitch": (-190, 90),
    "shoulder_roll": (-85, 35),
    "elbow": (-25, 115),
    "knee": (-90, 0),
    "wrist": (-180, 180),
    **{finger: (0, 90) for finger in FINGERS},
}
REST_DEG = {"shoulder_pitch": 3, "shoulder_roll": -8, "elbow": 15, **dict.fromkeys(FINGERS, 20)}
ROLES = {
    "head": ("pitch", "yaw"),
    "arm": ("shoulder_pitch", "shoulder_roll", "elbow"),
    "leg": ("knee",),
    "hand": ("wrist", *FINGERS),
}
# As in a robot's profile, the hands come after the legs.
TABLE_LIMBS = (
    Limb(name="head", title="Head", kind="head"),
    *(Limb(name=f"{side}_arm", title="Arm", kind="arm", side=side) for side in SIDES),
    *(Limb(name=f"{side}_leg", title="Leg", kind="leg", side=side) for side in SIDES),
    *(Limb(name=f"{side}_hand", title="Hand", kind="hand", side=side) for side in SIDES),
)
LIMBS = tuple(limb.name for limb in TABLE_LIMBS if limb.kind != "leg")


def _without_body(idle: Idle) -> Idle:
    """Return the idle motion of the limbs that this table has."""
    breath, weight = idle.breath, idle.weight
    assert breath is not None and weight is not None

    def kept(rows: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(row for row in rows if row.joint not in COORDINATES)

    return msgspec.structs.replace(
        idle,
        sway=kept(idle.sway),
        breath=msgspec.structs.replace(breath, joints=kept(breath.joints)),
        weight=msgspec.structs.replace(weight, joints=kept(weight.joints)),
    )


_WHOLE = load_profile("kid_cosmo").idle
IDLE = None if _WHOLE is None else _without_body(_WHOLE)


def joint_name(limb: Limb, role: str) -> str:
    """Return the name of a joint, as the robot has it."""
    return f"{'head' if limb.side == 'centre' else limb.side}_{role}"


def table_of(limbs: tuple[Limb, ...], gaze: Gaze | None, velocity_limit: float) -> JointTable:
    """Return the joint table of some limbs."""
    rows = [(limb, role) for limb in limbs for role in ROLES[limb.kind]]
    limits = np.deg2rad([LIMITS_DEG[role] for _, role in rows]).reshape(-1, 2)
    return JointTable(
        robot="tester",
        names=tuple(joint_name(limb, role) for limb, role in rows),
        limbs=limbs,
        joint_limbs=tuple(limb.name for limb, _ in rows),
        roles=tuple(role for _, role in rows),
        lower=limits[:, 0],
        upper=limits[:, 1],
        velocity_limit=np.full(len(rows), velocity_limit),
        gaze=gaze,
    )


def table(velocity_limit: float = 20.0) -> JointTable:
    """Return the joint table of the humanoid."""
    return table_of(TABLE_LIMBS, Gaze("head_yaw", "head_pitch"), velocity_limit)


def arms_table() -> JointTable:
    """Return the joint table of a robot that has two arms and a leg only."""
    return table_of(TABLE_LIMBS[1:4], None, 20.0)


UPPER = UpperJoints.from_table(table()).names


def rest_of(joints: JointTable) -> Floats:
    """Return the rest posture in the table's order [rad]."""
    return np.deg2rad([float(REST_DEG.get(role, 0)) for role in joints.roles])


def upper_joints() -> UpperJoints:
    """Return the upper body's joints."""
    return UpperJoints.from_table(table())


def rest_q() -> Floats:
    """Return the rest posture in upper order [rad]."""
    rest: Floats = rest_of(table())[list(upper_joints().table_index)]
    return rest


def manager(idle: bool = True, velocity_limit: float = 20.0, seed: int = 1) -> MotionManager:
    """Return a manager at rest."""
    joints = table(velocity_limit)
    return MotionManager(joints, rest_of(joints), idle=IDLE if idle else None, seed=seed)


def columns(*limbs: str) -> tuple[int, ...]:
    """Return the columns of some limbs in upper order."""
    members = table().joints_of
    return tuple(UPPER.index(joint) for limb in LIMBS if limb in limbs for joint in members[limb])


def wave(*limbs: str, length_s: float = 3.0, name: str = "wave") -> Clip:
    """Return a clip that moves at its first and at its last instant."""
    joints = columns(*(limbs or LIMBS))
    t = np.arange(round(length_s * 50) + 1) / 50.0
    phases = np.array(joints) * 0.7
    q = rest_q()[list(joints)] + 0.15 + 0.12 * np.sin(4.0 * t[:, None] + phases + 0.5)
    return Clip.from_positions(name, joints, 50.0, q)


def snapshot(reference: UpperReference) -> tuple[Floats, Floats, Floats]:
    """Return copies of position, velocity and acceleration."""
    return reference.q.copy(), reference.dq.copy(), reference.ddq.copy()
