"""The bar shows the core's echo, and knows nothing once the core is lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.top.bar import LOCK_KEY, LockSwitch, ShowName, TopBarPanel
from shows.document import Show
from tests.app.console.rig import LineCore


@pytest.fixture
def bar(context: Context, qtbot: QtBot) -> Iterator[TopBarPanel]:
    found = TopBarPanel(context)
    qtbot.addWidget(found)
    found.resize(1280, 48)
    with qtbot.waitExposed(found):
        found.show()
    found.activateWindow()
    yield found


def test_a_lost_core_is_told_and_no_value_is_kept(
    bar: TopBarPanel, context: Context, core: LineCore, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: bar.mode.reading.text == "READY")
    assert bar.banner.isHidden()
    core.stop()
    qtbot.waitUntil(lambda: not bar.banner.isHidden())
    assert "CORE LOST" in bar.banner.text() and "E-stop" in bar.banner.text()
    assert bar.mode.reading.text == "LOST"
    for name, readout in bar.readouts.items():
        assert readout.reading.text == ("LOST" if name == "LINK" else "?")
        assert "not there" in readout.toolTip()
    with LineCore(core.endpoint):
        qtbot.waitUntil(lambda: bar.mode.reading.text == "READY")
        assert bar.banner.isHidden()


def test_the_clock_stands_when_the_core_says_nothing_new(
    bar: TopBarPanel, core: LineCore, qtbot: QtBot
) -> None:
    core.set(position_s=61.0, show_length_s=100.0, running_cues=("1",))
    qtbot.waitUntil(lambda: bar.readouts["SHOW CLOCK"].reading.text == "1:01")
    assert bar.readouts["TIME LEFT"].reading.text == "0:39"
    qtbot.wait(1100)
    assert bar.readouts["SHOW CLOCK"].reading.text == "1:01"


def test_the_mode_is_told_by_the_core(bar: TopBarPanel, core: LineCore, qtbot: QtBot) -> None:
    core.set(mode="STANDING_UP")
    qtbot.waitUntil(lambda: bar.mode.reading.text == "STANDING UP")
    assert "STANDING UP" in bar.mode.accessibleDescription()


def test_the_lock_is_switched_by_key_and_by_mouse(
    bar: TopBarPanel, context: Context, qtbot: QtBot
) -> None:
    assert LOCK_KEY == "Ctrl+L"
    switch = bar.findChild(LockSwitch)
    assert switch is not None and switch.edit.isChecked()
    locked: list[bool] = []
    context.lock.changed.connect(locked.append)
    QTest.keyClick(bar, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert switch.show_.isChecked() and not switch.edit.isChecked()
    QTest.mouseClick(switch.edit, Qt.MouseButton.LeftButton)
    assert locked == [True, False]
    assert "●" in switch.edit.text() and "○" in switch.show_.text()


def test_a_show_with_changes_is_marked_in_words(bar: TopBarPanel, context: Context) -> None:
    name = bar.findChild(ShowName)
    assert name is not None and "not saved" not in name.dirty.text()
    context.document.edit("rename", Show(name="Gala"))
    assert name.name.text() == "Gala" and "not saved" in name.dirty.text()
    context.document.undo.setClean()
    assert "not saved" not in name.dirty.text()


def test_a_new_show_that_is_saved_is_told_to_be_saved(
    bar: TopBarPanel, context: Context, tmp_path: Path
) -> None:
    name, document = bar.findChild(ShowName), context.document
    assert name is not None and name.dirty.text() == "new show"
    document.edit("rename", Show(name="Gala"))
    document.undo.setClean()
    document.move(tmp_path / "gala", tmp_path / "gala", {})
    assert name.dirty.text() == "saved"
    assert str(tmp_path / "gala") in name.toolTip()


def test_a_long_name_is_cut_with_an_ellipsis_and_whole_in_the_tooltip(
    bar: TopBarPanel, context: Context
) -> None:
    long = "The very long evening show " * 8
    context.document.edit("rename", Show(name=long))
    name = bar.findChild(ShowName)
    assert name is not None
    assert name.name.text().endswith("…") and long in name.toolTip()


@pytest.mark.parametrize("width", [1100, 1280, 1920])
def test_every_value_lies_inside_the_bar(bar: TopBarPanel, width: int, qtbot: QtBot) -> None:
    bar.resize(width, 48)
    qtbot.waitUntil(lambda: bar.width() == width)
    qtbot.wait(20)
    readouts = [bar.mode, *(r for r in bar.readouts.values() if r.isVisible())]
    assert len(readouts) == (6 if width < 1280 else 8)
    for readout in readouts:
        assert readout.geometry().right() <= width
    for left, right in zip(readouts[1:], readouts[2:], strict=False):
        assert left.geometry().right() < right.geometry().left()


def test_a_wide_bar_can_shrink_again(bar: TopBarPanel, qtbot: QtBot) -> None:
    bar.resize(1920, 48)
    qtbot.wait(20)
    bar.resize(1280, 48)
    qtbot.waitUntil(lambda: bar.width() == 1280)
