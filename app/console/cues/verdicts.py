"""Preflight's result of each cue of the loaded show, as the core reports it."""

from dataclasses import dataclass
from typing import Literal

from core.link.playbill import Playbill
from shows.document import Cue, Show

Kind = Literal["passed", "refused", "unknown"]


@dataclass(frozen=True, slots=True)
class CueVerdict:
    """The preflight state of a cue.

    Attributes:
        kind: GO is allowed, is refused, or the result is unknown.
        reason: why, for the operator.
    """

    kind: Kind
    reason: str


_PASSED = CueVerdict("passed", "passed its preflight")
_UNTESTED = CueVerdict("unknown", "not tested yet; the core tests every cue of a show it loads")
_CHANGED = CueVerdict("unknown", "changed since its preflight; the core tests it when no cue runs")


class Verdicts:
    """Owns the verdicts; a cue that was changed since it was tested has none."""

    def __init__(self) -> None:
        self._tested: dict[str, Cue] = {}
        self._refusals: dict[str, str] = {}

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
        self._refusals = {cue.number: cue.refusal for cue in playbill.cues}

    def of(self, cue: Cue) -> CueVerdict:
        """Return the result of a cue."""
        tested, refusal = self._tested.get(cue.number), self._refusals.get(cue.number)
        if tested is None or refusal is None:
            return _UNTESTED
        if not _alike(tested, cue):
            return _CHANGED
        return CueVerdict("refused", refusal) if refusal else _PASSED


def _alike(tested: Cue, cue: Cue) -> bool:
    """Tell whether preflight would find the same; mostly they share their tracks."""
    return tested.tracks is cue.tracks or tested.tracks == cue.tracks
