"""Every preference has a widget with words, and nothing changes before Save."""

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QListWidget, QPushButton
from pytestqt.qtbot import QtBot

from app.console.preferences.sheet import ELSEWHERE, WORDS, PreferencesSheet
from app.console.preferences.store import Preferences, PreferencesStore

ODD = Preferences(
    go_minimum_s=2.25,
    go_key_up=False,
    head_expo=0.1,
    simple_view=True,
    sound_device="booth",
    favourites=("wave", "bow"),
    recent=("/shows/a",),
    cue_columns=("name", "notes"),
    camera="follow",
)


def shown(qtbot: QtBot, value: Preferences) -> tuple[PreferencesStore, PreferencesSheet]:
    store = PreferencesStore()
    store.change(value)
    sheet = PreferencesSheet(store)
    qtbot.addWidget(sheet)
    return store, sheet


def press(sheet: PreferencesSheet, words: str) -> None:
    (button,) = [b for b in sheet.findChildren(QPushButton) if b.text() == words]
    button.click()


def test_all_of_them_are_shown_as_they_are(qtbot: QtBot) -> None:
    _, sheet = shown(qtbot, ODD)
    assert set(sheet.lines) == set(msgspec.structs.asdict(ODD)) - set(ELSEWHERE) == set(WORDS)
    assert sheet.value() == ODD
    for name, line in sheet.lines.items():
        assert line.widget.accessibleName() == WORDS[name].label
        assert line.widget.toolTip()


def test_save_changes_and_cancel_does_not(qtbot: QtBot) -> None:
    store, sheet = shown(qtbot, ODD)
    box, spin = sheet.lines["go_key_up"].widget, sheet.lines["go_minimum_s"].widget
    assert isinstance(box, QCheckBox)
    assert isinstance(spin, QDoubleSpinBox)
    box.setChecked(True)
    assert box.text() == "on"
    spin.setValue(99.0)
    press(sheet, "Cancel")
    assert store.value == ODD
    press(sheet, "Save")
    assert store.value == msgspec.structs.replace(ODD, go_key_up=True, go_minimum_s=10.0)


def test_usual_values_leave_the_lists(qtbot: QtBot) -> None:
    store, sheet = shown(qtbot, ODD)
    press(sheet, "Restore defaults")
    press(sheet, "Save")
    assert store.value == Preferences(
        favourites=ODD.favourites,
        recent=ODD.recent,
        cue_columns=ODD.cue_columns,
        camera=ODD.camera,
    )


def test_a_line_is_taken_off_a_list(qtbot: QtBot) -> None:
    store, sheet = shown(qtbot, ODD)
    lines = sheet.lines["favourites"].widget.focusProxy()
    assert isinstance(lines, QListWidget)
    lines.setCurrentRow(0)
    (remove, _) = [b for b in sheet.findChildren(QPushButton) if b.text() == "Remove"]
    remove.click()
    assert lines.count() == 1
    QTest.keyClick(lines, Qt.Key.Key_Delete)
    press(sheet, "Save")
    assert store.value.favourites == ()
