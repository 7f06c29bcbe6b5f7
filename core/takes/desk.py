"""The state machine of takes: counting in, recording, saving. It takes the time as an argument."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto

from core.link import wording
from core.link.catalogue import takes as words
from core.link.sound import VoiceCue
from core.link.statement import Severity, Statement
from core.link.take import (
    Stage,
    TakeBegin,
    TakeEnd,
    TakeMark,
    TakeOrder,
    TakePlan,
    TakeReport,
    TakeStatus,
)
from shows.take import MAX_TAKE_S, TakeHead

SILENT_S = 2.0  # of the recorder, after which a take has failed
SAVE_S = 3.0  # longest time to save the end


class Due(Enum):
    """What a take asks of the limbs."""

    PLAY = auto()  # the backing begins
    RELEASE = auto()  # punch-in: the limbs float
    HOLD = auto()  # punch-out: the limbs are held


class TakeDesk:
    """Owns the take.

    Args:
        say: takes actor, statement and severity of an event.

    Attributes:
        plan: the newest take; None before the first.
        armed: the take that `toggle` starts; None without one.
        orders: orders to the recorder, which the loop sends and clears.
        sounds: phrases to play, whose times are on the core's clock; likewise.
    """

    def __init__(self, say: Callable[[str, Statement, Severity | None], None]) -> None:
        self.plan: TakePlan | None = None
        self.armed: TakePlan | None = None
        self.orders: list[TakeOrder] = []
        self.sounds: list[VoiceCue] = []
        self._say = say
        self._stage: Stage = "saved"
        self._start_s = self._end_s = self._heard_s = 0.0
        self._markers = 0
        self._ended: Statement | None = None
        self._report: TakeReport | None = None
        self._trouble = ""
        self._due: list[tuple[float, Due]] = []

    @property
    def runs(self) -> bool:
        """A take is counted in or recorded."""
        return self._stage in ("counting", "recording")

    def start(self, now_s: float, plan: TakePlan, head: TakeHead) -> Statement | None:
        """Begin to count in, or return the reason of the refusal.

        Args:
            now_s: [s].
            plan: the take.
            head: description for its file.
        """
        if self.runs or self._stage == "saving":
            return words.TAKE_RUNS()
        self.plan, self.armed = plan, None
        self._stage, self._start_s = "counting", now_s + plan.count_in_s
        self._heard_s, self._markers = now_s, 0
        self._ended, self._report, self._trouble = None, None, ""
        self.orders.append(TakeBegin(plan.path, self._start_s, head))
        if plan.phrase is not None:
            self.sounds.append(VoiceCue(plan.phrase, self._start_s))
        self._due = [(self._start_s, Due.PLAY)] if plan.backing is not None else []
        if plan.punch_in_s is not None:
            self._due.append((self._start_s + plan.punch_in_s, Due.RELEASE))
        if plan.punch_out_s is not None:
            self._due.append((self._start_s + plan.punch_out_s, Due.HOLD))
        return None

    def mark(self, now_s: float, name: str) -> Statement | None:
        """Set a marker, or return the reason of the refusal; without a name it gets a number."""
        if self._stage != "recording":
            return words.NO_TAKE()
        self._markers += 1
        self.orders.append(TakeMark(now_s, name or str(self._markers)))
        return None

    def end(self, now_s: float, reason: Statement) -> Statement | None:
        """End the take, or return the reason of the refusal; a count-in is cancelled."""
        if not self.runs:
            return words.NO_TAKE()
        self.orders.append(TakeEnd(now_s, wording.text(reason)))
        self._ended, self._end_s, self._due = reason, now_s, []
        self._stage = "saving"
        self._heard_s = now_s
        return None

    def update(self, now_s: float, ready: bool) -> Sequence[Due]:
        """Return what is due at a time [s].

        Args:
            now_s: [s].
            ready: the robot is in a mode in which it can be recorded.
        """
        if not self.runs:
            if self._stage == "saving" and now_s - self._heard_s > SAVE_S:
                self._fail(wording.text(words.RECORDER_SILENT()))
            return ()
        if not ready:
            self.end(now_s, words.MODE_ENDED())
            return ()
        if now_s - self._heard_s > SILENT_S + max(0.0, self._start_s - now_s):
            self._fail(wording.text(words.RECORDER_SILENT()))
            return ()
        if self._stage == "counting" and now_s >= self._start_s:
            self._stage = "recording"
        due = [what for at_s, what in self._due if now_s >= at_s]
        if due:
            self._due = [(at_s, what) for at_s, what in self._due if now_s < at_s]
        if Due.HOLD in due:
            self.end(now_s, words.PUNCHED_OUT())
        elif now_s - self._start_s > MAX_TAKE_S:
            self.end(now_s, words.TAKE_FULL(limit_s=MAX_TAKE_S))
        return due

    def hear(self, now_s: float, report: TakeReport) -> None:
        """Take a report of the recorder."""
        if self.plan is None or report.path != self.plan.path or self._stage in ("saved", "failed"):
            return
        self._heard_s, self._report = now_s, report
        if report.state == "failed":
            self._fail(report.trouble)
        elif report.state == "saved" and self._stage == "saving":
            self._stage = "saved"
            if report.saved_s > 0.0:
                said = words.TAKE_SAVED(path=report.path, saved_s=report.saved_s)
                self._say("recorder", said, None)

    def status(self, now_s: float) -> TakeStatus | None:
        """Return the state of the newest take; None before the first."""
        if self.plan is None:
            return None
        report = self._report
        until_s = now_s if self.runs else self._end_s
        return TakeStatus(
            path=self.plan.path,
            stage=self._stage,
            time_s=until_s - self._start_s,
            saved_s=0.0 if report is None else report.saved_s,
            size_bytes=0 if report is None else report.size_bytes,
            markers=self._markers,
            ended=self._ended,
            trouble=self._trouble,
        )

    def _fail(self, trouble: str) -> None:
        self._stage, self._trouble, self._due = "failed", trouble, []
        path = "" if self.plan is None else self.plan.path
        self._say("recorder", words.TAKE_FAILED(path=path, text=trouble), None)


def clips_allow(plan: TakePlan, clips: Mapping[str, object]) -> Statement | None:
    """Return the reason for which the backing of a take cannot play; None if it can."""
    if plan.backing is None or plan.backing in clips:
        return None
    return words.NO_BACKING(gesture=plan.backing)
