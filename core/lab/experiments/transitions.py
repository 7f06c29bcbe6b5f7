"""Whether the upper body's reference is smooth: measured on the motion manager alone.

A jump is the difference of the one-sided limits of the reference's velocity at the moment of a
request, or at the moment at which a limb changes its state, found by bisection. The limits are
taken from 0.1 µs to either side, carried to the moment with the reference's acceleration.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from core.behave.clip import Clip
from core.behave.limits import SoftLimits
from core.behave.manager import MotionManager
from core.behave.reference import MotionState
from core.robot.joint_table import joint_table
from core.robot.profile import REST, Profile
from devices.interface import Floats

SCAN_S = 0.005
ASIDE_S = 1e-7
EXACT_S = 1e-13
BLENDS_S = (0.3, 1.0, 2.0)
PLAY_AT_S = 3.0

Ask: TypeAlias = Callable[[MotionManager, float, Clip], object]
ASKS: tuple[Ask, ...] = (
    lambda manager, now_s, clip: manager.play(now_s, clip, mirror=True),
    lambda manager, now_s, clip: manager.play(now_s, clip, speed=0.8, loop=True),
    lambda manager, now_s, clip: manager.cancel(now_s),
    lambda manager, now_s, clip: manager.freeze(now_s),
    lambda manager, now_s, clip: manager.sticks.lead_gaze(now_s, 0.6, -0.2),
    lambda manager, now_s, clip: manager.rest(now_s),
)


@dataclass(slots=True)
class Smoothness:
    """The measured properties of a reference.

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
    table, rest_q = joint_table(profile), profile.posture(REST)
    return MotionManager(table, rest_q, profile.motion, profile.idle, seed)


def check_clip(profile: Profile, clip: Clip, seed: int, found: Smoothness) -> None:
    """Play a clip with short, usual and long transitions, and ask for all else on its way."""
    for blend_s in BLENDS_S:
        played = Played(profile, clip, seed, blend_s)
        manager = played.at(0.0, playing=False)
        before = _motion(manager, PLAY_AT_S)[1]
        played.play(manager)
        found.jump = max(found.jump, _largest(_motion(manager, PLAY_AT_S)[1] - before))
        _scan(played, PLAY_AT_S + clip.duration_s + 2.0 * blend_s + 1.0, found)
    for ask in ASKS:
        _ask(profile, clip, seed, ask, found)
    _check_freeze(profile, clip, seed, found)


@dataclass(frozen=True, slots=True)
class Played:
    """A clip that is played at a fixed time; the state can be read at any later time.

    Attributes:
        profile: the robot's.
        clip: the clip.
        seed: of idle life.
        blend_s: of the transitions to it and from it [s].
    """

    profile: Profile
    clip: Clip
    seed: int
    blend_s: float

    def at(self, now_s: float, playing: bool = True) -> MotionManager:
        """Return a manager after its update to a time [s], with or without the clip."""
        manager = new_manager(self.profile, self.seed)
        if playing:
            manager.update(PLAY_AT_S)
            self.play(manager)
        manager.update(now_s)
        return manager

    def play(self, manager: MotionManager) -> None:
        """Ask for the clip."""
        manager.play(PLAY_AT_S, self.clip, blend_in_s=self.blend_s, blend_out_s=self.blend_s)


def _scan(played: Played, end_s: float, found: Smoothness) -> None:
    """Find every change of state until a time and measure the jump there."""
    manager = played.at(PLAY_AT_S)
    states = manager.update(PLAY_AT_S).states.copy()
    for now_s in np.arange(PLAY_AT_S + SCAN_S, end_s, SCAN_S):
        now = manager.update(float(now_s)).states
        if (now != states).any():
            moment_s = _moment(played, states, float(now_s) - SCAN_S, float(now_s))
            found.jump = max(found.jump, _jump(played, moment_s))
            found.changes += 1
            states = now.copy()


def _moment(played: Played, states: object, low_s: float, high_s: float) -> float:
    """Return when the states stop being these."""
    while high_s - low_s > EXACT_S:
        middle_s = 0.5 * (low_s + high_s)
        if (played.at(middle_s).update(middle_s).states == states).all():
            low_s = middle_s
        else:
            high_s = middle_s
    return high_s


def _jump(played: Played, moment_s: float) -> float:
    """Return the difference of the velocity's one-sided limits at a moment [rad/s, m/s]."""
    manager = played.at(moment_s - ASIDE_S)
    left = _motion(manager, moment_s - ASIDE_S)
    right = _motion(manager, moment_s + ASIDE_S)
    return _largest(right[1] - ASIDE_S * right[2] - left[1] - ASIDE_S * left[2])


def _ask(profile: Profile, clip: Clip, seed: int, ask: Ask, found: Smoothness) -> None:
    """Ask for something else in the transition to a clip, in the clip, and after it."""
    for after_s in (0.6, 1.0 + 0.5 * clip.duration_s, 1.3 + clip.duration_s):
        now_s = PLAY_AT_S + after_s
        manager = Played(profile, clip, seed, 1.0).at(now_s)
        before = _motion(manager, now_s)[1]
        ask(manager, now_s, clip)
        found.jump = max(found.jump, _largest(_motion(manager, now_s)[1] - before))
        found.changes += 1


def _motion(manager: MotionManager, now_s: float) -> Floats:
    """Return positions, velocities and accelerations at a time [s], those of the body last."""
    found = manager.update(now_s)
    return np.concatenate((np.stack((found.q, found.dq, found.ddq)), found.body), axis=1)


def _largest(values: Floats) -> float:
    return float(np.abs(values).max())


def _check_freeze(profile: Profile, clip: Clip, seed: int, found: Smoothness) -> None:
    """Freeze in the middle, resume, and compare the rest with the clip, bit for bit."""
    manager = new_manager(profile, seed)
    settings = profile.motion
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
        q = _motion(manager, float(now_s))[0]
        for limb in limbs:
            playing = manager.playing(limb)
            if playing is None or manager.state(limb) is not MotionState.ACTION:
                continue
            raw, own = np.zeros((3, len(joints))), np.zeros((3, len(clip.joints)))
            clip.sample(playing[1], own[0], own[1], own[2])
            raw[:, list(clip.joints)] = own
            bend.apply(raw, raw)
            columns = np.arange(len(joints))[joints.columns[joints.limb_names.index(limb)]]
            columns = np.intersect1d(columns, clip.joints)
            found.resumed += 1
            found.unlike += bool((raw[0, columns] != q[columns]).any())
