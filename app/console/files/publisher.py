"""Sends the edited document to the core, and tracks the version that the core has."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, QTimer, Signal

from app.console.context.core_link import CoreLink
from app.console.context.document import Document
from app.console.context.notices import Notices
from app.console.files.background import Background
from app.console.files.copies import WorkingCopies
from app.console.files.snapshot import snapshot_of
from core.link.catalogue.refusals import REFUSED
from core.link.catalogue.show import SHOW_NOT_LOADED, SHOW_NOT_UNLOADED, SHOW_REFUSED
from core.link.commands import LoadShow
from core.link.event import Event
from core.link.status import Status
from core.link.wording import text
from shows.document import Show

State: TypeAlias = Literal[
    "no_core",
    "nothing",
    "copying",
    "waiting",
    "checking",
    "ready",
    "refused",
    "displaced",
    "foreign",
]
WORDS: dict[State, str] = {
    "no_core": "the core is not there",
    "nothing": "no show is open",
    "copying": "the core gets the show",
    "waiting": "the core still has the former version; it gets this one when no cue runs",
    "checking": "checking edits; the previous version is still loaded",
    "ready": "the core has this version",
    "refused": "the core refused this version and still has the former one",
    "displaced": "somebody else gave the core another show, or took this one out; press Send to "
    "core to give it this one",
    "foreign": "the core has a show that is not open here; open it, or another one",
}
_LATER = frozenset({SHOW_NOT_LOADED.code, SHOW_NOT_UNLOADED.code})  # a cue runs
SETTLE_MS = 700  # edits within this time go to the core together
ANSWER_S = 180.0  # a long show is tested for minutes


class Publisher(QObject):
    """Owns the question which version of the document the core plays.

    An edit must not move the playhead: the core is asked to leave it where it is.

    Attributes:
        state: where the newest version of the document is.
        reason: why it was refused; empty otherwise.

    Signals:
        core_has_changed: the core has, or has no longer, the document as it is now.
        state_changed: the state, or the reason, is another one.
        version_made: a folder holds a version of the document (Show), for the core to load.
    """

    core_has_changed = Signal(bool)
    state_changed = Signal()
    version_made = Signal(str, object)

    def __init__(
        self,
        link: CoreLink,
        document: Document,
        notices: Notices,
        root: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.state: State = "no_core"
        self.reason = ""
        self._link, self._document, self._notices = link, document, notices
        self._copies = WorkingCopies(root)
        self._background = Background(self)
        self._version = 0
        self._copied: tuple[int, str] = (-1, "")  # version and its folder
        self._copying = False
        self._asked = ""  # the folder that the core was ordered to load, until it answers
        self._asked_s = 0.0
        self._settled = ""  # the folder of ours that the core had last
        self._standby = ""  # the cue on standby before the load
        self._first = True  # nothing was published yet: the core may have this show from before
        self._fresh = False  # another show was opened: its first cue is on standby
        self._path: Path | None = None  # of the show that was opened last
        self._sequence = 0
        self._substitute: Show | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._step)
        document.changed.connect(self._edited)
        document.opened.connect(self._opened)
        link.status_changed.connect(self._hear)
        link.events_arrived.connect(self._listen)
        link.connected_changed.connect(self._step)

    @property
    def current(self) -> bool:
        """The core has the document as it is now."""
        return self.state == "ready"

    @property
    def words(self) -> str:
        """The meaning of the state, for the operator."""
        return f"{WORDS[self.state]}: {self.reason}" if self.reason else WORDS[self.state]

    def publish(self) -> None:
        """Give the core this version without waiting for further edits; also again."""
        self._timer.stop()
        if self.state in ("refused", "displaced"):
            self._fresh |= self.state == "displaced"
            self._copied, self._settled = (-1, ""), ""
            self._set("copying")
        self._step()

    def substitute(self, show: Show | None) -> None:
        """Give the core another content of the document, such as a part of a cue; None: no more.

        Standby and selection stay, for the cues keep their numbers.
        """
        if show != self._substitute:
            self._substitute = show
            self._version += 1
            if self.state in ("ready", "refused"):
                self._set("copying")
            self._timer.stop()
            self._step()

    def close(self) -> None:
        """Stop; the core keeps its show."""
        self._timer.stop()
        self._background.close()

    def _edited(self) -> None:
        self._version += 1
        if self.state in ("ready", "refused"):  # a show that was displaced waits for publish
            self._set("copying")
        self._timer.start(SETTLE_MS)

    def _opened(self) -> None:
        path = self._document.path
        again = path is not None and path == self._path  # recovered, or read again: it continues
        self._fresh, self._standby = not self._first and (self._fresh or not again), ""
        self._path = path
        self.publish()

    def _hear(self, status: Status) -> None:
        if status.sequence < self._sequence:  # another core: it has nothing of ours
            self._asked = self._settled = ""
            if self.state in ("displaced", "refused"):
                self._set("copying")
        self._sequence = status.sequence
        self._step()

    def _listen(self, events: list[Event]) -> None:
        for event in events:
            if not self._asked:
                return
            if event.code == SHOW_REFUSED.code:
                self._refuse(text(event))
            elif event.code in _LATER or _refused_load(event):
                self._asked = ""  # a cue was started meanwhile: ask again when none runs

    def _step(self) -> None:
        """Do the next step that brings the newest version to the core."""
        status = self._link.status
        if not self._link.connected or status is None:
            self._asked = ""
            self._set("no_core")
            return
        if self._document.path is None and not self._document.show.cues:
            self._set("foreign" if status.show_path else "nothing")
            return
        if self._asked:
            self._await(status)
        if self._timer.isActive() or self._copying or self._asked:
            return
        if self.state in ("refused", "displaced"):
            return
        version, folder = self._copied
        ours = (self._settled, folder)
        if self._settled and status.show_stamp_s and status.show_path not in ours:
            self._set("displaced")
        elif version != self._version:
            self._copy(status.show_path)
        elif status.show_path == folder:
            self._settled, self._first, self._fresh = folder, False, False
            self._set("ready")
        elif status.running_cues:
            self._set("waiting")
        else:
            self._ask(folder, status)

    def _copy(self, in_use: str) -> None:
        if self.state != "waiting":
            self._set("copying")
        self._copying = True
        version, snapshot = self._version, snapshot_of(self._document)
        if self._substitute is not None:
            snapshot = replace(snapshot, show=self._substitute)

        def copied(folder: Path) -> None:
            self._copying = False
            self._copied = (version, str(folder))
            if version == self._version:
                self.version_made.emit(str(folder), snapshot.show)
            self._step()

        def failed(error: Exception) -> None:
            self._copying = False
            if version == self._version:
                self._copied = (version, "")
                self._refuse(str(error))
            else:
                self._step()

        self._background.run(lambda: self._copies.make(snapshot, in_use), copied, failed)

    def _ask(self, folder: str, status: Status) -> None:
        if self._first and status.show != self._document.show.name:
            self._fresh = True
        self._standby = "" if self._fresh else status.standby_cue
        if self._link.send(LoadShow(folder, keep_standby=not self._fresh)):
            self._asked, self._asked_s = folder, time.monotonic()
            self._set("checking")

    def _await(self, status: Status) -> None:
        """Check whether the core has loaded the requested folder."""
        if status.show_path == self._asked:
            self._settled, self._asked = self._asked, ""
            self._tell_standby(status.standby_cue)
        elif time.monotonic() - self._asked_s > ANSWER_S:
            self._refuse("it gave no answer; send it again, or look into the event log")
        elif not self._fresh:
            self._standby = status.standby_cue  # a GO meanwhile moves it

    def _tell_standby(self, now: str) -> None:
        """Say so where the cue on standby is gone with an edit."""
        gone = self._standby
        if gone and all(cue.number != gone for cue in self._document.show.cues):
            then = f"cue {now} is on standby" if now else "none is on standby"
            self._notices.say(f"cue {gone} is gone: {then}", "warning")
        self._standby = ""

    def _refuse(self, reason: str) -> None:
        self._asked = ""
        if self._copied[0] == self._version:
            self._set("refused", reason)
            self._notices.say(f"{WORDS['refused']}: {reason}", "warning")

    def _set(self, state: State, reason: str = "") -> None:
        if (state, reason) == (self.state, self.reason):
            return
        before = self.current
        self.state, self.reason = state, reason
        self.state_changed.emit()
        if before != self.current:
            self.core_has_changed.emit(self.current)


def _refused_load(event: Event) -> bool:
    return event.code == REFUSED.code and event.fields.get("command") == "load_show"
