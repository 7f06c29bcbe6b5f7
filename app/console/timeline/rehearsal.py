"""Rehearsal of a range: the simulated robot plays a part of a cue again and again."""

from typing import Literal, TypeAlias

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from app.console.context.context import Context
from app.console.cues.caller import Caller
from app.console.files.publisher import Publisher
from app.console.timeline.editor import LOCKED, Editor
from app.console.timeline.time_edits import excerpt, safe_entry
from core.link.status import Status

AGAIN_MS = 600  # between two passes: longer than any guard of GO that shows use
STANDING = ("READY", "PERFORM", "WALK")
State: TypeAlias = Literal["off", "sending", "starting", "playing", "resting"]

ONLY_SIMULATED = "A range rehearses on a simulated robot only; on a real one press GO."
NOT_STANDING = "The robot does not stand: stand it up, then rehearse the range."
BUSY = "A cue is running: wait for its end or cancel it, then rehearse the range."
EMPTY = "The cue has no clips in this range; select another range."


class RangeRehearsal(QObject):
    """Gives the core the range as the cue's content while it rehearses, and the cue afterwards.

    Attributes:
        state: what is being done.
        entry_s: time of the cue at which the rehearsed part begins [s].

    Signals:
        changed: the state.
        refused: it could not begin, or has ended by itself, with the reason in one sentence.
    """

    changed = Signal()
    refused = Signal(str)

    def __init__(
        self, context: Context, caller: Caller, publisher: Publisher, editor: Editor
    ) -> None:
        super().__init__(editor)
        self.state: State = "off"
        self.entry_s = 0.0
        self._context, self._caller = context, caller
        self._publisher, self._editor = publisher, editor
        self._number = ""
        self._again = QTimer(self, singleShot=True, interval=AGAIN_MS)
        self._again.timeout.connect(self._send)
        context.link.status_changed.connect(self._take_status)
        context.link.connected_changed.connect(lambda _: self._lose())
        context.document.opened.connect(self.end)
        context.lock.changed.connect(lambda _: self.end())
        publisher.state_changed.connect(self._take_publisher)

    @property
    def active(self) -> bool:
        """Whether a range is being rehearsed."""
        return self.state != "off"

    def toggle(self) -> None:
        """Begin, or end."""
        if self.active:
            self.end()
        else:
            self.begin()

    def begin(self) -> None:
        """Rehearse the range, or the cue from the playhead, from the last safe point before it."""
        link = self._context.link
        status = link.status
        reason = ""
        if self._context.lock.locked:
            reason = LOCKED
        elif link.hello is None or not link.hello.simulated:
            reason = ONLY_SIMULATED
        elif status is None or status.mode not in STANDING:
            reason = NOT_STANDING
        elif status.running_cues:
            reason = BUSY
        if reason:
            self.refused.emit(reason)
            return
        self._number = self._editor.number
        self._send()

    def end(self) -> None:
        """End the rehearsal; the core gets the cue as it is."""
        if not self.active:
            return
        status = self._context.link.status
        if status is not None and self._number in status.running_cues:
            self._caller.cancel()
        self._again.stop()
        self._publisher.substitute(None)
        self._set("off")

    # Inside

    def _send(self) -> None:
        """Give the core the range as it is now; edits since the last pass are in it."""
        editor = self._editor
        cue, material = editor.saved, editor.material
        if cue is None or editor.number != self._number:
            self.end()
            return
        low, high = editor.span or (editor.playhead_s, material.cue_s(cue))
        entry_s = safe_entry(cue, low)
        part = excerpt(cue, entry_s, high, material)
        if not any(part.playing_clips()):
            self._stop(EMPTY)
            return
        if entry_s > 0.0:
            part = msgspec.structs.replace(part, entry_stance="any")
        self.entry_s = entry_s
        show = self._context.document.show
        cues = tuple(part if c.number == self._number else c for c in show.cues)
        self._publisher.substitute(msgspec.structs.replace(show, cues=cues))
        self._set("sending")

    def _take_publisher(self) -> None:
        if self.state == "sending" and self._publisher.state == "refused":
            self._stop(f"The range was refused: {self._publisher.reason}")

    def _take_status(self, status: Status) -> None:
        if not self.active:
            return
        runs = self._number in status.running_cues
        if status.mode not in STANDING:
            self._stop("The robot no longer stands: the rehearsal of the range has ended.")
        elif self.state == "sending" and self._publisher.current and not status.running_cues:
            self._set("starting")
            if not self._caller.go(self._number):
                self._stop("GO was refused: the rehearsal of the range has ended.")
        elif self.state == "starting" and runs:
            self._set("playing")
        elif self.state == "playing" and not runs:
            self._set("resting")
            self._again.start()

    def _lose(self) -> None:
        if self.active and not self._context.link.connected:
            self._stop("The core is lost: the rehearsal of the range has ended.")

    def _stop(self, reason: str) -> None:
        self.end()
        self.refused.emit(reason)

    def _set(self, state: State) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit()
