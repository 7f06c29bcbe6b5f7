"""What a person leads in a cue, and the clips that may not play meanwhile."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from shows.check_clips import Stock
from shows.document import (
    BodyTrack,
    Cue,
    HeadTrack,
    LiveTrack,
    SwayTrack,
    VoiceTrack,
    WalkTrack,
)
from shows.spans import Span, overlaps, track_spans

PERFORMER: Final = "takes/performer.bvh"
"""File in a show's folder with the take that plays the person."""
ADVICE = "move or shorten one of them"
_WORDS = {
    BodyTrack.kind: "a posture of the body",
    HeadTrack.kind: "a look",
    SwayTrack.kind: "a sway",
    WalkTrack.kind: "a walk, run, jump or way to a mark",
}


@dataclass(frozen=True, slots=True)
class Clash:
    """Two clips of a cue, one of them live, that may not overlap.

    Attributes:
        earlier: the one that starts first.
        later: the other one.
        reason: one clause, without a full stop.
        advice: what to do.
    """

    earlier: Span
    later: Span
    reason: str
    advice: str = ADVICE


def performer_of(folder: Path) -> Path | None:
    """Return the take of a show's folder that plays the person; None without one."""
    path = folder / PERFORMER
    return path if path.is_file() else None


def clashes(cue: Cue, stock: Stock) -> Iterator[Clash]:
    """Yield the clips of the tracks that play that lead what a person leads, at the same time.

    Two live clips of one track are left out: they are found as those of any track.

    Raises:
        KeyError: a motion or phrase is missing.
    """
    live: list[Span] = []
    others: list[Span] = []
    for j, track in enumerate(cue.tracks):
        if cue.silent(track) or isinstance(track, VoiceTrack):
            continue
        spans = track_spans(track, j, stock)
        if isinstance(track, LiveTrack):
            live += [replace(span, limb=limb) for span in spans for limb in _led(span, stock)]
        else:
            others += spans
    if not live:
        return
    tracks = {span.track for span in live}
    for earlier, later in overlaps([*live, *others]):
        if earlier.track == later.track or tracks.isdisjoint((earlier.track, later.track)):
            continue
        at = f"at {later.start_s:g} s"
        if {earlier.track, later.track} <= tracks:
            yield Clash(earlier, later, f"two live clips overlap {at}; one person leads the robot")
            continue
        kind = cue.tracks[later.track if earlier.track in tracks else earlier.track].kind
        if kind in (SwayTrack.kind, WalkTrack.kind):
            what = f"{_WORDS[kind]} and a live clip overlap {at}; a person leads a standing robot"
            yield Clash(earlier, later, what)
            continue
        limb = later.limb.replace("_", " ")
        what = f"{_WORDS.get(kind, 'a gesture')} and a live clip both move the {limb} {at}"
        yield Clash(earlier, later, what, f"{ADVICE}, or let the person lead other limbs")


def _led(span: Span, stock: Stock) -> Iterator[str]:
    """Yield what a span of a live clip uses: its limb, and what stands for it on other tracks."""
    gaze = stock.joints.gaze
    yield span.limb
    if span.limb == LiveTrack.kind:
        yield WalkTrack.kind  # a sway uses it, too
    elif gaze is not None and span.limb == stock.joints.limb_of.get(gaze.yaw):
        yield HeadTrack.kind
    elif any(limb.name == span.limb and limb.kind == "body" for limb in stock.joints.limbs):
        yield BodyTrack.kind
