"""How clips and tracks are called on the timeline."""

import math

from app.console.gestures.library import GestureLibrary
from shows.document import (
    BodyClip,
    Clip,
    GestureClip,
    HandClip,
    HeadClip,
    JumpClip,
    LiveClip,
    MarkClip,
    SwayClip,
    VoiceClip,
    WalkClip,
)
from shows.marks import Foot

KIND_TITLES = {
    "gesture": "Gestures",
    "head": "Head",
    "hands": "Hands",
    "body": "Body",
    "sway": "Sway",
    "walk": "Walk",
    "live": "Live",
    "voice": "Voice",
    "light": "Light",
    "network": "Network",
}

CLIP_TITLES = {**KIND_TITLES, "run": "Run", "jump": "Jump", "mark": "Mark"}
"""Titles of clips, by `look_of`."""

FOOT_WORDS: dict[Foot, str] = {"either": "either", "left": "left", "right": "right"}
MODE_WORDS = {"mirror": "Mirror", "answer": "Answer"}
GAIT_WORDS = {"walk": "Walk", "run": "Run"}
SWAY_WORDS = {"left": "Sideways", "forward": "Forward and back", "up": "Up and down"}


def look_of(clip: Clip, kind: str) -> str:
    """Return as what a clip is drawn and titled: run, jump, mark, or the kind of its track."""
    if isinstance(clip, (JumpClip, MarkClip)):
        return "jump" if isinstance(clip, JumpClip) else "mark"
    return "run" if isinstance(clip, WalkClip) and clip.gait == "run" else kind


def clip_name(clip: Clip, library: GestureLibrary) -> str:
    """Return the label of a clip."""
    if isinstance(clip, GestureClip):
        entry = library.entry(clip.motion)
        title = clip.motion.replace("_", " ").capitalize() if entry is None else entry.title
        return f"{title} (mirrored)" if clip.mirror else title
    if isinstance(clip, VoiceClip):
        return f"♪ {clip.phrase}"
    if isinstance(clip, HeadClip):
        return _gaze(clip)
    if isinstance(clip, HandClip):
        pose = clip.pose.replace("_", " ") if isinstance(clip.pose, str) else "pose"
        return pose if clip.hand == "both" else f"{clip.hand} {pose}"
    if isinstance(clip, BodyClip):
        return _body(clip)
    if isinstance(clip, WalkClip):
        return f"Run {_walk(clip)}" if clip.gait == "run" else _walk(clip)
    if isinstance(clip, JumpClip):
        return _jump(clip)
    if isinstance(clip, MarkClip):
        foot = "" if clip.foot == "either" else f", {clip.foot} foot last"
        return f"To {clip.mark.replace('_', ' ')}{foot}"
    if isinstance(clip, SwayClip):
        return _sway(clip)
    if isinstance(clip, LiveClip):
        return _live(clip)
    return clip.event


def _gaze(clip: HeadClip) -> str:
    if clip.point is not None:
        return f"at {clip.point.replace('_', ' ')}"
    yaw, pitch = round(math.degrees(clip.yaw)), round(math.degrees(clip.pitch))
    parts = []
    if yaw:
        parts.append(f"{abs(yaw)}° {'left' if yaw > 0 else 'right'}")
    if pitch:
        parts.append(f"{abs(pitch)}° {'down' if pitch > 0 else 'up'}")
    return ", ".join(parts) or "ahead"


def _body(clip: BodyClip) -> str:
    parts = [f"{100.0 * clip.lower:.0f} cm down"] if clip.lower else []
    for angle, positive, negative in (
        (clip.pitch, "forward", "back"),
        (clip.roll, "right", "left"),
        (clip.yaw, "turned left", "turned right"),
    ):
        if angle:
            degrees = abs(math.degrees(angle))
            parts.append(f"{degrees:.0f}° {positive if angle > 0.0 else negative}")
    return ", ".join(parts) or "upright"


def _sway(clip: SwayClip) -> str:
    way = SWAY_WORDS[clip.direction]
    return f"{way} ±{100.0 * clip.amplitude_m:g} cm, {clip.frequency_hz:g} Hz"


def _live(clip: LiveClip) -> str:
    named = "" if clip.repertoire is None else clip.repertoire.replace("_", " ")
    parts = ["Mirror" if clip.mode == "mirror" else f"Answer: {named or '?'}"]
    if clip.groups is not None:
        parts.append(", ".join(group.replace("_", " ") for group in clip.groups))
    parts += ["legs"] * clip.legs
    parts += ["same side"] * (not clip.mirror_sides)
    return ", ".join(parts)


def _jump(clip: JumpClip) -> str:
    parts = ["Jump" if clip.count == 1 else f"{clip.count} jumps"]
    for way, positive, negative in ((clip.dx, "ahead", "back"), (clip.dy, "left", "right")):
        if way:
            parts.append(f"{100.0 * abs(way):g} cm {positive if way > 0.0 else negative}")
    if clip.turn:
        parts.append(
            f"{abs(math.degrees(clip.turn)):.0f}° {'left' if clip.turn > 0.0 else 'right'}"
        )
    each = " each" if clip.count > 1 and len(parts) > 1 else ""
    return ", ".join(parts) + each


def _walk(clip: WalkClip) -> str:
    parts = []
    if clip.vx:
        parts.append(f"{abs(clip.vx):.2f} m/s {'ahead' if clip.vx > 0.0 else 'back'}")
    if clip.vy:
        parts.append(f"{abs(clip.vy):.2f} m/s {'left' if clip.vy > 0.0 else 'right'}")
    if clip.yaw_rate:
        rate = abs(math.degrees(clip.yaw_rate))
        parts.append(f"{rate:.0f}°/s {'left' if clip.yaw_rate > 0.0 else 'right'}")
    return ", ".join(parts) or "in place"
