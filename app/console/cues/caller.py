"""Who calls the cues: every GO passes here, and what the core says of the cues arrives here."""

import re
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.console.context import Context
from app.console.cues.go_guard import GoGuard
from app.console.cues.playback import Playback
from app.console.cues.verdicts import Verdicts
from core.link.messages import (
    Cancel,
    Event,
    Go,
    GoTo,
    PauseShow,
    ResetShow,
    ResumeShow,
    Status,
)

_REFUSED = re.compile(
    r"^(?:GO|go to|pause the show|resume the show|reset the show|cancel) refused: "
)

GAP_S = 1.5  # between statuses; a core starts no faster, and a busy machine is silent as long
LEAST_RATE_HZ = 10.0  # a fifth of what a core sends


def is_other_core(before: Status, now: Status) -> bool:
    """Tell whether a status comes from a core that was started since another came."""
    steps, gap_s = now.sequence - before.sequence, now.host_stamp_s - before.host_stamp_s
    return steps < 0 or (gap_s > GAP_S and steps < LEAST_RATE_HZ * gap_s)


class Caller(QObject):
    """Owns the double-GO guard and what is known of the cues.

    Attributes:
        guard: whether the next GO counts.
        playback: which cue is on standby, next, running.
        verdicts: what preflight says.

    Signals:
        cues_changed: a set of numbers of cues whose state is another one.
        paused_changed: the show's clock is held, or goes on.
        verdicts_changed: a verdict may be another one.
        went: a GO was sent.
        disregarded: a GO was received and does not count, with the reason.
        refused: the core refused a command, or nothing could be sent, with the reason.
        told: what was asked of the core, in words.
    """

    cues_changed = Signal(object)
    paused_changed = Signal(bool)
    verdicts_changed = Signal()
    went = Signal()
    disregarded = Signal(str)
    refused = Signal(str)
    told = Signal(str)

    def __init__(
        self,
        context: Context,
        parent: QObject | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._context, self._clock = context, clock
        self.guard = GoGuard()
        self.playback, self.verdicts = Playback(), Verdicts()
        self._last: Status | None = None
        self._take_preferences()
        link = context.link
        link.status_changed.connect(self._take_status)
        link.events_arrived.connect(self._take_events)
        link.connected_changed.connect(self._take_connected)
        link.refused.connect(self.refused)
        context.preferences.changed.connect(self._take_preferences)
        context.document.changed.connect(self._take_document)
        context.document.opened.connect(self._forget_verdicts)
        if link.status is not None and link.connected:
            self._take_status(link.status)

    @property
    def guarded(self) -> bool:
        """Whether a GO would be disregarded now."""
        return bool(self.guard.reason(self._clock()))

    # What the operator asks

    def go(self, cue: str | None = None, by_key: bool = False) -> bool:
        """Start the cue on standby, or one by number, if this GO counts; tell whether it was sent.

        Args:
            cue: number of the cue; None is the one on standby.
            by_key: a key was pressed, whose release `release` will be told.
        """
        reason = self.guard.press(self._clock(), by_key)
        if reason:
            self.disregarded.emit(reason)
            return False
        sent = self._context.link.send(Go(cue))
        if sent:
            self.went.emit()
        return sent

    def release(self) -> None:
        """Take that the GO key was let go, or can no longer be seen."""
        self.guard.release(self._clock())

    def go_to(self, number: str) -> None:
        """Put a cue on standby."""
        if self._context.link.send(GoTo(number)):
            self.told.emit(f"asked: cue {number} on standby")

    def step_standby(self, step: int) -> None:
        """Put the cue above (-1) or below (1) the one on standby on standby."""
        numbers = [cue.number for cue in self._context.document.show.cues]
        if not numbers:
            return
        standby = self.playback.standby
        place = numbers.index(standby) + step if standby in numbers else len(numbers) - 1
        if 0 <= place < len(numbers):
            self.go_to(numbers[place])

    def pause_or_resume(self) -> None:
        """Hold the show, or let it go on."""
        if self.playback.paused:
            self.resume()
        else:
            self.pause()

    def pause(self) -> None:
        """Hold the show's clock."""
        if self._context.link.send(PauseShow()):
            self.told.emit("asked: pause")

    def resume(self) -> None:
        """Let the show's clock run on."""
        if self._context.link.send(ResumeShow()):
            self.told.emit("asked: resume")

    def reset(self) -> None:
        """End every cue and put the first on standby."""
        if self._context.link.send(ResetShow()):
            self.told.emit("asked: reset the show")

    def cancel(self) -> None:
        """End every cue and gesture."""
        if self._context.link.send(Cancel()):
            self.told.emit("asked: cancel")

    def expect_verdicts(self) -> None:
        """Take that the core was just asked to load the document as it is."""
        self.verdicts.ask(self._context.document.show)

    # What the core says

    def _take_status(self, status: Status) -> None:
        if self._last is not None and is_other_core(self._last, status):
            self._forget_verdicts()
        self._last = status
        paused = self.playback.paused
        self._emit(self.playback.update(status, self._context.document.show))
        if paused != self.playback.paused:
            self.paused_changed.emit(self.playback.paused)

    def _take_events(self, events: list[Event]) -> None:
        self.playback.hear(events)
        if self.verdicts.hear(events, self._context.document.show):
            self.verdicts_changed.emit()
        for event in events:
            if event.actor == "core" and _REFUSED.match(event.text):
                self.refused.emit(event.text)

    def _take_connected(self, connected: bool) -> None:
        if not connected:
            self._emit(self.playback.forget())

    def _take_preferences(self) -> None:
        value = self._context.preferences.value
        self.guard.minimum_s, self.guard.key_up = value.go_minimum_s, value.go_key_up

    def _take_document(self) -> None:
        link = self._context.link
        if link.status is not None and link.connected:
            self._take_status(link.status)

    def _forget_verdicts(self) -> None:
        """Know no verdict, until the core has loaded a show."""
        self.verdicts.forget()
        self.verdicts_changed.emit()

    def _emit(self, changed: set[str]) -> None:
        if changed:
            self.cues_changed.emit(changed)
