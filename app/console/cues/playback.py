"""The state of each cue in the core's status: on standby, next, waiting, running."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from core.link.catalogue.show import CUE_STARTED
from core.link.event import Event
from core.link.status import Status

Run = Literal["", "waits", "runs", "paused"]


@dataclass(frozen=True, slots=True)
class CueState:
    """One cue in the core's report.

    Attributes:
        standby: GO starts it.
        next: it will be on standby after the next GO.
        run: it waits for its pre-wait to end, runs, or is paused; empty where it does not run.
        elapsed_s: since its start, in tenths [s]; None where that is not known.
        length_s: of its timeline [s]; None where that is not known.
    """

    standby: bool = False
    next: bool = False
    run: Run = ""
    elapsed_s: float | None = None
    length_s: float | None = None

    @property
    def share(self) -> float | None:
        """How much of it is over, 0 to 1."""
        if self.elapsed_s is None or not self.length_s:
            return None
        return min(1.0, max(0.0, self.elapsed_s / self.length_s))

    @property
    def left_s(self) -> float | None:
        """Time left [s]."""
        if self.elapsed_s is None or self.length_s is None:
            return None
        return max(0.0, self.length_s - self.elapsed_s)


IDLE = CueState()


class Playback:
    """Owns the newest state of the cues.

    Attributes:
        standby: number of the cue that GO starts, or empty.
        following: number of the cue on standby after that GO, or empty.
        paused: the show clock is held.
        foreign: these cues are of another show than the one that is open here.
    """

    def __init__(self) -> None:
        self.standby = ""
        self.following = ""
        self.paused = False
        self.foreign = False
        self._states: dict[str, CueState] = {}
        self._starts_s: dict[str, float] = {}
        self._lengths_s: dict[str, float] = {}
        self._begun: set[str] = set()

    def of(self, number: str) -> CueState:
        """Return the state of a cue of the open show."""
        return IDLE if self.foreign else self.told(number)

    def told(self, number: str) -> CueState:
        """Return the state of a cue of the core's show."""
        return self._states.get(number, IDLE)

    @property
    def running(self) -> tuple[str, ...]:
        """Numbers of the cues that wait or run, oldest first."""
        return tuple(number for number, state in self._states.items() if state.run)

    def forget(self) -> set[str]:
        """Know nothing; return the numbers of the cues that look different now."""
        changed = set(self._states)
        self.standby = self.following = ""
        self.paused = self.foreign = False
        self._states = {}
        self._starts_s, self._lengths_s = {}, {}
        self._begun = set()
        return changed

    def hear(self, events: Iterable[Event]) -> None:
        """Note the cues that have begun; a status reports the newest only."""
        for event in events:
            if event.code == CUE_STARTED.code:
                self._begun.add(str(event.fields.get("cue")))

    def update(self, status: Status, known: bool = True, foreign: bool = False) -> set[str]:
        """Take a status; return the numbers of the cues that look different now.

        Args:
            status: the core's status.
            known: it has said, too, which show the numbers belong to; until then none is shown
                to be on standby.
            foreign: that is another show than the one that is open here.
        """
        turned, self.foreign = foreign is not self.foreign, foreign
        self.standby = status.standby_cue if known else ""
        self.following = status.next_cue if known else ""
        self.paused = status.paused
        if status.running_cue:
            self._starts_s[status.running_cue] = status.show_s - status.cue_elapsed_s
            self._lengths_s[status.running_cue] = status.cue_length_s
        before = self._states
        states = {number: self._running(number, status) for number in status.running_cues}
        for number in (self.standby, self.following):
            if number:
                state = states.get(number, IDLE)
                states[number] = CueState(
                    number == self.standby,
                    number == self.following and number != self.standby,
                    state.run,
                    state.elapsed_s,
                    state.length_s,
                )
        self._states = states
        live = set(status.running_cues)
        self._begun &= live
        for times in (self._starts_s, self._lengths_s):
            for number in times.keys() - live:
                del times[number]
        numbers = before.keys() | states.keys()
        return {n for n in numbers if turned or before.get(n, IDLE) != states.get(n, IDLE)}

    def _running(self, number: str, status: Status) -> CueState:
        start_s = self._starts_s.get(number)
        begun = start_s is not None or number in self._begun
        run: Run = "waits" if not begun else "paused" if status.paused else "runs"
        elapsed_s = None if start_s is None else round(max(0.0, status.show_s - start_s), 1)
        return CueState(False, False, run, elapsed_s, self._lengths_s.get(number))
