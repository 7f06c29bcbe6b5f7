"""Conflicts of a cue: where they are, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from app.console.timeline.material import Material, Place
from app.console.toolkit import theme
from shows.check_clips import Stock
from shows.document import (
    BodyTrack,
    Cue,
    LiveTrack,
    SwayTrack,
    VoiceTrack,
    WalkTrack,
    clips_of,
)
from shows.fields import MAX_CUE_S
from shows.live import clashes
from shows.spans import Span, overlaps, track_spans

ALONE = (BodyTrack.kind, SwayTrack.kind, WalkTrack.kind)  # what a cue has once at a time
_PAIRS = {
    BodyTrack.kind: "Two postures of the body",
    SwayTrack.kind: "Two sways",
    WalkTrack.kind: "Two walks, runs, jumps or ways to marks",
}

Gravity: TypeAlias = Literal["fault", "warning"]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A conflict in a cue.

    Attributes:
        gravity: a fault keeps the show from being loaded; a warning does not.
        place: the clip; None: the cue.
        start_s: when it begins [s].
        end_s: when it ends [s].
        reason: one sentence.
    """

    gravity: Gravity
    place: Place | None
    start_s: float
    end_s: float
    reason: str


def conflicts(cue: Cue, stock: Stock, material: Material) -> tuple[Conflict, ...]:
    """Return every conflict of a cue, in the order of time."""
    found = [*_flaws(cue, stock, material), *_marks(cue, material), *_overlaps(cue, stock)]
    found += _clashes(cue, stock)
    return tuple(sorted(found, key=lambda c: (c.start_s, c.gravity)))


def reasons(found: Sequence[Conflict]) -> str:
    """Return the reasons of conflicts in one line, faults first."""
    ordered = sorted(found, key=lambda c: c.gravity)
    marks = {"fault": theme.BAD.mark, "warning": theme.WARN.mark}
    return "   ".join(f"{marks[c.gravity]} {c.reason}" for c in ordered)


def verdict_conflict(reason: str, time_s: float) -> Conflict:
    """Return the refusal of a preflight as a conflict at its time [s]."""
    return Conflict("fault", None, time_s, time_s, f"Preflight refuses the cue: {reason}.")


def _flaws(cue: Cue, stock: Stock, material: Material) -> Iterator[Conflict]:
    for t, track in enumerate(cue.tracks):
        for i, clip in enumerate(clips_of(track)):
            end_s = material.end_s(clip)
            tell = partial(Conflict, "fault", (t, i), clip.start_s, end_s)
            for flaw in stock.flaws(clip):
                yield tell(f"{flaw.reason[:1].upper()}{flaw.reason[1:]}; {flaw.advice}.")
            if end_s > MAX_CUE_S:
                yield tell(f"The clip ends after the longest cue ({MAX_CUE_S:.0f} s); move it.")


def _marks(cue: Cue, material: Material) -> Iterator[Conflict]:
    end_s = material.cue_s(cue)
    for point_s in cue.safe_points_s:
        if point_s > end_s + 1e-6:
            reason = f"The safe point is after the cue's end at {end_s:.2f} s; move it."
            yield Conflict("fault", None, point_s, point_s, reason)


def _overlaps(cue: Cue, stock: Stock) -> Iterator[Conflict]:
    everywhere: list[Span] = []
    alone: list[Span] = []  # of kinds that a cue has once at a time
    for t, track in enumerate(cue.tracks):
        try:
            spans = track_spans(track, t, stock)
        except KeyError:  # a missing motion or phrase is told as a flaw
            continue
        if isinstance(track, (BodyTrack, SwayTrack, WalkTrack)):
            alone += spans
        else:
            for earlier, later in overlaps(spans):
                what = "Two live clips overlap"
                if not isinstance(track, LiveTrack):
                    what = f"Two clips of this track use the {_word(later.limb)}"
                reason = f"{what} here; move one."
                yield _both("fault", earlier, later, reason)
        if not cue.silent(track) and not isinstance(track, (LiveTrack, VoiceTrack)):
            everywhere += spans
    for earlier, later in overlaps(alone):
        kinds = {cue.tracks[span.track].kind for span in (earlier, later)}
        what = "A sway and a walk" if len(kinds) > 1 else _PAIRS[kinds.pop()]
        yield _both("fault", earlier, later, f"{what} overlap here; move one.")
    for earlier, later in overlaps(everywhere):
        if earlier.track != later.track and later.limb not in ALONE:
            reason = f"Two tracks use the {_word(later.limb)} here: the later clip takes it over."
            yield _both("warning", earlier, later, reason)


def _clashes(cue: Cue, stock: Stock) -> Iterator[Conflict]:
    try:
        found = tuple(clashes(cue, stock))
    except KeyError:  # a missing motion is told as a flaw
        return
    for clash in found:
        reason = f"{clash.reason[:1].upper()}{clash.reason[1:]}; {clash.advice}."
        yield _both("fault", clash.earlier, clash.later, reason)


def _both(gravity: Gravity, earlier: Span, later: Span, reason: str) -> Conflict:
    end_s = min(earlier.end_s, later.end_s)
    return Conflict(gravity, later.place, later.start_s, end_s, reason)


def _word(limb: str) -> str:
    return limb.replace("_", " ")
