"""Edits of tracks, markers, safe points and tempo."""

from collections.abc import Mapping
from typing import Any

from app.console.cues.edits import EditError
from app.console.timeline.clip_edits import with_tracks
from app.console.timeline.material import track_title
from app.console.timeline.trimming import ms, replace
from shows.document import (
    BodyClip,
    BodyTrack,
    Clip,
    Cue,
    GestureClip,
    GestureTrack,
    HandClip,
    HandsTrack,
    HeadClip,
    HeadTrack,
    JumpClip,
    LightClip,
    LightTrack,
    LiveClip,
    LiveTrack,
    MarkClip,
    Marker,
    NetworkClip,
    NetworkTrack,
    SwayClip,
    SwayTrack,
    Tempo,
    Track,
    VoiceClip,
    VoiceTrack,
    WalkClip,
    WalkTrack,
)
from shows.fields import MAX_TRACKS

KINDS: Mapping[str, tuple[type[Track], tuple[type[Clip], ...]]] = {
    "gesture": (GestureTrack, (GestureClip,)),
    "head": (HeadTrack, (HeadClip,)),
    "hands": (HandsTrack, (HandClip,)),
    "body": (BodyTrack, (BodyClip,)),
    "sway": (SwayTrack, (SwayClip,)),
    "walk": (WalkTrack, (WalkClip, JumpClip, MarkClip)),
    "live": (LiveTrack, (LiveClip,)),
    "voice": (VoiceTrack, (VoiceClip,)),
    "light": (LightTrack, (LightClip,)),
    "network": (NetworkTrack, (NetworkClip,)),
}
"""Kind of a track to its type and the types of its clips, in the order of a new cue's tracks."""
ORDER = tuple(KINDS)
NEAR_S = 0.0005  # marks closer than this are one


def kind_of(clip: Clip) -> str:
    """Return the kind of the tracks that hold a clip."""
    return next(kind for kind, (_, holds) in KINDS.items() if isinstance(clip, holds))


def track_added(cue: Cue, kind: str, name: str = "") -> tuple[Cue, int]:
    """Add an empty track below those of its kind; return the cue and the track's index.

    Raises:
        EditError: there are too many tracks.
    """
    if len(cue.tracks) >= MAX_TRACKS:
        raise EditError(f"A cue has at most {MAX_TRACKS} tracks; use an existing one.")
    order = ORDER.index(kind)
    place = max(
        (i + 1 for i, track in enumerate(cue.tracks) if ORDER.index(track.kind) <= order), default=0
    )
    track = KINDS[kind][0](name=name)
    return replace(cue, tracks=(*cue.tracks[:place], track, *cue.tracks[place:])), place


def track_for(cue: Cue, clip: Clip) -> tuple[Cue, int]:
    """Return a cue with an unlocked track for a clip, and that track's index."""
    kind = kind_of(clip)
    for index, track in enumerate(cue.tracks):
        if track.kind == kind and not track.locked:
            return cue, index
    return track_added(cue, kind)


def track_removed(cue: Cue, index: int) -> Cue:
    """Remove a track with its clips.

    Raises:
        EditError: it is locked.
    """
    if cue.tracks[index].locked:
        raise EditError(f"The track {track_title(cue.tracks[index])} is locked; unlock it first.")
    return replace(cue, tracks=cue.tracks[:index] + cue.tracks[index + 1 :])


def track_moved(cue: Cue, index: int, down: int) -> tuple[Cue, int]:
    """Move a track among the others; return the cue and its new index."""
    tracks = list(cue.tracks)
    place = min(max(0, index + down), len(tracks) - 1)
    tracks.insert(place, tracks.pop(index))
    return replace(cue, tracks=tuple(tracks)), place


def track_changed(cue: Cue, index: int, **values: Any) -> Cue:
    """Give fields of a track other values: name, muted, solo, locked."""
    return with_tracks(cue, {index: replace(cue.tracks[index], **values)})


def marker_put(cue: Cue, time_s: float, name: str) -> Cue:
    """Add a marker, or rename the one at that time."""
    others = [m for m in cue.markers if abs(m.time_s - time_s) > NEAR_S]
    marker = Marker(time_s=ms(max(0.0, time_s)), name=name)
    return replace(cue, markers=tuple(sorted((*others, marker), key=lambda m: m.time_s)))


def marker_moved(cue: Cue, index: int, time_s: float) -> tuple[Cue, int]:
    """Move a marker; return the cue and the marker's new index."""
    moved = replace(cue.markers[index], time_s=ms(max(0.0, time_s)))
    others = cue.markers[:index] + cue.markers[index + 1 :]
    place = sum(m.time_s <= moved.time_s for m in others)
    return replace(cue, markers=(*others[:place], moved, *others[place:])), place


def marker_removed(cue: Cue, index: int) -> Cue:
    """Remove a marker."""
    return replace(cue, markers=cue.markers[:index] + cue.markers[index + 1 :])


def safe_point_toggled(cue: Cue, time_s: float) -> Cue:
    """Add a safe point, or remove the one at that time."""
    kept = tuple(p for p in cue.safe_points_s if abs(p - time_s) > NEAR_S)
    if len(kept) == len(cue.safe_points_s):
        kept = tuple(sorted((*kept, ms(max(0.0, time_s)))))
    return replace(cue, safe_points_s=kept)


def safe_point_moved(cue: Cue, index: int, time_s: float) -> tuple[Cue, int]:
    """Move a safe point; return the cue and its new index. Two at one time become one."""
    time_s = ms(max(0.0, time_s))
    others = cue.safe_points_s[:index] + cue.safe_points_s[index + 1 :]
    points = tuple(sorted({*others, time_s}))
    return replace(cue, safe_points_s=points), points.index(time_s)


def tempo_set(cue: Cue, bpm: float | None, beats: int = 4, first_s: float = 0.0) -> Cue:
    """Set the beats of a cue; None removes them.

    Raises:
        EditError: the tempo is out of bounds.
    """
    if bpm is None:
        return replace(cue, tempo=None)
    if not 20.0 <= bpm <= 400.0:
        raise EditError(f"The tempo {bpm:g} is out of bounds; type 20 to 400 beats per minute.")
    tempo = Tempo(bpm=round(bpm, 2), beats=beats, first_s=ms(max(0.0, first_s)))
    return replace(cue, tempo=tempo)
