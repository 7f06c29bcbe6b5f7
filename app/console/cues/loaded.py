"""Which show the core has, beside the one that is open: the same, a version of it, or another."""

import re

from core.link.playbill import Playbill
from core.link.status import Status
from shows.document import Show

KEPT = 16  # versions of the document that are remembered
_CONSOLE = re.compile(r"console-(\d+)-")


def who(sender: str, own_pid: int) -> str:
    """Return, in words, the operator whose show is loaded.

    Args:
        sender: as the playbill names it.
        own_pid: number of this process.
    """
    console = _CONSOLE.match(sender)
    if console is None:
        return f"by {sender}" if sender else "at its start"
    pid = int(console[1])
    return "by this console" if pid == own_pid else f"by another console (process {pid})"


class Loaded:
    """Owns the facts of the loaded show; none is guessed from the document.

    Attributes:
        playbill: that of the newest status; None until the core has sent it.
        tested: the document as the core was given it; None where that is not known.
        foreign: the core has another show than the one that is open: of another name, or, where
            it had a version of the open one before, and now another show.
    """

    def __init__(self) -> None:
        self.playbill: Playbill | None = None
        self.tested: Show | None = None
        self.foreign = False
        self._names: dict[str, str] = {}
        self._versions: dict[str, Show] = {}
        self._was_ours = False

    @property
    def numbers(self) -> list[str]:
        """Numbers of its cues, in order."""
        return list(self._names)

    def name(self, number: str) -> str:
        """Return a cue's number and name."""
        name = self._names.get(number, "")
        return f"{number}  {name}" if name else number

    def add_version(self, path: str, show: Show) -> None:
        """Take under which path the core gets a version of the open document."""
        self._versions.pop(path, None)
        self._versions[path] = show
        played = "" if self.playbill is None else self.playbill.path
        others = [old for old in self._versions if old not in (path, played)]
        for old in others[: max(len(self._versions) - KEPT, 0)]:
            del self._versions[old]

    def forget_versions(self) -> None:
        """Take that another document is open."""
        self._versions = {}
        self._was_ours = False

    def update(self, status: Status | None, playbill: Playbill | None, document: Show) -> bool:
        """Take the core's report and the open document; return whether anything has changed."""
        if playbill is None or status is None or playbill.stamp_s != status.show_stamp_s:
            playbill = None
        tested = None if playbill is None else self._versions.get(playbill.path)
        foreign = (
            playbill is not None
            and bool(playbill.cues)
            and tested is None
            and (playbill.show != document.name or self._was_ours)
        )
        self._was_ours |= tested is not None
        before = self.playbill, self.tested, self.foreign
        if playbill is not self.playbill:
            self._names = {} if playbill is None else {c.number: c.name for c in playbill.cues}
        self.playbill, self.tested, self.foreign = playbill, tested, foreign
        same = before[0] is playbill and before[1] is tested
        return not same or before[2] is not foreign
