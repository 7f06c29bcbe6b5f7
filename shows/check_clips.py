"""The checks of one clip against the motions, sounds and joints that it refers to."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shows.audio import AudioInfo
from shows.document import (
    BodyClip,
    Clip,
    GestureClip,
    HandClip,
    HeadClip,
    JumpClip,
    LiveClip,
    MarkClip,
    Settings,
    SwayClip,
    VoiceClip,
    WalkClip,
)
from shows.fields import HandPose
from shows.hands import hands_of, pose_faults
from shows.joints import Floats, JointTable
from shows.motion import Motion, limbs_of

SLACK_S = 1e-6
"""Tolerance for times: clips may touch [s]."""

SHORTEST_S = 0.02
"""Shortest part of a motion or a sound that can play [s]."""

_JUMP_ADVICE = {
    "flight_s": "fly shorter",
    "dx": "jump less far",
    "dy": "jump less far",
    "turn": "turn less",
    "period_s": "jump less often",
}


@dataclass(frozen=True)
class Flaw:
    """One fault of a clip.

    Attributes:
        field: the field to correct, as the end of a JSON path.
        reason: why it is refused.
        advice: how to correct it.
    """

    field: str
    reason: str
    advice: str = "correct the value"


@dataclass(frozen=True)
class Stock:
    """Everything that clips refer to.

    Attributes:
        settings: the show's settings.
        motions: every available motion by name.
        audio: every available sound by phrase.
        joints: the robot's joints and limits.
        repertoires: names of the show's repertoires.
    """

    settings: Settings
    motions: Mapping[str, Motion]
    audio: Mapping[str, AudioInfo]
    joints: JointTable
    repertoires: Collection[str] = ()

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

    @cached_property
    def hand_poses(self) -> dict[str, HandPose]:
        """Every pose that a hand clip may name: the robot's and the show's."""
        return {**self.joints.hand_poses, **self.settings.hand_poses}

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
            else:
                yield from _offset(clip.offset_s, self.audio[clip.phrase].duration_s, "sound")
        elif isinstance(clip, (HeadClip, HandClip, BodyClip, WalkClip)):
            blends_s = clip.blend_in_s + clip.blend_out_s
            if blends_s > clip.length_s + SLACK_S:
                reason = f"the blends take {blends_s:g} s, the clip lasts {clip.length_s:g} s"
                yield Flaw("length_s", reason, "lengthen the clip or shorten its blends")
            if isinstance(clip, HeadClip):
                yield from self._head(clip)
            elif isinstance(clip, HandClip):
                yield from self._hand(clip)
            elif isinstance(clip, BodyClip):
                yield from self._body(clip)
            else:
                yield from self._walk(clip)
        elif isinstance(clip, SwayClip):
            yield from self._sway(clip)
        elif isinstance(clip, JumpClip):
            yield from self._jump(clip)
        elif isinstance(clip, LiveClip):
            yield from self._live(clip)
        elif isinstance(clip, MarkClip) and clip.mark not in self.settings.marks:
            names = ", ".join(self.settings.marks) or "a mark that you put on the floor first"
            yield Flaw("mark", f"the show has no mark {clip.mark!r}", f"use {names}")

    def limbs(self, clip: GestureClip) -> tuple[str, ...]:
        """Return the limbs that play a gesture clip, whose motion must be available."""
        return clip.groups or limbs_of(self.motions[clip.motion], clip.mirror, self.joints)

    def _gesture(self, clip: GestureClip, motion: Motion) -> Iterator[Flaw]:
        moved = limbs_of(motion, clip.mirror, self.joints)
        for i, group in enumerate(clip.groups or ()):
            if group not in moved:
                reason = f"{clip.motion} does not move {group!r}"
                yield Flaw(f"groups[{i}]", reason, f"use some of {', '.join(moved)}")
        yield from _offset(clip.offset_s, motion.duration_s, "motion")
        if clip.loop and clip.length_s is None:
            yield Flaw("loop", "a loop has no end", "give the clip a length_s")
        if (clip.freeze_at_s is None) != (clip.freeze_s == 0.0):
            yield Flaw("freeze_s", "freeze_at_s and freeze_s go together", "give both, or neither")
        end_s = (motion.duration_s - clip.offset_s) / clip.speed
        if clip.length_s is not None:
            end_s = clip.length_s if clip.loop else min(end_s, clip.length_s)
        if clip.freeze_at_s is not None and clip.freeze_at_s > end_s + SLACK_S:
            reason = f"{clip.freeze_at_s:g} s is after the motion's end at {end_s:.2f} s"
            yield Flaw("freeze_at_s", reason, "freeze it earlier")
        if clip.mirror:
            yield from self._mirrored(motion)
        yield from self._fast(clip, motion)

    def _fast(self, clip: GestureClip, motion: Motion) -> Iterator[Flaw]:
        names = motion.joint_names
        if clip.mirror:
            names = tuple(self.joints.mirror.get(joint, joint) for joint in names)
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
            other = self.joints.mirror.get(joint)
            if other is None:
                reason = f"{joint} has no counterpart on the other side"
                yield Flaw("mirror", reason, "do not mirror it")
                continue
            sign = -1.0 if self.joints.flips(joint) else 1.0
            for angle in (sign * float(column.min()), sign * float(column.max())):
                fault = self.joints.angle_fault(other, angle)
                if fault is not None:
                    yield Flaw("mirror", fault, "do not mirror it")

    def _head(self, clip: HeadClip) -> Iterator[Flaw]:
        gaze = self.joints.gaze
        if gaze is None:
            reason = f"{self.joints.robot} has no joints that turn a gaze"
            yield Flaw("yaw", reason, "remove the head track")
            return
        if clip.point is not None:
            if clip.point not in self.settings.points:
                names = ", ".join(self.settings.points) or "a point that you put in the 3-D view"
                yield Flaw("point", f"the show has no point {clip.point!r}", f"use {names}")
            return
        for field, joint, angle in (
            ("yaw", gaze.yaw, clip.yaw),
            ("pitch", gaze.pitch, clip.pitch),
        ):
            fault = self.joints.angle_fault(joint, angle)
            if fault is not None:
                yield Flaw(field, fault)

    def _hand(self, clip: HandClip) -> Iterator[Flaw]:
        hands = hands_of(clip.hand, self.joints)
        if not hands:
            side = "" if clip.hand == "both" else f"{clip.hand} "
            reason = f"{self.joints.robot} has no {side}hand"
            yield Flaw("hand", reason, "remove the clip or the hands track")
        elif isinstance(clip.pose, str) and clip.pose not in self.hand_poses:
            names = ", ".join(self.hand_poses) or "the poses in settings.hand_poses"
            yield Flaw("pose", f"there is no hand pose {clip.pose!r}", f"use one of {names}")
        else:
            pose = self.hand_poses[clip.pose] if isinstance(clip.pose, str) else clip.pose
            for hand in hands:
                for reason in pose_faults(pose, hand, self.joints):
                    yield Flaw("pose", reason)

    def _body(self, clip: BodyClip) -> Iterator[Flaw]:
        body = self.joints.body
        if body is None:
            reason = f"{self.joints.robot} does not stand on feet"
            yield Flaw("lower", reason, "remove the body track")
            return
        if clip.lower > body.lower:
            reason = f"{clip.lower:g} m is lower than the robot goes, {body.lower:g} m"
            yield Flaw("lower", reason, "lower it less")
        for field, angle, most in (
            ("roll", clip.roll, body.roll),
            ("pitch", clip.pitch, body.pitch),
            ("yaw", clip.yaw, body.yaw),
        ):
            if abs(angle) > most:
                reason = f"{angle:g} rad is outside the body's range -{most:g} to {most:g} rad"
                yield Flaw(field, reason, "lean or turn it less")

    def _sway(self, clip: SwayClip) -> Iterator[Flaw]:
        sway = self.joints.sway
        if sway is None:
            reason = f"{self.joints.robot} does not sway"
            yield Flaw("amplitude_m", reason, "remove the sway track")
            return
        for field, reason in sway.faults(clip.direction, clip.amplitude_m, clip.frequency_hz):
            yield Flaw(field, reason, "sway less" if field == "amplitude_m" else "sway slower")
        if clip.cycles < 1:
            reason = (
                f"a sway of {clip.frequency_hz:g} Hz takes {1.0 / clip.frequency_hz:.3g} s a "
                f"cycle; the clip lasts {clip.length_s:g} s"
            )
            yield Flaw("length_s", reason, "make it longer or faster")

    def _live(self, clip: LiveClip) -> Iterator[Flaw]:
        able = self.joints.following_limbs
        if not able:
            reason = f"{self.joints.robot} has no limb that can follow a person"
            yield Flaw("groups", reason, "remove the live track")
            return
        for i, group in enumerate(clip.groups or ()):
            if group not in able:
                reason = f"{self.joints.robot} has no limb {group!r} that can follow a person"
                yield Flaw(f"groups[{i}]", reason, f"use some of {', '.join(able)}")
        names = ", ".join(self.repertoires) or "a repertoire that you teach it first"
        if clip.repertoire is None:
            if clip.mode == "answer":
                reason = "the robot answers from a repertoire, and the clip names none"
                yield Flaw("repertoire", reason, f"use {names}")
        elif clip.repertoire not in self.repertoires:
            reason = f"the show has no repertoire {clip.repertoire!r}"
            yield Flaw("repertoire", reason, f"use {names}")

    def _walk(self, clip: WalkClip) -> Iterator[Flaw]:
        if clip.gait == "run":
            yield from self._run(clip)
            return
        bounds = self.settings.walk
        for field, value, least, most, unit in (
            ("vx", clip.vx, -bounds.backward, bounds.forward, "m/s"),
            ("vy", clip.vy, -bounds.sideways, bounds.sideways, "m/s"),
            ("yaw_rate", clip.yaw_rate, -bounds.turning, bounds.turning, "rad/s"),
        ):
            if not least <= value <= most:
                reason = f"{value:g} {unit} is outside the walk bounds {least:g} to {most:g}"
                yield Flaw(field, reason, "walk slower or change settings.walk")

    def _run(self, clip: WalkClip) -> Iterator[Flaw]:
        run = self.joints.gaits.run
        if run is None:
            yield Flaw("gait", self.joints.gaits.refusal("run"), "let it walk")
            return
        for field, reason in run.faults(clip.vx, clip.vy, clip.yaw_rate):
            yield Flaw(field, reason, "turn slower" if field == "yaw_rate" else "run slower")

    def _jump(self, clip: JumpClip) -> Iterator[Flaw]:
        jump = self.joints.gaits.jump
        if jump is None:
            yield Flaw("count", self.joints.gaits.refusal("jump"), "remove the jump")
            return
        for field, reason in jump.faults(clip.jump):
            yield Flaw(field, reason, _JUMP_ADVICE[field])
        needed_s = jump.length_s(clip.count, clip.period_s)
        if clip.length_s < needed_s - SLACK_S:
            what = "1 jump takes" if clip.count == 1 else f"{clip.count} jumps take"
            reason = f"{what} {needed_s:g} s; the clip lasts {clip.length_s:g} s"
            yield Flaw("length_s", reason, "make it longer, or jump less often")


def _offset(offset_s: float, duration_s: float, what: str) -> Iterator[Flaw]:
    if offset_s > max(0.0, duration_s - SHORTEST_S):
        reason = f"{offset_s:g} s is after the end of the {what} at {duration_s:.2f} s"
        yield Flaw("offset_s", reason, f"start the {what} earlier")
