"""Edits of the marks and points of a show: from a show to an edited show."""

import re
from collections.abc import Collection

from msgspec.structs import replace

from app.console.cues.edits import EditError
from shows.document import Cue, HeadClip, MarkClip, Show, WalkTrack
from shows.marks import Mark, Place, Point

_WORD = re.compile(r"[a-z][a-z0-9_]{0,63}")


def title_of(name: str) -> str:
    """Return the name of a mark as it is displayed."""
    return name.replace("_", " ")


def name_of(title: str) -> str:
    """Return the name of a mark from the typed one.

    Raises:
        EditError: it is no name.
    """
    name = "_".join(title.lower().split())
    if not _WORD.fullmatch(name):
        raise EditError(
            f"{title!r} is no name of a mark; type letters, digits and spaces, a letter first."
        )
    return name


def put(show: Show, title: str, place: Place) -> Show:
    """Return a show with another mark.

    Args:
        show: the show.
        title: typed name.
        place: frame of the stage.

    Raises:
        EditError: it is no name, or there is such a mark.
    """
    marks = show.settings.marks
    return _with_marks(show, {**marks, _free(marks, "mark", title): _mark(place)})


def moved(show: Show, name: str, place: Place) -> Show:
    """Return a show in which a mark is at another place, in the frame of the stage."""
    return _with_marks(show, {**show.settings.marks, name: _mark(place)})


def renamed(show: Show, old: str, title: str) -> Show:
    """Return a show in which a mark, and the clips that walk to it, have another name.

    Raises:
        EditError: it is no name, or there is such a mark.
    """
    if name_of(title) == old:
        return show
    new = _free(show.settings.marks, "mark", title)
    marks = {new if name == old else name: mark for name, mark in show.settings.marks.items()}
    cues = tuple(_renamed(cue, old, new) for cue in show.cues)
    return replace(_with_marks(show, marks), cues=cues)


def removed(show: Show, name: str) -> Show:
    """Return a show without a mark.

    Raises:
        EditError: a cue walks to it.
    """
    for cue in show.cues:
        if any(isinstance(clip, MarkClip) and clip.mark == name for clip in cue.clips()):
            title = title_of(name)
            raise EditError(f"Cue {cue.number} walks to the mark {title}; change that clip first.")
    marks = {key: mark for key, mark in show.settings.marks.items() if key != name}
    return _with_marks(show, marks)


def put_point(show: Show, title: str, point: Point) -> Show:
    """Return a show with another point to look at.

    Args:
        show: the show.
        title: typed name.
        point: frame of the stage.

    Raises:
        EditError: it is no name, or there is such a point.
    """
    points = show.settings.points
    return _with_points(show, {**points, _free(points, "point", title): point})


def removed_point(show: Show, name: str) -> Show:
    """Return a show without a point to look at.

    Raises:
        EditError: a cue looks at it.
    """
    for cue in show.cues:
        if any(isinstance(clip, HeadClip) and clip.point == name for clip in cue.clips()):
            title = title_of(name)
            raise EditError(f"Cue {cue.number} looks at the point {title}; change that clip first.")
    points = {key: point for key, point in show.settings.points.items() if key != name}
    return _with_points(show, points)


def _with_points(show: Show, points: dict[str, Point]) -> Show:
    return replace(show, settings=replace(show.settings, points=points))


def _free(taken: Collection[str], what: str, title: str) -> str:
    """Return the name of a typed title that nothing else has."""
    name = name_of(title)
    if name in taken:
        raise EditError(f"There is a {what} {title_of(name)} already; type another name.")
    return name


def _mark(place: Place) -> Mark:
    return Mark(round(place.x, 3), round(place.y, 3), round(place.yaw, 4))


def _with_marks(show: Show, marks: dict[str, Mark]) -> Show:
    return replace(show, settings=replace(show.settings, marks=marks))


def _renamed(cue: Cue, old: str, new: str) -> Cue:
    def clips_of(track: WalkTrack) -> WalkTrack:
        clips = tuple(
            replace(clip, mark=new) if isinstance(clip, MarkClip) and clip.mark == old else clip
            for clip in track.clips
        )
        return replace(track, clips=clips)

    tracks = tuple(clips_of(t) if isinstance(t, WalkTrack) else t for t in cue.tracks)
    return replace(cue, tracks=tracks)
