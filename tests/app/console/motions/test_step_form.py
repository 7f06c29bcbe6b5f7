"""Every parameter of every step is in the form, with a name, and takes effect at once."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLineEdit
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.motions import words
from app.console.motions.editor import Item
from app.console.motions.words import FIELDS, NEW, TITLES, MarkerTimes, typed_pairs
from shows.motion import Marker
from shows.process.steps import (
    Keys,
    Layer,
    Repair,
    RetimeBetween,
    RetimeMarkers,
    ScaleAmplitude,
    Step,
)
from tests.app.console.motions.test_panel import Rig
from tests.app.console.rig import LineCore


@pytest.fixture
def rig(context: Context, core: LineCore, qtbot: QtBot, tmp_path: Path) -> Iterator[Rig]:
    found = Rig(context, qtbot, tmp_path)
    found.open()
    yield found
    found.panel.close_panel()


def kinds() -> set[type[Step]]:
    return set(get_args(Step))


def test_every_parameter_of_every_step_has_a_field() -> None:
    assert set(FIELDS) == set(TITLES) == kinds()
    for kind, fields in FIELDS.items():
        told = {field.name for field in fields}
        there = {field.name for field in msgspec.structs.fields(kind)}
        assert told == there - ({"curves"} if kind is Keys else set()), kind.__name__


def test_every_new_step_shows_its_parameters_with_names(rig: Rig) -> None:
    assert rig.editor.raw is not None
    marked = replace(rig.editor.raw, markers=(Marker(1.0, "up"), Marker(2.0, "down")))
    joints = rig.library.joints
    assert joints is not None
    rig.editor.open(marked, joints)
    for name in NEW:
        rig.panel.steps.asked.emit(name)
        step = rig.editor.state.items[-1].step
        form = rig.panel.steps.form
        fields = FIELDS[type(step)]
        count = sum(2 if isinstance(field, MarkerTimes) else 1 for field in fields)
        assert len(form.controls) == count, name
        assert all(control.accessibleName() for control in form.controls.values())
        assert words.text(step).startswith(TITLES[type(step)])
        rig.editor.edit("drop", ())


def test_numbers_choices_and_gestures_take_effect_and_are_undone(rig: Rig) -> None:
    rig.panel.steps.asked.emit("Layer a gesture")
    controls = rig.panel.steps.form.controls
    mode, gesture = controls["mode"], controls["motion"]
    assert isinstance(mode, QComboBox) and isinstance(gesture, QComboBox)
    before = rig.editor.motion
    mode.setCurrentIndex(mode.findData("add"))
    mode.activated.emit(mode.currentIndex())
    rig.box("weight").setValue(0.5)
    rig.box("fade_in_s").setValue(0.25)
    last = gesture.count() - 1
    gesture.setCurrentIndex(last)
    gesture.activated.emit(last)
    (step,) = rig.steps()
    assert isinstance(step, Layer)
    assert (step.mode, step.weight, step.fade_in_s) == ("add", 0.5, 0.25)
    assert step.motion == gesture.itemData(last) and rig.editor.motion is not before
    rig.box("fade_out_s").setValue(500.0)
    assert "fade" in rig.words and rig.box("fade_out_s").value() == step.fade_out_s
    rig.editor.undo.undo()
    (undone,) = rig.steps()
    assert isinstance(undone, Layer) and undone.motion != step.motion


def test_angles_are_typed_in_degrees(rig: Rig) -> None:
    rig.panel.steps.asked.emit("Repair")
    rig.box("tolerance_rad").setValue(2.0)
    (step,) = rig.steps()
    assert isinstance(step, Repair) and step.tolerance_rad == pytest.approx(0.0349, abs=1e-4)


def test_pairs_of_times_are_typed_and_nonsense_is_refused(rig: Rig) -> None:
    rig.panel.steps.asked.emit("Retime by moments")
    line = rig.panel.steps.form.controls["anchors"]
    assert isinstance(line, QLineEdit)
    line.setText("0.5-0.75, 1.5-2")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert rig.steps() == (RetimeBetween(((0.5, 0.75), (1.5, 2.0))),)
    line.setText("soon")
    line.editingFinished.emit()
    assert "'soon' are no pairs" in rig.words
    line.setText("2-1 1-2")
    line.editingFinished.emit()
    assert "order" in rig.words and rig.steps() == (RetimeBetween(((0.5, 0.75), (1.5, 2.0))),)


@pytest.mark.parametrize("text", ["1", "1-", "1-2-3", "a-b", "-1-2", "1-9999", "nan-1"])
def test_what_are_no_pairs(text: str) -> None:
    assert typed_pairs(text) is None


def test_markers_are_retimed_and_none_is_told(rig: Rig) -> None:
    rig.editor.mark("none", ())
    rig.panel.steps.asked.emit("Retime by markers")
    assert "has no markers" in rig.words and rig.steps() == ()
    rig.editor.mark("marker", (Marker(1.0, "up"),))
    rig.panel.steps.asked.emit("Retime by markers")
    box = rig.panel.steps.form.controls["times_s up"]
    assert isinstance(box, QDoubleSpinBox)
    box.setValue(1.5)
    assert rig.steps() == (RetimeMarkers({"up": 1.5}),)
    assert rig.editor.motion is not None
    assert rig.editor.motion.markers[0].time_s == pytest.approx(1.5, abs=0.01)


def test_a_pose_of_a_file_is_shown_and_kept(rig: Rig) -> None:
    assert rig.editor.raw is not None
    pose = {joint: 0.0 for joint in rig.editor.raw.joint_names}
    rig.editor.edit("open", (Item(ScaleAmplitude(0.5, pose)),))
    combo = rig.panel.steps.form.controls["about"]
    assert isinstance(combo, QComboBox) and combo.currentText() == "another pose"
    rig.box("factor").setValue(0.75)
    assert rig.steps() == (ScaleAmplitude(0.75, pose),)
