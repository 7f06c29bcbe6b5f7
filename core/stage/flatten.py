"""Flattens a show document into cues of sorted moments."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec
import numpy as np

from core.behave.clip import Clip
from core.behave.errors import BehaveError
from core.behave.joints import UpperJoints
from core.link.partner import Follow
from core.stage.errors import StageError
from core.stage.prepared import PreparedShow, pose_name
from core.stage.timeline import (
    MAX_MOMENTS,
    AnyMoment,
    BodySegment,
    Continue,
    CueTimeline,
    EventText,
    Freeze,
    GestureEnd,
    GestureStart,
    HeadSegment,
    JumpSegment,
    LiveSegment,
    MarkSegment,
    SwaySegment,
    Unfreeze,
    VoiceStart,
    WalkSegment,
    in_order,
)
from devices.interface import Floats
from shows.document import (
    BodyClip,
    Cue,
    GestureClip,
    HandClip,
    HeadClip,
    JumpClip,
    LightClip,
    LiveClip,
    MarkClip,
    NetworkClip,
    SwayClip,
    VoiceClip,
    WalkClip,
    clip_length_s,
)
from shows.fields import HandPose, MovingGait
from shows.hands import hands_of, pose_angles, pose_faults
from shows.joints import JointTable
from shows.marks import Mark, Point
from shows.motion import Motion, limbs_of
from shows.storage import LoadedShow

QUICK_BLEND_S = 0.3  # default blend into a gesture
LONGEST_POSE_S = 100.0
POSE_S = 1.0  # of the clip of a pose that an operator requests; it is repeated
SAME_S = 1e-6
JUMP_PERIOD_S = 1.0  # of a robot that does not name its usual one
_FOLLOW = {
    "none": Continue.NONE,
    "auto_continue": Continue.AUTO_CONTINUE,
    "auto_follow": Continue.AUTO_FOLLOW,
}


def prepare(
    loaded: LoadedShow,
    table: JointTable,
    gestures: Mapping[str, Motion] | None = None,
    refusals: Mapping[str, str] | None = None,
) -> PreparedShow:
    """Flatten a show.

    Args:
        loaded: a show that has passed its checks.
        table: joints of the robot.
        gestures: motions that an operator can play besides the show's own.
        refusals: reasons of preflight's refusals, by cue number.

    Raises:
        StageError: a cue has too many moments, or a motion does not fit this robot.
    """
    flat = _Flattener(loaded, table)
    for motion in {**(gestures or {}), **loaded.motions}.values():
        flat.add_motion(motion)
    flat.add_poses()
    found = refusals or {}
    cues = tuple(flat.cue(cue, found.get(cue.number, "")) for cue in loaded.show.cues)
    return PreparedShow(
        name=loaded.show.name,
        path=str(loaded.folder),
        go_guard_s=loaded.show.settings.go_guard_s,
        cues=cues,
        clips=flat.clips,
        phrases={name: str(sound.path) for name, sound in loaded.audio.items()},
        ducking=loaded.show.settings.ducking,
        warnings=loaded.warnings,
        voice_volume=loaded.show.settings.voice_volume,
    )


def prepare_gestures(gestures: Mapping[str, Motion], table: JointTable) -> PreparedShow:
    """Return a show without cues that holds motions for operators."""
    joints = UpperJoints.from_table(table)
    clips = {name: _clip(motion, joints.names) for name, motion in gestures.items()}
    clips.update(_pose_clips(table.hand_poses, table, joints))
    return PreparedShow(name="", clips=clips)


class _Flattener:
    """Collects the clips of a show while its cues are flattened."""

    def __init__(self, loaded: LoadedShow, table: JointTable) -> None:
        self._loaded = loaded
        self._table = table
        self._upper = UpperJoints.from_table(table)
        self._motion_s = {name: motion.duration_s for name, motion in loaded.motions.items()}
        self._phrase_s = {name: sound.duration_s for name, sound in loaded.audio.items()}
        self._index = {cue.number: index for index, cue in enumerate(loaded.show.cues)}
        self.clips: dict[str, Clip] = {}

    def add_motion(self, motion: Motion) -> None:
        """Add a motion as a clip."""
        self.clips[motion.name] = _clip(motion, self._upper.names)

    def add_poses(self) -> None:
        """Add every pose of a hand as a clip."""
        self.clips.update(_pose_clips(self._poses, self._table, self._upper))

    @property
    def _poses(self) -> dict[str, HandPose]:
        return {**self._table.hand_poses, **self._loaded.show.settings.hand_poses}

    def cue(self, cue: Cue, refusal: str) -> CueTimeline:
        """Return the timeline of a cue."""
        moments: list[AnyMoment] = []
        voices: list[VoiceStart] = []
        clips = list(cue.playing_clips())
        for clip in clips:
            if isinstance(clip, GestureClip):
                moments += self._gesture(clip)
            elif isinstance(clip, HandClip):
                moments += self._hand(clip)
            elif isinstance(clip, VoiceClip):
                volume = clip.volume * self._loaded.show.settings.voice_volume
                length_s = clip_length_s(clip, self._motion_s, self._phrase_s)
                start = VoiceStart(
                    clip.start_s, clip.phrase, volume, length_s, clip.music, clip.offset_s
                )
                voices.append(start)
            elif isinstance(clip, LightClip):
                moments.append(EventText(clip.start_s, f"light: {clip.event}"))
            elif isinstance(clip, NetworkClip):
                moments.append(EventText(clip.start_s, f"network: {clip.event}"))
        moments += walk_segments([clip for clip in clips if isinstance(clip, WalkClip)])
        moments += jump_segments(
            [clip for clip in clips if isinstance(clip, JumpClip)], self._jump_period_s
        )
        moments += mark_segments(
            [clip for clip in clips if isinstance(clip, MarkClip)], self._loaded.show.settings.marks
        )
        moments += body_segments([clip for clip in clips if isinstance(clip, BodyClip)])
        moments += sway_segments([clip for clip in clips if isinstance(clip, SwayClip)])
        moments += head_segments(
            [clip for clip in clips if isinstance(clip, HeadClip)],
            self._loaded.show.settings.points,
        )
        lives = [clip for clip in clips if isinstance(clip, LiveClip)]
        moments += live_segments(lives)
        if len(moments) > MAX_MOMENTS:
            reason = f"has {len(moments)} moments, more than {MAX_MOMENTS}; split it"
            raise StageError(f"cue {cue.number}", reason)
        following = self._loaded.show.next_cue(cue.number)
        duration_s = cue.duration_s(self._motion_s, self._phrase_s)
        used = {limb for m in moments if isinstance(m, GestureStart) for limb in m.groups}
        used.update(limb for clip in lives for limb in clip.groups or self._table.following_limbs)
        return CueTimeline(
            number=cue.number,
            name=cue.name,
            pre_wait_s=cue.pre_wait_s,
            post_wait_s=cue.post_wait_s,
            follow=_FOLLOW[cue.continue_mode],
            following=-1 if following is None else self._index[following.number],
            armed=cue.armed,
            entry_stance=cue.entry_stance,
            exit_stance=cue.exit_stance,
            duration_s=duration_s,
            safe_points_s=tuple(sorted(min(t, duration_s) for t in cue.safe_points_s)),
            refusal=refusal,
            groups=tuple(limb for limb in self._upper.limb_names if limb in used),
            moments=in_order([_within(moment, duration_s) for moment in moments]),
            voices=tuple(sorted(voices, key=lambda voice: voice.time_s)),
        )

    @property
    def _jump_period_s(self) -> float:
        """The robot's usual time from jump to jump [s]."""
        jump = self._table.gaits.jump
        return JUMP_PERIOD_S if jump is None else jump.usual_period_s

    def _gesture(self, clip: GestureClip) -> list[AnyMoment]:
        """Return the moments of a gesture.

        The motion is in time with the show from the end of its blend-in on: the transition
        ends in the pose that the motion has at that time.
        """
        motion = self._loaded.motions[clip.motion]
        limbs = clip.groups or limbs_of(motion, clip.mirror, self._table)
        blend_in_s = QUICK_BLEND_S if clip.blend_in_s is None else clip.blend_in_s
        rest_s = motion.duration_s - clip.offset_s
        start = GestureStart(
            time_s=clip.start_s,
            clip=clip.motion,
            groups=tuple(limbs),
            speed=clip.speed,
            blend_in_s=blend_in_s,
            blend_out_s=clip.blend_out_s,
            loop=clip.loop,
            mirror=clip.mirror,
            offset_s=clip.offset_s + min(blend_in_s * clip.speed, 0.5 * rest_s),
        )
        moments: list[AnyMoment] = [start]
        freeze_s = 0.0
        if clip.freeze_at_s is not None:
            freeze_s = clip.freeze_s
            at_s = clip.start_s + clip.freeze_at_s
            moments += [Freeze(at_s, start.groups), Unfreeze(at_s + freeze_s, start.groups)]
        length_s = clip_length_s(clip, self._motion_s, self._phrase_s)
        if clip.loop or length_s < rest_s / clip.speed + freeze_s - SAME_S:
            moments.append(GestureEnd(clip.start_s + length_s, start.groups))
        return moments

    def _hand(self, clip: HandClip) -> list[AnyMoment]:
        """Return the moments of a hand pose, as a motion that holds it."""
        pose = self._poses[clip.pose] if isinstance(clip.pose, str) else clip.pose
        hold_s = max(clip.length_s - clip.blend_in_s - clip.blend_out_s, 0.1)
        long = hold_s > LONGEST_POSE_S
        hold_s = min(hold_s, LONGEST_POSE_S)
        moments: list[AnyMoment] = []
        for hand in hands_of(clip.hand, self._table):
            angles = pose_angles(pose, hand, self._table)
            label = (
                clip.pose if isinstance(clip.pose, str) else "_".join(f"{a:.3f}" for a in angles)
            )
            name = f"{hand}:{label}:{hold_s:.3f}"
            if name not in self.clips:
                self.clips[name] = _pose_clip(name, hand, angles, hold_s, self._upper)
            moments.append(
                GestureStart(
                    time_s=clip.start_s,
                    clip=name,
                    groups=(hand,),
                    speed=1.0,
                    blend_in_s=clip.blend_in_s,
                    blend_out_s=clip.blend_out_s,
                    loop=long,
                    mirror=False,
                    offset_s=0.0,
                )
            )
            if long:
                end_s = clip.start_s + clip.length_s - clip.blend_out_s
                moments.append(GestureEnd(end_s, (hand,)))
        return moments


def _pose_clip(
    name: str, hand: str, angles: tuple[float, ...], hold_s: float, upper: UpperJoints
) -> Clip:
    """Return the clip in which a hand keeps the angles of its joints [rad] for a time [s]."""
    columns = upper.columns[upper.limb_names.index(hand)]
    joints = tuple(range(columns.start, columns.stop))
    return Clip.pose(name, joints, np.array(angles), hold_s)


def _pose_clips(
    poses: Mapping[str, HandPose], table: JointTable, upper: UpperJoints
) -> dict[str, Clip]:
    """Return a clip of each pose for each hand that can take it."""
    found: dict[str, Clip] = {}
    for pose_text, pose in poses.items():
        for hand in hands_of("both", table):
            if not any(pose_faults(pose, hand, table)):
                name = pose_name(hand, pose_text)
                angles = pose_angles(pose, hand, table)
                found[name] = _pose_clip(name, hand, angles, POSE_S, upper)
    return found


def walk_segments(clips: Iterable[WalkClip]) -> list[AnyMoment]:
    """Return the sum of walk clips, each a trapezoid, as segments that are linear in time."""
    moments: list[AnyMoment] = []
    clips = tuple(clips)
    runs = [clip for clip in clips if clip.gait == "run"]
    for begin, value, slope, active in _sums(
        [(clip, (clip.vx, clip.vy, clip.yaw_rate)) for clip in clips]
    ):
        vx, vy, yaw_rate = value
        ax, ay, yaw_acceleration = slope
        ends = [clip.start_s + clip.length_s for clip in runs if clip.start_s < begin + SAME_S]
        gait: MovingGait = "run" if any(begin < end_s - SAME_S for end_s in ends) else "walk"
        segment = WalkSegment(begin, vx, vy, yaw_rate, ax, ay, yaw_acceleration, active, gait)
        moments.append(segment)
    return moments


def jump_segments(clips: Iterable[JumpClip], usual_period_s: float) -> list[AnyMoment]:
    """Return the start of each jump clip, and its end unless another begins there.

    Args:
        clips: in any order.
        usual_period_s: time from jump to jump of a clip that names none [s].
    """
    moments: list[AnyMoment] = []
    ordered = sorted(clips, key=lambda clip: clip.start_s)
    for i, clip in enumerate(ordered):
        kind = clip.flight_s, clip.dx, clip.dy, clip.turn, clip.period_s or usual_period_s
        moments.append(JumpSegment(clip.start_s, clip.count, *kind))
        end_s = clip.start_s + clip.length_s
        if i + 1 == len(ordered) or ordered[i + 1].start_s > end_s + SAME_S:
            moments.append(JumpSegment(end_s, 0, *kind))
    return moments


def mark_segments(clips: Iterable[MarkClip], marks: Mapping[str, Mark]) -> list[AnyMoment]:
    """Return the start and the end of each walk to a mark.

    Args:
        clips: in any order; one does not begin before another ends.
        marks: places on the stage, by name.
    """
    moments: list[AnyMoment] = []
    for clip in clips:
        mark = marks[clip.mark]
        place = mark.x, mark.y, mark.heading, clip.foot, clip.mark
        end_s = clip.start_s + clip.length_s
        moments += [
            MarkSegment(clip.start_s, *place, True),
            MarkSegment(end_s, *place, False),
        ]
    return moments


def body_segments(clips: Iterable[BodyClip]) -> list[AnyMoment]:
    """Return the sum of body clips, each a trapezoid, as segments that are linear in time."""
    moments: list[AnyMoment] = []
    for begin, value, slope, active in _sums(
        [(clip, (clip.lower, clip.roll, clip.pitch, clip.yaw)) for clip in clips]
    ):
        lower, roll, pitch, yaw = value
        a, b, c, d = slope
        moments.append(BodySegment(begin, lower, roll, pitch, yaw, (a, b, c, d), active))
    return moments


def sway_segments(clips: Iterable[SwayClip]) -> list[AnyMoment]:
    """Return the start of each sway clip, and its end unless another begins there."""
    moments: list[AnyMoment] = []
    ordered = sorted(clips, key=lambda clip: clip.start_s)
    for i, clip in enumerate(ordered):
        kind = clip.direction, clip.amplitude_m, clip.frequency_hz
        moments.append(SwaySegment(clip.start_s, *kind, clip.cycles))
        end_s = clip.start_s + clip.length_s
        if i + 1 == len(ordered) or ordered[i + 1].start_s > end_s + SAME_S:
            moments.append(SwaySegment(end_s, *kind, 0))
    return moments


def live_segments(clips: Iterable[LiveClip]) -> list[AnyMoment]:
    """Return the start of each live clip, and its end unless another begins there."""
    moments: list[AnyMoment] = []
    ordered = sorted(clips, key=lambda clip: clip.start_s)
    for i, clip in enumerate(ordered):
        order = Follow(
            mode=clip.mode,
            limbs=clip.groups or (),
            legs=clip.legs,
            mirror_sides=clip.mirror_sides,
            repertoire=clip.repertoire or "",
        )
        moments.append(LiveSegment(clip.start_s, order))
        end_s = clip.start_s + clip.length_s
        if i + 1 == len(ordered) or ordered[i + 1].start_s > end_s + SAME_S:
            moments.append(LiveSegment(end_s, None))
    return moments


def _sums(
    clips: Iterable[tuple[WalkClip | BodyClip, tuple[float, ...]]],
) -> Iterator[tuple[float, tuple[float, ...], tuple[float, ...], bool]]:
    """Yield begin [s], value, slope, and whether a clip lasts, of each part of the sum of clips.

    Args:
        clips: each with the values of its level part.
    """
    ramps: list[tuple[float, float, float, float, Floats]] = []  # start, end, from, to, full
    for clip, level in clips:
        full = np.array(level)
        end_s = clip.start_s + clip.length_s
        level_s = clip.start_s + clip.blend_in_s
        fall_s = max(end_s - clip.blend_out_s, level_s)
        for begin, finish, low, high in (
            (clip.start_s, level_s, 0.0, 1.0),
            (level_s, fall_s, 1.0, 1.0),
            (fall_s, end_s, 1.0, 0.0),
        ):
            if finish - begin > SAME_S:
                ramps.append((begin, finish, low, high, full))
    knots = sorted({time_s for ramp in ramps for time_s in ramp[:2]})
    knots = [t for i, t in enumerate(knots) if i == 0 or t - knots[i - 1] > SAME_S]
    size = len(ramps[0][4]) if ramps else 0
    for i, begin in enumerate(knots):
        finish = knots[i + 1] if i + 1 < len(knots) else begin + 1.0
        middle = 0.5 * (begin + finish)
        value, slope = np.zeros(size), np.zeros(size)
        active = [ramp for ramp in ramps if ramp[0] <= middle < ramp[1]]
        for start, stop, low, high, full in active:
            rate = (high - low) / (stop - start)
            value += full * (low + rate * (begin - start))
            slope += full * rate
        yield begin, tuple(map(float, value)), tuple(map(float, slope)), bool(active)


def head_segments(
    clips: Iterable[HeadClip], points: Mapping[str, Point] | None = None
) -> list[AnyMoment]:
    """Return head clips as segments that are linear in time.

    A clip that follows another without a gap starts with a ramp of the length of its blend-in.
    The target of the first clip applies at once; the motion manager blends towards it. So does the
    target after and before a point in the room.

    Args:
        clips: in any order.
        points: points in the room, by name.
    """
    moments: list[AnyMoment] = []
    ordered = sorted(clips, key=lambda clip: clip.start_s)
    before: HeadClip | None = None
    for i, clip in enumerate(ordered):
        level_s = clip.start_s
        in_room = clip.point is not None or before is not None and before.point is not None
        if before is not None and not in_room and clip.blend_in_s > SAME_S:
            yaw_rate = (clip.yaw - before.yaw) / clip.blend_in_s
            pitch_rate = (clip.pitch - before.pitch) / clip.blend_in_s
            ramp = HeadSegment(level_s, before.yaw, before.pitch, yaw_rate, pitch_rate, True)
            moments.append(ramp)
            level_s += clip.blend_in_s
        where = None
        if clip.point is not None and points is not None:
            where = msgspec.structs.astuple(points[clip.point])
        moments.append(HeadSegment(level_s, clip.yaw, clip.pitch, 0.0, 0.0, True, where))
        end_s = clip.start_s + clip.length_s
        before = clip
        if i + 1 == len(ordered) or ordered[i + 1].start_s > end_s + SAME_S:
            free_s = max(end_s - clip.blend_out_s, level_s)
            moments.append(HeadSegment(free_s, 0.0, 0.0, 0.0, 0.0, False))
            before = None
    return moments


def _within(moment: AnyMoment, duration_s: float) -> AnyMoment:
    """Return a moment no later than the cue's end."""
    if moment.time_s <= duration_s:
        return moment
    values = {field: getattr(moment, field) for field in moment.__struct_fields__}
    return type(moment)(**{**values, "time_s": duration_s})


def _clip(motion: Motion, upper: tuple[str, ...]) -> Clip:
    """Return a motion ready to play."""
    try:
        return Clip.from_motion(motion, upper)
    except BehaveError as error:
        raise StageError(f"motion {error.place}", error.reason) from error
