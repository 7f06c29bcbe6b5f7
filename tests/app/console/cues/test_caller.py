"""Every GO passes one guard, and what is shown of the cues is what the core says."""

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app.console.cues.caller import is_other_core
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
from tests.app.console.cues.conftest import Desk
from tests.app.console.rig import LineCore


def test_a_double_go_reaches_the_core_once_and_is_told(
    desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    reasons: list[str] = []
    desk.caller.disregarded.connect(reasons.append)
    assert desk.caller.go()
    desk.clock.now_s += 0.1
    assert not desk.caller.go("3")
    desk.clock.now_s += 0.3
    assert desk.caller.go("4")
    qtbot.waitUntil(lambda: core.commands == [Go(), Go("4")])
    assert reasons == ["0.10 s after the last GO; the guard is 0.3 s"]


def test_the_guard_is_the_operators(desk: Desk) -> None:
    preferences = desk.context.preferences
    preferences.change(msgspec.structs.replace(preferences.value, go_minimum_s=2.0))
    desk.caller.go()
    desk.clock.now_s += 1.9
    assert desk.caller.guarded
    desk.clock.now_s += 0.2
    assert not desk.caller.guarded


def test_without_a_core_a_go_is_refused_aloud(lone_desk: Desk) -> None:
    refusals: list[str] = []
    went: list[bool] = []
    lone_desk.caller.refused.connect(refusals.append)
    lone_desk.caller.went.connect(lambda: went.append(True))
    assert not lone_desk.caller.go()
    assert refusals == ["the core is not there: nothing was sent"]
    assert not went


def test_refusals_of_the_core_are_told_and_other_warnings_are_not(
    desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    refusals: list[str] = []
    desk.caller.refused.connect(refusals.append)
    core.say(Event(1.0, "core", "link quality is poor", "warning"))
    core.say(Event(1.0, "web", "GO refused: by somebody else.", "warning"))
    core.say(Event(1.0, "core", "GO refused: the show has no cue 9.", "warning"))
    qtbot.waitUntil(lambda: bool(refusals))
    assert refusals == ["GO refused: the show has no cue 9."]


def test_commands_reach_the_core(desk: Desk, core: LineCore, qtbot: QtBot) -> None:
    caller = desk.caller
    caller.pause()
    caller.resume()
    caller.reset()
    caller.cancel()
    caller.go_to("3")
    asked = [
        PauseShow(), ResumeShow(), ResetShow(), Cancel(), GoTo("3"),
    ]  # fmt: skip
    qtbot.waitUntil(lambda: core.commands == asked)


def test_pause_turns_into_resume_only_when_the_core_has_paused(
    desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    desk.caller.pause_or_resume()
    desk.caller.pause_or_resume()
    with qtbot.waitSignal(desk.caller.paused_changed):
        core.set(paused=True)
    desk.caller.pause_or_resume()
    qtbot.waitUntil(lambda: core.commands == [PauseShow(), PauseShow(), ResumeShow()])


def test_the_standby_steps_along_the_list_and_stays_in_it(
    desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(desk.caller.cues_changed):
        core.set(standby_cue="1")
    desk.caller.step_standby(-1)
    desk.caller.step_standby(1)
    with qtbot.waitSignal(desk.caller.cues_changed):
        core.set(standby_cue="")  # behind the last cue
    desk.caller.step_standby(-1)
    qtbot.waitUntil(lambda: core.commands == [GoTo("2"), GoTo("5")])


def test_a_lost_core_leaves_no_cue_on_standby(desk: Desk, core: LineCore, qtbot: QtBot) -> None:
    core.set(standby_cue="1")
    qtbot.waitUntil(lambda: desk.caller.playback.standby == "1")
    with qtbot.waitSignal(desk.caller.cues_changed):
        core.stop()
    assert desk.caller.playback.standby == ""


def test_a_core_that_started_anew_has_tested_nothing(
    desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    cue = desk.cue("1")
    with qtbot.waitSignal(desk.caller.verdicts_changed):
        core.say(Event(1.0, "core", "ready to play Small: 5 cues, 31 gestures"))
    assert desk.caller.verdicts.of(cue).kind == "passed"
    qtbot.waitUntil(lambda: (desk.context.link.status or core.status).sequence > 60)
    core.stop()
    with LineCore(core.endpoint):
        qtbot.waitUntil(lambda: desk.caller.verdicts.of(cue).kind == "unknown", timeout=8000)


@pytest.mark.parametrize(
    ("sequence", "host_s", "other"),
    [
        (101, 10.02, False),
        (5, 10.5, True),
        (150, 11.0, False),
        (110, 12.0, True),
        (100, 10.0, False),
    ],
)
def test_another_core_is_known_by_its_count(sequence: int, host_s: float, other: bool) -> None:
    before = Status(0.0, host_stamp_s=10.0, sequence=100)
    now = Status(0.0, host_stamp_s=host_s, sequence=sequence)
    assert is_other_core(before, now) is other


def test_what_was_tested_is_what_the_core_was_asked_to_load(
    desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    document = desk.context.document
    desk.caller.expect_verdicts()
    cues = (msgspec.structs.replace(document.show.cues[0], tracks=()), *document.show.cues[1:])
    document.edit("empty cue 1", msgspec.structs.replace(document.show, cues=cues))
    with qtbot.waitSignal(desk.caller.verdicts_changed):
        core.say(Event(1.0, "core", "ready to play Small: 5 cues, 31 gestures"))
    assert desk.caller.verdicts.of(desk.cue("1")).kind == "unknown"
    assert desk.caller.verdicts.of(desk.cue("2")).kind == "passed"


def test_another_show_has_no_verdicts(desk: Desk, core: LineCore, qtbot: QtBot) -> None:
    with qtbot.waitSignal(desk.caller.verdicts_changed):
        core.say(Event(1.0, "core", "ready to play Small: 5 cues, 31 gestures"))
    show = desk.context.document.show
    desk.context.document.open(show, None, {}, {})
    assert desk.caller.verdicts.of(show.cues[0]).kind == "unknown"
