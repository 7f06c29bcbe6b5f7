"""Edits of a cue's time: insert and cut time, ripple, and the part of a cue that is rehearsed."""

from collections.abc import Callable, Collection
from typing import Any

from app.console.cues.edits import EditError
from app.console.timeline.clip_edits import Edited, unlocked, with_clips, with_tracks
from app.console.timeline.material import Material, Places, clip_at, is_event
from app.console.timeline.trimming import SHORTEST_S, halves, ms, replace, trim
from shows.document import Clip, Cue, Track, clips_of
from shows.fields import MAX_CUE_S


def inserted(cue: Cue, at_s: float, length_s: float, material: Material) -> Cue:
    """Insert time: clips, markers and safe points at or after it move later.

    A clip that lies across the place stays as it is.

    Raises:
        EditError: the cue would be too long, or a track with later clips is locked.
    """
    if material.cue_s(cue) + length_s > MAX_CUE_S:
        raise EditError(f"A cue lasts at most {MAX_CUE_S:.0f} s; insert less time.")

    def later(time_s: float) -> float:
        return ms(time_s + length_s) if time_s >= at_s - 1e-6 else time_s

    unlocked(cue, {t for t, track in enumerate(cue.tracks) if _begins_after(track, at_s)})
    tracks = {
        t: with_clips(track, [replace(c, start_s=later(c.start_s)) for c in clips_of(track)])
        for t, track in enumerate(cue.tracks)
    }
    return _marks_moved(with_tracks(cue, tracks), later)


def cut(cue: Cue, from_s: float, to_s: float, material: Material) -> Cue:
    """Cut time out: what lies within it goes, what lies across it is shortened.

    What lies after it moves earlier.

    Raises:
        EditError: the range is empty, or a track with clips in or after it is locked.
    """
    from_s, to_s = ms(from_s), ms(to_s)  # a clip that begins at the end of the range stays
    length_s = to_s - from_s
    if length_s <= 0.0:
        raise EditError("There is no time to cut; select a range on the ruler first.")
    touched = {
        t
        for t, track in enumerate(cue.tracks)
        if any(material.end_s(clip) > from_s for clip in clips_of(track))
    }
    unlocked(cue, touched)
    tracks: dict[int, Track] = {}
    for t in touched:
        kept: list[Clip] = []
        for clip in clips_of(cue.tracks[t]):
            kept += _without(clip, from_s, to_s, material)
        tracks[t] = with_clips(cue.tracks[t], kept)

    def earlier(time_s: float) -> float | None:
        if time_s < from_s:
            return time_s
        return None if time_s < to_s else ms(time_s - length_s)

    return _marks_moved(with_tracks(cue, tracks), earlier)


def _without(clip: Clip, from_s: float, to_s: float, material: Material) -> list[Clip]:
    """Return what is left of a clip when a range of time is cut."""
    start_s, end_s = clip.start_s, material.end_s(clip)
    if end_s <= from_s:
        return [clip]
    if start_s >= to_s:
        return [replace(clip, start_s=ms(start_s - (to_s - from_s)))]
    if is_event(clip):
        return [] if start_s >= from_s else [clip]
    before_s, after_s = from_s - start_s, end_s - to_s
    if before_s >= SHORTEST_S and after_s >= SHORTEST_S:
        first, rest = halves(clip, before_s, material)
        second = trim(rest, "start", to_s - from_s, material)
        return [first, replace(second, start_s=from_s)]
    if before_s >= SHORTEST_S:
        return [trim(clip, "end", from_s - end_s, material)]
    if after_s >= SHORTEST_S:
        return [replace(trim(clip, "start", to_s - start_s, material), start_s=ms(from_s))]
    return []


def rippled(before: Cue, after: Cue, places: Places, by_s: float, material: Material) -> Cue:
    """Move what follows edited clips on their tracks by the same time.

    Args:
        before: the cue before the edit.
        after: the cue after it, its clips at the same places.
        places: the edited clips.
        by_s: how much later the end of the last of them is [s].
        material: lengths of clips.
    """
    if not places or not by_s:
        return after
    tracks: dict[int, Track] = {}
    for t in {t for t, _ in places}:
        ends_s = max(material.end_s(clip_at(before, place)) for place in places if place[0] == t)
        clips = [
            replace(clip, start_s=ms(max(0.0, clip.start_s + by_s)))
            if (t, i) not in places and clip.start_s >= ends_s - 1e-6
            else clip
            for i, clip in enumerate(clips_of(after.tracks[t]))
        ]
        tracks[t] = with_clips(after.tracks[t], clips)
    return with_tracks(after, tracks)


def closed(cue: Cue, places: Places, material: Material) -> Edited:
    """Remove clips, and let what follows on their tracks move earlier by their length.

    Raises:
        EditError: one of their tracks is locked.
    """
    unlocked(cue, {t for t, _ in places})
    tracks: dict[int, Track] = {}
    for t in {t for t, _ in places}:
        clips = clips_of(cue.tracks[t])
        gone = [(c.start_s, material.length_s(c)) for i, c in enumerate(clips) if (t, i) in places]
        kept = [
            replace(c, start_s=ms(max(0.0, c.start_s - _sum_before(gone, c.start_s))))
            for i, c in enumerate(clips)
            if (t, i) not in places
        ]
        tracks[t] = with_clips(cue.tracks[t], kept)
    return Edited(with_tracks(cue, tracks), frozenset())


def _sum_before(gone: Collection[tuple[float, float]], time_s: float) -> float:
    return sum(length_s for start_s, length_s in gone if start_s < time_s)


def excerpt(cue: Cue, from_s: float, to_s: float, material: Material) -> Cue:
    """Return the part of a cue between two times, as a cue that starts at once.

    Motions and sounds that are under way at its start play on from their middle.
    """
    whole = material.cue_s(cue)
    tracks = {t: replace(track, locked=False) for t, track in enumerate(cue.tracks)}
    part = with_tracks(cue, tracks)
    if to_s < whole:
        part = cut(part, to_s, whole + 1.0, material)
    if from_s > 0.0:
        part = cut(part, 0.0, from_s, material)
    waits: dict[str, Any] = {"pre_wait_s": 0.0, "post_wait_s": 0.0}
    return replace(part, **waits, continue_mode="none", next=None, armed=True)


def safe_entry(cue: Cue, time_s: float) -> float:
    """Return the last safe point at or before a time, or the cue's start [s]."""
    return max((p for p in cue.safe_points_s if p <= time_s), default=0.0)


def _begins_after(track: Track, at_s: float) -> bool:
    return any(clip.start_s >= at_s - 1e-6 for clip in clips_of(track))


def _marks_moved(cue: Cue, move: Callable[[float], float | None]) -> Cue:
    """Return a cue whose markers and safe points are moved; None removes one."""
    points = {moved for p in cue.safe_points_s if (moved := move(p)) is not None}
    markers = [(move(marker.time_s), marker) for marker in cue.markers]
    values: dict[str, Any] = {
        "safe_points_s": tuple(sorted(points)),
        "markers": tuple(replace(m, time_s=t) for t, m in markers if t is not None),
    }
    if cue.tempo is not None:
        first_s = move(cue.tempo.first_s)
        values["tempo"] = replace(cue.tempo, first_s=first_s) if first_s is not None else cue.tempo
    return replace(cue, **values)
