"""The timeline of a cue: one sorted list of moments.

Times are in seconds from the start of the cue's action. Moments are frozen data, so that the
loop passes them on unchanged and the link carries them as they are.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from core.link.partner import Follow
from core.stage.errors import StageError
from shows.fields import (
    MAX_JUMPS,
    FlightTime,
    JumpTurn,
    JumpWay,
    MovingGait,
    SwayAmplitude,
    SwayDirection,
    SwayFrequency,
)
from shows.marks import Coordinate, Foot, Heading, Height

MAX_MOMENTS = 2000
MAX_CUE_S = 14_400.0
MAX_VELOCITY = 2.0  # [m/s] and [rad/s]; far above any gait, to catch typing errors
MAX_TEXT = 500
MAX_CYCLES = 30_000

# Bounds are checked when a message is decoded; a bound also refuses NaN.
Text = Annotated[str, Meta(max_length=MAX_TEXT)]
Groups: TypeAlias = Annotated[tuple[Text, ...], Meta(max_length=16)]
Seconds = Annotated[float, Meta(ge=0.0, le=MAX_CUE_S)]
Velocity = Annotated[float, Meta(ge=-MAX_VELOCITY, le=MAX_VELOCITY)]
Slope = Annotated[float, Meta(ge=-1e4, le=1e4)]
Angle = Annotated[float, Meta(ge=-7.0, le=7.0)]


class Continue(IntEnum):
    """How the next cue starts."""

    NONE = 0
    AUTO_CONTINUE = 1  # the next cue starts a post-wait after this one's start
    AUTO_FOLLOW = 2  # the next cue starts a post-wait after this one's end


class Moment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """An action at a time [s] of the cue."""

    time_s: Seconds


class WalkSegment(Moment, frozen=True, tag="walk"):
    """From its time on, the velocity command is linear in time.

    Attributes:
        vx: forward velocity in the heading frame at its time [m/s].
        vy: velocity to the left in the heading frame at its time [m/s].
        yaw_rate: yaw rate at its time [rad/s].
        ax: slope of `vx` [m/s²].
        ay: slope of `vy` [m/s²].
        yaw_acceleration: slope of `yaw_rate` [rad/s²].
        walking: the robot steps, also at zero velocity.
        gait: walk or run.
    """

    vx: Velocity
    vy: Velocity
    yaw_rate: Velocity
    ax: Slope
    ay: Slope
    yaw_acceleration: Slope
    walking: bool
    gait: MovingGait = "walk"


class JumpSegment(Moment, frozen=True, tag="jump"):
    """From its time on, the robot jumps with both feet.

    Attributes:
        count: number of jumps; 0 is the end: no further jump begins.
        flight_s: duration of a flight [s]; 0: the robot's usual one.
        dx: way of a jump forward [m].
        dy: way of a jump to the left [m].
        turn: turn of a jump to the left [rad].
        period_s: time from jump to jump [s].
    """

    count: Annotated[int, Meta(ge=0, le=MAX_JUMPS)]
    flight_s: FlightTime
    dx: JumpWay
    dy: JumpWay
    turn: JumpTurn
    period_s: Annotated[float, Meta(gt=0.0, le=2.0)]


class MarkSegment(Moment, frozen=True, tag="mark"):
    """From its time on, the robot walks to a place on the stage and stands there.

    Attributes:
        x: of the middle between the soles, frame of the stage [m].
        y: likewise [m].
        heading: of the robot, frame of the stage [rad].
        foot: foot whose step is the last.
        name: of the mark.
        walking: False is the end: the robot stops where it is.
    """

    x: Coordinate
    y: Coordinate
    heading: Heading
    foot: Foot
    name: Text
    walking: bool


class BodySegment(Moment, frozen=True, tag="body"):
    """From its time on, the posture of the body is linear in time.

    Attributes:
        lower: lowering of the centre of mass at its time [m].
        roll: of the body at its time, positive to its right [rad].
        pitch: positive forward [rad].
        yaw: positive to its left [rad].
        slopes: of the four values [m/s, rad/s].
        held: False is the end: the body is upright.
    """

    lower: Velocity
    roll: Angle
    pitch: Angle
    yaw: Angle
    slopes: tuple[Slope, Slope, Slope, Slope]
    held: bool


class SwaySegment(Moment, frozen=True, tag="sway"):
    """From its time on, the body makes some cycles of a sine over standing feet.

    Attributes:
        direction: direction in which the sine begins.
        amplitude_m: amplitude of the centre of mass [m].
        frequency_hz: frequency [Hz].
        cycles: number of cycles; 0 is the end: the body is at rest.
    """

    direction: SwayDirection
    amplitude_m: SwayAmplitude
    frequency_hz: SwayFrequency
    cycles: Annotated[int, Meta(ge=0, le=MAX_CYCLES)]


class HeadSegment(Moment, frozen=True, tag="head"):
    """From its time on, the head's target is linear in time, or the head is released.

    Attributes:
        yaw: target at its time [rad]; positive looks left.
        pitch: target at its time [rad]; positive looks down.
        yaw_rate: slope of `yaw` [rad/s].
        pitch_rate: slope of `pitch` [rad/s].
        held: False releases the head.
        point: point in the room that the head holds instead, frame of the stage (3) [m].
    """

    yaw: Angle
    pitch: Angle
    yaw_rate: Slope
    pitch_rate: Slope
    held: bool
    point: tuple[Coordinate, Coordinate, Height] | None = None


class LiveSegment(Moment, frozen=True, tag="live"):
    """From its time on, a person leads the robot.

    Attributes:
        order: how the robot follows; None is the end.
    """

    order: Follow | None


class GestureStart(Moment, frozen=True, tag="gesture"):
    """A motion starts.

    Attributes:
        clip: name of the motion in the show.
        groups: limbs that it moves.
        speed: playback speed; 1 is the authored speed.
        blend_in_s: length of the transition at its start [s]; None: the manager's default.
        blend_out_s: length of the transition at its end [s]; None: the manager's default.
        loop: the motion repeats until it is ended.
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
    """A motion ends early; its limbs return to rest."""

    groups: Groups


class Freeze(Moment, frozen=True, tag="freeze"):
    """Limbs stop in mid-motion."""

    groups: Groups


class Unfreeze(Moment, frozen=True, tag="unfreeze"):
    """Frozen limbs resume their motion."""

    groups: Groups


class VoiceStart(Moment, frozen=True, tag="voice"):
    """A phrase starts; the player announces it ahead of time.

    Attributes:
        phrase: name of the audio file without its extension.
        volume: 0 to 1.
        length_s: how long it sounds [s].
        music: it is music, which is ducked under phrases.
        offset_s: time of the file that sounds first [s].
    """

    phrase: Text
    volume: Annotated[float, Meta(ge=0.0, le=1.0)]
    length_s: Seconds
    music: bool = False
    offset_s: Seconds = 0.0


class EventText(Moment, frozen=True, tag="text"):
    """A text is sent to a light or network device."""

    text: Text


AnyMoment: TypeAlias = (
    WalkSegment
    | JumpSegment
    | MarkSegment
    | BodySegment
    | SwaySegment
    | HeadSegment
    | LiveSegment
    | GestureStart
    | GestureEnd
    | Freeze
    | Unfreeze
    | VoiceStart
    | EventText
)

# Order of moments with the same time: ends come before starts.
_ORDER: dict[type, int] = {
    Unfreeze: 0,
    GestureEnd: 1,
    GestureStart: 2,
    Freeze: 3,
    WalkSegment: 4,
    JumpSegment: 5,
    MarkSegment: 6,
    BodySegment: 7,
    SwaySegment: 8,
    HeadSegment: 9,
    LiveSegment: 10,
    VoiceStart: 11,
    EventText: 12,
}


def in_order(moments: list[AnyMoment]) -> tuple[AnyMoment, ...]:
    """Return moments sorted by time, and by type for equal times."""
    return tuple(sorted(moments, key=_rank))


def _rank(moment: AnyMoment) -> tuple[float, int, bool]:
    """Return the sorting key of a moment: its time, its type, and starts after ends."""
    walks = isinstance(moment, MarkSegment) and moment.walking
    return moment.time_s, _ORDER[type(moment)], walks


class CueTimeline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One cue, ready to play.

    Attributes:
        number: cue number.
        name: cue name.
        pre_wait_s: wait before its action [s].
        post_wait_s: wait before the next cue [s].
        follow: how the next cue starts.
        following: index of the next cue in the list; -1 at the end.
        armed: it moves the robot at GO.
        entry_stance: stance at its start: "standing", "walking" or "any".
        exit_stance: stance at its end, likewise.
        duration_s: length of its action [s].
        safe_points_s: times at which it may be ended early, rising [s].
        refusal: reason of the preflight's refusal, in one sentence; empty if it passed.
        groups: limbs that it moves.
        moments: moments in order, without voices.
        voices: phrases, in order of their start.
        refusal_s: time of the refused moment [s].
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
    refusal_s: Seconds = 0.0


def check_cue(cue: CueTimeline, count: int) -> None:
    """Refuse a decoded cue with inconsistent values.

    Args:
        cue: the cue.
        count: number of cues of the show.

    Raises:
        StageError: times fall or lie beyond the cue's end, or the next cue does not exist.
    """
    if cue.following >= count:
        raise StageError(f"cue {cue.number}", "is followed by a cue that is not in the show")
    _check_times(cue, "safe points", cue.safe_points_s)
    _check_times(cue, "moments", [moment.time_s for moment in cue.moments])
    _check_times(cue, "phrases", [voice.time_s for voice in cue.voices])


def _check_times(cue: CueTimeline, label: str, times: Sequence[float]) -> None:
    """Refuse times that fall or lie beyond the end of the cue."""
    before = 0.0
    for time_s in times:
        if not before <= time_s <= cue.duration_s:
            reason = f"the times of its {label} do not rise, or pass its end, at {time_s:.3f} s"
            raise StageError(f"cue {cue.number}", reason)
        before = time_s
