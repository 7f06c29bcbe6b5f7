"""What preflight says of each cue, as far as the core's events have told it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from core.link.messages import Event
from shows.document import Cue, Show

Kind = Literal["passed", "refused", "unknown"]

_FAILED = re.compile(
    r"^(?:GO refused: )?cue (?P<number>\S+) (?:failed its preflight|plays though it failed): "
    r"(?P<reason>.*?)\.?$",
    re.DOTALL,
)
_READY = re.compile(r"^ready to play (?P<name>.*): (?P<cues>\d+) cues, \d+ gestures$", re.DOTALL)
_KEPT = re.compile(r"^.* was not loaded: .*$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a cue.

    Attributes:
        kind: it may GO, it is refused, or nobody has said yet.
        reason: why, for the operator.
    """

    kind: Kind
    reason: str


class Verdicts:
    """Owns the verdicts; a cue that was changed since it was tested has none."""

    def __init__(self) -> None:
        self._asked: Show | None = None
        self._tested: dict[str, Cue] = {}
        self._failed: dict[str, str] = {}
        self._pending: dict[str, str] = {}

    def ask(self, show: Show) -> None:
        """Take the document that the core was asked to load; its verdicts are on their way."""
        self._asked = show
        self._pending = {}

    def forget(self) -> None:
        """Know nothing, as of a core that has just started."""
        self._asked = None
        self._tested, self._failed, self._pending = {}, {}, {}

    def hear(self, events: Iterable[Event], open_show: Show) -> bool:
        """Take the core's events; tell whether a verdict may have changed.

        Args:
            events: in the order in which they came.
            open_show: the document, which the core has loaded where nothing else was asked.
        """
        changed = False
        for event in events:
            changed |= self._hear(event, open_show)
        return changed

    def of(self, cue: Cue) -> Verdict:
        """Return what is known of a cue."""
        tested = self._tested.get(cue.number)
        refusal = self._failed.get(cue.number)
        if tested is not None and not _alike(tested, cue):
            return Verdict("unknown", "changed since its preflight; save the show to test it again")
        if refusal is not None:
            return Verdict("refused", refusal)
        if tested is not None:
            return Verdict("passed", "passed its preflight")
        return Verdict("unknown", "not tested yet; the core tests every cue of a show it loads")

    def _hear(self, event: Event, open_show: Show) -> bool:
        failed = _FAILED.match(event.text)
        if failed is not None and event.actor in ("stagehand", "core", "player"):
            of_show = self._pending if event.actor == "stagehand" else self._failed
            of_show[failed["number"]] = failed["reason"]
            return event.actor != "stagehand"
        if event.actor != "core":
            return False
        ready = _READY.match(event.text)
        if ready is not None:
            show = self._asked or open_show
            same = show.name == ready["name"] and len(show.cues) == int(ready["cues"])
            self._tested = {cue.number: cue for cue in show.cues} if same else {}
            self._failed, self._pending, self._asked = self._pending, {}, None
            return True
        if _KEPT.match(event.text):
            self._pending, self._asked = {}, None
        return False


def _alike(tested: Cue, cue: Cue) -> bool:
    """Tell whether preflight would find the same; mostly they share their tracks."""
    return tested.tracks is cue.tracks or tested.tracks == cue.tracks
