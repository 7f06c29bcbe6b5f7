"""The loop: absolute deadlines, and a last branch that always runs."""

import itertools
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
import numpy as np
import pytest

from core.lab.rehearsal import Listener
from core.link import commands as m
from core.link import topics
from core.link.catalogue import faults, refusals, run, safety
from core.link.catalogue import show as words
from core.link.commands import Command
from core.link.envelope import Envelope
from core.link.hello import Hello
from core.link.partner import CalibrationReport, PartnerReport
from core.link.playbill import Entry, Playbill
from core.link.report import Report
from core.link.requests import LoadRequest, ShowRefused
from core.link.scene import Scene
from core.link.sound import SoundReport, VoiceCue, VoiceLibrary, VoiceMix, VoiceStop
from core.link.statement import Sentence, Statement, Value
from core.link.topics import Topic
from core.link.wording import text
from core.plants.biped.plant import biped_of
from core.plants.build import build_plant
from core.record.schema import tick_dtype
from core.record.tape import Tape, read_block
from core.run.autopilot import Autopilot, Facts
from core.safety.modes import Mode
from core.safety.rules import Action
from core.stage.prepared import PreparedShow
from core.tick.loop import FAILED_S, Loop
from core.tick.performer import Actuation, Performer
from devices.interface import Sample, Support, Trouble, Truth
from tests.core.rig import TICK_S, StatueBody, profile, told
from tests.core.stage.cues import cue, gesture, live, show, voice

T = TypeVar("T")
DTYPE = tick_dtype(28, 5, simulated=False)


class Port(Listener):
    """A link with messages from the test."""

    def __init__(self) -> None:
        super().__init__()
        self.age_s = 0.0
        self.lost: tuple[str, ...] = ()
        self.incoming: dict[str, list[Any]] = {}
        self.sent: list[msgspec.Struct] = []

    def poll(self, topic: Topic[T]) -> T | None:
        waiting = self.incoming.get(topic.name)
        return waiting.pop(0) if waiting else None

    def publish(self, message: msgspec.Struct) -> None:
        super().publish(message)
        self.sent.append(message)

    def put(self, topic: Topic[T], *messages: T) -> None:
        """Send messages of a sibling."""
        self.incoming.setdefault(topic.name, []).extend(messages)

    def of(self, kind: type[T]) -> list[T]:
        """Return the sent messages of a type."""
        return [message for message in self.sent if isinstance(message, kind)]

    def operator_age_s(self) -> float:
        return self.age_s

    def silent(self, roles: tuple[str, ...], longest_s: float) -> tuple[str, ...]:
        return self.lost if longest_s > 0.5 else ()

    def ask(self, *commands: Command) -> None:
        for command in commands:
            self.commands_due.append(Envelope("console-1", 1, 0.0, command))

    def said(self, sentence: Sentence, **fields: Value) -> bool:
        """Return whether an event had this code and at least these fields."""
        return bool(told(self.events, sentence, **fields))


class Stage:
    """A loop over a statue."""

    def __init__(self, autopilot: Autopilot | None = None) -> None:
        self.body, self.port = StatueBody(), Port()
        self.performer = Performer(profile(), build_plant(profile(), Support.FLOOR))
        self.blocks: list[bytes] = []
        tape = Tape(DTYPE, self.blocks.append)
        missed = ("scribe", "stagehand")
        self.loop = Loop(self.body, self.performer, self.port, tape, autopilot, siblings=missed)

    def tick(self, *commands: Command, ticks: int = 1) -> str:
        """Run some ticks with commands in the first; return the last call to the body."""
        self.port.ask(*commands)
        for _ in range(ticks):
            self.loop.tick()
        return self.body.done[-1]

    def stand(self) -> None:
        self.tick()
        assert self.tick(m.StandUp(), ticks=20) == "write"
        assert self.performer.mode is Mode.READY

    def run(self, ticks: int) -> Report:
        """Run to the end, which comes from outside after some ticks."""
        counter = itertools.count()
        return self.loop.run(lambda: next(counter) >= ticks)


# The last branch


def test_each_verdict_does_one_thing_to_the_body() -> None:
    stage = Stage()
    before = len(stage.body.done)
    assert stage.tick() == "damp"
    assert stage.tick(m.StandUp()) == "write"
    assert stage.tick(m.Stop()) == "damp"
    stage.body.sample.estop_closed = False
    assert stage.tick() == "stop"
    assert len(stage.body.done) - before == 4


def test_an_exception_in_the_performer_takes_the_torque_and_ends_the_run() -> None:
    stage = Stage()
    stage.stand()

    def fail(now_s: float, sample: Sample, commands: Sequence[Any]) -> Actuation:
        raise ZeroDivisionError("a fault of our own")

    stage.performer.tick = fail  # type: ignore[method-assign]
    assert stage.tick() == "stop"
    before = len(stage.body.done)
    report = stage.run(10_000)
    assert set(stage.body.done[before:-1]) == {"stop"}
    assert len(stage.body.done) - before <= round(FAILED_S / TICK_S) + 1
    assert stage.body.done[-1] == "close"
    assert not report.completed
    assert report.reason == run.FAILED(error="a fault of our own")
    assert stage.port.said(run.CORE_FAILED)
    assert stage.port.of(Report) == [report]


def test_a_failure_never_heals() -> None:
    stage = Stage()
    stage.stand()
    stage.loop.failure = RuntimeError("once")
    assert stage.tick(m.StandUp()) == "stop"
    assert stage.tick(m.Reset(), m.StandUp()) == "stop"


def test_an_exception_while_reading_takes_the_torque() -> None:
    stage = Stage()
    stage.stand()

    def fail() -> Sample:
        raise RuntimeError("no sample")

    stage.body.read = fail  # type: ignore[method-assign]
    assert stage.tick() == "stop"
    assert isinstance(stage.loop.failure, RuntimeError)


def test_a_bus_that_is_gone_takes_the_torque_on_the_same_tick() -> None:
    stage = Stage()
    stage.stand()
    stage.body.fail_writes = True
    assert stage.tick() == "stop"
    assert "left leg bus" in str(stage.loop.failure)
    report = stage.run(10_000)
    assert not report.completed and "left leg bus" in text(report.reason)


def test_an_exception_while_telling_stops_the_next_tick_and_ends_the_run() -> None:
    stage = Stage()
    stage.stand()

    def fail(now_s: float, sample: Sample, truth: Truth | None, time_us: float) -> None:
        raise RuntimeError("the link broke")

    stage.loop.telemetry.record = fail  # type: ignore[method-assign]
    assert stage.tick() == "write"
    assert stage.tick() == "stop"
    before = len(stage.body.done)
    report = stage.run(10_000)
    assert len(stage.body.done) - before <= round(FAILED_S / TICK_S) + 1
    assert not report.completed and report.reason == run.FAILED(error="the link broke")
    assert len(told(stage.port.events, run.CORE_FAILED)) == 1


def test_a_core_that_can_publish_nothing_ends_its_run() -> None:
    stage = Stage()
    stage.stand()

    def fail(message: msgspec.Struct) -> None:
        raise UnicodeError("it cannot be encoded")

    stage.port.publish = fail  # type: ignore[method-assign]
    before = len(stage.body.done)
    report = stage.run(10_000)
    assert len(stage.body.done) - before <= round((FAILED_S + 1.0) / TICK_S)
    assert stage.body.done[-1] == "close"
    assert not report.completed and report.reason == run.FAILED(error="it cannot be encoded")


# Time


def test_deadlines_are_absolute() -> None:
    stage = Stage()
    stage.tick(ticks=50)
    expected = TICK_S * np.arange(50)
    np.testing.assert_allclose(stage.body.fake_clock.waited_for, expected, atol=1e-12)


def test_a_late_tick_does_not_shift_those_that_follow() -> None:
    stage = Stage()
    stage.body.fake_clock.late_s = {10: 0.0007, 20: 0.0004}
    stage.tick(ticks=50)
    expected = TICK_S * np.arange(50)
    np.testing.assert_allclose(stage.body.fake_clock.waited_for, expected, atol=1e-12)
    assert stage.loop.telemetry.times.overruns == 0


def test_ticks_that_are_lost_are_not_run_after() -> None:
    stage = Stage()
    stage.body.fake_clock.late_s = {10: 0.0035}
    stage.tick(ticks=30)
    waited = np.array(stage.body.fake_clock.waited_for)
    steps = np.diff(waited)
    assert steps[10] == pytest.approx(0.004)  # three lost ones are skipped
    np.testing.assert_allclose(np.delete(steps, 10), TICK_S, atol=1e-9)
    np.testing.assert_allclose(waited / TICK_S, np.round(waited / TICK_S), atol=1e-6)
    assert stage.loop.telemetry.times.overruns >= 1


def test_a_stalled_loop_damps_the_robot() -> None:
    stage = Stage()
    stage.stand()
    stage.body.fake_clock.late_s = {len(stage.body.fake_clock.waited_for): 0.05}
    assert stage.tick() == "damp"
    assert stage.performer.mode is Mode.FAULT


def test_a_late_loop_holds_the_robot() -> None:
    stage = Stage()
    stage.stand()
    stage.body.fake_clock.late_s = {len(stage.body.fake_clock.waited_for): 0.008}
    assert stage.tick() == "write"
    assert stage.performer.action.name == "HOLD"


# The end


def test_the_end_settles_the_robot_first() -> None:
    stage = Stage()
    stage.stand()
    stage.body.sample.q[10:13] = stage.body.sample.q[15:18] = (-0.665, -1.33, 0.665)
    report = stage.run(50)
    assert stage.port.said(safety.MODE_CHANGED, before="READY", mode="SETTLE")
    assert stage.performer.mode is Mode.OFF
    assert report.completed
    assert stage.body.done[-2:] == ["stop", "close"] or stage.body.done[-1] == "close"


def test_who_is_down_leaves_at_once() -> None:
    stage = Stage()
    report = stage.run(5)
    assert report.completed
    assert stage.performer.mode is Mode.OFF
    assert len(stage.body.done) < 50


def test_the_record_has_every_tick_and_its_end() -> None:
    stage = Stage()
    before = len(stage.body.done)
    report = stage.run(120)
    blocks = [read_block(block, DTYPE) for block in stage.blocks]
    assert [block.last for block in blocks] == [False] * (len(blocks) - 1) + [True]
    rows = np.concatenate([block.rows for block in blocks])
    assert rows.size == len(stage.body.done) - 1 - before  # the last is the close
    np.testing.assert_allclose(np.diff(rows["t"]), TICK_S, atol=1e-9)
    assert report.duration_s == pytest.approx(rows["t"][-1], abs=2 * TICK_S)


class Quick(Autopilot):
    """An operator who ends the run after a while."""

    def __init__(self, end_s: float, failure: Statement | None = None) -> None:
        super().__init__()
        self.end_s, self.reason = end_s, failure

    def update(self, now_s: float, facts: Facts) -> list[Command]:
        if now_s >= self.end_s:
            self.finished, self.failure = True, self.reason
        return [m.StandUp()] if 0.0095 < now_s < 0.0105 else []


@pytest.mark.parametrize("failure", [None, run.WENT_DOWN()])
def test_the_run_ends_with_the_autopilots_reason(failure: Statement | None) -> None:
    stage = Stage(Quick(0.05, failure))
    report = stage.run(10_000)
    assert report.completed is (failure is None)
    assert report.reason == (failure or run.DONE())
    assert len(stage.body.done) < 70
    assert "write" in stage.body.done
    assert [event.fields for event in stage.port.events if event.actor == "autopilot"] == [
        {"command": "stand_up"}
    ]


def test_a_rehearsal_that_is_ended_from_outside_is_not_complete() -> None:
    stage = Stage(Quick(100.0))
    biped_of(stage.performer.plant).walker.stepping_allowed = False
    stage.body.sample.q[10:13] = stage.body.sample.q[15:18] = (-0.665, -1.33, 0.665)
    report = stage.run(5)
    assert not report.completed
    assert report.reason == run.ENDED_FROM_OUTSIDE()


def test_a_fall_is_the_autopilots_failure_and_an_operators_affair() -> None:
    alone, operated = Stage(Quick(0.05)), Stage()
    for stage in (alone, operated):
        stage.performer.falls = 1
    assert alone.run(10_000).reason == run.FELL()
    report = operated.run(5)
    assert (report.completed, report.reason, report.falls) == (True, run.ENDED(), 1)


def test_with_an_autopilot_no_operator_is_missed() -> None:
    stage = Stage(Quick(100.0))
    stage.port.age_s = 100.0
    stage.tick(ticks=400)
    assert "OPERATOR_SILENT" not in stage.performer.flag_names
    alone = Stage()
    alone.port.age_s = 100.0
    alone.tick(ticks=20)
    assert "OPERATOR_SILENT" in alone.performer.flag_names


class Facing(Autopilot):
    """Notes what it is told of the person whom the show follows."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[bool] = []

    def update(self, now_s: float, facts: Facts) -> list[Command]:
        self.told.append(facts.calibrated)
        return []


def test_the_autopilot_knows_when_the_person_of_a_live_clip_is_calibrated() -> None:
    plain, led = Facing(), Facing()
    Stage(plain).tick(ticks=20)
    stage = Stage(led)
    stage.loop.load(show(cue("1", live(0.0), live(1.0, on=False))))
    stage.tick(ticks=20)
    holding = PartnerReport(0.0, calibration=CalibrationReport("holding"))
    stage.port.put(topics.PARTNER_REPORT, holding)
    stage.tick(ticks=20)
    assert all(plain.told) and not any(led.told)
    done = PartnerReport(1.0, calibration=CalibrationReport("done"))
    stage.port.put(topics.PARTNER_REPORT, done)
    stage.tick(ticks=40)
    assert led.told[-1]


# The link


def speaking() -> Stage:
    """Return a stage with a running cue that has a phrase."""
    stage = Stage()
    stage.stand()
    stage.port.put(topics.PREPARED, show(cue("1", gesture(0.0), voice(0.0, 3.0))).to_bytes())
    stage.tick(ticks=200)
    stage.tick(m.Go(), ticks=3)
    return stage


def test_a_show_comes_in_part_by_part_while_the_loop_goes_on() -> None:
    stage = Stage()
    stage.stand()
    stage.tick(m.LoadShow("shows/evening"))
    assert stage.port.of(LoadRequest) == [LoadRequest("shows/evening", sender="console-1")]
    stage.port.put(topics.PREPARED, show(cue("1", gesture(0.0), voice(0.1))).to_bytes())
    stage.tick(ticks=200)
    assert stage.port.said(words.SHOW_LOADED, show="test", cues=1)
    assert stage.tick(m.Go(), ticks=3) == "write"
    assert stage.performer.mode is Mode.PERFORM
    assert [type(v).__name__ for v in stage.port.voices] == ["VoiceLibrary", "VoiceCue"]


def test_stop_silences_what_is_said_at_once() -> None:
    stage = speaking()
    stage.port.voices.clear()
    assert stage.tick(m.Stop()) == "damp"
    assert VoiceStop(by_hand=False) in stage.port.voices


def test_a_voice_that_is_started_again_goes_on_with_the_running_cue() -> None:
    stage = speaking()
    stage.port.put(topics.SOUND, SoundReport("voice-1"))
    stage.tick(m.Volume(0.5), m.Mute(), ticks=20)
    (said,) = [v for v in stage.port.voices if isinstance(v, VoiceCue) and not v.again]
    stage.port.voices.clear()
    stage.port.put(topics.SOUND, SoundReport("voice-1"))
    stage.tick(ticks=20)
    assert stage.port.voices == []
    stage.port.put(topics.SOUND, SoundReport("voice-2"))
    stage.tick(ticks=20)
    mix, library, stop, cue_again = stage.port.voices
    assert mix == VoiceMix(0.5, muted=True)
    assert isinstance(library, VoiceLibrary) and isinstance(stop, VoiceStop)
    assert isinstance(cue_again, VoiceCue) and cue_again.again
    assert cue_again.phrase == said.phrase


def test_a_process_that_is_lost_is_an_alarm_and_stops_nothing() -> None:
    stage = speaking()
    stage.port.lost = ("scribe",)
    assert stage.tick(ticks=30) == "write"
    assert stage.performer.mode is Mode.PERFORM
    assert "SIBLING_LOST" in stage.performer.flag_names
    assert stage.port.said(
        safety.FAULT_BEGAN_WITH,
        fault=faults.SIBLING_LOST_WARN(),
        detail=safety.PROCESSES(names=("scribe",)),
    )
    stage.port.lost = ()
    stage.tick(ticks=30)
    assert "SIBLING_LOST" not in stage.performer.flag_names


def test_sound_that_is_lost_is_an_alarm_and_stops_nothing() -> None:
    stage = speaking()
    lost = SoundReport("voice-1", trouble="the sound device hall is gone", lost=True)
    stage.port.put(topics.SOUND, lost)
    assert stage.tick(ticks=30) == "write"
    assert stage.performer.mode is Mode.PERFORM
    assert "SOUND_LOST" in stage.performer.flag_names
    assert stage.port.said(
        safety.FAULT_BEGAN_WITH,
        fault=faults.SOUND_LOST_WARN(),
        detail=safety.SOUND_TEXT(text="the sound device hall is gone"),
    )
    stage.port.put(topics.SOUND, SoundReport("voice-1"))
    stage.tick(ticks=30)
    assert "SOUND_LOST" not in stage.performer.flag_names


@pytest.mark.parametrize("data", [b"", b"junk", b"\x00" * 1000])
def test_a_show_that_is_none_is_refused_and_the_loop_goes_on(data: bytes) -> None:
    stage = Stage()
    stage.stand()
    stage.port.put(topics.PREPARED, data)
    assert stage.tick(ticks=100) == "write"
    assert stage.loop.failure is None
    assert [e.severity for e in stage.port.events if e.actor == "stagehand"] == ["error"]


def test_a_truncated_show_is_refused_and_the_next_one_taken() -> None:
    stage = Stage()
    whole = show(cue("1", gesture(0.0))).to_bytes()
    stage.port.put(topics.PREPARED, whole[: len(whole) // 2], whole)
    stage.tick(ticks=400)
    assert stage.loop.failure is None
    assert [e.severity for e in stage.port.events if e.actor == "stagehand"] == ["error"]
    assert stage.port.said(words.SHOW_LOADED, show="test", cues=1)


def test_why_a_show_was_refused_is_in_the_log() -> None:
    stage = Stage()
    stage.port.put(topics.REFUSED, ShowRefused("x", "show.json, cues[3]: the audio is missing"))
    stage.tick(ticks=20)
    assert stage.port.said(words.SHOW_REFUSED, text="show.json, cues[3]: the audio is missing")


def test_it_publishes_at_its_rates() -> None:
    stage = Stage()
    stage.tick(ticks=1000)
    assert len(stage.port.statuses) == 50
    assert len(stage.port.of(Hello)) == 1
    stamps = [status.stamp_s for status in stage.port.statuses]
    np.testing.assert_allclose(np.diff(stamps), 0.02, atol=1e-9)
    pictures = [scene.stamp_s for scene in stage.port.of(Scene)]
    assert len(pictures) == 30
    assert set(np.diff(pictures).round(6)) == {0.032, 0.034}
    assert not set(pictures) & set(stamps)  # a tick never has both to tell


def test_the_length_is_that_of_the_show_which_is_loaded() -> None:
    stage = Stage()
    stage.stand()
    for cues in ((cue("1", gesture(0.0)),), (cue("1", gesture(0.0)), cue("2"))):
        stage.port.put(topics.PREPARED, show(*cues, path="shows/evening").to_bytes())
        stage.tick(ticks=100)
        assert stage.port.statuses[-1].show_length_s == 4.0 * len(cues)
        assert stage.port.statuses[-1].show_path == "shows/evening"


def test_a_show_is_refused_while_a_cue_runs_and_nothing_changes() -> None:
    stage = Stage()
    stage.stand()
    stage.port.put(topics.PREPARED, show(cue("1", gesture(0.0)), cue("2")).to_bytes())
    stage.tick(ticks=100)
    stage.tick(m.Go(), ticks=5)
    before, told = stage.port.statuses[-1], len(stage.port.voices)
    reason = refusals.CUE_RUNS(cue="1")
    for path, command in (("shows/late", "load_show"), ("", "unload_show")):
        stage.tick(m.LoadShow(path))
        assert stage.port.said(refusals.REFUSED, command=command, reason=reason)
    assert stage.port.of(LoadRequest) == []
    # One that was asked for before the cue began comes too late.
    stage.port.put(
        topics.PREPARED, show(cue("9", gesture(0.0)), phrases={"late": "/late"}).to_bytes()
    )
    stage.tick(ticks=100)
    assert stage.port.said(words.SHOW_NOT_LOADED, reason=reason)
    after = stage.port.statuses[-1]
    assert (after.show_stamp_s, after.show_length_s) == (before.show_stamp_s, 8.0)
    assert len(stage.port.voices) == told
    assert {playbill.cues[0].number for playbill in stage.port.of(Playbill) if playbill.cues} == {
        "1"
    }


def test_an_empty_path_unloads_the_show_and_leaves_the_gestures() -> None:
    stage = Stage()
    stage.port.put(topics.PREPARED, show(cue("1", gesture(0.0)), path="shows/evening").to_bytes())
    stage.tick(ticks=100)
    stage.tick(m.LoadShow(""))
    assert stage.port.of(LoadRequest) == [LoadRequest("", sender="console-1")]
    bare = show(cue("1"))
    stage.port.put(topics.PREPARED, PreparedShow("", clips=bare.clips).to_bytes())
    stage.tick(ticks=100)
    status = stage.port.statuses[-1]
    assert (status.show, status.show_path, status.standby_cue) == ("", "", "")
    assert stage.port.of(Playbill)[-1].cues == ()
    assert "wave" in stage.performer.orders.clips


def test_what_is_loaded_and_what_preflight_says_of_it_is_told_again_and_again() -> None:
    stage = Stage()
    stage.tick(ticks=600)
    assert [playbill.cues for playbill in stage.port.of(Playbill)] == [()]
    failed = cue("2", refusal="right elbow 112 % of torque at 3.42 s" + 300 * "!")
    stage.port.put(topics.PREPARED, show(cue("1"), failed, path="shows/evening").to_bytes())
    stage.tick(ticks=1000)
    at_once, repeated = stage.port.of(Playbill)[1:]
    assert at_once == repeated
    assert (at_once.show, at_once.path) == ("test", "shows/evening")
    first, second = at_once.cues
    assert first == Entry("1", "cue 1")
    assert second.refusal.startswith("right elbow 112 %") and len(second.refusal) == 200
    status = stage.port.statuses[-1]
    assert status.show_stamp_s == at_once.stamp_s > 0.0
    assert (status.standby_cue, status.next_cue) == ("1", "2")


def test_a_real_body_cannot_be_pushed() -> None:
    stage = Stage()
    stage.stand()
    assert stage.tick(m.Push(100.0, 0.0, 0.0, 0.1)) == "write"
    assert stage.loop.failure is None


def test_a_reset_gives_the_motors_their_supply_and_nothing_else_does() -> None:
    stage = Stage()
    stage.body.supplied = False
    stage.tick(m.StandUp(), ticks=1200)
    assert (stage.performer.mode, stage.body.supplied) == (Mode.DAMPED, False)
    assert stage.port.said(refusals.REFUSED, command="stand_up", reason=refusals.UNPOWERED())
    stage.tick(m.Reset(), ticks=20)
    assert (stage.performer.mode, stage.body.supplied) == (Mode.DAMPED, True)
    stage.stand()


def test_a_device_in_trouble_is_named_at_once_and_holds_the_robot_if_it_is_grave() -> None:
    stage = Stage()
    stage.stand()

    def action() -> Action:
        return stage.performer.action

    stage.body.complaints = (Trouble("head bus", "its adapter holds replies back"),)
    stage.tick(ticks=20)
    assert stage.port.said(safety.DEVICE_REPORTED, text="its adapter holds replies back")
    assert action() is Action.WARN
    stage.body.complaints = (Trouble("IMU", "unplugged; check its plug", grave=True),)
    stage.tick(ticks=20)
    assert stage.port.said(safety.DEVICE_REPORTED, text="unplugged; check its plug")
    assert action() is Action.HOLD
    stage.body.complaints = ()
    stage.tick(ticks=20)
    assert stage.port.said(safety.DEVICE_RECOVERED, text="unplugged; check its plug")
    assert action() is Action.HOLD  # until an operator makes a new request
    stage.tick(m.Hold(), ticks=3)
    assert action() is Action.NONE
