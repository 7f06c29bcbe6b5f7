"""Clips on the clipboard, with the kinds of their tracks."""

from collections.abc import Sequence

import msgspec

from app.console.cues.edits import EditError
from app.console.timeline.clip_edits import Edited, added
from app.console.timeline.material import Place, Places, clips_at
from app.console.timeline.track_edits import track_added
from app.console.timeline.trimming import ms, replace
from shows.document import Cue, Track, clips_of


def copied(cue: Cue, places: Places) -> bytes:
    """Return clips as they lie on the clipboard: their tracks, with times from the first start."""
    chosen = clips_at(cue, places)
    if not chosen:
        return b""
    first_s = min(clip.start_s for _, clip in chosen)
    tracks: list[Track] = []
    for t in sorted({t for t, _ in places}):
        clips = [
            replace(clip, start_s=ms(clip.start_s - first_s)) for (u, _), clip in chosen if u == t
        ]
        track = cue.tracks[t]
        tracks.append(replace(track, clips=tuple(clips), muted=False, solo=False, locked=False))
    return msgspec.json.encode(tracks)


def pasted(cue: Cue, data: bytes, at_s: float) -> Edited:
    """Put the clipboard's clips into a cue, on tracks of the same name and kind if there are any.

    Raises:
        EditError: the clipboard holds no clips, or a track is full.
    """
    places: set[Place] = set()
    taken: set[int] = set()
    for track in _decoded(data):
        clips = [replace(clip, start_s=ms(clip.start_s + at_s)) for clip in clips_of(track)]
        cue, index = _target(cue, track, taken)
        taken.add(index)
        edited = added(cue, index, clips)
        cue = edited.cue
        places |= edited.places
    return Edited(cue, frozenset(places))


def _target(cue: Cue, track: Track, taken: set[int]) -> tuple[Cue, int]:
    """Return the cue with a track for the clips of a copied one, and its index."""
    like = [
        index
        for index, other in enumerate(cue.tracks)
        if other.kind == track.kind and not other.locked and index not in taken
    ]
    named = [index for index in like if cue.tracks[index].name == track.name]
    if like:
        return cue, (named or like)[0]
    return track_added(cue, track.kind, track.name)


def _decoded(data: bytes) -> Sequence[Track]:
    try:
        tracks = msgspec.json.decode(data, type=tuple[Track, ...])
    except (msgspec.MsgspecError, ValueError) as error:
        raise EditError("The clipboard holds no clips; copy some from a timeline.") from error
    found = [track for track in tracks if track.clips]
    if not found:
        raise EditError("The clipboard holds no clips; copy some from a timeline.")
    return found
