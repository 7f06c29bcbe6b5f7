"""What can be wrong with one clip, given the motions, sounds and joints that it refers to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shows.audio import AudioInfo
from shows.document import (
    Clip,
    GestureClip,
    Hand,
    HandAngles,
    HandClip,
    HeadClip,
    Settings,
    VoiceClip,
    WalkClip,
)
from shows.joints import Floats, JointTable
from shows.motion import POSITION_SLACK_RAD, Motion, flips_in_mirror, mirrored_joint

SLACK_S = 1e-6
"""Times are compared with this much room: clips may touch [s]."""


@dataclass(frozen=True)
class Flaw:
    """One fault of a clip.

    Attributes:
        field: the field to correct, as the end of a JSON path.
        reason: what is wrong.
        advice: what to do.
    """

    field: str
    reason: str
    advice: str = "correct the value"


@dataclass(frozen=True)
class Stock:
    """What clips refer to.

    Attributes:
        settings: the show's settings.
        motions: every motion at hand, by name.
        audio: every phrase at hand, by name.
        joints: the robot's joints and limits.
    """

    settings: Settings
    motions: Mapping[str, Motion]
    audio: Mapping[str, AudioInfo]
    joints: JointTable

    @cached_property
    def motion_s(self) -> dict[str, float]:
        """Motion name to duration [s]."""
        return {name: motion.duration_s for name, motion in self.motions.items()}

    @cached_property
    def phrase_s(self) -> dict[str, float]:
        """Phrase to duration [s]."""
        return {name: sound.duration_s for name, sound in self.audio.items()}

    @cached_property
    def peaks(self) -> dict[str, tuple[Floats, Floats]]:
        """Motion name to its joints' largest speeds [rad/s] and accelerations [rad/s²]."""
        return {
            name: (motion.peak_speed(), motion.peak_acceleration())
            for name, motion in self.motions.items()
        }

    def flaws(self, clip: Clip) -> Iterator[Flaw]:
        """Yield every reason to refuse a clip."""
        if isinstance(clip, GestureClip):
            motion = self.motions.get(clip.motion)
            if motion is None:
                reason = f"there is no motion {clip.motion!r} in the show or the gesture library"
                advice = f"add motions/{clip.motion}.json or correct the name"
                yield Flaw("motion", reason, advice)
            else:
                yield from self._gesture(clip, motion)
        elif isinstance(clip, VoiceClip):
            if clip.phrase not in self.audio:
                reason = f"there is no sound {clip.phrase!r} in the show's audio folder"
                advice = f"add audio/{clip.phrase}.flac or correct the name"
                yield Flaw("phrase", reason, advice)
        elif isinstance(clip, (HeadClip, HandClip, WalkClip)):
            blends_s = clip.blend_in_s + clip.blend_out_s
            if blends_s > clip.length_s + SLACK_S:
                reason = f"the blends take {blends_s:g} s, the clip lasts {clip.length_s:g} s"
                yield Flaw("length_s", reason, "lengthen the clip or shorten its blends")
            if isinstance(clip, HeadClip):
                yield from self._head(clip)
            elif isinstance(clip, HandClip):
                yield from self._hand(clip)
            else:
                yield from self._walk(clip)

    def limbs(self, clip: GestureClip) -> tuple[str, ...]:
        """Return the limb groups that a gesture clip plays on; its motion must be at hand."""
        return clip.groups or limbs_of(self.motions[clip.motion], clip.mirror, self.joints)

    def pose_faults(self, pose: HandAngles, sides: tuple[str, ...]) -> Iterator[str]:
        """Yield which joints of which hand cannot take a pose."""
        for side in sides:
            joints = self.joints.groups.get(f"{side}_hand", ())
            for joint, angle in zip(joints, pose, strict=False):
                yield from self._outside(joint, angle)

    def _gesture(self, clip: GestureClip, motion: Motion) -> Iterator[Flaw]:
        moved = limbs_of(motion, clip.mirror, self.joints)
        for i, group in enumerate(clip.groups or ()):
            if group not in moved:
                reason = f"{clip.motion} does not move {group!r}"
                yield Flaw(f"groups[{i}]", reason, f"use some of {', '.join(moved)}")
        if clip.loop and clip.length_s is None:
            yield Flaw("loop", "a loop has no end", "give the clip a length_s")
        if (clip.freeze_at_s is None) != (clip.freeze_s == 0.0):
            yield Flaw("freeze_s", "freeze_at_s and freeze_s go together", "give both, or neither")
        end_s = motion.duration_s / clip.speed
        if clip.length_s is not None:
            end_s = clip.length_s if clip.loop else min(end_s, clip.length_s)
        if clip.freeze_at_s is not None and clip.freeze_at_s > end_s + SLACK_S:
            reason = f"{clip.freeze_at_s:g} s is after the motion's end at {end_s:.2f} s"
            yield Flaw("freeze_at_s", reason, "freeze it earlier")
        if clip.mirror:
            yield from self._mirrored(motion)
        yield from self._fast(clip, motion)

    def _fast(self, clip: GestureClip, motion: Motion) -> Iterator[Flaw]:
        names = [mirrored_joint(j) if clip.mirror else j for j in motion.joint_names]
        if not all(name in self.joints.index for name in names):
            return
        columns = [self.joints.index[name] for name in names]
        speeds, accelerations = self.peaks[clip.motion]
        for needed, limits, unit in (
            (speeds * clip.speed, self.joints.velocity_limit[columns], "rad/s"),
            (accelerations * clip.speed**2, self.joints.acceleration[columns], "rad/s²"),
        ):
            worst = int(np.argmax(needed / limits))
            if needed[worst] > limits[worst]:
                reason = (
                    f"at speed {clip.speed:g} {names[worst]} of {clip.motion} needs "
                    f"{needed[worst]:.3g} {unit}, more than its limit {limits[worst]:.3g} {unit}"
                )
                yield Flaw("speed", reason, "play it slower")

    def _mirrored(self, motion: Motion) -> Iterator[Flaw]:
        for joint, column in zip(motion.joint_names, motion.positions.T, strict=True):
            sign = -1.0 if flips_in_mirror(joint) else 1.0
            for angle in (sign * float(column.min()), sign * float(column.max())):
                for reason in self._outside(mirrored_joint(joint), angle):
                    yield Flaw("mirror", reason, "do not mirror it")

    def _head(self, clip: HeadClip) -> Iterator[Flaw]:
        for field, angle in (("yaw", clip.yaw), ("pitch", clip.pitch)):
            for joint in self.joints.groups.get("head", ()):
                if joint.endswith(field):
                    for reason in self._outside(joint, angle):
                        yield Flaw(field, reason)

    def _hand(self, clip: HandClip) -> Iterator[Flaw]:
        if isinstance(clip.pose, str):
            known = self.settings.hand_poses
            if clip.pose not in known:
                names = ", ".join(known) or "the poses that settings name"
                yield Flaw("pose", f"there is no hand pose {clip.pose!r}", f"use one of {names}")
        else:
            for reason in self.pose_faults(clip.pose, sides_of(clip.hand)):
                yield Flaw("pose", reason)

    def _walk(self, clip: WalkClip) -> Iterator[Flaw]:
        bounds = self.settings.walk
        for field, value, least, most, unit in (
            ("vx", clip.vx, -bounds.backward, bounds.forward, "m/s"),
            ("vy", clip.vy, -bounds.sideways, bounds.sideways, "m/s"),
            ("yaw_rate", clip.yaw_rate, -bounds.turning, bounds.turning, "rad/s"),
        ):
            if not least <= value <= most:
                reason = f"{value:g} {unit} is outside the walk bounds {least:g} to {most:g}"
                yield Flaw(field, reason, "walk slower or change settings.walk")

    def _outside(self, joint: str, angle: float) -> Iterator[str]:
        """Yield why a joint cannot take an angle [rad], if it cannot."""
        i = self.joints.index.get(joint)
        if i is None:
            yield f"this robot has no joint {joint!r}"
            return
        least, most = float(self.joints.lower[i]), float(self.joints.upper[i])
        if not least - POSITION_SLACK_RAD <= angle <= most + POSITION_SLACK_RAD:
            yield f"{joint} at {angle:g} rad is outside its limits {least:.3f} to {most:.3f} rad"


def limbs_of(motion: Motion, mirror: bool, joints: JointTable) -> tuple[str, ...]:
    """Return the limb groups that a motion moves, in the table's order."""
    names = (mirrored_joint(j) if mirror else j for j in motion.joint_names)
    groups = {joints.group_of.get(name) for name in names}
    return tuple(group for group in joints.groups if group in groups)


def sides_of(hand: Hand) -> tuple[str, ...]:
    """Return the sides that a hand clip means."""
    return ("left", "right") if hand == "both" else (hand,)
