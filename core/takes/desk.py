"""The state machine of takes: counting in, recording, saving. It takes the time as an argument."""

import math
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from typing import TypeAlias

from core.link import wording
from core.link.catalogue import takes as words
from core.link.sound import EARLIER, VoiceCue, VoiceLoad, VoiceStop
from core.link.statement import Severity, Statement
from core.link.take import (
    BackingRequest,
    Stage,
    TakeBegin,
    TakeEnd,
    TakeMark,
    TakeOrder,
    TakePlan,
    TakeReport,
    TakeStatus,
    TakeZero,
)
from core.stage.backing import Backing
from shows.take import MAX_TAKE_S, TakeHead

Describe: TypeAlias = Callable[[TakePlan], TakeHead]
"""Returns the description of a take that begins now."""

SILENT_S = 2.0  # of the recorder, after which a take has failed
SAVE_S = 3.0  # longest time to save the end
PREPARE_S = 60.0  # longest time to prepare an earlier take; the longest one needs a third of it
LEAD_S = 1.0  # before the beginning, in which the limbs go to the backing's first pose
SOUND_LEAD_S = 0.5  # by which the voice knows of a sound before it begins
_UNDER_WAY = frozenset({"preparing", "counting", "recording"})


class Due(Enum):
    """A change of limbs or sounds at a time of a take."""

    PLAY = auto()  # the limbs go to the beginning of the backing
    RELEASE = auto()  # punch-in: the limbs float
    HOLD = auto()  # punch-out: the limbs are held
    REST = auto()  # the take has ended: the limbs that play the backing go to rest
    SOUND = auto()  # the sounds are announced to the voice


class TakeDesk:
    """Owns the take.

    Args:
        say: takes actor, statement and severity of an event.
        describe: returns the description of a take that begins now.

    Attributes:
        plan: the newest take; None before the first.
        armed: the take that `toggle` starts; None without one.
        backing: the earlier take that plays; None without one.
        start_s: beginning of the newest take [s].
        orders: orders to the recorder, which the loop sends and clears.
        requests: requests to the stagehand to prepare earlier takes; likewise.
        sounds: messages to the voice, whose times are on the core's clock; likewise.
    """

    def __init__(
        self, say: Callable[[str, Statement, Severity | None], None], describe: Describe
    ) -> None:
        self.plan: TakePlan | None = None
        self.armed: TakePlan | None = None
        self.backing: Backing | None = None
        self.start_s = 0.0
        self.orders: list[TakeOrder] = []
        self.requests: list[BackingRequest] = []
        self.sounds: list[VoiceCue | VoiceLoad | VoiceStop] = []
        self._say, self._describe = say, describe
        self._stage: Stage = "saved"
        self._end_s = self._heard_s = 0.0
        self._requested = 0
        self._sounds = self._plays = False
        self._sound_trouble = ""
        self._markers = 0
        self._ended: Statement | None = None
        self._report: TakeReport | None = None
        self._trouble = ""
        self._due: list[tuple[float, Due]] = []

    @property
    def runs(self) -> bool:
        """A take is prepared, counted in or recorded."""
        return self._stage in _UNDER_WAY

    def start(self, now_s: float, plan: TakePlan) -> Statement | None:
        """Begin to count in, or return the reason of the refusal."""
        if self.runs or self._stage == "saving":
            return words.TAKE_RUNS()
        self.plan, self.armed = plan, None
        self._heard_s, self._markers, self.start_s = now_s, 0, now_s
        self._ended, self._report, self._trouble, self._sound_trouble = None, None, "", ""
        self.backing, self._end_s = None, now_s
        self._due = [due for due in self._due if due[1] is Due.REST]  # of the take before
        self._sounds = self._plays = False
        if plan.backing_take:
            self._stage = "preparing"
            self._requested += 1
            self.requests.append(BackingRequest(self._requested, plan.backing_take))
        else:
            self._count_in(now_s, plan)
        return None

    def take_backing(self, now_s: float, backing: Backing) -> None:
        """Count in the take that waits for an earlier one.

        Args:
            now_s: [s].
            backing: the earlier take.
        """
        plan = self.plan
        if self._stage != "preparing" or backing.number != self._requested or plan is None:
            return  # cancelled meanwhile
        if backing.slowed_s > 0.0:
            said = words.BACKING_SLOWED(take=backing.clip.name, slowed_s=backing.slowed_s)
            self._say("stagehand", said, None)
        self.backing = backing
        if backing.sound:
            self.sounds.append(VoiceLoad(EARLIER, backing.sound))
        self._count_in(now_s, plan)

    def refuse_backing(self, number: int | None, reason: str) -> None:
        """Give up the take that waits for an earlier one.

        Args:
            number: number of the request; None: it cannot be read.
            reason: one sentence.
        """
        if self._stage == "preparing" and number in (self._requested, None):
            self._give_up(reason)

    def _count_in(self, now_s: float, plan: TakePlan) -> None:
        """Begin to count in; with a backing long enough to lead the limbs to its beginning."""
        self._stage, self._heard_s = "counting", now_s
        least_s = LEAD_S if plan.backed else 0.0
        self.start_s = now_s + max(plan.count_in_s, least_s)
        self.orders.append(TakeBegin(plan.path, self.start_s, plan.microphone))
        if plan.backed:
            self._due.append((self.start_s - LEAD_S, Due.PLAY))
        if plan.phrase is not None or self.backing is not None:
            self._due.append((self.start_s - SOUND_LEAD_S, Due.SOUND))
        if plan.punch_in_s is not None:
            self._due.append((self.start_s + plan.punch_in_s, Due.RELEASE))
        if plan.punch_out_s is not None:
            self._due.append((self.start_s + plan.punch_out_s, Due.HOLD))

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
        before, self._stage = self._stage, "saving"
        self._ended, self._end_s = reason, now_s
        if before == "preparing":
            self._stage = "saved"  # no file was begun
        else:
            self._order_end(now_s, wording.text(reason))
        self._heard_s = now_s
        self._silence()
        return None

    def _order_end(self, now_s: float, reason: str) -> None:
        self.orders.append(TakeEnd(min(now_s, self.start_s + MAX_TAKE_S), reason))

    def _silence(self) -> None:
        """End the backing and the sounds of the take."""
        self._due = [(0.0, Due.REST)] if self._plays else []
        if self._sounds:
            self.sounds.append(VoiceStop())
        self._plays = self._sounds = False

    def update(self, now_s: float, ready: bool) -> Sequence[Due]:
        """Advance the take; return the due changes of limbs and sounds.

        Args:
            now_s: [s].
            ready: the robot is in a mode in which it can be recorded.
        """
        if not self.runs:
            if self._stage == "saving" and now_s - self._heard_s > SAVE_S:
                self._fail_silent(now_s)
            return self._pop(now_s) if self._due else ()
        if not ready:
            self.end(now_s, words.MODE_ENDED())
            return self._pop(now_s)
        if self._stage == "preparing":
            if now_s - self._heard_s > PREPARE_S:
                self._give_up(wording.text(words.BACKING_SILENT()))
            return ()
        if now_s - self._heard_s > SILENT_S + max(0.0, self.start_s - now_s):
            self._fail_silent(now_s)
            return self._pop(now_s)
        if self._stage == "counting" and now_s >= self.start_s and self.plan is not None:
            self._stage = "recording"
            self.orders.append(TakeZero(self.start_s, self._describe(self.plan)))
        due = self._pop(now_s)
        if Due.PLAY in due:
            self._plays = True
        if Due.SOUND in due:
            self._announce()
        if Due.HOLD in due:
            self.end(now_s, words.PUNCHED_OUT())
        elif now_s - self.start_s > MAX_TAKE_S:
            full = words.TAKE_FULL(limit_s=MAX_TAKE_S)
            self._say("recorder", full, None)
            self.end(now_s, full)
        return due

    def _pop(self, now_s: float) -> list[Due]:
        """Return the changes that are due, once."""
        due = [change for at_s, change in self._due if now_s >= at_s]
        if due:
            self._due = [(at_s, change) for at_s, change in self._due if now_s < at_s]
        return due

    def _announce(self) -> None:
        """Announce to the voice the sounds that begin with the take."""
        plan, backing = self.plan, self.backing
        self._sounds = True
        if plan is not None and plan.phrase is not None:
            self.sounds.append(VoiceCue(plan.phrase, self.start_s))
        if backing is not None and backing.sound:
            self.sounds.append(VoiceCue(EARLIER, self.start_s))
        if backing is not None and backing.phrase and (plan is None or plan.phrase is None):
            self.sounds.append(VoiceCue(backing.phrase, self.start_s))

    def hear(self, now_s: float, report: TakeReport) -> None:
        """Take a report of the recorder."""
        idle = self._stage in ("preparing", "saved")
        if self.plan is None or report.path != self.plan.path or idle:
            return
        late = report.state == "saved" and report.saved_s > 0.0
        if self._stage == "failed" and not late:
            return
        self._heard_s, self._report = now_s, report
        if report.sound_trouble and report.sound_trouble != self._sound_trouble:
            said = words.SOUND_TROUBLE(path=report.path, text=report.sound_trouble)
            self._say("recorder", said, None)
        self._sound_trouble = report.sound_trouble
        if report.state == "failed":
            self._fail(now_s, report.trouble)
        elif report.state == "saved" and not self.runs:
            self._stage, self._trouble = "saved", ""
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
            time_s=until_s - self.start_s,
            saved_s=0.0 if report is None else report.saved_s,
            size_bytes=0 if report is None else report.size_bytes,
            markers=self._markers,
            ended=self._ended,
            trouble=self._trouble,
            sound_s=None if report is None else report.sound_s,
            sound_trouble=self._sound_trouble,
        )

    def screen(self, now_s: float) -> str:
        """Return the state of the take in few letters, for a small screen; empty without one."""
        if self._stage == "counting":
            return f"TAKE IN {math.ceil(self.start_s - now_s)}"
        return f"REC {max(0.0, now_s - self.start_s):.0f} S" if self._stage == "recording" else ""

    def _fail(self, now_s: float, trouble: str) -> None:
        if self.runs:
            self._end_s = now_s
            self._order_end(now_s, trouble)  # a recorder that only stalled must not go on
        self._stage, self._trouble = "failed", trouble
        self._silence()
        path = "" if self.plan is None else self.plan.path
        self._say("recorder", words.TAKE_FAILED(path=path, text=trouble), None)

    def _fail_silent(self, now_s: float) -> None:
        silent = words.RECORDER_SILENT()
        self._ended = self._ended or silent
        self._fail(now_s, wording.text(silent))

    def _give_up(self, trouble: str) -> None:
        """Fail before a file was begun."""
        self._stage, self._trouble = "failed", trouble
        self._say("stagehand", words.BACKING_REFUSED(text=trouble), None)


def clips_allow(plan: TakePlan, clips: Mapping[str, object]) -> Statement | None:
    """Return the reason for which the backing of a take cannot play; None if it can."""
    if plan.backing is None or plan.backing in clips:
        return None
    return words.NO_BACKING(gesture=plan.backing)
