"""The show as its operator edits it: cues in order, each a timeline of tracks and clips.

Times are in seconds of show time; within a cue they count from its GO plus its pre-wait.
Angles are in radians, speeds in m/s and rad/s. The words are those of theatre: a cue has a
pre-wait, a post-wait and a continue mode; GO starts the cue on standby.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import Meta

from shows.fields import (
    MAX_CLIPS,
    MAX_CUES,
    MAX_TRACKS,
    Angle,
    Blend,
    Bound,
    Decibel,
    Hotkey,
    Length,
    Name,
    Notes,
    Number,
    Phrase,
    Speed,
    Start,
    Text,
    Velocity,
    Volume,
)

ContinueMode: TypeAlias = Literal["none", "auto_continue", "auto_follow"]
Stance: TypeAlias = Literal["standing", "walking", "any"]
Colour: TypeAlias = Literal["none", "red", "orange", "yellow", "green", "blue", "purple"]
Hand: TypeAlias = Literal["left", "right", "both"]
HandAngles: TypeAlias = tuple[Angle, Angle, Angle, Angle, Angle]
"""Wrist, thumb, index, middle, ring [rad]."""


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of the document: immutable, refuses unknown keys, saves what is no default."""


class GestureClip(_Strict, frozen=True, kw_only=True):
    """A motion plays on the limbs that it moves, or on the named ones only.

    Attributes:
        start_s: when it starts in the cue [s].
        length_s: it ends after this long, blending out [s]; None: as long as the
            motion takes at this speed, plus the freeze. A loop needs a length.
        motion: the motion's name.
        groups: limb groups that play; None: all that the motion moves.
        speed: 1 plays as recorded.
        blend_in_s: transition into the motion; None: the motion manager's own choice.
        blend_out_s: transition out of it; None: the motion manager's own choice.
        loop: starts over until the length is reached.
        mirror: left and right are exchanged.
        freeze_at_s: STOP the motion this long after the clip's start ...
        freeze_s: ... for this long, then resume from exactly there (a photo pose).
    """

    start_s: Start = 0.0
    length_s: Length | None = None
    motion: Name
    groups: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=16)] | None = None
    speed: Speed = 1.0
    blend_in_s: Blend | None = None
    blend_out_s: Blend | None = None
    loop: bool = False
    mirror: bool = False
    freeze_at_s: Start | None = None
    freeze_s: Start = 0.0


class HeadClip(_Strict, frozen=True, kw_only=True):
    """The head turns to a direction and stays there until the clip ends.

    Attributes:
        start_s: when it starts in the cue [s].
        length_s: how long it holds the head, blends included [s].
        yaw: to its left is positive [rad].
        pitch: down is positive [rad].
        blend_in_s: time to get there [s].
        blend_out_s: time to let go [s].
    """

    start_s: Start = 0.0
    length_s: Length
    yaw: Angle = 0.0
    pitch: Angle = 0.0
    blend_in_s: Blend = 0.5
    blend_out_s: Blend = 0.5


class HandClip(_Strict, frozen=True, kw_only=True):
    """A hand, or both, take a pose and hold it until the clip ends.

    Attributes:
        start_s: when it starts in the cue [s].
        length_s: how long it holds the hand, blends included [s].
        hand: which one.
        pose: a pose's name in the show's settings, or wrist, thumb, index, middle and ring
            angles [rad].
        blend_in_s: time to get there [s].
        blend_out_s: time to let go [s].
    """

    start_s: Start = 0.0
    length_s: Length
    hand: Hand = "both"
    pose: Name | HandAngles
    blend_in_s: Blend = 0.4
    blend_out_s: Blend = 0.4


class WalkClip(_Strict, frozen=True, kw_only=True):
    """The robot walks at a velocity, ramped up and down within the clip.

    Attributes:
        start_s: when it starts in the cue [s].
        length_s: ramps included [s].
        vx: forward [m/s].
        vy: to its left [m/s].
        yaw_rate: turning left [rad/s].
        blend_in_s: ramp up [s].
        blend_out_s: ramp down [s].
    """

    start_s: Start = 0.0
    length_s: Length
    vx: Velocity = 0.0
    vy: Velocity = 0.0
    yaw_rate: Velocity = 0.0
    blend_in_s: Blend = 0.5
    blend_out_s: Blend = 0.5


class VoiceClip(_Strict, frozen=True, kw_only=True):
    """A phrase is spoken: a file of the show's audio folder, named without its ending.

    Attributes:
        start_s: when its first sample sounds [s].
        phrase: the audio file's name without its ending.
        volume: 0 to 1.
        music: it is no phrase but lies under them, and makes room while one sounds.
    """

    start_s: Start = 0.0
    phrase: Phrase
    volume: Volume = 1.0
    music: bool = False


class LightClip(_Strict, frozen=True, kw_only=True):
    """An event for the light desk.

    Attributes:
        start_s: when it is sent [s].
        event: what is sent.
    """

    start_s: Start = 0.0
    event: Text


class NetworkClip(_Strict, frozen=True, kw_only=True):
    """An event for another program in the network.

    Attributes:
        start_s: when it is sent [s].
        event: what is sent.
    """

    start_s: Start = 0.0
    event: Text


Clip: TypeAlias = GestureClip | HeadClip | HandClip | WalkClip | VoiceClip | LightClip | NetworkClip
_Some = Meta(max_length=MAX_CLIPS)


class GestureTrack(_Strict, frozen=True, kw_only=True, tag_field="kind", tag="gesture"):
    """Motions of the limbs."""

    kind: ClassVar[str] = "gesture"
    name: Text = ""
    clips: Annotated[tuple[GestureClip, ...], _Some] = ()


class HeadTrack(_Strict, frozen=True, kw_only=True, tag_field="kind", tag="head"):
    """Directions to look in."""

    kind: ClassVar[str] = "head"
    name: Text = ""
    clips: Annotated[tuple[HeadClip, ...], _Some] = ()


class HandsTrack(_Strict, frozen=True, kw_only=True, tag_field="kind", tag="hands"):
    """Poses of the hands."""

    kind: ClassVar[str] = "hands"
    name: Text = ""
    clips: Annotated[tuple[HandClip, ...], _Some] = ()


class WalkTrack(_Strict, frozen=True, kw_only=True, tag_field="kind", tag="walk"):
    """Velocities to walk at."""

    kind: ClassVar[str] = "walk"
    name: Text = ""
    clips: Annotated[tuple[WalkClip, ...], _Some] = ()


class VoiceTrack(_Strict, frozen=True, kw_only=True, tag_field="kind", tag="voice"):
    """Phrases to speak."""

    kind: ClassVar[str] = "voice"
    name: Text = ""
    clips: Annotated[tuple[VoiceClip, ...], _Some] = ()


class LightTrack(_Strict, frozen=True, kw_only=True, tag_field="kind", tag="light"):
    """Events for the light desk."""

    kind: ClassVar[str] = "light"
    name: Text = ""
    clips: Annotated[tuple[LightClip, ...], _Some] = ()


class NetworkTrack(_Strict, frozen=True, kw_only=True, tag_field="kind", tag="network"):
    """Events for other programs."""

    kind: ClassVar[str] = "network"
    name: Text = ""
    clips: Annotated[tuple[NetworkClip, ...], _Some] = ()


Track: TypeAlias = (
    GestureTrack | HeadTrack | HandsTrack | WalkTrack | VoiceTrack | LightTrack | NetworkTrack
)


def clips_of(track: Track) -> tuple[Clip, ...]:
    """Return a track's clips, whatever its kind."""
    return track.clips


class Cue(_Strict, frozen=True, kw_only=True):
    """One thing that GO starts.

    Attributes:
        number: unique; what the operator calls it.
        name: what it is.
        notes: for the operator's eyes.
        group: neighbours of one group stand under its name in the cue list; it plays no part.
        pre_wait_s: from GO to the start of its timeline [s].
        post_wait_s: from its start (auto-continue) or end (auto-follow) to the next GO [s].
        continue_mode: none: the next cue waits for GO; auto_continue: the next cue starts
            when this one has started and its post-wait is over; auto_follow: when this one
            has ended and its post-wait is over.
        next: the number of the cue that comes next; None: the one below.
        armed: a disarmed cue is passed over: its timeline does not play.
        hotkey: a key that fires it.
        colour: in the cue list.
        entry_stance: what the robot must be doing when it starts.
        exit_stance: what the robot does when it ends.
        safe_points_s: moments at which the cue may be left for standing [s].
        tracks: its timeline.
    """

    number: Number
    name: Text = ""
    notes: Notes = ""
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
    tracks: Annotated[tuple[Track, ...], Meta(max_length=MAX_TRACKS)] = ()

    def clips(self) -> Iterator[Clip]:
        """Yield every clip of every track."""
        for track in self.tracks:
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


HAND_POSES: dict[str, HandAngles] = {
    "open": (0.0, 0.0, 0.0, 0.0, 0.0),
    "relaxed": (0.0, 0.35, 0.35, 0.4, 0.45),
    "fist": (0.0, 1.4, 1.5, 1.5, 1.5),
    "point": (0.0, 1.2, 0.0, 1.5, 1.5),
    "thumbs_up": (0.0, 0.0, 1.5, 1.5, 1.5),
    "victory": (0.0, 1.3, 0.0, 0.0, 1.5),
    "pinch": (0.0, 0.9, 0.9, 0.15, 0.1),
}
"""The poses that every show starts with [rad]."""


class WalkBounds(_Strict, frozen=True, kw_only=True):
    """The fastest that a show may ask the robot to walk.

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
    """How music makes room for phrases.

    Attributes:
        amount_db: how much quieter it is under a phrase [dB].
        attack_s: how long it takes to go down, before the phrase where that can be [s].
        release_s: how long it takes to come back after the phrase [s].
    """

    amount_db: Decibel = 12.0
    attack_s: Blend = 0.1
    release_s: Blend = 0.6


class Settings(_Strict, frozen=True, kw_only=True):
    """What holds for the whole show.

    Attributes:
        walk: bounds of walk clips.
        voice_volume: multiplies the volume of every phrase and of the music, 0 to 1.
        ducking: how music makes room for phrases.
        go_guard_s: a second GO within this time is disregarded [s].
        hand_poses: poses that hand clips may name.
    """

    walk: WalkBounds = WalkBounds()
    voice_volume: Volume = 1.0
    ducking: Ducking = Ducking()
    go_guard_s: Annotated[float, Meta(ge=0.0, le=10.0)] = 0.3
    hand_poses: Annotated[dict[Name, HandAngles], Meta(max_length=200)] = msgspec.field(
        default_factory=lambda: dict(HAND_POSES)
    )


class Show(_Strict, frozen=True, kw_only=True):
    """A show: `show.json`.

    Attributes:
        schema: version of the file's form.
        name: on the poster.
        notes: for the operator's eyes.
        settings: what holds for the whole show.
        cues: in running order.
    """

    schema: Literal[1] = 1
    name: Text
    notes: Notes = ""
    settings: Settings = Settings()
    cues: Annotated[tuple[Cue, ...], Meta(max_length=MAX_CUES)] = ()

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
        return motions[clip.motion] / clip.speed + freeze_s
    if isinstance(clip, VoiceClip):
        return phrases[clip.phrase]
    if isinstance(clip, (LightClip, NetworkClip)):
        return 0.0
    return clip.length_s
