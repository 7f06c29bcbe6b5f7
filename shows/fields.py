"""The types of the values in a show's files, with their bounds and their descriptions."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

MAX_CUES: Final = 2000
MAX_TRACKS: Final = 64
MAX_TRIGGERS: Final = 200
MAX_CLIPS: Final = 2000
MAX_SHOW_CLIPS: Final = 20_000
MAX_CUE_S: Final = 3600.0
MAX_MOTION_S: Final = 600.0
MAX_JUMPS: Final = 50
MIN_RATE_HZ: Final = 10.0
MAX_RATE_HZ: Final = 1000.0

_NAME: Final = r"^[a-z][a-z0-9_]{0,63}\Z"
_ROBOT: Final = r"^([a-z][a-z0-9_]{0,63})?\Z"
PHRASE: Final = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}\Z"
_NUMBER: Final = r"^[A-Za-z0-9][A-Za-z0-9.]{0,15}\Z"
_SAYS: Final = r"phrase:[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
USE: Final = (
    rf"gesture:[a-z0-9_]{{1,64}}(\+{_SAYS})?|{_SAYS}|hand:(left|right|both):[a-z][a-z0-9_]{{0,63}}"
    r"|idle:(on|off|toggle)"
)
"""Pattern of what a control improvises; see shows.uses."""
_USE: Final = rf"^({USE})\Z"

PATTERN_WORDS: Final = {
    _NAME: "must be lower-case letters, digits and _, starting with a letter, at most 64",
    _ROBOT: "must be the name of a robot's folder, or empty",
    PHRASE: "must be a sound's file name without ending: letters, digits, _ and -, at most 64",
    _NUMBER: "must be a cue number: letters, digits and points, at most 16",
    _USE: "must be gesture:NAME, phrase:NAME, gesture:NAME+phrase:NAME, hand:SIDE:POSE or idle:on",
}
"""The description of each pattern, for the error of a value that does not match it."""

Name: TypeAlias = Annotated[str, Meta(pattern=_NAME)]
RobotName: TypeAlias = Annotated[str, Meta(pattern=_ROBOT)]
Phrase: TypeAlias = Annotated[str, Meta(pattern=PHRASE)]
Number: TypeAlias = Annotated[str, Meta(pattern=_NUMBER)]
UseText: TypeAlias = Annotated[str, Meta(pattern=_USE)]
Text: TypeAlias = Annotated[str, Meta(max_length=200)]
Notes: TypeAlias = Annotated[str, Meta(max_length=10_000)]
Hotkey: TypeAlias = Annotated[str, Meta(max_length=32)]

MotionSeconds: TypeAlias = Annotated[float, Meta(ge=0.0, le=MAX_MOTION_S)]
Rate: TypeAlias = Annotated[float, Meta(ge=MIN_RATE_HZ, le=MAX_RATE_HZ)]
Start: TypeAlias = Annotated[float, Meta(ge=0.0, le=MAX_CUE_S)]
Length: TypeAlias = Annotated[float, Meta(gt=0.0, le=MAX_CUE_S)]
Blend: TypeAlias = Annotated[float, Meta(ge=0.0, le=10.0)]
Angle: TypeAlias = Annotated[float, Meta(ge=-6.3, le=6.3)]
HandPose: TypeAlias = (
    Annotated[dict[Name, Angle], Meta(min_length=1, max_length=64)]
    | Annotated[tuple[Angle, ...], Meta(min_length=1, max_length=64)]
)
"""Angles of a hand's joints [rad]: by role, or one for each joint in the hand's order."""
Speed: TypeAlias = Annotated[float, Meta(ge=0.1, le=4.0)]
Volume: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0)]
Decibel: TypeAlias = Annotated[float, Meta(ge=0.0, le=60.0)]
Bound: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.5)]
Velocity: TypeAlias = Annotated[float, Meta(ge=-1.5, le=1.5)]
Lowering: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0)]
Tilt: TypeAlias = Annotated[float, Meta(ge=-1.0, le=1.0)]
SwayDirection: TypeAlias = Literal["left", "forward", "up"]
SwayAmplitude: TypeAlias = Annotated[float, Meta(gt=0.0, le=0.5)]
SwayFrequency: TypeAlias = Annotated[float, Meta(gt=0.0, le=2.0)]
MovingGait: TypeAlias = Literal["walk", "run"]
FlightTime: TypeAlias = Annotated[float, Meta(ge=0.0, le=2.0)]
JumpCount: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_JUMPS)]
JumpWay: TypeAlias = Annotated[float, Meta(ge=-0.5, le=0.5)]
JumpTurn: TypeAlias = Annotated[float, Meta(ge=-1.0, le=1.0)]
StanceHeight: TypeAlias = Annotated[float, Meta(ge=0.0, le=2.0)]
