"""An upper body to test with: names and limits as a small humanoid has them."""

import numpy as np

from core.behave.clip import Clip
from core.behave.joints import UpperJoints
from core.behave.manager import MotionManager
from core.behave.reference import LIMBS, UpperReference
from core.behave.settings import MotionSettings
from devices.interface import Floats
from shows.joints import JointTable

FINGERS = ("thumb", "index", "middle", "ring")
LIMITS_DEG = {
    "head_pitch": (-30, 30),
    "head_yaw": (-90, 90),
    "shoulder_pitch": (-190, 90),
    "shoulder_roll": (-85, 35),
    "elbow": (-25, 115),
    "wrist": (-180, 180),
    **{finger: (0, 90) for finger in FINGERS},
}
REST_DEG = {"shoulder_pitch": 3, "shoulder_roll": -8, "elbow": 15, **dict.fromkeys(FINGERS, 20)}
GROUPS = {
    "head": ("head_pitch", "head_yaw"),
    **{
        f"{side}_arm": tuple(f"{side}_{j}" for j in ("shoulder_pitch", "shoulder_roll", "elbow"))
        for side in ("left", "right")
    },
    **{
        f"{side}_hand": tuple(f"{side}_{j}" for j in ("wrist", *FINGERS))
        for side in ("left", "right")
    },
}
UPPER = tuple(name for limb in LIMBS for name in GROUPS[limb])
LEGS = ("left_knee", "right_knee")
# As in a robot's profile, the hands come after the legs.
TABLE_ORDER = (*UPPER[:8], *LEGS, *UPPER[8:])


def _kind(joint: str) -> str:
    return joint.removeprefix("left_").removeprefix("right_")


def table(velocity_limit: float = 20.0) -> JointTable:
    """Return the joint table."""
    limits = np.deg2rad([LIMITS_DEG.get(_kind(name), (-90, 0)) for name in TABLE_ORDER])
    return JointTable(
        names=TABLE_ORDER,
        groups=GROUPS,
        lower=limits[:, 0],
        upper=limits[:, 1],
        velocity_limit=np.full(len(TABLE_ORDER), velocity_limit),
    )


def upper_joints() -> UpperJoints:
    """Return the upper body's joints."""
    return UpperJoints.from_table(table())


def rest_q() -> Floats:
    """Return the rest posture in upper order [rad]."""
    return np.deg2rad([float(REST_DEG.get(_kind(name), 0)) for name in UPPER])


def settings(idle: bool = True, seed: int = 1) -> MotionSettings:
    """Return the manager's settings."""
    posture = np.deg2rad([float(REST_DEG.get(_kind(name), 0)) for name in TABLE_ORDER])
    return MotionSettings(rest_q=tuple(posture.tolist()), idle=idle, seed=seed)


def manager(idle: bool = True, velocity_limit: float = 20.0, seed: int = 1) -> MotionManager:
    """Return a manager at rest."""
    return MotionManager(settings(idle, seed), table(velocity_limit))


def columns(*limbs: str) -> tuple[int, ...]:
    """Return the columns of some limbs in upper order."""
    return tuple(UPPER.index(joint) for limb in LIMBS if limb in limbs for joint in GROUPS[limb])


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
