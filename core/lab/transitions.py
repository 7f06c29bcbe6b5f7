"""Whether the upper body's reference is smooth: measured on the motion manager alone.

A jump is the difference of the one-sided limits of the reference's velocity at the moment of a
request, or at the moment at which a limb changes its state, found by bisection. The limits are
taken from 0.1 µs to either side, carried to the moment with the reference's acceleration.
"""

from copy import deepcopy
from dataclasses import dataclass

import numpy as np

from core.behave.clip import Clip
from core.behave.limits import SoftLimits
from core.behave.manager import MotionManager
from core.behave.reference import LIMBS, MotionState
from core.behave.settings import MotionSettings
from core.robot.joint_table import joint_table
from core.robot.profile import Profile
from devices.interface import Floats

SCAN_S = 0.005
ASIDE_S = 1e-7
EXACT_S = 1e-10
BLENDS_S = (0.3, 1.0, 2.0)
PLAY_AT_S = 3.0


@dataclass(slots=True)
class Smoothness:
    """What a reference was found to do.

    Attributes:
        jump: largest jump of a joint's velocity [rad/s].
        changes: how many changes of state were looked at.
        resumed: poses after a freeze that were compared with the clip's own.
        unlike: of them, those that differ in any bit.
    """

    jump: float = 0.0
    changes: int = 0
    resumed: int = 0
    unlike: int = 0


def new_manager(profile: Profile, seed: int) -> MotionManager:
    """Return the motion manager that a performer would have."""
    rest = tuple(float(angle) for angle in profile.posture("rest"))
    return MotionManager(MotionSettings(rest_q=rest, seed=seed), joint_table(profile))


def check_clip(profile: Profile, clip: Clip, seed: int, found: Smoothness) -> None:
    """Play a clip with short, usual and long transitions, and freeze it on its way."""
    for blend_s in BLENDS_S:
        manager = new_manager(profile, seed)
        _scan(manager, 0.0, PLAY_AT_S, found)
        before = manager.update(PLAY_AT_S).dq.copy()
        manager.play(PLAY_AT_S, clip, blend_in_s=blend_s, blend_out_s=blend_s)
        found.jump = max(found.jump, _largest(manager.update(PLAY_AT_S).dq - before))
        end_s = PLAY_AT_S + clip.duration_s + 2.0 * blend_s + 1.0
        _scan(manager, PLAY_AT_S, end_s, found)
    _check_freeze(profile, clip, seed, found)


def _scan(manager: MotionManager, start_s: float, end_s: float, found: Smoothness) -> None:
    """Find every change of state between two times and measure the jump there."""
    count = int((end_s - start_s) / SCAN_S)
    states = manager.update(start_s).states.copy()
    for i in range(1, count + 1):
        earlier = deepcopy(manager)
        now_s = start_s + SCAN_S * i
        now = manager.update(now_s).states
        if (now != states).any():
            moment_s = _moment(earlier, states, now_s - SCAN_S, now_s)
            found.jump = max(found.jump, _jump(earlier, moment_s))
            found.changes += 1
            states = now.copy()


def _moment(manager: MotionManager, states: object, low_s: float, high_s: float) -> float:
    """Return when a manager's states stop being these."""
    while high_s - low_s > EXACT_S:
        middle_s = 0.5 * (low_s + high_s)
        if (deepcopy(manager).update(middle_s).states == states).all():
            low_s = middle_s
        else:
            high_s = middle_s
    return high_s


def _jump(manager: MotionManager, moment_s: float) -> float:
    twin = deepcopy(manager)
    left = twin.update(moment_s - ASIDE_S)
    before: Floats = left.dq + ASIDE_S * left.ddq
    right = twin.update(moment_s + ASIDE_S)
    return _largest(right.dq - ASIDE_S * right.ddq - before)


def _largest(values: Floats) -> float:
    return float(np.abs(values).max())


def _check_freeze(profile: Profile, clip: Clip, seed: int, found: Smoothness) -> None:
    """Freeze in the middle, resume, and compare what follows with the clip, bit for bit."""
    manager = new_manager(profile, seed)
    settings = MotionSettings(rest_q=tuple(profile.posture("rest").tolist()))
    joints = manager.joints
    bend = SoftLimits(joints.lower, joints.upper, settings.limit_margin, settings.limit_band)
    manager.update(PLAY_AT_S)
    limbs = manager.play(PLAY_AT_S, clip)
    middle_s = PLAY_AT_S + settings.transition_s + 0.5 * clip.duration_s
    manager.update(middle_s)
    manager.freeze(middle_s)
    manager.update(middle_s + 2.0)
    manager.unfreeze(middle_s + 2.0)
    for now_s in np.arange(middle_s + 2.2, middle_s + 2.0 + 0.5 * clip.duration_s, 0.0137):
        q = manager.update(float(now_s)).q.copy()
        for limb in limbs:
            playing = manager.playing(limb)
            if playing is None or manager.state(limb) is not MotionState.ACTION:
                continue
            raw = np.zeros((3, len(joints)))
            clip.sample(playing[1], raw[0], raw[1], raw[2])
            bend.apply(raw[0], raw[1], raw[2])
            own = np.arange(len(joints))[joints.columns[LIMBS.index(limb)]]
            columns = np.intersect1d(own, clip.joints)
            found.resumed += 1
            found.unlike += bool((raw[0, columns] != q[columns]).any())
