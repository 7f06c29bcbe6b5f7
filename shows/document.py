"""The show document: cues in order, each a timeline of tracks and clips.

Times are in seconds of show time; within a cue they count from its GO plus its pre-wait.
Angles are in radians, speeds in m/s and rad/s. A cue has a pre-wait, a post-wait and a continue
mode, as in QLab; GO starts the cue on standby.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import Meta

from shows.fields import (
    MAX_CLIPS,
    MAX_CUES,
    MAX_TRACKS,
    MAX_TRIGGERS,
    Angle,
    Blend,
    Bound,
    Decibel,
    FlightTime,
    HandPose,
    Hotkey,
    JumpCount,
    JumpTurn,
    JumpWay,
    Length,
    Lowering,
    MovingGait,
    Name,
    Notes,
    Number,
    Phrase,
    RobotName,
    Speed,
    Start,
    SwayAmplitude,
    SwayDirection,
    SwayFrequency,
    Text,
    Tilt,
    UseText,
    Velocity,
    Volume,
)
from shows.gaits import Jump
from shows.marks import Foot, Mark, Point

ContinueMode: TypeAlias = Literal["none", "auto_continue", "auto_follow"]
Stance: TypeAlias = Literal["standing", "walking", "any"]
Colour: TypeAlias = Literal["none", "red", "orange", "yellow", "green", "blue", "purple"]
Hand: TypeAlias = Literal["left", "right", "both"]
LiveMode: TypeAlias = Literal["mirror", "answer"]
TriggerButton: TypeAlias = Literal["", "a", "b", "l3", "up", "right", "down", "left"]


CYCLE_SLACK = 1e-6
"""Share of a cycle that may be missing to a whole one, by rounding."""


class _Strict(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False
):
    """A part of the document: immutable; refuses unknown keys; saves only other than defaults.

    No part can be in a cycle, so that the garbage collector need not look at any.
    """


class GestureClip(_Strict, frozen=True, kw_only=True):
    """A motion plays on all the limbs that it moves, or on the named ones only.

    Attributes:
        start_s: when it starts in the cue [s].
        length_s: it ends after this long, blending out [s]; None: as long as the
            motion takes at this speed, plus the freeze. A loop needs a length.
        motion: the motion's name.
        offset_s: time of the motion that plays at the clip's start [s].
        groups: names of the limbs that play it; None: all that the motion moves.
        speed: 1 plays as recorded.
        blend_in_s: duration of the transition into the motion [s]; None: the default.
        blend_out_s: duration of the transition out of it [s]; None: the motion manager's default.
        loop: starts over until the length is reached.
        mirror: left and right are exchanged.
        freeze_at_s: time from the clip's start at which the motion freezes [s].
        freeze_s: duration of the freeze, after which the motion resumes from the same pose [s].
    """

    start_s: Start = 0.0
    length_s: Length | None = None
    motion: Name
    offset_s: Start = 0.0
    groups: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=16)] | None = None
    speed: Speed = 1.0
    blend_in_s: Blend | None = None
    blend_out_s: Blend | None = None
    loop: bool = False
    mirror: bool = False
    freeze_at_s: Start | None = None
    freeze_s: Start = 0.0


class HeadClip(_Strict, frozen=True, kw_only=True):
    """The head turns to a direction, or to a point in the room, until the clip ends.

    Attributes:
        start_s: when it starts in the cue [s].
        length_s: how long it holds the head, blends included [s].
        yaw: to its left is positive [rad].
        pitch: down is positive [rad].
        point: name of a point of the show's settings, which the head holds instead of a direction
            while the body turns and walks; None: the direction.
        blend_in_s: time to get there [s].
        blend_out_s: time to let go [s].
    """

    start_s: Start = 0.0
    length_s: Length
    yaw: Angle = 0.0
    pitch: Angle = 0.0
    point: Name | None = None
    blend_in_s: Blend = 0.5
    blend_out_s: Blend = 0.5


class HandClip(_Strict, frozen=True, kw_only=True):
    """A hand, or both, take a pose and hold it until the clip ends.

    Attributes:
        start_s: when it starts in the cue [s].
        length_s: how long it holds the hand, blends included [s].
        hand: left, right, or both, which means every hand of the robot.
        pose: name of a pose of the show or of the robot, or the angles themselves [rad].
        blend_in_s: time to get there [s].
        blend_out_s: time to let go [s].
    """

    start_s: Start = 0.0
    length_s: Length
    hand: Hand = "both"
    pose: Name | HandPose
    blend_in_s: Blend = 0.4
    blend_out_s: Blend = 0.4


class BodyClip(_Strict, frozen=True, kw_only=True):
    """The body takes a posture over standing feet and holds it until the clip ends.

    While the robot steps, the body is upright.

    Attributes:
        start_s: when it starts in the cue [s].
        length_s: how long it holds the body, blends included [s].
        lower: how far the centre of mass goes down [m].
        roll: leaning to its right is positive [rad].
        pitch: leaning forward is positive [rad].
        yaw: turning to its left is positive [rad].
        blend_in_s: time to get there [s].
        blend_out_s: time to come back [s].
    """

    start_s: Start = 0.0
    length_s: Length
    lower: Lowering = 0.0
    roll: Tilt = 0.0
    pitch: Tilt = 0.0
    yaw: Tilt = 0.0
    blend_in_s: Blend = 1.0
    blend_out_s: Blend = 1.0


class SwayClip(_Strict, frozen=True, kw_only=True):
    """The body sways or squats over standing feet: a sine of the whole cycles that fit.

    Attributes:
        start_s: when it starts in the cue [s].
        length_s: the whole cycles within it are made; for the rest of it the body is at rest [s].
        direction: where the sine begins: to its left, forward, or up.
        amplitude_m: amplitude of the centre of mass, to each side [m].
        frequency_hz: cycles in a second [Hz].
    """

    start_s: Start = 0.0
    length_s: Length
    direction: SwayDirection = "left"
    amplitude_m: SwayAmplitude
    frequency_hz: SwayFrequency

    @property
    def cycles(self) -> int:
        """Number of the whole cycles that fit."""
        return math.floor(self.length_s * self.frequency_hz + CYCLE_SLACK)


class WalkClip(_Strict, frozen=True, kw_only=True, tag_field="kind", tag="walk"):
    """The robot walks or runs at a velocity, ramped up and down within the clip.

    Attributes:
        start_s: when it starts in the cue [s].
        length_s: ramps included [s].
        gait: walk or run.
        vx: forward [m/s].
        vy: to its left [m/s].
        yaw_rate: turning left [rad/s].
        blend_in_s: ramp up [s].
        blend_out_s: ramp down [s].
    """

    start_s: Start = 0.0
    length_s: Length
    gait: MovingGait = "walk"
    vx: Velocity = 0.0
    vy: Velocity = 0.0
    yaw_rate: Velocity = 0.0
    blend_in_s: Blend = 0.5
    blend_out_s: Blend = 0.5


class JumpClip(_Strict, frozen=True, kw_only=True, tag_field="kind", tag="jump"):
    """The robot jumps with both feet, a number of times, and then stands.

    Attributes:
        start_s: when it starts in the cue [s].
        length_s: time in which the jumps are made and the robot comes to rest [s].
        count: number of jumps.
        flight_s: duration of a flight [s]; 0: the robot's usual one.
        dx: way of a jump forward [m].
        dy: way of a jump to its left [m].
        turn: turn of a jump to its left [rad].
        period_s: time from jump to jump [s]; 0: the robot's usual one.
    """

    start_s: Start = 0.0
    length_s: Length
    count: JumpCount = 1
    flight_s: FlightTime = 0.0
    dx: JumpWay = 0.0
    dy: JumpWay = 0.0
    turn: JumpTurn = 0.0
    period_s: FlightTime = 0.0

    @property
    def jump(self) -> Jump:
        """The jumps that it requests."""
        return Jump(self.count, self.flight_s, self.dx, self.dy, self.turn, self.period_s)


class MarkClip(_Strict, frozen=True, kw_only=True, tag_field="kind", tag="mark"):
    """The robot walks to a mark of the stage and stands there.

    Attributes:
        start_s: when it starts in the cue [s].
        length_s: time in which it arrives; then it stops, wherever it is [s].
        mark: name of a mark of the show's settings.
        foot: foot whose step is the last.
    """

    start_s: Start = 0.0
    length_s: Length
    mark: Name
    foot: Foot = "either"


class LiveClip(_Strict, frozen=True, kw_only=True):
    """A person whose motion is captured leads the robot, until the clip ends.

    Attributes:
        start_s: when it starts in the cue [s].
        length_s: how long the robot follows the person [s].
        mode: mirror: the robot does what the person does; answer: it answers with its own motions.
        groups: names of the limbs that the person leads; None: all that can follow.
        legs: the robot steps where the person steps; otherwise it keeps its feet.
        mirror_sides: the robot's left follows the person's right.
        repertoire: name of a repertoire of the show, whose answers it gives; None: none.
    """

    start_s: Start = 0.0
    length_s: Length
    mode: LiveMode = "mirror"
    groups: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=16)] | None = None
    legs: bool = False
    mirror_sides: bool = True
    repertoire: Name | None = None


class VoiceClip(_Strict, frozen=True, kw_only=True):
    """A phrase is spoken: a file of the show's audio folder, named without its ending.

    Attributes:
        start_s: when its first sample sounds [s].
        length_s: it ends after this long [s]; None: at the end of the file.
        phrase: the audio file's name without its ending.
        offset_s: time of the file that sounds first [s].
        volume: 0 to 1.
        music: the sound is music, whose volume is ducked while a phrase sounds.
    """

    start_s: Start = 0.0
    length_s: Length | None = None
    phrase: Phrase
    offset_s: Start = 0.0
    volume: Volume = 1.0
    music: bool = False


class LightClip(_Strict, frozen=True, kw_only=True):
    """An event for the light desk.

    Attributes:
        start_s: when it is sent [s].
        event: text that is sent.
    """

    start_s: Start = 0.0
    event: Text


class NetworkClip(_Strict, frozen=True, kw_only=True):
    """An event for another program in the network.

    Attributes:
        start_s: when it is sent [s].
        event: text that is sent.
    """

    start_s: Start = 0.0
    event: Text


class Marker(_Strict, frozen=True, kw_only=True):
    """A named moment of a cue; no effect on playing.

    Attributes:
        time_s: in the cue [s].
        name: label.
    """

    time_s: Start
    name: Text = ""


class Tempo(_Strict, frozen=True, kw_only=True):
    """The beats of a cue, to which clips snap; no effect on playing.

    Attributes:
        bpm: beats per minute.
        beats: in a bar.
        first_s: time of the first beat in the cue [s].
    """

    bpm: Annotated[float, Meta(ge=20.0, le=400.0)]
    beats: Annotated[int, Meta(ge=1, le=16)] = 4
    first_s: Start = 0.0


Clip: TypeAlias = (
    GestureClip
    | HeadClip
    | HandClip
    | BodyClip
    | SwayClip
    | WalkClip
    | JumpClip
    | MarkClip
    | LiveClip
    | VoiceClip
    | LightClip
    | NetworkClip
)
_Some = Meta(max_length=MAX_CLIPS)


class _Track(_Strict, frozen=True, kw_only=True):
    """What every track has besides its clips.

    Attributes:
        name: label; empty: its kind.
        muted: its clips do not play.
        solo: only tracks that are solo play.
        locked: the console refuses edits of its clips.
    """

    name: Text = ""
    muted: bool = False
    solo: bool = False
    locked: bool = False


class GestureTrack(_Track, frozen=True, kw_only=True, tag_field="kind", tag="gesture"):
    """Motions of the limbs."""

    kind: ClassVar[str] = "gesture"
    clips: Annotated[tuple[GestureClip, ...], _Some] = ()


class HeadTrack(_Track, frozen=True, kw_only=True, tag_field="kind", tag="head"):
    """Directions to look in."""

    kind: ClassVar[str] = "head"
    clips: Annotated[tuple[HeadClip, ...], _Some] = ()


class HandsTrack(_Track, frozen=True, kw_only=True, tag_field="kind", tag="hands"):
    """Poses of the hands."""

    kind: ClassVar[str] = "hands"
    clips: Annotated[tuple[HandClip, ...], _Some] = ()


class BodyTrack(_Track, frozen=True, kw_only=True, tag_field="kind", tag="body"):
    """Postures of the body over standing feet."""

    kind: ClassVar[str] = "body"
    clips: Annotated[tuple[BodyClip, ...], _Some] = ()


class SwayTrack(_Track, frozen=True, kw_only=True, tag_field="kind", tag="sway"):
    """Sways and squats over standing feet."""

    kind: ClassVar[str] = "sway"
    clips: Annotated[tuple[SwayClip, ...], _Some] = ()


class WalkTrack(_Track, frozen=True, kw_only=True, tag_field="kind", tag="walk"):
    """Velocities to walk or run at, jumps, and walks to marks."""

    kind: ClassVar[str] = "walk"
    clips: Annotated[tuple[WalkClip | JumpClip | MarkClip, ...], _Some] = ()


class LiveTrack(_Track, frozen=True, kw_only=True, tag_field="kind", tag="live"):
    """Times in which a person leads the robot."""

    kind: ClassVar[str] = "live"
    clips: Annotated[tuple[LiveClip, ...], _Some] = ()


class VoiceTrack(_Track, frozen=True, kw_only=True, tag_field="kind", tag="voice"):
    """Phrases to speak."""

    kind: ClassVar[str] = "voice"
    clips: Annotated[tuple[VoiceClip, ...], _Some] = ()


class LightTrack(_Track, frozen=True, kw_only=True, tag_field="kind", tag="light"):
    """Events for the light desk."""

    kind: ClassVar[str] = "light"
    clips: Annotated[tuple[LightClip, ...], _Some] = ()


class NetworkTrack(_Track, frozen=True, kw_only=True, tag_field="kind", tag="network"):
    """Events for other programs."""

    kind: ClassVar[str] = "network"
    clips: Annotated[tuple[NetworkClip, ...], _Some] = ()


Track: TypeAlias = (
    GestureTrack
    | HeadTrack
    | HandsTrack
    | BodyTrack
    | SwayTrack
    | WalkTrack
    | LiveTrack
    | VoiceTrack
    | LightTrack
    | NetworkTrack
)


def clips_of(track: Track) -> tuple[Clip, ...]:
    """Return a track's clips, whatever its kind."""
    return track.clips


class Cue(_Strict, frozen=True, kw_only=True):
    """One step of a show; GO starts it.

    Attributes:
        number: unique; the operator calls the cue by it.
        name: title in the cue list.
        notes: for the operator.
        script: words and stage directions of the cue, for the operator to follow.
        group: neighbouring cues of one group stand under its name in the cue list; no effect on
            playing.
        pre_wait_s: from GO to the start of its timeline [s].
        post_wait_s: from its start (auto-continue) or end (auto-follow) to the next GO [s].
        continue_mode: none: the next cue waits for GO; auto_continue: the next cue starts
            when this one has started and its post-wait is over; auto_follow: when this one
            has ended and its post-wait is over.
        next: the number of the cue that comes next; None: the one below.
        armed: the timeline of a disarmed cue does not play.
        hotkey: a key that fires it.
        colour: in the cue list.
        entry_stance: stance that the cue needs at its start.
        exit_stance: stance of the robot at its end.
        safe_points_s: times at which the cue may end early, with the robot standing [s].
        markers: named moments of its timeline.
        tempo: the beats of its timeline.
        tracks: its timeline.
    """

    number: Number
    name: Text = ""
    notes: Notes = ""
    script: Notes = ""
    group: Text = ""
    pre_wait_s: Start = 0.0
    post_wait_s: Start = 0.0
    continue_mode: ContinueMode = "none"
    next: Number | None = None
    armed: bool = True
    hotkey: Hotkey = ""
    colour: Colour = "none"
    entry_stance: Stance = "any"
    exit_stance: Stance = "any"
    safe_points_s: Annotated[tuple[Start, ...], Meta(max_length=1000)] = ()
    markers: Annotated[tuple[Marker, ...], Meta(max_length=1000)] = ()
    tempo: Tempo | None = None
    tracks: Annotated[tuple[Track, ...], Meta(max_length=MAX_TRACKS)] = ()

    def clips(self) -> Iterator[Clip]:
        """Yield every clip of every track."""
        for track in self.tracks:
            yield from clips_of(track)

    def silent(self, track: Track) -> bool:
        """Return whether a track of the cue does not play: it is muted, or another is solo."""
        return track.muted or (not track.solo and any(other.solo for other in self.tracks))

    def playing_clips(self) -> Iterator[Clip]:
        """Yield every clip of the tracks that play."""
        for track in self.tracks:
            if not self.silent(track):
                yield from clips_of(track)

    def duration_s(self, motions: Mapping[str, float], phrases: Mapping[str, float]) -> float:
        """Return how long its timeline lasts, waits not included [s].

        Args:
            motions: motion name to duration [s].
            phrases: phrase to duration [s].

        Raises:
            KeyError: a motion or phrase is not among them.
        """
        ends = (clip.start_s + clip_length_s(clip, motions, phrases) for clip in self.clips())
        return max(ends, default=0.0)


class Trigger(_Strict, frozen=True, kw_only=True):
    """What an operator has the robot do on the spot, by a pad, a key or a controller's button.

    Attributes:
        use: its function; see shows.uses.
        name: on its pad; empty: the names in its use.
        colour: of its pad.
        hotkey: a key that fires it.
        button: button of the game controller that fires it; empty without one.
    """

    use: UseText
    name: Text = ""
    colour: Colour = "none"
    hotkey: Hotkey = ""
    button: TriggerButton = ""


class WalkBounds(_Strict, frozen=True, kw_only=True):
    """The largest walking speeds of a show.

    Attributes:
        forward: largest vx [m/s].
        backward: largest -vx [m/s].
        sideways: largest |vy| [m/s].
        turning: largest |yaw_rate| [rad/s].
    """

    forward: Bound = 0.25
    backward: Bound = 0.15
    sideways: Bound = 0.12
    turning: Bound = 0.6


class Ducking(_Strict, frozen=True, kw_only=True):
    """Attenuation of the music while a phrase sounds.

    Attributes:
        amount_db: attenuation under a phrase [dB].
        attack_s: time to reach it, if possible before the phrase [s].
        release_s: time to full volume after the phrase [s].
    """

    amount_db: Decibel = 12.0
    attack_s: Blend = 0.1
    release_s: Blend = 0.6


class Settings(_Strict, frozen=True, kw_only=True):
    """The settings of a whole show.

    Attributes:
        walk: bounds of walk clips.
        voice_volume: multiplies the volume of every phrase and of the music, 0 to 1.
        ducking: attenuation of the music while a phrase sounds.
        go_guard_s: a second GO within this time is ignored [s].
        marks: places on the stage, by name.
        points: points in the room, by name.
        hand_poses: poses of the hands besides the robot's own; one of the same name replaces it.
    """

    walk: WalkBounds = WalkBounds()
    voice_volume: Volume = 1.0
    ducking: Ducking = Ducking()
    go_guard_s: Annotated[float, Meta(ge=0.0, le=10.0)] = 0.3
    marks: Annotated[dict[Name, Mark], Meta(max_length=200)] = {}
    points: Annotated[dict[Name, Point], Meta(max_length=200)] = {}
    hand_poses: Annotated[dict[Name, HandPose], Meta(max_length=200)] = {}


class Show(_Strict, frozen=True, kw_only=True):
    """A show: `show.json`.

    Attributes:
        schema: version of the format.
        name: title of the show.
        robot: name of the robot that the show was made for; a show without it is new.
        notes: for the operator.
        settings: of the whole show.
        cues: in running order.
        triggers: what an operator improvises, in the order of the pads.
    """

    schema: Literal[2] = 2
    name: Text
    robot: RobotName = ""
    notes: Notes = ""
    settings: Settings = Settings()
    cues: Annotated[tuple[Cue, ...], Meta(max_length=MAX_CUES)] = ()
    triggers: Annotated[tuple[Trigger, ...], Meta(max_length=MAX_TRIGGERS)] = ()

    @staticmethod
    def complete(document: Any) -> bool:
        """Write the kinds of the clips of walk tracks that a file leaves out; return if any does.

        A clip of a walk track without a kind is a walk: files name the kinds of others only.
        """
        changed = False
        for clip in _walk_track_clips(document):
            if "kind" not in clip:
                clip["kind"] = "walk"
                changed = True
        return changed

    def document(self) -> dict[str, Any]:
        """Return the show as plain values, as a file holds them."""
        found = {"schema": self.schema, **msgspec.to_builtins(self)}
        for clip in _walk_track_clips(found):
            if clip["kind"] == "walk":
                del clip["kind"]
        return found

    def next_cue(self, number: str) -> Cue | None:
        """Return the cue that comes after one: its `next`, or the one below; None at the end.

        Raises:
            KeyError: no cue has that number.
        """
        for i, cue in enumerate(self.cues):
            if cue.number == number:
                if cue.next is not None:
                    return self.cue(cue.next)
                return self.cues[i + 1] if i + 1 < len(self.cues) else None
        raise KeyError(number)

    def cue(self, number: str) -> Cue:
        """Return the cue of that number.

        Raises:
            KeyError: there is none.
        """
        for cue in self.cues:
            if cue.number == number:
                return cue
        raise KeyError(number)


def _walk_track_clips(document: Any) -> Iterator[dict[str, Any]]:
    """Yield the clips of the walk tracks of a show as plain values, of whatever else it holds."""
    for cue in _items(document, "cues"):
        for track in _items(cue, "tracks"):
            if isinstance(track, dict) and track.get("kind") == "walk":
                yield from (clip for clip in _items(track, "clips") if isinstance(clip, dict))


def _items(value: Any, key: str) -> Sequence[Any]:
    """Return the list under a key of an object; nothing where there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, (list, tuple)) else ()


def clip_length_s(clip: Clip, motions: Mapping[str, float], phrases: Mapping[str, float]) -> float:
    """Return how long a clip lasts [s]; an event lasts no time.

    Args:
        clip: any clip.
        motions: motion name to duration [s].
        phrases: phrase to duration [s].

    Raises:
        KeyError: the clip's motion or phrase is not among them.
    """
    if isinstance(clip, GestureClip):
        if clip.length_s is not None:
            return clip.length_s
        freeze_s = clip.freeze_s if clip.freeze_at_s is not None else 0.0
        return max(0.0, motions[clip.motion] - clip.offset_s) / clip.speed + freeze_s
    if isinstance(clip, VoiceClip):
        rest_s = max(0.0, phrases[clip.phrase] - clip.offset_s)
        return rest_s if clip.length_s is None else min(clip.length_s, rest_s)
    if isinstance(clip, (LightClip, NetworkClip)):
        return 0.0
    return clip.length_s
