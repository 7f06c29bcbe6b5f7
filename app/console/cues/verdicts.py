"""Preflight's result of each cue of the loaded show, as the core reports it."""

from dataclasses import dataclass
from typing import Literal

from core.link.playbill import Entry, Playbill
from shows.document import Cue, Show

Kind = Literal["passed", "refused", "unknown", "empty"]


@dataclass(frozen=True, slots=True)
class CueVerdict:
    """The preflight state of a cue.

    Attributes:
        kind: GO is allowed, is refused, the result is unknown, or the cue has no contents.
        reason: why, for the operator.
        time_s: time of the refused moment in the cue [s].
    """

    kind: Kind
    reason: str
    time_s: float = 0.0


_PASSED = CueVerdict("passed", "passed its preflight")
_EMPTY = CueVerdict("empty", "has no contents: its GO does nothing but continue the list")
_UNTESTED = CueVerdict("unknown", "not tested yet; the core tests every cue of a show it loads")
_CHANGED = CueVerdict("unknown", "changed since its preflight; the core tests it when no cue runs")


class Verdicts:
    """Owns the verdicts; a cue that was changed since it was tested has none."""

    def __init__(self) -> None:
        self._tested: dict[str, Cue] = {}
        self._refusals: dict[str, Entry] = {}

    def take(self, playbill: Playbill | None, tested: Show | None) -> None:
        """Take the core's report.

        Args:
            playbill: of the loaded show; None where that is not known.
            tested: the document as it was when the core was given this version; None where the
                core has got its show from elsewhere.
        """
        if playbill is None or tested is None:
            self._tested, self._refusals = {}, {}
            return
        self._tested = {cue.number: cue for cue in tested.cues}
        self._refusals = {cue.number: cue for cue in playbill.cues}

    def of(self, cue: Cue) -> CueVerdict:
        """Return the result of a cue."""
        tested, entry = self._tested.get(cue.number), self._refusals.get(cue.number)
        if tested is None or entry is None:
            return _UNTESTED
        if not _alike(tested, cue):
            return _CHANGED
        if entry.refusal:
            return CueVerdict("refused", entry.refusal, entry.refusal_s)
        return _PASSED if any(track.clips for track in cue.tracks) else _EMPTY


def _alike(tested: Cue, cue: Cue) -> bool:
    """Tell whether preflight would find the same; mostly they share their tracks."""
    return tested.tracks is cue.tracks or tested.tracks == cue.tracks
