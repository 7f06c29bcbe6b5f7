"""Every GO passes one guard, and what is shown of the cues is what the core says."""

import msgspec
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.cues.caller import Caller
from core.link.catalogue.refusals import NO_CUE, REFUSED
from core.link.catalogue.safety import NO_FOOT_LOADED
from core.link.commands import Cancel, Go, GoTo, PauseShow, ResetShow, ResumeShow
from core.link.wording import event, text
from shows.document import Cue, Show
from tests.app.console.cues.conftest import STAGED, Desk, make_desk, small_show
from tests.app.console.rig import LineCore


def test_a_double_go_reaches_the_core_once_and_is_told(
    desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    reasons: list[str] = []
    desk.caller.ignored.connect(reasons.append)
    assert desk.caller.go()
    desk.clock.now_s += 0.1
    assert not desk.caller.go("3")
    desk.clock.now_s += 0.3
    assert desk.caller.go("4")
    qtbot.waitUntil(lambda: core.commands == [Go(), Go("4")])
    assert reasons == ["double GO ignored (0.3 s guard)"]


def test_a_go_that_waited_for_a_console_that_hung_is_ignored_and_told(
    desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    reasons: list[str] = []
    desk.caller.ignored.connect(reasons.append)
    desk.context.link.presses.note(1.8)
    assert not desk.caller.go()
    assert reasons == ["GO ignored: pressed 1.8 s ago, while the console hung; press again"]
    assert desk.said[-1] == reasons[0]
    desk.context.link.presses.note(0.2)
    assert desk.caller.go()  # at once: the one before did not count
    qtbot.waitUntil(lambda: core.commands == [Go()])


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
    refusal = REFUSED(command="go", reason=NO_CUE(cue="9"))
    core.say(event(1.0, "core", NO_FOOT_LOADED()))
    core.say(event(1.0, "core", REFUSED(command="walk", reason=NO_CUE(cue="9"))))
    core.say(event(1.0, "core", refusal))
    qtbot.waitUntil(lambda: bool(refusals))
    assert refusals == [text(refusal)]


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
    assert desk.caller.verdicts.of(cue).kind == "passed"
    core.stop()
    with LineCore(core.endpoint):
        qtbot.waitUntil(lambda: desk.caller.verdicts.of(cue).kind == "unknown")


def test_a_console_that_comes_later_hears_what_was_tested_before(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    core.load(small_show(), STAGED, cue_3="too fast")
    qtbot.wait(100)  # it was told; nobody listened
    late = make_desk(context)
    late.caller.add_version(STAGED, small_show())
    qtbot.waitUntil(lambda: late.caller.verdicts.of(late.cue("1")).kind == "passed")
    assert late.caller.verdicts.of(late.cue("3")).reason == "too fast"


def test_what_was_tested_is_the_version_that_the_core_was_given(
    desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    document = desk.context.document
    cues = (msgspec.structs.replace(document.show.cues[0], tracks=()), *document.show.cues[1:])
    document.edit("empty cue 1", msgspec.structs.replace(document.show, cues=cues))
    assert desk.caller.verdicts.of(desk.cue("1")).kind == "unknown"
    assert desk.caller.verdicts.of(desk.cue("2")).kind == "empty"
    desk.caller.add_version("/stage/2/small", document.show)
    core.load(document.show, "/stage/2/small")
    qtbot.waitUntil(lambda: desk.caller.verdicts.of(desk.cue("1")).kind == "empty")


def test_another_show_has_no_verdicts(desk: Desk) -> None:
    show = desk.context.document.show
    assert desk.caller.verdicts.of(show.cues[0]).kind == "passed"
    desk.context.document.open(show, None, {}, {})
    assert desk.caller.verdicts.of(show.cues[0]).kind == "unknown"


def test_of_a_show_that_is_just_loaded_nothing_is_on_standby_before_the_core_tells_its_cues(
    desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    caller = desk.caller
    core.set(standby_cue="3", next_cue="4")
    qtbot.waitUntil(lambda: caller.playback.standby == "3")
    core.set(show_stamp_s=core.playbill.stamp_s + 1.0)  # a load, whose playbill is on its way
    qtbot.waitUntil(lambda: caller.playback.standby == "")
    assert not caller.playback.of("3").standby
    core.load(desk.context.document.show, STAGED)
    qtbot.waitUntil(lambda: caller.playback.standby == "3")


def test_another_shows_cues_are_not_meant_by_the_numbers_of_the_open_one(
    desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    refusals: list[str] = []
    desk.caller.refused.connect(refusals.append)
    core.load(Show(name="Gala", cues=(Cue(number="1"), Cue(number="9"))), "/elsewhere")
    core.set(standby_cue="1")
    qtbot.waitUntil(lambda: desk.caller.playback.foreign)
    qtbot.waitUntil(lambda: desk.caller.playback.standby == "1")
    assert not desk.caller.playback.of("1").standby
    assert not desk.caller.go("1")
    desk.caller.go_to("2")
    desk.caller.step_standby(1)
    assert not desk.caller.go()
    bar = "the core has another show, Gala, loaded at its start"
    assert refusals == [
        f"{what} was not asked for: {bar}"
        for what in (
            "GO of cue 1", "cue 2 on standby", "another cue on standby", "GO",
        )
    ]  # fmt: skip
    assert desk.said.count(f"{bar}: GO is off") == 1
    desk.caller.pause()
    desk.caller.cancel()
    qtbot.waitUntil(lambda: core.commands == [PauseShow(), Cancel()])


def test_a_console_that_has_no_show_open_plays_the_one_that_the_core_has(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    caller = Caller(context)
    core.load(Show(name="Gala", cues=(Cue(number="1"), Cue(number="9"))), "/elsewhere")
    core.set(standby_cue="1")
    qtbot.waitUntil(lambda: caller.playback.standby == "1")
    caller.step_standby(1)
    assert caller.go()
    qtbot.waitUntil(lambda: core.commands == [GoTo("9"), Go()])


def test_another_version_that_somebody_else_loads_in_the_place_of_ours_is_another_show(
    desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    core.load(desk.context.document.show, "/elsewhere/small", "console-1-ab")
    qtbot.waitUntil(lambda: bool(desk.caller.bar))
    assert desk.caller.bar == (
        "the core has another show, Small, loaded by another console (process 1)"
    )
    assert not desk.caller.go()
    core.load(desk.context.document.show, STAGED, "console-2-cd")
    qtbot.waitUntil(lambda: not desk.caller.bar)
    assert desk.caller.go()
