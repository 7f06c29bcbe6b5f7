"""One clip: trimmed, resized, divided, so that what it plays stays where it is in time."""

import math
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec

from app.console.cues.edits import EditError
from app.console.timeline.curves import jump_period_s
from app.console.timeline.material import Material, is_event
from shows.document import Clip, GestureClip, JumpClip, VoiceClip
from shows.fields import MAX_CUE_S, MAX_JUMPS
from shows.gaits import JUMP_REST_S

P = TypeVar("P", bound=msgspec.Struct)
Side: TypeAlias = Literal["start", "end"]
SHORTEST_S = 0.1  # a shorter clip could not be taken hold of


def ms(time_s: float) -> float:
    """Return a time rounded to a millisecond [s]."""
    return round(time_s, 3)


def replace(part: P, **values: Any) -> P:
    """Return a part of a document with other values of some fields."""
    return msgspec.structs.replace(part, **values)


def trim(clip: Clip, side: Side, by_s: float, material: Material) -> Clip:
    """Return a clip whose start or end lies elsewhere; see `trimmed`."""
    if is_event(clip):
        return clip
    length_s = material.length_s(clip)
    if side == "end":
        return resized(clip, max(SHORTEST_S, length_s + by_s), material)
    by_s = min(by_s, length_s - SHORTEST_S)
    by_s = max(by_s, -clip.start_s)
    rate = _rate(clip)
    if rate:
        by_s = max(by_s, -_offset_s(clip) / rate)
    return _behind(clip, by_s, length_s - by_s, material)


def halves(clip: Clip, at_s: float, material: Material) -> tuple[Clip, Clip]:
    """Return both parts of a clip that is divided so long after its start [s].

    Raises:
        EditError: the clip has nothing to divide.
    """
    length_s = material.length_s(clip)
    first = resized(clip, at_s, material)
    second = _behind(clip, at_s, length_s - at_s, material)
    if isinstance(clip, (GestureClip, VoiceClip)):
        return first, second
    if isinstance(clip, JumpClip):
        if clip.count < 2:
            raise EditError("A single jump cannot be divided; select a clip of several jumps.")
        before = min(max(1, round(clip.count * at_s / length_s)), clip.count - 1)
        return replace(first, count=before), replace(second, count=clip.count - before)
    if has_blends(clip):  # the pose or velocity goes on at the cut
        return replace(first, blend_out_s=0.0), replace(second, blend_in_s=0.0)
    return first, second


def _rate(clip: Clip) -> float:
    """Return how much of a recording passes in a second of show time; 0 without a recording."""
    if isinstance(clip, GestureClip):
        return 0.0 if clip.loop else clip.speed
    return 1.0 if isinstance(clip, VoiceClip) else 0.0


def _offset_s(clip: Clip) -> float:
    return clip.offset_s if isinstance(clip, (GestureClip, VoiceClip)) else 0.0


def _behind(clip: Clip, by_s: float, length_s: float, material: Material) -> Clip:
    """Return the part of a clip that begins later (or earlier, with a negative time)."""
    values: dict[str, Any] = {"start_s": ms(clip.start_s + by_s)}
    if isinstance(clip, GestureClip) and clip.freeze_at_s is not None:
        at_s, freeze_s = clip.freeze_at_s - by_s, clip.freeze_s
        if at_s < 0.0:  # the freeze is cut, or lies before
            freeze_s = max(0.0, freeze_s + at_s)
            at_s = 0.0
        passed_s = by_s - (clip.freeze_s - freeze_s)
        values |= {"freeze_at_s": ms(at_s) if freeze_s > 0.0 else None, "freeze_s": ms(freeze_s)}
    else:
        passed_s = by_s
    rate = _rate(clip)
    if rate:
        values["offset_s"] = ms(max(0.0, _offset_s(clip) + passed_s * rate))
    return resized(replace(clip, **values), length_s, material)


def resized(clip: Clip, length_s: float, material: Material) -> Clip:
    """Return a clip of a length; blends that do not fit are shortened in proportion.

    Jumps keep their period: as many are made as fit, one at least.
    """
    length_s = min(ms(length_s), ms(MAX_CUE_S - clip.start_s))
    if isinstance(clip, (GestureClip, VoiceClip)):
        natural: Clip = replace(clip, length_s=None)
        whole_s = material.length_s(natural)
        looped = isinstance(clip, GestureClip) and clip.loop
        if not looped and length_s >= whole_s - 1e-3:
            return natural
        clip = replace(clip, length_s=length_s)
        if isinstance(clip, VoiceClip):
            return clip
        if clip.freeze_at_s is not None and clip.freeze_at_s + clip.freeze_s > length_s:
            freeze_s = ms(max(0.0, length_s - clip.freeze_at_s))
            at_s = clip.freeze_at_s if freeze_s else None
            clip = replace(clip, freeze_at_s=at_s, freeze_s=freeze_s)
        return _blends_within(clip, length_s)
    if is_event(clip):
        return clip
    if isinstance(clip, JumpClip):
        fit = math.floor((length_s - JUMP_REST_S) / jump_period_s(clip) + 1e-6)
        return replace(clip, length_s=length_s, count=min(max(1, fit), MAX_JUMPS))
    return _blends_within(replace(clip, length_s=length_s), length_s)


def _blends_within(clip: Clip, length_s: float) -> Clip:
    blend_in_s, blend_out_s = blends_of(clip)
    total_s = (blend_in_s or 0.0) + (blend_out_s or 0.0)
    if total_s <= length_s:
        return clip
    share = length_s / total_s
    values = {
        name: int(value * share * 1000.0) / 1000.0
        for name, value in (("blend_in_s", blend_in_s), ("blend_out_s", blend_out_s))
        if value is not None
    }
    found = replace(clip, **values)
    return found


def blends_of(clip: Clip) -> tuple[float | None, float | None]:
    """Return the lengths of the blends in and out [s]; None: a default, or there is none."""
    return getattr(clip, "blend_in_s", None), getattr(clip, "blend_out_s", None)


def has_blends(clip: Clip) -> bool:
    """Return whether a clip blends in and out."""
    return hasattr(clip, "blend_in_s")
