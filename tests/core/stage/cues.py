"""Cues for the tests, short to write."""

from typing import Any

import msgspec
import numpy as np

from core.behave.clip import Clip
from core.link.partner import Follow
from core.stage.prepared import PreparedShow
from core.stage.timeline import (
    AnyMoment,
    BodySegment,
    Continue,
    CueTimeline,
    Freeze,
    GestureEnd,
    GestureStart,
    HeadSegment,
    JumpSegment,
    LiveSegment,
    SwaySegment,
    Unfreeze,
    VoiceStart,
    WalkSegment,
    in_order,
)

ARM = ("left_arm",)


def gesture(time_s: float, clip: str = "wave", groups: tuple[str, ...] = ARM) -> GestureStart:
    return GestureStart(time_s, clip, groups, 1.0, None, None, False, False, 0.0)


def end(time_s: float, groups: tuple[str, ...] = ARM) -> GestureEnd:
    return GestureEnd(time_s, groups)


def freeze(time_s: float, groups: tuple[str, ...] = ARM) -> Freeze:
    return Freeze(time_s, groups)


def unfreeze(time_s: float, groups: tuple[str, ...] = ARM) -> Unfreeze:
    return Unfreeze(time_s, groups)


def walk(time_s: float, vx: float = 0.0, ax: float = 0.0, walking: bool = True) -> WalkSegment:
    return WalkSegment(time_s, vx, 0.0, 0.0, ax, 0.0, 0.0, walking)


def head(time_s: float, yaw: float = 0.0, rate: float = 0.0, held: bool = True) -> HeadSegment:
    return HeadSegment(time_s, yaw, 0.0, rate, 0.0, held)


def posture(time_s: float, pitch: float = 0.0, rate: float = 0.0) -> BodySegment:
    return BodySegment(time_s, 0.0, 0.0, pitch, 0.0, (0.0, 0.0, rate, 0.0), True)


def sway(time_s: float, cycles: int = 2, amplitude: float = 0.04) -> SwaySegment:
    return SwaySegment(time_s, "left", amplitude, 0.25, cycles)


def run(time_s: float, vx: float = 0.2) -> WalkSegment:
    return WalkSegment(time_s, vx, 0.0, 0.0, 0.0, 0.0, 0.0, True, "run")


def jump(time_s: float, count: int = 3, flight_s: float = 0.08, dx: float = 0.0) -> JumpSegment:
    return JumpSegment(time_s, count, flight_s, dx, 0.0, 0.0, 1.0)


def live(time_s: float, *limbs: str, on: bool = True, **order: Any) -> LiveSegment:
    return LiveSegment(time_s, Follow(limbs=limbs, **order) if on else None)


def voice(time_s: float, length_s: float = 1.0, phrase: str = "hello") -> VoiceStart:
    return VoiceStart(time_s, phrase, 1.0, length_s)


def cue(number: str, *moments: AnyMoment, **changes: Any) -> CueTimeline:
    """Return a cue of 4 s that leads to the next number, unless told otherwise."""
    spoken = tuple(m for m in moments if isinstance(m, VoiceStart))
    done: list[AnyMoment] = [m for m in moments if not isinstance(m, VoiceStart)]
    fields: dict[str, Any] = {
        "number": number,
        "name": f"cue {number}",
        "pre_wait_s": 0.0,
        "post_wait_s": 0.0,
        "follow": Continue.NONE,
        "following": int(number),
        "armed": True,
        "entry_stance": "any",
        "exit_stance": "any",
        "duration_s": 4.0,
        "safe_points_s": (),
        "refusal": "",
        "groups": ARM,
        "moments": in_order(done),
        "voices": tuple(sorted(spoken, key=lambda m: m.time_s)),
        **changes,
    }
    return CueTimeline(**fields)


def show(*cues: CueTimeline, **changes: Any) -> PreparedShow:
    """Return a show of these cues, numbered from 1; the last leads nowhere."""
    following = cues[-1].following if cues[-1].following < len(cues) else -1
    last = msgspec.structs.replace(cues[-1], following=following)
    clip = Clip.from_positions("wave", (0, 1), 50.0, np.zeros((100, 2)))
    return PreparedShow("test", cues=(*cues[:-1], last), clips={"wave": clip}, **changes)
