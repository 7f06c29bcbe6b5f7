"""The GO bar shows the core's echo; what was not counted or refused is seen."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from app.console.cues.go_bar import GoBar
from app.console.cues.keys import ShowKeys
from app.console.toolkit import theme
from core.link.catalogue.refusals import GO_PAUSED, REFUSED
from core.link.commands import Go, GoTo, PauseShow, ResetShow, StandUp
from core.link.wording import event, text
from shows.document import Cue, Show
from tests.app.console.cues.conftest import Desk, bring_up, click
from tests.app.console.rig import HELLO, LineCore


@pytest.fixture
def bar(desk: Desk, keys: ShowKeys, qtbot: QtBot) -> GoBar:
    found = GoBar(desk.context, desk.caller)
    keys.typing_changed.connect(found.set_typing)
    bring_up(qtbot, found)
    return found


def label(bar: GoBar, name: str) -> str:
    for found in bar.findChildren(QLabel):
        if found.accessibleName() == name:
            return found.text()
    raise AssertionError(name)


def hint(bar: GoBar, word: str = "GO") -> str:
    label = button(bar, word).findChild(QLabel)
    assert label is not None
    return label.text()


def button(bar: GoBar, name: str) -> QPushButton:
    for found in bar.findChildren(QPushButton):
        if found.text().startswith(name):
            return found
    raise AssertionError(name)


def test_a_lost_core_turns_every_command_off_and_says_so(
    bar: GoBar, core: LineCore, qtbot: QtBot
) -> None:
    core.set(standby_cue="1")
    qtbot.waitUntil(lambda: label(bar, "Cue on standby") == "● 1  Hello")
    core.stop()
    qtbot.waitUntil(lambda: label(bar, "Cue on standby") == "The core is not there")
    assert not any(found.isEnabled() for found in bar.findChildren(QPushButton))
    assert label(bar, "Running cue") == ""


def test_go_acts_on_the_press(bar: GoBar, core: LineCore, qtbot: QtBot) -> None:
    QTest.mousePress(button(bar, "GO"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: core.commands == [Go()])
    QTest.mouseRelease(button(bar, "GO"), Qt.MouseButton.LeftButton)
    assert core.commands == [Go()]


def test_a_second_go_is_seen_to_have_been_received(
    bar: GoBar, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    core.set(standby_cue="1")
    qtbot.waitUntil(lambda: hint(bar) == "Space")
    go = button(bar, "GO")
    ready = go.styleSheet()
    click(go, 70_000)
    guarded = go.styleSheet()
    click(go, 70_040)
    flash = go.styleSheet()
    assert len({ready, guarded, flash}) == 3
    assert hint(bar) == "wait"
    assert "Double GO ignored" in label(bar, "Answer to the last command")
    desk.clock.now_s += 1.0
    qtbot.waitUntil(lambda: go.styleSheet() == ready)
    assert hint(bar) == "Space"


def test_a_refusal_of_the_core_stays_in_sight(bar: GoBar, core: LineCore, qtbot: QtBot) -> None:
    refusal = REFUSED(command="go", reason=GO_PAUSED())
    core.say(event(1.0, "core", refusal))
    said = f"■ {text(refusal)}"
    qtbot.waitUntil(lambda: label(bar, "Answer to the last command") == said)


def test_standby_next_and_what_runs_are_named(bar: GoBar, core: LineCore, qtbot: QtBot) -> None:
    core.set(
        standby_cue="2", next_cue="4", running_cues=("1", "5"), running_cue="1", show_s=3.0,
        cue_elapsed_s=3.0, cue_length_s=4.0,
    )  # fmt: skip
    qtbot.waitUntil(lambda: label(bar, "Cue on standby") == "● 2  Walk on")
    assert label(bar, "Next cue") == "→ then 4  Bow"
    assert label(bar, "Running cue") == "▶ 1  Hello  +1"
    assert label(bar, "Time left") == "-1.0"
    (progress,) = bar.findChildren(QProgressBar)
    assert progress.value() == 750
    core.set(running_cues=("5",), running_cue="")
    qtbot.waitUntil(lambda: label(bar, "Running cue") == "… pre-wait 5  Off")
    core.set(running_cues=(), standby_cue="")
    qtbot.waitUntil(lambda: label(bar, "Running cue") == "No cues running")
    assert label(bar, "Cue on standby") == "No cue on standby"
    assert label(bar, "Next cue").startswith("→ Reset show begins at the top")
    assert hint(bar) == "no cue"


def test_a_show_that_plays_from_one_go_does_not_look_as_if_it_ended(
    bar: GoBar, core: LineCore, qtbot: QtBot
) -> None:
    core.set(standby_cue="1", next_cue="")
    qtbot.waitUntil(lambda: label(bar, "Next cue") == "→ last GO: the rest auto-follows")
    assert hint(bar) == "Space"
    core.set(standby_cue="", running_cues=("1", "2"), running_cue="1")
    qtbot.waitUntil(lambda: label(bar, "Next cue") == "→ auto-follow in progress")
    assert hint(bar) == "no cue"


def test_what_comes_next_is_what_the_core_has_and_not_what_is_edited(
    bar: GoBar, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    core.set(standby_cue="1", next_cue="2")
    qtbot.waitUntil(lambda: label(bar, "Next cue") == "→ then 2  Walk on")
    document = desk.context.document
    cues = tuple(cue for cue in document.show.cues if cue.number != "2")
    document.edit("delete 2", msgspec.structs.replace(document.show, cues=cues))
    qtbot.wait(100)
    assert label(bar, "Next cue") == "→ then 2  Walk on"


def test_a_standby_cue_of_another_show_is_named_with_its_show(
    bar: GoBar, core: LineCore, qtbot: QtBot
) -> None:
    core.load(Show(name="Gala", cues=(Cue(number="1", name="Fanfare"),)), "/elsewhere")
    core.set(standby_cue="1")
    qtbot.waitUntil(lambda: label(bar, "Cue on standby") == f"{theme.WARN.mark} Gala: 1  Fanfare")
    assert hint(bar) == "not yet"
    click(button(bar, "GO"), 70_000)
    assert "GO was not asked for: the core has another show, Gala" in label(
        bar, "Answer to the last command"
    )


@pytest.mark.parametrize(("apart_ms", "starts"), [(100, 1), (500, 2)])
def test_queued_clicks_on_go_are_judged_by_when_they_were_made(
    bar: GoBar, desk: Desk, core: LineCore, qtbot: QtBot, apart_ms: int, starts: int
) -> None:
    click(button(bar, "GO"), 70_000)
    desk.clock.now_s += 0.5 - 0.001 * apart_ms  # heard the other way round
    click(button(bar, "GO"), 70_000 + apart_ms)
    qtbot.waitUntil(lambda: len(core.commands) == starts)
    assert core.commands == [Go()] * starts


def test_a_cue_that_the_core_does_not_name_is_shown_by_its_number(
    bar: GoBar, core: LineCore, qtbot: QtBot
) -> None:
    core.set(standby_cue="77")
    qtbot.waitUntil(lambda: label(bar, "Cue on standby") == "● 77")
    assert label(bar, "Next cue") == "→ then end of the list"


def test_a_new_name_is_shown_when_the_core_has_it(
    bar: GoBar, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    core.set(standby_cue="1")
    qtbot.waitUntil(lambda: label(bar, "Cue on standby") == "● 1  Hello")
    document = desk.context.document
    cues = (msgspec.structs.replace(document.show.cues[0], name="Ahoy"), *document.show.cues[1:])
    document.edit("rename", msgspec.structs.replace(document.show, cues=cues))
    assert label(bar, "Cue on standby") == "● 1  Hello"
    desk.caller.add_version("/stage/2/small", document.show)
    core.load(document.show, "/stage/2/small")
    qtbot.waitUntil(lambda: label(bar, "Cue on standby") == "● 1  Ahoy")


def test_pause_says_resume_only_when_the_core_has_paused(
    bar: GoBar, core: LineCore, qtbot: QtBot
) -> None:
    button(bar, "Pause").click()
    qtbot.waitUntil(lambda: core.commands == [PauseShow()])
    button(bar, "Pause")
    core.set(paused=True, running_cues=("1",), running_cue="1", cue_length_s=4.0)
    qtbot.waitUntil(lambda: label(bar, "Running cue") == "‖ paused 1  Hello")
    button(bar, "Resume")


def test_a_reset_during_a_cue_is_asked_twice(bar: GoBar, core: LineCore, qtbot: QtBot) -> None:
    core.set(running_cues=("1",))
    qtbot.waitUntil(lambda: label(bar, "Running cue").startswith("…"))
    button(bar, "Reset show").click()
    assert "press again" in label(bar, "Answer to the last command")
    button(bar, "Press again").click()
    qtbot.waitUntil(lambda: core.commands == [ResetShow()])
    core.set(running_cues=())
    qtbot.waitUntil(lambda: label(bar, "Running cue") == "No cues running")
    button(bar, "Reset show").click()
    qtbot.waitUntil(lambda: core.commands == [ResetShow(), ResetShow()])


def test_the_standby_is_moved_by_keys(bar: GoBar, core: LineCore, qtbot: QtBot) -> None:
    core.set(standby_cue="3")
    qtbot.waitUntil(lambda: label(bar, "Cue on standby") == "● 3  Turn")
    QTest.keyClick(bar, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(bar, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: core.commands == [GoTo("2"), GoTo("4")])


def test_the_button_says_when_space_writes(bar: GoBar, core: LineCore, qtbot: QtBot) -> None:
    core.set(standby_cue="1")
    qtbot.waitUntil(lambda: hint(bar) == "Space")
    bar.set_typing(True)
    assert hint(bar) == "click"
    assert "Space writes text" in button(bar, "GO").toolTip()
    bar.set_typing(False)
    assert hint(bar) == "Space"


@pytest.mark.parametrize("width", [560, 1200])
def test_nothing_is_cut_off_in_narrow_and_wide_bars(
    bar: GoBar, core: LineCore, qtbot: QtBot, width: int
) -> None:
    bar.resize(width, bar.sizeHint().height())
    bar.resize(width, bar.minimumSizeHint().height())
    assert bar.minimumSizeHint().width() <= width
    rectangles = [w.geometry() for w in bar.findChildren(QPushButton)]
    labels = [w for w in bar.findChildren(QLabel) if w.parentWidget() is bar]
    rectangles += [w.geometry() for w in labels if w.isVisible()]
    for i, one in enumerate(rectangles):
        assert bar.rect().contains(one)
        assert not any(one.intersects(other) for other in rectangles[i + 1 :])


def test_where_there_is_little_room_an_answer_takes_the_next_cues_line_for_a_while(
    bar: GoBar, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    core.set(standby_cue="2", next_cue="4")
    qtbot.waitUntil(lambda: label(bar, "Next cue") == "→ then 4  Bow")

    def in_sight() -> list[str]:
        names = ("Next cue", "Answer to the last command")
        labels = [w for w in bar.findChildren(QLabel) if w.accessibleName() in names]
        return [w.accessibleName() for w in labels if w.isVisible()]

    bar.resize(560, bar.height())
    assert in_sight() == ["Next cue"]
    desk.caller.refused.emit("GO refused: no.")
    assert in_sight() == ["Answer to the last command"]
    bar.resize(1200, bar.height())
    assert len(in_sight()) == 2
    bar.resize(560, bar.height())
    desk.caller.told.emit("asked: pause")
    qtbot.waitUntil(lambda: in_sight() == ["Next cue"])


def test_every_control_has_a_name_and_a_tooltip(bar: GoBar) -> None:
    for found in bar.findChildren(QPushButton):
        assert found.accessibleName()
        assert found.toolTip()


@pytest.mark.parametrize(
    ("mode", "words"),
    [("OFF", "switch it on"), ("FAULT", "the stop panel shows the way back")],
)
def test_what_must_come_before_a_go_is_said(
    bar: GoBar, core: LineCore, qtbot: QtBot, mode: str, words: str
) -> None:
    core.set(standby_cue="1", mode=mode)
    qtbot.waitUntil(lambda: words in label(bar, "Next cue"))
    assert hint(bar) == "not yet"
    core.set(mode="READY")
    qtbot.waitUntil(lambda: hint(bar) == "Space")
    assert words not in label(bar, "Next cue")


def test_go_stands_a_simulated_robot_up_and_then_starts_its_cue(
    bar: GoBar, desk: Desk, core: LineCore, qtbot: QtBot
) -> None:
    core.set(standby_cue="1", mode="DAMPED")
    qtbot.waitUntil(
        lambda: button(bar, "STAND UP").isEnabled() and hint(bar, "STAND UP") == "Space"
    )
    assert "stands the robot up" in label(bar, "Next cue")
    QTest.mouseClick(button(bar, "STAND UP"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: core.commands == [StandUp()])
    core.set(standby_cue="1", mode="STANDING_UP")
    qtbot.waitUntil(lambda: hint(bar) == "not yet")
    core.set(standby_cue="1", mode="READY")
    desk.clock.now_s += 1.0
    qtbot.waitUntil(lambda: hint(bar) == "Space")
    QTest.mouseClick(button(bar, "GO"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: core.commands == [StandUp(), Go()])


def test_go_does_not_move_a_real_robot_that_is_limp(
    bar: GoBar, core: LineCore, qtbot: QtBot
) -> None:
    core.hello = msgspec.structs.replace(HELLO, body="real", simulated=False)
    core.set(standby_cue="1", mode="DAMPED")
    qtbot.waitUntil(lambda: hint(bar, "STAND UP") == "Ctrl+F7")
    QTest.mouseClick(button(bar, "STAND UP"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: core.commands == [Go()])  # which the core refuses


def test_a_refusal_goes_when_its_cause_goes(bar: GoBar, core: LineCore, qtbot: QtBot) -> None:
    core.set(standby_cue="", mode="READY")
    qtbot.waitUntil(lambda: hint(bar) == "no cue")
    bar.refuse("GO refused: no cue is on standby")
    core.set(standby_cue="1", mode="READY")
    qtbot.waitUntil(lambda: hint(bar) == "Space")
    qtbot.waitUntil(lambda: label(bar, "Answer to the last command") == "", timeout=6000)
