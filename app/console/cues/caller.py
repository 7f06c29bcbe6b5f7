"""The caller: sends every GO and trigger, and receives the core's reports about the cues."""

import os
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.console.context.context import Context
from app.console.cues.event_clock import EventClock
from app.console.cues.go_guard import GoGuard
from app.console.cues.loaded import Loaded, who
from app.console.cues.playback import Playback
from app.console.cues.verdicts import Verdicts
from core.link.catalogue.refusals import REFUSED
from core.link.commands import Cancel, Go, GoTo, PauseShow, ResetShow, ResumeShow, StandUp
from core.link.event import Event
from core.link.improvise import command_of
from core.link.wording import text
from shows.document import Show, Trigger
from shows.uses import title_of

_CALLED = frozenset(
    {"go", "go_to", "pause_show", "resume_show", "reset_show", "cancel"}
    | {"gesture", "say", "pose_hands", "set_idle"}
)


class Caller(QObject):
    """Owns the double-GO guard and the state of the cues.

    Attributes:
        guard: whether the next GO counts.
        loaded: which show the core has.
        playback: which cue is on standby, next, running.
        verdicts: results of preflight.

    Signals:
        cues_changed: a set of numbers of cues whose state is another one.
        paused_changed: the show's clock is paused, or runs again.
        verdicts_changed: a verdict may be another one.
        loaded_changed: the state of the core's show has changed.
        went: a GO was sent.
        ignored: a GO was received and does not count, with the reason.
        refused: the core refused a command, or nothing could be sent, with the reason.
        told: a request to the core, in words.
    """

    cues_changed = Signal(object)
    paused_changed = Signal(bool)
    verdicts_changed = Signal()
    loaded_changed = Signal()
    went = Signal()
    ignored = Signal(str)
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
        self.guard, self._events = GoGuard(), EventClock()
        self.loaded, self.playback, self.verdicts = Loaded(), Playback(), Verdicts()
        self._told = ""
        self._take_preferences()
        link = context.link
        link.shown.connect(self._refresh)
        link.playbill_changed.connect(lambda _: self._refresh())
        link.events_arrived.connect(self._take_events)
        link.connected_changed.connect(self._take_connected)
        link.refused.connect(self.refused)
        context.preferences.changed.connect(self._take_preferences)
        context.document.changed.connect(self._refresh)
        context.document.opened.connect(self._opened)
        self._refresh()

    @property
    def guarded(self) -> bool:
        """Whether a GO would be ignored now."""
        return bool(self.guard.reason(self._events.time_s(self._clock())))

    @property
    def bar(self) -> str:
        """Why no cue can be meant: the core has another show than the one open here, in words.

        Empty where it has that one, and where none is open: then the core's show is meant.
        """
        document, playbill = self._context.document, self.loaded.playbill
        if not self.loaded.foreign or playbill is None:
            return ""
        if document.path is None and not document.show.cues:
            return ""
        by = who(playbill.sender, os.getpid())
        return f"the core has another show, {playbill.show}, loaded {by}"

    @property
    def rises(self) -> bool:
        """Whether GO stands the robot up: a simulated one that is limp.

        People may stand near a real one, so that a single key must not move it.
        """
        link = self._context.link
        simulated = link.hello is not None and link.hello.simulated
        return simulated and link.status is not None and link.status.mode == "DAMPED"

    # Requests of the operator

    def go(self, cue: str | None = None, by_key: bool = False, stamp_ms: int = 0) -> bool:
        """Start the cue on standby, or one by number, if this GO counts; tell whether it was sent.

        While a simulated robot is limp, a GO without a number stands it up instead.

        Args:
            cue: number of the cue; None is the one on standby.
            by_key: a key was pressed, whose release `release` will be told.
            stamp_ms: time stamp of the press itself, which may have waited for a busy program; 0
                where it has none [ms].
        """
        rises = cue is None and self.rises
        if not rises and self._is_barred("GO" if cue is None else f"GO of cue {cue}"):
            return False
        reason = self._context.link.presses.late
        if reason:
            reason = f"GO ignored: {reason}"
            self._context.notices.say(reason, "warning")
        else:
            reason = self.guard.press(self._events.time_s(self._clock(), stamp_ms), by_key)
        if reason:
            self.ignored.emit(reason)
            return False
        sent = self._context.link.send(StandUp() if rises else Go(cue))
        if sent and rises:
            self.told.emit("asked: stand up")
        elif sent:
            self.went.emit()
        return sent

    def improvise(self, trigger: Trigger) -> bool:
        """Send the command of a trigger, if its press counts; tell whether it was sent."""
        what, command = title_of(trigger), command_of(trigger.use)
        if command is None or self._is_barred(what):
            return False
        late = self._context.link.presses.late
        if late:
            ignored = f"{what} ignored: {late}"
            self._context.notices.say(ignored, "warning")
            self.ignored.emit(ignored)
            return False
        sent = self._context.link.send(command)
        if sent:
            self.told.emit(f"asked: {what}")
        return sent

    def release(self, stamp_ms: int = 0) -> None:
        """Take that the GO key was let go, at its time stamp [ms], or can no longer be seen."""
        self.guard.release(self._events.time_s(self._clock(), stamp_ms))

    def go_to(self, number: str) -> None:
        """Put a cue of the open show on standby."""
        if not self._is_barred(f"cue {number} on standby"):
            self._ask_standby(number)

    def _ask_standby(self, number: str) -> None:
        if self._context.link.send(GoTo(number)):
            self.told.emit(f"asked: cue {number} on standby")

    def step_standby(self, step: int) -> None:
        """Put the cue above (-1) or below (1) the one on standby on standby."""
        numbers = self.loaded.numbers
        if not numbers or self._is_barred("another cue on standby"):
            return
        standby = self.playback.standby
        place = numbers.index(standby) + step if standby in numbers else len(numbers) - 1
        if 0 <= place < len(numbers):
            self._ask_standby(numbers[place])

    def pause_or_resume(self) -> None:
        """Pause the show, or resume it."""
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

    def add_version(self, path: str, show: Show) -> None:
        """Take under which path the core gets a version of the open document."""
        self.loaded.add_version(path, show)
        self._refresh()

    # Reports of the core

    def _refresh(self) -> None:
        """Compare the core's report with the open show."""
        link, loaded = self._context.link, self.loaded
        if loaded.update(link.status, link.playbill, self._context.document.show):
            self.verdicts.take(loaded.playbill, loaded.tested)
            self.verdicts_changed.emit()
            self.loaded_changed.emit()
            self._tell_displaced()
        if link.status is None or not link.connected:
            return
        paused, known = self.playback.paused, loaded.playbill is not None
        self._emit(self.playback.update(link.status, known, loaded.foreign))
        if paused != self.playback.paused:
            self.paused_changed.emit(self.playback.paused)

    def _take_events(self, events: list[Event]) -> None:
        self.playback.hear(events)
        for event in events:
            if event.code == REFUSED.code and event.fields.get("command") in _CALLED:
                self.refused.emit(text(event))

    def _take_connected(self, connected: bool) -> None:
        if not connected:
            self._emit(self.playback.forget())

    def _take_preferences(self) -> None:
        value = self._context.preferences.value
        self.guard.minimum_s, self.guard.key_up = value.go_minimum_s, value.go_key_up

    def _opened(self) -> None:
        self.loaded.forget_versions()
        self._refresh()

    def _is_barred(self, what: str) -> bool:
        """Refuse to mean a cue of a show that is not the open one; tell whether it was."""
        bar = self.bar
        if bar:
            self.refused.emit(f"{what} was not asked for: {bar}")
        return bool(bar)

    def _tell_displaced(self) -> None:
        """Write into the event log, once, that the core has another show."""
        bar = self.bar
        if bar and bar != self._told:
            self._context.notices.say(f"{bar}: GO is off", "warning")
        self._told = bar

    def _emit(self, changed: set[str]) -> None:
        if changed:
            self.cues_changed.emit(changed)
