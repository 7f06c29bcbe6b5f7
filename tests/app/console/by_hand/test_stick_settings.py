"""How the sticks feel is the operator's choice, kept in the preferences."""

import msgspec
from PySide6.QtWidgets import QCheckBox, QSpinBox
from pytestqt.qtbot import QtBot

from app.console.by_hand.stick_settings import StickSettings
from app.console.preferences.store import PreferencesStore


def test_choices_become_preferences_and_preferences_are_shown(qtbot: QtBot) -> None:
    store = PreferencesStore()
    settings = StickSettings(store)
    qtbot.addWidget(settings)
    boxes = {box.accessibleName(): box for box in settings.findChildren(QSpinBox)}
    invert = settings.findChild(QCheckBox)
    assert isinstance(invert, QCheckBox)
    boxes["Dead zone"].setValue(20)
    boxes["Expo"].setValue(75)
    invert.setChecked(True)
    value = store.value
    assert (value.head_dead_zone, value.head_expo, value.head_invert_pitch) == (0.2, 0.75, True)
    store.change(msgspec.structs.replace(value, head_dead_zone=0.05, head_invert_pitch=False))
    assert boxes["Dead zone"].value() == 5
    assert not invert.isChecked()
