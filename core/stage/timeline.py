"""What a cue does, as one sorted list of moments that need no further thought.

Times are seconds from the start of the cue's action. Every moment is plain frozen data, so
that the loop hands it on as it is, and so that it travels on the link without a translation.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from core.stage.errors import StageError

MAX_MOMENTS = 2000
MAX_CUE_S = 14_400.0
MAX_VELOCITY = 2.0  # [m/s] and [rad/s]; far above any gait, to catch a slip of the keyboard
MAX_TEXT = 500

# Bounds are checked where a message is decoded; a bound also refuses what is not a number.
Text = Annotated[str, Meta(max_length=MAX_TEXT)]
Groups: TypeAlias = Annotated[tuple[Text, ...], Meta(max_length=16)]
Seconds = Annotated[float, Meta(ge=0.0, le=MAX_CUE_S)]
Velocity = Annotated[float, Meta(ge=-MAX_VELOCITY, le=MAX_VELOCITY)]
Slope = Annotated[float, Meta(ge=-1e4, le=1e4)]
Angle = Annotated[float, Meta(ge=-7.0, le=7.0)]


class Continue(IntEnum):
    """What follows a cue."""

    NONE = 0
    AUTO_CONTINUE = 1  # the next cue starts a post-wait after this one's start
    AUTO_FOLLOW = 2  # the next cue starts a post-wait after this one's end


class Moment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """Something happens at a time [s] of the cue."""

    time_s: Seconds


class WalkSegment(Moment, frozen=True, tag="walk"):
    """From now on the velocity command is a straight line in time.

    Attributes:
        vx, vy, yaw_rate: velocity in the robot's heading frame now [m/s], [rad/s].
        ax, ay, yaw_acceleration: its slope [m/s²], [rad/s²].
        walking: the robot steps, even where the velocity is zero.
    """

    vx: Velocity
    vy: Velocity
    yaw_rate: Velocity
    ax: Slope
    ay: Slope
    yaw_acceleration: Slope
    walking: bool


class HeadSegment(Moment, frozen=True, tag="head"):
    """From now on the head's target is a straight line in time, or nobody's.

    Attributes:
        yaw, pitch: target now [rad]; positive looks left and down.
        yaw_rate, pitch_rate: its slope [rad/s].
        held: False releases the head.
    """

    yaw: Angle
    pitch: Angle
    yaw_rate: Slope
    pitch_rate: Slope
    held: bool


class GestureStart(Moment, frozen=True, tag="gesture"):
    """A motion starts.

    Attributes:
        clip: name of the motion in the show.
        groups: limb groups it moves.
        speed: of playing, 1 as it was made.
        blend_in_s, blend_out_s: length of the transitions [s]; None leaves it to the manager.
        loop: it plays until it is ended.
        mirror: left and right are swapped.
        offset_s: time within the motion at which it starts [s].
    """

    clip: Text
    groups: Groups
    speed: Annotated[float, Meta(ge=0.05, le=10.0)]
    blend_in_s: Seconds | None
    blend_out_s: Seconds | None
    loop: bool
    mirror: bool
    offset_s: Seconds


class GestureEnd(Moment, frozen=True, tag="end"):
    """A motion that would go on is ended; the limbs return to rest."""

    groups: Groups


class Freeze(Moment, frozen=True, tag="freeze"):
    """Limbs stop in mid-motion."""

    groups: Groups


class Unfreeze(Moment, frozen=True, tag="unfreeze"):
    """Limbs go on from where they stopped."""

    groups: Groups


class VoiceStart(Moment, frozen=True, tag="voice"):
    """A phrase starts to sound; the player announces it ahead of time.

    Attributes:
        phrase: name of the audio file without its ending.
        volume: 0 to 1.
        length_s: how long it sounds [s].
        music: it makes room for phrases.
    """

    phrase: Text
    volume: Annotated[float, Meta(ge=0.0, le=1.0)]
    length_s: Seconds
    music: bool = False


class EventText(Moment, frozen=True, tag="text"):
    """A light or network device is told something."""

    text: Text


AnyMoment: TypeAlias = (
    WalkSegment
    | HeadSegment
    | GestureStart
    | GestureEnd
    | Freeze
    | Unfreeze
    | VoiceStart
    | EventText
)

# Moments of the same time happen in this order: what ends comes before what begins.
_ORDER: dict[type, int] = {
    Unfreeze: 0,
    GestureEnd: 1,
    GestureStart: 2,
    Freeze: 3,
    WalkSegment: 4,
    HeadSegment: 5,
    VoiceStart: 6,
    EventText: 7,
}


def in_order(moments: list[AnyMoment]) -> tuple[AnyMoment, ...]:
    """Return moments sorted by time, and by what they are where the times are equal."""
    return tuple(sorted(moments, key=lambda moment: (moment.time_s, _ORDER[type(moment)])))


class CueTimeline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One cue, ready to play.

    Attributes:
        number, name: as the operator knows it.
        pre_wait_s, post_wait_s: waits [s].
        follow: whether the next cue starts by itself.
        following: place of the next cue in the list; -1 at the end.
        armed: it moves the robot at GO.
        entry_stance, exit_stance: "standing", "walking" or "any".
        duration_s: length of its action [s].
        safe_points_s: times at which it may be left, rising [s].
        refusal: why preflight refuses it, in one sentence; empty when it passed.
        groups: limb groups that it moves.
        moments: what happens, in order, voices apart.
        voices: phrases, in order of their start.
    """

    number: Text
    name: Text
    pre_wait_s: Seconds
    post_wait_s: Seconds
    follow: Continue
    following: Annotated[int, Meta(ge=-1)]
    armed: bool
    entry_stance: Text
    exit_stance: Text
    duration_s: Seconds
    safe_points_s: Annotated[tuple[Seconds, ...], Meta(max_length=MAX_MOMENTS)]
    refusal: Text
    groups: Groups
    moments: Annotated[tuple[AnyMoment, ...], Meta(max_length=MAX_MOMENTS)]
    voices: Annotated[tuple[VoiceStart, ...], Meta(max_length=MAX_MOMENTS)]


def check_cue(cue: CueTimeline, count: int) -> None:
    """Refuse a decoded cue that no single bound finds wrong.

    Args:
        cue: the cue.
        count: how many cues the show has.

    Raises:
        StageError: times fall or lie beyond its end, or it leads to a cue that is not there.
    """
    if cue.following >= count:
        raise StageError(f"cue {cue.number}", "leads to a cue that is not in the show")
    _check_times(cue, "safe points", cue.safe_points_s)
    _check_times(cue, "moments", [moment.time_s for moment in cue.moments])
    _check_times(cue, "phrases", [voice.time_s for voice in cue.voices])


def _check_times(cue: CueTimeline, label: str, times: Sequence[float]) -> None:
    """Refuse times that fall or lie beyond the cue."""
    before = 0.0
    for time_s in times:
        if not before <= time_s <= cue.duration_s:
            reason = f"the times of its {label} do not rise to its end at {time_s:.3f} s"
            raise StageError(f"cue {cue.number}", reason)
        before = time_s
