"""The state machine of takes: its times, its refusals, and random sequences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from core.behave.clip import Clip
from core.link.catalogue import takes as words
from core.link.sound import EARLIER, VoiceCue, VoiceLoad, VoiceStop
from core.link.statement import Severity, Statement
from core.link.take import (
    BackingRequest,
    TakeBegin,
    TakeEnd,
    TakeMark,
    TakePlan,
    TakeReport,
    TakeZero,
)
from core.stage.backing import Backing
from core.takes.desk import PREPARE_S, SAVE_S, SILENT_S, Due, TakeDesk
from shows.take import MAX_TAKE_S, TakeHead
from tests.draws import share

PATH = "/shows/gala/takes/wave.take"
HEAD = TakeHead(robot="robby", body="sim", joint_names=("neck",))
PLAN = TakePlan(path=PATH, limbs=("arm",), count_in_s=2.0)
EARLIER_PATH = "/shows/gala/takes/nod.take"
OVER = TakePlan(path=PATH, limbs=("arm",), backing_take=EARLIER_PATH)


def backing(number: int = 1, sound: str = "", phrase: str = "", slowed_s: float = 0.0) -> Backing:
    """Return an earlier take that nods."""
    clip = Clip.from_positions("nod", (0,), 50.0, np.linspace(0.0, 0.5, 100)[:, None])
    return Backing(number, clip, slowed_s, sound, phrase)


class Office:
    """A desk with a recorder that reports as long as it lives."""

    def __init__(self) -> None:
        self.said: list[Statement] = []
        self.desk = TakeDesk(self.say, self.describe)
        self.now_s = 10.0
        self.alive = True

    def describe(self, plan: TakePlan) -> TakeHead:
        return HEAD

    def say(self, actor: str, said: Statement, severity: Severity | None) -> None:
        assert actor in ("recorder", "stagehand") and severity is None
        self.said.append(said)

    @property
    def stage(self) -> str:
        status = self.desk.status(self.now_s)
        return "" if status is None else status.stage

    def start(self, plan: TakePlan = PLAN) -> Statement | None:
        return self.desk.start(self.now_s, plan)

    def wait(self, seconds: float, ready: bool = True) -> list[Due]:
        """Let time pass; return what was due."""
        due: list[Due] = []
        for _ in range(round(seconds / 0.01)):
            self.now_s += 0.01
            due += self.desk.update(self.now_s, ready)
            if self.alive:
                self.report("saved" if self.stage == "saving" else "writing")
        return due

    def report(self, state: str, trouble: str = "", saved_s: float = 1.0) -> None:
        found = TakeReport(PATH, state, saved_s, 1000, trouble)  # type: ignore[arg-type]
        self.desk.hear(self.now_s, found)


@pytest.fixture
def office() -> Office:
    return Office()


def test_it_counts_in_records_marks_and_saves(office: Office) -> None:
    assert office.desk.status(0.0) is None
    assert office.start() is None and office.stage == "counting"
    assert office.desk.orders == [TakeBegin(PATH, 12.0)]  # the file is tried at once
    status = office.desk.status(office.now_s)
    assert status is not None and status.time_s == pytest.approx(-2.0)
    assert office.desk.mark(office.now_s, "") == words.NO_TAKE()
    assert office.start() == words.TAKE_RUNS()
    office.wait(2.5)
    assert office.stage == "recording"
    office.desk.mark(office.now_s, "up")
    office.desk.mark(office.now_s, "")
    office.desk.end(office.now_s, words.OPERATOR_ENDED())
    assert office.desk.orders[1:] == [
        TakeZero(12.0, HEAD),
        TakeMark(office.now_s, "up"),
        TakeMark(office.now_s, "2"),
        TakeEnd(office.now_s, "ended by the operator"),
    ]
    assert office.stage == "saving" and office.start() == words.TAKE_RUNS()
    office.wait(0.05)
    assert office.stage == "saved" and office.said == [words.TAKE_SAVED(path=PATH, saved_s=1.0)]
    assert office.start() is None


def test_a_mode_that_is_left_ends_the_take(office: Office) -> None:
    office.start()
    office.wait(3.0)
    office.wait(0.05, ready=False)
    status = office.desk.status(office.now_s)
    assert status is not None and status.ended == words.MODE_ENDED() and status.stage == "saved"


def test_a_count_in_can_be_cancelled(office: Office) -> None:
    office.start()
    office.desk.end(office.now_s, words.OPERATOR_ENDED())
    office.report("saved", saved_s=0.0)
    assert office.stage == "saved" and office.said == []
    assert office.desk.end(office.now_s, words.OPERATOR_ENDED()) == words.NO_TAKE()


def test_a_silent_recorder_is_told(office: Office) -> None:
    office.start()
    office.wait(2.5)
    office.alive = False
    office.wait(SILENT_S - 0.05)
    assert office.stage == "recording"
    office.wait(0.1)
    assert office.stage == "failed" and office.said[0].code == words.TAKE_FAILED.code
    (end,) = (order for order in office.desk.orders if isinstance(order, TakeEnd))
    assert (
        end.stamp_s == pytest.approx(office.now_s, abs=0.1) and "recorder" in end.reason
    )  # if it only stalled
    office.report("writing")
    assert office.stage == "failed"
    assert office.start() is None


def test_a_recorder_that_dies_while_it_saves_is_told(office: Office) -> None:
    office.start()
    office.wait(2.5)
    office.alive = False
    office.desk.end(office.now_s, words.OPERATOR_ENDED())
    office.wait(SAVE_S + 0.1)
    assert office.stage == "failed"
    assert sum(isinstance(order, TakeEnd) for order in office.desk.orders) == 1
    office.report("saved", saved_s=0.0)  # it deleted the file
    assert office.stage == "failed"


@pytest.mark.parametrize("ends", [True, False])
def test_a_take_that_was_saved_late_is_saved(office: Office, ends: bool) -> None:
    office.start()
    office.wait(2.5)
    office.alive = False
    if ends:
        office.desk.end(office.now_s, words.OPERATOR_ENDED())
    office.wait(SAVE_S + 0.1)
    assert office.stage == "failed"
    office.desk.hear(office.now_s, TakeReport("/elsewhere.take", "saved", 1.0))
    assert office.stage == "failed"
    office.report("saved", saved_s=0.4)
    status = office.desk.status(office.now_s)
    assert status is not None and (status.stage, status.trouble) == ("saved", "")
    assert status.ended == (words.OPERATOR_ENDED() if ends else words.RECORDER_SILENT())
    assert office.said[-1] == words.TAKE_SAVED(path=PATH, saved_s=0.4)


def test_a_disk_that_refuses_ends_the_take_during_the_count_in(office: Office) -> None:
    office.start()
    office.report("failed", "no room", 0.0)
    assert office.stage == "failed"
    status = office.desk.status(office.now_s)
    assert status is not None and status.trouble == "no room"


def test_reports_about_another_take_are_ignored(office: Office) -> None:
    office.start()
    office.desk.hear(office.now_s, TakeReport("/elsewhere.take", "failed", trouble="x"))
    assert office.stage == "counting"


def test_a_punch_releases_and_holds_at_its_times(office: Office) -> None:
    plan = TakePlan(path=PATH, limbs=("arm",), backing="wave", punch_in_s=1.0, punch_out_s=2.0)
    office.start(plan)
    assert office.wait(0.5) == [Due.PLAY]  # one second leads the limbs to the beginning
    assert office.wait(1.6) == [Due.RELEASE]
    assert office.wait(1.0) == [Due.HOLD, Due.REST]
    status = office.desk.status(office.now_s)
    assert status is not None and status.ended == words.PUNCHED_OUT()


def test_a_phrase_sounds_when_the_take_begins_and_ends_with_it(office: Office) -> None:
    office.start(TakePlan(path=PATH, count_in_s=2.0, phrase="hello"))
    office.wait(1.6)
    assert office.desk.sounds == [VoiceCue("hello", 12.0)]
    office.desk.end(office.now_s, words.OPERATOR_ENDED())
    assert office.desk.sounds[1:] == [VoiceStop()]


# An earlier take as the backing


def test_nothing_begins_before_the_earlier_take_is_ready(office: Office) -> None:
    assert office.start(OVER) is None
    assert office.desk.requests == [BackingRequest(1, EARLIER_PATH)]
    assert office.wait(3.0) == [] and office.stage == "preparing"
    assert office.desk.orders == []  # no file yet
    assert office.start() == words.TAKE_RUNS()
    office.desk.take_backing(office.now_s, backing(sound="/nod.wav"))
    start_s = office.now_s + 1.0
    (begin,) = office.desk.orders
    assert isinstance(begin, TakeBegin) and begin.start_s == pytest.approx(start_s)
    assert office.wait(1.1) == [Due.PLAY, Due.SOUND] and office.stage == "recording"
    assert office.desk.sounds == [VoiceLoad(EARLIER, "/nod.wav"), VoiceCue(EARLIER, start_s)]
    office.desk.end(office.now_s, words.OPERATOR_ENDED())
    assert office.wait(0.05) == [Due.REST]
    assert office.desk.sounds[-1] == VoiceStop()


def test_an_earlier_take_that_is_refused_begins_nothing(office: Office) -> None:
    office.start(OVER)
    office.desk.refuse_backing(7, "of another request")
    assert office.stage == "preparing"
    office.desk.refuse_backing(1, "it is of another robot")
    assert office.stage == "failed" and office.desk.orders == []
    assert office.said == [words.BACKING_REFUSED(text="it is of another robot")]
    office.desk.take_backing(office.now_s, backing())
    assert office.stage == "failed" and office.desk.orders == []
    assert office.start() is None


def test_a_take_that_waits_can_be_cancelled_and_its_answer_comes_too_late(office: Office) -> None:
    office.start(OVER)
    office.desk.end(office.now_s, words.OPERATOR_ENDED())
    assert office.stage == "saved" and office.desk.orders == []
    office.desk.take_backing(office.now_s, backing())
    assert office.stage == "saved"
    office.start(OVER)
    office.desk.take_backing(office.now_s, backing(1))  # of the one that was cancelled
    assert office.stage == "preparing"


def test_a_stagehand_that_does_not_answer_is_told(office: Office) -> None:
    office.start(OVER)
    office.wait(PREPARE_S + 0.1)
    assert office.stage == "failed" and office.said[0].code == words.BACKING_REFUSED.code


def test_what_sounded_then_sounds_again_unless_the_plan_has_a_phrase(office: Office) -> None:
    office.start(OVER)
    office.desk.take_backing(office.now_s, backing(phrase="hello", slowed_s=0.5))
    assert office.said == [words.BACKING_SLOWED(take="nod", slowed_s=0.5)]
    office.wait(0.8)
    assert [s.phrase for s in office.desk.sounds if isinstance(s, VoiceCue)] == ["hello"]


def test_a_trouble_of_the_sound_is_told_once_and_ends_nothing(office: Office) -> None:
    office.start()
    for _ in range(3):
        report = TakeReport(PATH, "writing", 1.0, 9, sound_s=0.5, sound_trouble="it is gone")
        office.desk.hear(office.now_s, report)
    assert office.said == [words.SOUND_TROUBLE(path=PATH, text="it is gone")]
    status = office.desk.status(office.now_s)
    assert status is not None and status.stage == "counting"
    assert (status.sound_s, status.sound_trouble) == (0.5, "it is gone")


def test_a_small_screen_tells_what_is_recorded(office: Office) -> None:
    assert office.desk.screen(office.now_s) == ""
    office.start()
    assert office.desk.screen(office.now_s) == "TAKE IN 2"
    office.wait(4.5)
    assert office.desk.screen(office.now_s) == "REC 2 S"


def test_a_take_has_an_end(office: Office) -> None:
    office.start()
    office.wait(2.5)
    office.now_s += MAX_TAKE_S
    office.report("writing")
    office.wait(0.02)
    status = office.desk.status(office.now_s)
    full = words.TAKE_FULL(limit_s=MAX_TAKE_S)
    assert status is not None and status.ended == full and full in office.said
    (end,) = (order for order in office.desk.orders if isinstance(order, TakeEnd))
    assert end.stamp_s == 12.0 + MAX_TAKE_S


@pytest.mark.parametrize(("begin_s", "end_s"), [(2.0, 2.0), (2.0, 1.0), (None, 0.0)])
def test_a_punch_that_ends_before_it_begins_is_refused(begin_s: float | None, end_s: float) -> None:
    with pytest.raises(ValueError, match="after its punch-in"):
        TakePlan(path=PATH, punch_in_s=begin_s, punch_out_s=end_s)


class Evening(RuleBasedStateMachine):
    """Any order of commands, reports and time."""

    def __init__(self) -> None:
        super().__init__()
        self.office = Office()
        self.begun = self.ended = 0

    @rule(count_in_s=st.floats(0.0, 3.0))
    def start(self, count_in_s: float) -> None:
        plan = TakePlan(path=PATH, count_in_s=count_in_s)
        self.begun += self.office.start(plan) is None

    @rule(seconds=st.sampled_from([0.05, 1.0, 3.5]), ready=st.booleans(), alive=st.booleans())
    def pass_time(self, seconds: float, ready: bool, alive: bool) -> None:
        self.office.alive = alive
        self.office.wait(seconds, ready)

    @rule()
    def overdub(self) -> None:
        self.office.start(OVER)

    @rule(number=st.integers(0, 3), ready=st.booleans())
    def answer(self, number: int, ready: bool) -> None:
        desk, before = self.office.desk, self.office.stage
        if ready:
            desk.take_backing(self.office.now_s, backing(number))
        else:
            desk.refuse_backing(number, "why")
        self.begun += before == "preparing" and self.office.stage == "counting"

    @rule()
    def end(self) -> None:
        self.office.desk.end(self.office.now_s, words.OPERATOR_ENDED())

    @rule()
    def mark(self) -> None:
        stage = self.office.stage
        refused = self.office.desk.mark(self.office.now_s, "")
        assert (refused is None) == (stage == "recording")

    @rule(state=st.sampled_from(["writing", "saved", "failed"]))
    def report(self, state: str) -> None:
        self.office.report(state, "why")

    @invariant()
    def every_take_is_ordered_once_and_ended_at_most_once(self) -> None:
        orders = self.office.desk.orders
        begins = [order for order in orders if isinstance(order, TakeBegin)]
        ends = [order for order in orders if isinstance(order, TakeEnd)]
        assert len(begins) == self.begun and len(ends) <= len(begins)
        if self.office.stage == "saving":
            assert isinstance(orders[-1], TakeEnd)
        running = self.office.stage in ("preparing", "counting", "recording")
        assert self.office.desk.runs == running


Evening.TestCase.settings = settings(max_examples=share(50), stateful_step_count=20)
TestEvening = Evening.TestCase


@given(st.floats(0.0, 5.0), st.floats(0.0, 8.0))
def test_time_counts_from_the_beginning(count_in_s: float, later_s: float) -> None:
    office = Office()
    office.start(TakePlan(path=PATH, count_in_s=count_in_s))
    status = office.desk.status(office.now_s + later_s)
    assert status is not None and status.time_s == pytest.approx(later_s - count_in_s)
