"""The whole window: STOP is always in sight, no key means two things, nothing is lost."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QDockWidget,
    QLabel,
    QPushButton,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.cues.columns import ALWAYS
from app.console.cues.other_show import OtherShow
from app.console.cues.table import ROW_PX
from app.console.event_log.panel import LINE_PX, EventLogPanel
from app.console.stop.panel import SENT, SILENT
from app.console.toolkit import theme
from app.console.top.alarms import AlarmsPanel
from app.console.window.window import LEAST, Window
from core.link.commands import Go, LoadShow, Stop
from core.link.status import Alarm
from shows.document import Cue, Show
from tests.app.console.rig import LineCore


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for variable in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    return tmp_path


@pytest.fixture
def window(context: Context, home: Path, qtbot: QtBot) -> Iterator[Window]:
    found = Window(context, None)
    found.begin()
    qtbot.waitExposed(found)
    yield found
    found.close()
    found.deleteLater()  # each window that is left slows every event of the next tests
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def corners(widget: QWidget, window: QWidget) -> bool:
    """Tell whether a widget is whole in the window, and what is seen there is it."""
    inside = widget.mapTo(window, widget.rect().center())
    top, bottom = widget.mapTo(window, widget.rect().topLeft()), widget.rect().bottomRight()
    whole = window.rect().contains(top) and window.rect().contains(widget.mapTo(window, bottom))
    seen = window.childAt(inside)
    return whole and seen is not None and (seen is widget or widget.isAncestorOf(seen))


@pytest.mark.parametrize("size", [LEAST, (1280, 800), (1920, 1080), (3840, 2160)])
def test_stop_is_in_sight_at_every_size(
    window: Window, size: tuple[int, int], qtbot: QtBot
) -> None:
    window.showNormal()
    window.resize(QSize(*size))
    qtbot.waitUntil(lambda: window.size() == QSize(*size))
    assert corners(window.stop.stop, window)


def test_no_sheet_covers_stop_and_stop_works_below_one(
    window: Window, core: LineCore, qtbot: QtBot
) -> None:
    window.desk.choose()
    assert window.sheets.top is not None
    assert corners(window.stop.stop, window)
    QTest.mousePress(window.stop.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: Stop() in core.commands)


def test_stop_on_the_controller_is_the_stop_panels(
    window: Window, core: LineCore, qtbot: QtBot
) -> None:
    gamepad = window.by_hand.gamepad
    for button in ("view", "menu"):
        gamepad.buttons |= {button}
        gamepad.pressed.emit(button)
    assert SENT in window.stop.answer.text()
    qtbot.waitUntil(lambda: core.commands == [Stop()])
    qtbot.waitUntil(lambda: SILENT in window.stop.answer.text())


def test_an_alarm_does_not_move_stop(window: Window, core: LineCore, qtbot: QtBot) -> None:
    before = window.stop.stop.mapTo(window, QPoint(0, 0))
    alarms = window.findChild(AlarmsPanel)
    assert alarms is not None
    core.set(alarms=(Alarm("BATTERY_LOW", "WARN"),))
    qtbot.waitUntil(lambda: alarms.isVisible() and alarms.height() > 0)
    qtbot.wait(50)  # the layout follows
    assert window.stop.stop.mapTo(window, QPoint(0, 0)) == before


def test_no_panel_can_be_torn_off_and_laid_over_stop(window: Window) -> None:
    docks = window.findChildren(QDockWidget)
    assert len(docks) == 12
    for dock in docks:
        assert not dock.features() & QDockWidget.DockWidgetFeature.DockWidgetFloatable
        assert not dock.isFloating()


def test_every_key_of_the_window_means_one_thing(window: Window) -> None:
    everywhere = (Qt.ShortcutContext.WindowShortcut, Qt.ShortcutContext.ApplicationShortcut)
    keys = [
        sequence.toString()
        for action in window.findChildren(QAction)
        if action.shortcutContext() in everywhere
        for sequence in action.shortcuts()
    ]
    keys += [
        shortcut.key().toString()
        for shortcut in window.findChildren(QShortcut)
        if shortcut.context() in everywhere
    ]
    twice = [key for key, count in Counter(keys).items() if count > 1]
    assert not twice


def test_every_button_says_what_it_is(window: Window) -> None:
    nameless = [
        f"{type(button).__name__} in {type(button.parent()).__name__}"
        for button in window.findChildren(QAbstractButton)
        if not (button.accessibleName() or button.text())
        and button.isVisibleTo(window)
        and not button.objectName().startswith("qt_")
        and type(button.parent()).__name__ not in ("QTableView", "QDockWidget", "QTabBar")
    ]
    assert not nameless


def test_space_is_go_wherever_the_focus_is(window: Window, core: LineCore, qtbot: QtBot) -> None:
    window.stop.buttons["Settle"].setFocus()
    QTest.keyClick(window.stop.buttons["Settle"], Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: Go() in core.commands)


def test_a_show_that_cannot_be_opened_is_told_where_it_is_seen(
    window: Window, context: Context, core: LineCore, tmp_path: Path, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: window.desk.robot.table is not None)
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "show.json").write_text("{")
    window.desk.open(broken)
    qtbot.waitUntil(lambda: window.sheets.top is not None)
    sheet = window.sheets.top
    assert sheet is not None
    assert any("broken/show.json" in label.text() for label in sheet.findChildren(QLabel))
    sheet.dismiss()
    context.lock.set_locked(True)
    window.desk.open(broken)
    assert window.sheets.top is None, "a page would take Esc from the show"
    assert any("switch to EDIT" in label.text() for label in window.go_bar.findChildren(QLabel))


def test_quitting_asks_in_show_and_while_a_cue_runs(
    window: Window, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: context.link.connected)
    context.lock.set_locked(True)
    assert not window.close() and window.isVisible()
    sheet = window.sheets.top
    assert sheet is not None and sheet.accessibleName() == "Quit during the show?"
    sheet.dismiss()
    context.lock.set_locked(False)
    core.set(running_cues=("1",), running_cue="1")
    qtbot.waitUntil(lambda: bool(window.caller.playback.running))
    assert not window.close()
    sheet = window.sheets.top
    assert sheet is not None
    (button,) = [b for b in sheet.findChildren(QPushButton) if b.text() == "Quit"]
    button.click()
    qtbot.waitUntil(lambda: not window.isVisible())


def test_a_show_is_not_begun_with_unsaved_changes_without_a_word(
    window: Window, context: Context
) -> None:
    context.document.edit("a cue", Show(name="new", cues=(Cue(number="1"),)))
    context.lock.set_locked(True)
    said = [label.text() for label in window.go_bar.findChildren(QLabel)]
    assert any("unsaved changes" in text for text in said)
    context.document.undo.setClean()


def test_the_title_tells_where_a_show_was_saved(
    window: Window, context: Context, tmp_path: Path
) -> None:
    context.document.move(tmp_path / "gala", tmp_path / "gala", {})
    assert window.windowTitle() == "gala – Footlight"


def test_in_a_show_nothing_is_undone_or_done_again(
    window: Window, context: Context, qtbot: QtBot
) -> None:
    document = context.document
    for name in ("first", "second", "third"):
        document.edit("rename", msgspec.structs.replace(document.show, name=name))
    document.undo.undo()
    actions = {a.shortcut().toString(): a for a in window.findChildren(QAction)}
    context.lock.set_locked(True)
    for key in ("Ctrl+Z", "Ctrl+Shift+Z"):
        actions[key].trigger()
        assert document.show.name == "second"
    context.lock.set_locked(False)
    actions["Ctrl+Shift+Z"].trigger()
    assert document.show.name == "third"
    actions["Ctrl+Z"].trigger()
    assert document.show.name == "second"
    document.undo.setClean()  # or the window asks before it closes


def test_whose_show_the_core_has_and_what_was_tested_of_it_is_seen(
    window: Window, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    core.load(Show(name="Gala", cues=(Cue(number="1"),)), "/elsewhere/gala")

    def said(words: str) -> bool:
        return any(words in found.text() for found in window.go_bar.findChildren(QLabel))

    qtbot.waitUntil(lambda: said("the core has a show that is not open here"))
    show = Show(name="Evening", cues=(Cue(number="1"), Cue(number="2")))
    context.document.open(show, None, {}, {})

    def asked() -> list[str]:
        return [command.path for command in core.commands if isinstance(command, LoadShow)]

    qtbot.waitUntil(lambda: bool(asked()))
    assert window.caller.verdicts.of(show.cues[0]).kind == "unknown"
    core.load(show, asked()[0], cue_2="too fast")
    qtbot.waitUntil(lambda: window.publisher.current)
    kinds = [window.caller.verdicts.of(cue).kind for cue in show.cues]
    assert kinds == ["empty", "refused"]
    assert not said("not open here")


def test_a_show_that_another_console_loads_is_told_and_ours_comes_back_by_a_button(
    window: Window, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    strip = window.findChild(OtherShow)
    assert strip is not None and not strip.isVisible()
    show = Show(name="Evening", cues=(Cue(number="1"),))
    context.document.open(show, None, {}, {})

    def asked() -> list[str]:
        return [command.path for command in core.commands if isinstance(command, LoadShow)]

    qtbot.waitUntil(lambda: bool(asked()))
    core.load(show, asked()[0])
    qtbot.waitUntil(lambda: window.publisher.current)
    gala = Show(name="Gala", cues=(Cue(number="1"),))
    core.load(gala, "/elsewhere/gala", "console-1-ab")
    qtbot.waitUntil(lambda: strip.isVisible() and strip.load.isVisible())
    words = "GO is off: the core has another show, Gala, loaded by another console (process 1)."
    assert words in strip.words.text()
    assert corners(window.stop.stop, window) and corners(strip.load, window)
    QTest.keyClick(window, Qt.Key.Key_Space)
    before = len(core.commands)
    QTest.mouseClick(strip.load, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(asked()) == 2)
    assert len(core.commands) == before + 1
    assert not any(isinstance(command, Go) for command in core.commands)
    core.load(show, asked()[1])
    qtbot.waitUntil(lambda: not strip.isVisible())
    QTest.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: Go() in core.commands)


def test_the_layout_is_kept(context: Context, home: Path, qtbot: QtBot) -> None:
    first = Window(context, None)
    first.begin()
    first.docks.bring("cart")
    live = first.findChild(QDockWidget, "live")
    assert live is not None
    live.hide()
    first.close()
    again = Window(context, None)
    again.begin()
    qtbot.waitExposed(again)
    live = again.findChild(QDockWidget, "live")
    assert live is not None and live.isHidden()
    again.close()


def take_size(window: Window, size: tuple[int, int], qtbot: QtBot) -> None:
    window.setStyleSheet(theme.SHEET)  # sizes are those of the program's looks
    window.showNormal()
    window.resize(QSize(*size))
    qtbot.waitUntil(lambda: window.size() == QSize(*size))
    whole = window.centralWidget()
    layout = None if whole is None else whole.layout()
    assert layout is not None
    layout.activate()  # the docks have their size before they are arranged
    window.docks.arrange()
    qtbot.wait(50)  # the layout follows


def test_a_laptop_shows_what_a_show_needs_without_scrolling(window: Window, qtbot: QtBot) -> None:
    take_size(window, (1280, 780), qtbot)  # 800 less the title
    table = window.cues.table
    assert set(ALWAYS) <= set(table.columns())
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    window.cues.inspector.setVisible(True)
    qtbot.waitUntil(lambda: table.viewport().height() >= 4 * ROW_PX)  # the layout follows
    window.docks.bring("log")
    log = window.findChild(EventLogPanel)
    assert log is not None
    qtbot.waitUntil(lambda: log.table.viewport().height() >= 3 * LINE_PX)


def test_the_arrangement_for_recording_shows_stage_record_and_motion_and_a_show_ends_it(
    window: Window, context: Context, qtbot: QtBot
) -> None:
    take_size(window, (1280, 780), qtbot)
    actions = window.findChildren(QAction)
    (studio,) = [action for action in actions if action.text() == "Arrange for recording"]
    studio.trigger()
    panels = (window.stage, window.record, window.motion, window.go_bar)
    qtbot.waitUntil(lambda: all(not panel.visibleRegion().isEmpty() for panel in panels))
    assert not window.cues.isVisible()
    context.lock.set_locked(True)
    qtbot.waitUntil(window.cues.isVisible)
    studio.trigger()  # a show keeps its cue list
    assert window.cues.isVisible()
    context.lock.set_locked(False)
    studio.trigger()
    assert not window.cues.isVisible()
    window.docks.keep()
    window.docks.arrange()
    assert window.cues.isVisible()
    window.docks.restore()
    assert not window.cues.isVisible()


def test_a_window_that_was_small_for_a_while_is_split_as_before(
    window: Window, qtbot: QtBot
) -> None:
    def widths() -> list[int]:
        names = ("stage", "gestures", "by_hand")
        return [d.width() for d in window.docks.widgets if d.objectName() in names]

    take_size(window, (1600, 900), qtbot)
    qtbot.wait(400)
    before = widths()
    window.resize(1100, 680)
    qtbot.wait(400)
    assert widths() != before
    window.resize(1600, 900)
    qtbot.waitUntil(lambda: widths() == before)


def test_the_docks_of_a_large_screen_are_arranged_anew_on_a_small_one(
    window: Window, qtbot: QtBot
) -> None:
    def beside_stage() -> set[str]:
        docks = {dock.objectName(): dock for dock in window.docks.widgets}
        return {dock.objectName() for dock in window.docks.tabifiedDockWidgets(docks["stage"])}

    take_size(window, (1920, 1055), qtbot)
    window.docks.keep()
    window.resize(1280, 780)
    qtbot.waitUntil(lambda: window.docks.width() < 1280)
    assert "gestures" not in beside_stage()
    window.docks.restore()
    assert "gestures" in beside_stage()
    window.docks.keep()
    window.resize(1920, 1055)
    qtbot.waitUntil(lambda: window.docks.width() > 1280)
    window.docks.restore()
    assert "gestures" not in beside_stage()


def test_a_desktop_shows_both_pads_without_scrolling(window: Window, qtbot: QtBot) -> None:
    take_size(window, (1920, 1055), qtbot)
    window.docks.bring("by_hand")
    (scroll,) = window.by_hand.findChildren(QScrollArea)
    inside = scroll.widget()
    assert inside is not None
    qtbot.waitUntil(lambda: scroll.verticalScrollBar().maximum() == 0)  # the layout follows
    qtbot.waitUntil(lambda: inside.width() <= scroll.viewport().width())
    qtbot.waitUntil(lambda: inside.minimumSizeHint().width() <= inside.width())


def test_two_alarms_leave_a_laptop_both_pads_without_scrolling(
    window: Window, core: LineCore, qtbot: QtBot
) -> None:
    take_size(window, (1280, 780), qtbot)
    window.docks.bring("by_hand")
    before = window.by_hand.height()
    core.set(alarms=tuple(Alarm(flag, "HOLD") for flag in ("OPERATOR_SILENT", "TICK_LATE")))
    alarms = window.findChild(AlarmsPanel)
    assert alarms is not None
    qtbot.waitUntil(lambda: len(alarms.rows) == 2)
    (scroll,) = window.by_hand.findChildren(QScrollArea)
    qtbot.waitUntil(lambda: window.by_hand.height() < before)  # the layout follows
    qtbot.wait(300)  # a layout on its way has no scroll bar either
    qtbot.waitUntil(lambda: scroll.verticalScrollBar().maximum() == 0)
    cramped = window.by_hand.head_part.pad.height()
    assert window.by_hand.walk_part.pad.height() == cramped
    core.set(alarms=())
    alarms.acknowledge_all()
    qtbot.waitUntil(lambda: not alarms.rows)
    qtbot.waitUntil(lambda: window.by_hand.head_part.pad.height() > cramped)
