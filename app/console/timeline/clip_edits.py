"""Edits of clips: from a cue to an edited cue, with the places of the edited clips.

Times are rounded to a millisecond, so that files stay legible.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, get_type_hints

import msgspec

from app.console.cues.edits import EditError
from app.console.timeline.curves import jump_period_s
from app.console.timeline.material import (
    Material,
    Place,
    Places,
    clip_at,
    clips_at,
    is_event,
    track_title,
)
from app.console.timeline.trimming import (
    SHORTEST_S,
    Side,
    blends_of,
    halves,
    has_blends,
    ms,
    replace,
    resized,
    trim,
)
from shows.document import Clip, Cue, GestureClip, JumpClip, Track, VoiceClip, clips_of
from shows.fields import MAX_CLIPS, MAX_CUE_S
from shows.gaits import JUMP_REST_S

SPEEDS = (0.1, 4.0)  # of a gesture
LONGEST_BLEND_S = 10.0
LONGEST_PERIOD_S = 2.0  # from jump to jump


@dataclass(frozen=True, slots=True)
class Edited:
    """The result of an edit.

    Attributes:
        cue: the cue after it.
        places: where the edited clips are in it.
    """

    cue: Cue
    places: Places


def with_clips(track: Track, clips: Sequence[Clip]) -> Track:
    """Return a track with other clips.

    Raises:
        EditError: there are too many.
    """
    if len(clips) > MAX_CLIPS:
        raise EditError(f"A track has at most {MAX_CLIPS} clips; use another track.")
    return replace(track, clips=tuple(clips))


def with_tracks(cue: Cue, changed: dict[int, Track]) -> Cue:
    """Return a cue with other tracks at some indices."""
    return replace(cue, tracks=tuple(changed.get(i, t) for i, t in enumerate(cue.tracks)))


def unlocked(cue: Cue, tracks: Collection[int]) -> None:
    """Refuse an edit of locked tracks.

    Raises:
        EditError: one of them is locked.
    """
    for index in sorted(tracks):
        track = cue.tracks[index]
        if track.locked:
            title = track_title(track)
            raise EditError(f"The track {title} is locked; unlock it at the left of its clips.")


def apply(cue: Cue, places: Places, deed: Callable[[Clip], Clip]) -> Edited:
    """Return a cue in which some clips are others."""
    unlocked(cue, {t for t, _ in places})
    changed: dict[int, Track] = {}
    for t in sorted({t for t, _ in places}):
        track = cue.tracks[t]
        clips = [deed(c) if (t, i) in places else c for i, c in enumerate(clips_of(track))]
        changed[t] = with_clips(track, clips)
    return Edited(with_tracks(cue, changed), places)


def moved(cue: Cue, places: Places, by_s: float, material: Material, down: int = 0) -> Edited:
    """Move clips in time, and to other tracks of their kind if all of them fit there.

    None leaves the cue at its start: all move by the same time.
    """
    chosen = clips_at(cue, places)
    if not chosen:
        return Edited(cue, places)
    first_s = min(clip.start_s for _, clip in chosen)
    last_s = max(material.end_s(clip) for _, clip in chosen)
    by_s = max(by_s, -first_s)
    by_s = min(by_s, max(0.0, MAX_CUE_S - last_s))
    if down and all(_fits(cue, place, down) for place in places):
        return _moved_down(cue, chosen, by_s, down)
    return apply(cue, places, lambda clip: replace(clip, start_s=ms(clip.start_s + by_s)))


def _fits(cue: Cue, place: Place, down: int) -> bool:
    target = place[0] + down
    if not 0 <= target < len(cue.tracks):
        return False
    return cue.tracks[target].kind == cue.tracks[place[0]].kind


def _moved_down(cue: Cue, chosen: list[tuple[Place, Clip]], by_s: float, down: int) -> Edited:
    unlocked(cue, {t for (t, _), _ in chosen} | {t + down for (t, _), _ in chosen})
    moving = {place for place, _ in chosen}
    kept = [
        [clip for i, clip in enumerate(clips_of(track)) if (t, i) not in moving]
        for t, track in enumerate(cue.tracks)
    ]
    found: set[Place] = set()
    for (t, _), clip in chosen:
        kept[t + down].append(replace(clip, start_s=ms(clip.start_s + by_s)))
        found.add((t + down, len(kept[t + down]) - 1))
    changed = {t: with_clips(cue.tracks[t], clips) for t, clips in enumerate(kept)}
    return Edited(with_tracks(cue, changed), frozenset(found))


def trimmed(cue: Cue, places: Places, side: Side, by_s: float, material: Material) -> Edited:
    """Move the start or the end of clips; the rest of what they play stays where it is in time.

    A clip is never shorter than SHORTEST_S, and a motion or sound never plays beyond its ends.
    """
    return apply(cue, places, lambda clip: trim(clip, side, by_s, material))


def sized(cue: Cue, places: Places, length_s: float, material: Material) -> Edited:
    """Give clips a length; a motion or sound never plays beyond its end.

    Raises:
        EditError: the length is too short.
    """
    if not SHORTEST_S <= length_s <= MAX_CUE_S:
        raise EditError(f"A clip lasts {SHORTEST_S:g} to {MAX_CUE_S:.0f} s; type such a length.")
    return apply(cue, places, lambda clip: resized(clip, length_s, material))


def ended(cue: Cue, places: Places, end_s: float, material: Material) -> Edited:
    """Let clips end at a time; their starts stay.

    Raises:
        EditError: a clip would be too short.
    """
    starts = [clip.start_s for _, clip in clips_at(cue, places)]
    if starts and end_s < max(starts) + SHORTEST_S:
        raise EditError(f"A clip lasts at least {SHORTEST_S:g} s; type a later end.")
    return apply(cue, places, lambda clip: resized(clip, end_s - clip.start_s, material))


def blended(cue: Cue, places: Places, side: Side, blend_s: float, material: Material) -> Edited:
    """Give clips a blend in or out, as far as it fits beside the other one."""

    def deed(clip: Clip) -> Clip:
        if not has_blends(clip):
            return clip
        blend_in_s, blend_out_s = blends_of(clip)
        other_s = (blend_out_s if side == "start" else blend_in_s) or 0.0
        room_s = max(0.0, material.length_s(clip) - other_s)
        value = ms(max(0.0, min(blend_s, room_s, LONGEST_BLEND_S)))
        found = replace(clip, **{"blend_in_s" if side == "start" else "blend_out_s": value})
        return found

    return apply(cue, places, deed)


def split(cue: Cue, places: Places, at_s: float, material: Material) -> Edited:
    """Divide the clips that a time lies within; the second parts are the edited ones.

    Together both parts play what the clip played; a loop starts over in its second part.

    Raises:
        EditError: the time lies within none of them.
    """
    inside = [
        (place, clip)
        for place, clip in clips_at(cue, places)
        if clip.start_s + SHORTEST_S <= at_s <= material.end_s(clip) - SHORTEST_S
    ]
    if not inside:
        raise EditError("No selected clip is under the playhead; move the playhead into a clip.")
    unlocked(cue, {t for (t, _), _ in inside})
    clips = [list(clips_of(track)) for track in cue.tracks]
    found: set[Place] = set()
    for (t, i), clip in inside:
        first, second = halves(clip, at_s - clip.start_s, material)
        clips[t][i] = first
        clips[t].append(second)
        found.add((t, len(clips[t]) - 1))
    changed = {t: with_clips(cue.tracks[t], clips[t]) for (t, _), _ in inside}
    return Edited(with_tracks(cue, changed), frozenset(found))


def removed(cue: Cue, places: Places) -> Edited:
    """Remove clips."""
    unlocked(cue, {t for t, _ in places})
    changed = {
        t: with_clips(
            cue.tracks[t],
            [c for i, c in enumerate(clips_of(cue.tracks[t])) if (t, i) not in places],
        )
        for t in {t for t, _ in places}
    }
    return Edited(with_tracks(cue, changed), frozenset())


def added(cue: Cue, track: int, clips: Sequence[Clip]) -> Edited:
    """Put clips on a track of their kind.

    Raises:
        EditError: the track is locked, or full.
    """
    unlocked(cue, {track})
    before = clips_of(cue.tracks[track])
    after = with_clips(cue.tracks[track], (*before, *clips))
    places = frozenset((track, len(before) + i) for i in range(len(clips)))
    return Edited(with_tracks(cue, {track: after}), places)


def duplicated(cue: Cue, places: Places, material: Material) -> Edited:
    """Repeat clips directly after the last of them."""
    chosen = clips_at(cue, places)
    if not chosen:
        return Edited(cue, places)
    first_s = min(clip.start_s for _, clip in chosen)
    last_s = max(material.end_s(clip) for _, clip in chosen)
    by_s = max(last_s - first_s, SHORTEST_S)
    if last_s + by_s > MAX_CUE_S:
        raise EditError(f"A cue lasts at most {MAX_CUE_S:.0f} s; put the copy into another cue.")
    found: set[Place] = set()
    for (t, _), clip in chosen:
        edited = added(cue, t, [replace(clip, start_s=ms(clip.start_s + by_s))])
        cue = edited.cue
        found |= edited.places
    return Edited(cue, frozenset(found))


def stretched(cue: Cue, places: Places, factor: float, material: Material) -> Edited:
    """Stretch clips in time from the start of the first one on: gestures play slower or faster.

    Jumps come at another period. Sounds and events move and keep their length.

    Raises:
        EditError: a gesture would be too slow or too fast, jumps too far apart, or a clip too
            short or too long.
    """
    chosen = clips_at(cue, places)
    if not chosen:
        return Edited(cue, places)
    origin_s = min(clip.start_s for _, clip in chosen)

    def deed(clip: Clip) -> Clip:
        values: dict[str, Any] = {"start_s": ms(origin_s + (clip.start_s - origin_s) * factor)}
        if not is_event(clip) and not isinstance(clip, VoiceClip):
            length_s = material.length_s(clip) * factor
            if length_s < SHORTEST_S:
                raise EditError(f"A clip lasts at least {SHORTEST_S:g} s; stretch less.")
            given = getattr(clip, "length_s", None)
            if given is not None:
                values["length_s"] = ms(given * factor)
            for name, value in zip(("blend_in_s", "blend_out_s"), blends_of(clip), strict=True):
                if value is not None:
                    values[name] = min(ms(value * factor), LONGEST_BLEND_S)
            if isinstance(clip, GestureClip):
                values |= _stretched_gesture(clip, factor)
            elif isinstance(clip, JumpClip):
                period_s = ms(jump_period_s(clip) * factor)
                if period_s > LONGEST_PERIOD_S:
                    most = f"{LONGEST_PERIOD_S:g}"
                    raise EditError(f"Jumps are at most {most} s apart; stretch less.")
                values |= {"period_s": period_s, "length_s": _jumps_s(clip.count, period_s)}
        found = replace(clip, **values)
        if material.end_s(found) > MAX_CUE_S:
            raise EditError(f"A cue lasts at most {MAX_CUE_S:.0f} s; stretch less.")
        return found

    return apply(cue, places, deed)


def _stretched_gesture(clip: GestureClip, factor: float) -> dict[str, Any]:
    speed = round(clip.speed / factor, 4)
    if not SPEEDS[0] <= speed <= SPEEDS[1]:
        raise EditError(
            f"A gesture plays at {SPEEDS[0]:g} to {SPEEDS[1]:g} times its speed, and "
            f"{clip.motion.replace('_', ' ')} would play at {speed:g}; stretch less."
        )
    values: dict[str, Any] = {"speed": speed}
    if clip.freeze_at_s is not None:
        values |= {"freeze_at_s": ms(clip.freeze_at_s * factor)}
        values |= {"freeze_s": ms(clip.freeze_s * factor)}
    return values


def looped(cue: Cue, places: Places, material: Material) -> Edited:
    """Let gestures start over, or end that if all of them do; a loop keeps its present length.

    Raises:
        EditError: none of the clips is a gesture.
    """
    gestures = [(p, c) for p, c in clips_at(cue, places) if isinstance(c, GestureClip)]
    if not gestures:
        raise EditError("Only gestures can loop; select a gesture.")
    loop = not all(clip.loop for _, clip in gestures)

    def deed(clip: Clip) -> Clip:
        if not isinstance(clip, GestureClip):
            return clip
        length_s = ms(material.length_s(clip))
        found = replace(clip, loop=loop, length_s=length_s)
        return found if loop else resized(found, length_s, material)

    return apply(cue, places, deed)


def changed(cue: Cue, places: Places, field: str, value: object) -> Edited:
    """Give a field of some clips a value; clips without that field stay as they are.

    Raises:
        EditError: the value is not allowed.
    """

    def deed(clip: Clip) -> Clip:
        if not hasattr(clip, field):
            return clip
        kind = get_type_hints(type(clip), include_extras=True)[field]
        try:
            found = replace(clip, **{field: msgspec.convert(value, type=kind)})
        except msgspec.ValidationError as error:
            said = str(error).replace("`", "'")
            raise EditError(f"The value {value!r} is refused: {said[:1].lower()}{said[1:]}.") from (
                error
            )
        return found

    return apply(cue, places, deed)


def jumps_changed(cue: Cue, places: Places, field: str, value: object, usual_s: float) -> Edited:
    """Give jumps another number or period, and the length that they then take.

    Args:
        cue: the cue.
        places: of the clips.
        field: "count" or "period_s".
        value: of the field.
        usual_s: period of a clip that names none [s].

    Raises:
        EditError: the value is not allowed.
    """

    def deed(clip: Clip) -> Clip:
        if not isinstance(clip, JumpClip):
            return clip
        return replace(clip, length_s=_jumps_s(clip.count, clip.period_s or usual_s))

    return apply(changed(cue, places, field, value).cue, places, deed)


def _jumps_s(count: int, period_s: float) -> float:
    """Return how long a clip of jumps lasts [s]."""
    return ms(JUMP_REST_S + count * period_s)


def span(cue: Cue, places: Collection[Place], material: Material) -> tuple[float, float]:
    """Return the first start and the last end of clips [s]; 0, 0 without any."""
    clips = [clip_at(cue, place) for place in places]
    if not clips:
        return 0.0, 0.0
    return min(c.start_s for c in clips), max(material.end_s(c) for c in clips)
