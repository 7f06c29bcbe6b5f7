"""Renaming, duplicating and deleting the show's motions: the result, or why it is refused."""

import re
from collections.abc import Container, Mapping
from dataclasses import replace

import msgspec

from shows.document import Cue, GestureClip, GestureTrack, Show, Track
from shows.motion import Motion

MAX_TITLE, MAX_NAME = 200, 64


class EditRefused(Exception):
    """An edit that cannot be made; `str()` is one sentence for the operator."""


def name_of(title: str) -> str:
    """Return a title as a motion's name, in snake case; empty if nothing of it is left."""
    name = re.sub(r"[^a-z0-9]+", "_", title.casefold()).strip("_")
    return re.sub(r"^[^a-z]+", "", name)[:MAX_NAME]


def renamed(
    show: Show, motions: Mapping[str, Motion], name: str, title: str, taken: Container[str]
) -> tuple[Show, dict[str, Motion]]:
    """Return show and motions with a motion under another title, and its cues' clips with it.

    Args:
        show: the document.
        motions: its motions, by name.
        name: the motion's present name.
        title: its new title, of which its new name is made.
        taken: names that other gestures have.

    Raises:
        EditRefused: the title gives no name, or one that another gesture has.
    """
    title = title.strip()[:MAX_TITLE]
    fresh = name_of(title)
    if not fresh:
        raise EditRefused(
            f"{name!r} was not renamed, for {title!r} has no letter from a to z; choose a title "
            "with one"
        )
    if fresh != name and fresh in taken:
        raise EditRefused(
            f"{name!r} was not renamed, for there is a gesture {fresh!r} already; choose another "
            "title"
        )
    after = {}
    for other, motion in motions.items():
        if other == name:
            after[fresh] = replace(motion, name=fresh, title=title)
        else:
            after[other] = motion
    cues = tuple(_with_motion(cue, name, fresh) for cue in show.cues)
    return msgspec.structs.replace(show, cues=cues), after


def duplicated(
    motions: Mapping[str, Motion], motion: Motion, title: str, taken: Container[str]
) -> tuple[str, dict[str, Motion]]:
    """Return the copy's name, and the motions with it.

    Args:
        motions: the show's.
        motion: the one to copy, of the show or of the library.
        title: its title.
        taken: names that other gestures have.
    """
    title = re.sub(r" \d{1,4}$", "", title)  # a copy of "Wave 2" is "Wave 3"
    stem = name_of(title) or motion.name
    number = 2
    while (name := _numbered(stem, number)) in taken:
        number += 1
    copy = replace(motion, name=name, title=f"{title[: MAX_TITLE - 6]} {number}")
    return name, {**motions, name: copy}


def deleted(show: Show, motions: Mapping[str, Motion], name: str) -> dict[str, Motion]:
    """Return the motions without one.

    Raises:
        EditRefused: a cue plays it.
    """
    users = [cue.number for cue in show.cues if _plays(cue, name)]
    if users:
        cues = ", ".join(users[:5]) + (" and more" if len(users) > 5 else "")
        raise EditRefused(
            f"{name!r} was not deleted, for it is played by cue {cues}; take it out there first"
        )
    return {other: motion for other, motion in motions.items() if other != name}


def _numbered(stem: str, number: int) -> str:
    ending = f"_{number}"
    return stem[: MAX_NAME - len(ending)] + ending


def _plays(cue: Cue, name: str) -> bool:
    return any(isinstance(clip, GestureClip) and clip.motion == name for clip in cue.clips())


def _with_motion(cue: Cue, name: str, fresh: str) -> Cue:
    if not _plays(cue, name):
        return cue

    def clip_after(clip: GestureClip) -> GestureClip:
        return msgspec.structs.replace(clip, motion=fresh) if clip.motion == name else clip

    def track_after(track: Track) -> Track:
        if not isinstance(track, GestureTrack):
            return track
        return msgspec.structs.replace(track, clips=tuple(clip_after(c) for c in track.clips))

    return msgspec.structs.replace(cue, tracks=tuple(track_after(t) for t in cue.tracks))
