"""The curve editor, by mouse and keys: keys are chosen, moved, typed, copied, and undone."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDoubleSpinBox, QWidget
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.motions.key_keys import KEYS, STEP_S, KeyBoard
from app.console.motions.keys import KeyEditor
from core.link.commands import Go
from shows.motion import Motion
from shows.process.curves import Curve, Key
from shows.process.steps import Keys, SlowToLimits
from tests.app.console.motions.test_panel import Rig
from tests.app.console.rig import LineCore

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
ELBOW, OTHER, YAW = "left_elbow", "right_elbow", "head_yaw"
LENGTH_S = 4.0
CURVE = Curve((Key(0.0, 0.2), Key(1.0, 0.8), Key(2.0, 0.4), Key(3.0, 1.0), Key(4.0, 0.2)))


class Table(Rig):
    """A motion of three joints, made of keys, in the panel."""

    def __init__(self, context: Context, qtbot: QtBot, folder: Path, core: LineCore) -> None:
        super().__init__(context, qtbot, folder)
        self.core = core
        names = (ELBOW, OTHER, YAW)
        motion = Motion("keyed", names, 100.0, np.full((401, 3), 0.2), title="Keyed")
        flat = Curve((Key(0.0, 0.2), Key(LENGTH_S, 0.2)))
        self.panel.resize(1150, 500)
        self.panel.open_keys(motion, {ELBOW: CURVE, OTHER: flat, YAW: flat})
        self.show(ELBOW)
        self.panel.curves.position.box.setYRange(-20.0, 120.0)
        self.settle()

    @property
    def keys(self) -> KeyEditor:
        return self.panel.keys

    def settle(self) -> None:
        self.qtbot.wait(30)  # the layout follows, and the plot its ranges

    def show(self, joint: str) -> None:
        bar = self.panel.bar.joints
        bar.setCurrentIndex(bar.findText(joint.replace("_", " ")))

    def curve(self, joint: str = ELBOW) -> Curve:
        (step,) = (s for s in self.editor.steps if isinstance(s, Keys))
        return step.curves[joint]

    def at(self, index: int) -> QPoint:
        return self.panel.layer.place_of(self.curve().keys[index])

    @property
    def view(self) -> QWidget:
        found: QWidget = self.panel.curves.position.plot.viewport()
        return found

    def click(self, place: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.mouseClick(self.view, LEFT, modifiers, place)

    def drag(
        self, start: QPoint, way: QPoint, modifiers: Qt.KeyboardModifier = NONE, steps: int = 4
    ) -> None:
        view = self.view
        QTest.mousePress(view, LEFT, modifiers, start)
        for i in range(1, steps + 1):
            QTest.mouseMove(view, start + way * i / steps)
        QTest.mouseRelease(view, LEFT, modifiers, start + way)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.panel.curves.position.plot, key, modifiers)

    def chosen(self) -> list[int]:
        return sorted(index for joint, index in self.keys.chosen if joint == ELBOW)

    def type(self, box: QDoubleSpinBox, text: str) -> None:
        box.lineEdit().selectAll()
        QTest.keyClicks(box, text)
        QTest.keyClick(box, Qt.Key.Key_Return)


@pytest.fixture
def table(context: Context, core: LineCore, qtbot: QtBot, tmp_path: Path) -> Iterator[Table]:
    found = Table(context, qtbot, tmp_path, core)
    yield found
    found.panel.close_panel()


def test_keys_are_chosen_by_click_shift_band_and_key(table: Table) -> None:
    table.click(table.at(1))
    assert table.chosen() == [1]
    table.click(table.at(3), SHIFT)
    assert table.chosen() == [1, 3]
    table.click(table.at(1), SHIFT)
    assert table.chosen() == [3]
    start = table.at(1) + QPoint(-30, -60)
    table.drag(start, table.at(2) + QPoint(20, 30) - start)
    assert table.chosen() == [1, 2]
    table.press(Qt.Key.Key_A, CTRL)
    assert table.chosen() == [0, 1, 2, 3, 4]
    empty = table.at(1) + QPoint(40, 60)
    table.click(empty)
    assert table.chosen() == []
    table.click(empty)
    assert table.panel.curves.time_s == pytest.approx(1.25, abs=0.25)  # then the playhead moves
    assert table.curve() == CURVE and not table.editor.undo.canUndo()


def test_a_drag_moves_keys_in_the_grid_and_is_one_undo(table: Table) -> None:
    table.drag(table.at(1), QPoint(33, -27))
    key = table.curve().keys[1]
    assert key.time_s > 1.05 and key.value_rad > 0.85
    assert key.time_s == pytest.approx(round(key.time_s, 1), abs=1e-9)
    assert math.degrees(key.value_rad) == pytest.approx(round(math.degrees(key.value_rad)))
    assert table.editor.undo.count() == 1
    table.press(Qt.Key.Key_Z, CTRL)
    assert table.curve() == CURVE
    table.press(Qt.Key.Key_Z, CTRL | SHIFT)
    assert table.curve().keys[1] == key


@pytest.mark.parametrize("all_steps", [True, False])
def test_what_is_dragged_may_be_undone_meanwhile(table: Table, all_steps: bool) -> None:
    table.keys.insert(3.5)
    view, start = table.view, table.at(4)
    QTest.mousePress(view, LEFT, NONE, start)
    QTest.mouseMove(view, start + QPoint(0, -10))
    QTest.mouseMove(view, start + QPoint(0, -20))
    dragging = [table.keys.dragging]
    if all_steps:
        table.editor.edit("no steps", ())
    else:
        table.editor.undo.undo()
    QTest.mouseMove(view, start + QPoint(0, -30))
    QTest.mouseRelease(view, LEFT, NONE, start + QPoint(0, -30))
    assert [*dragging, table.keys.dragging] == [True, False]
    if not all_steps:
        assert table.curve() == CURVE
    table.press(Qt.Key.Key_A, CTRL)


@pytest.mark.parametrize(("way", "kept"), [(QPoint(40, 12), 1), (QPoint(9, -40), 0)])
def test_shift_moves_along_one_axis(table: Table, way: QPoint, kept: int) -> None:
    table.click(table.at(1))
    view = table.view
    start = table.at(1)
    QTest.mousePress(view, LEFT, NONE, start)
    QTest.mouseMove(view, start + way / 2)
    QTest.mouseRelease(view, LEFT, SHIFT, start + way)
    old, new = CURVE.keys[1].numbers, table.curve().keys[1].numbers
    assert new[kept] == old[kept] and new[1 - kept] != old[1 - kept]


def test_keys_stop_at_neighbours_and_limits_and_that_is_said(table: Table) -> None:
    table.drag(table.at(1), QPoint(400, 0))
    assert table.curve().keys[1].time_s == pytest.approx(1.999)
    assert "stops before the next key" in table.words
    joints = table.library.joints
    assert joints is not None
    table.drag(table.at(3), QPoint(0, -500))
    most = float(joints.upper[joints.index[ELBOW]])
    assert table.curve().keys[3].value_rad == pytest.approx(most)
    assert "Left elbow stops at its limit" in table.words


def test_dragged_keys_snap_to_the_playhead(table: Table) -> None:
    table.panel.curves.go(1.26)
    view = table.panel.curves.position.box.viewPixelSize()
    table.drag(table.at(1), QPoint(round(0.25 / view[0]), 0))
    assert table.curve().keys[1].time_s == 1.26


def test_typed_values_and_mixed_ones(table: Table) -> None:
    boxes = table.panel.steps.keys.boxes
    assert not boxes["time"].isEnabled()
    table.keys.choose({(ELBOW, 1), (ELBOW, 3)})
    assert boxes["time"].text() == "mixed" and boxes["in"].text().startswith("0.00")
    table.type(boxes["value"], "30")
    assert [table.curve().keys[i].value_rad for i in (1, 3)] == [math.radians(30.0)] * 2
    assert boxes["value"].text().startswith("30.00")
    table.keys.choose({(ELBOW, 1)})
    table.type(boxes["time"], "1.25")
    assert table.curve().keys[1].time_s == pytest.approx(1.25)
    table.type(boxes["value"], "500")
    assert "Left elbow stops at its limit" in table.words
    table.type(boxes["out"], "45")
    key = table.curve().keys[1]
    assert key.slope_in == 0.0 and key.slope_out == pytest.approx(math.radians(45.0))
    assert "corner at 1.25 s" in table.words and "preflight judges" in table.words
    table.panel.key_bar.buttons["Join"].click()
    key = table.curve().keys[1]
    assert key.slope_in == key.slope_out == pytest.approx(math.radians(22.5))


def test_a_tangent_is_pulled_and_ctrl_breaks_it(table: Table) -> None:
    table.click(table.at(1))
    end = table.panel.layer.handle_of((ELBOW, 1), True)
    assert end is not None
    table.drag(end, QPoint(0, -40))
    key = table.curve().keys[1]
    assert key.slope_out > 0.3 and key.slope_in == key.slope_out
    end = table.panel.layer.handle_of((ELBOW, 1), True)
    assert end is not None
    table.drag(end, QPoint(0, 90), CTRL)
    broken = table.curve().keys[1]
    assert broken.slope_in == key.slope_in and broken.slope_out < 0.0
    assert "has a corner" in table.words
    assert table.editor.undo.count() == 2


def test_tangents_follow_rules(table: Table) -> None:
    table.press(Qt.Key.Key_A, CTRL)
    buttons = table.panel.key_bar.buttons
    buttons["Linear"].click()
    assert table.curve().keys[0].slope_out == pytest.approx(0.6) and "corner" in table.words
    buttons["Smooth"].click()
    assert all(key.slope_in == key.slope_out == 0.0 for key in table.curve().keys)  # extrema
    table.keys.choose({(ELBOW, 2)})
    table.keys.set_value(0.9)  # no extremum any more: slopes follow
    assert table.curve().keys[1].slope_in > 0.0


def test_scaling_about_the_centre_and_the_playhead(table: Table) -> None:
    form = table.panel.steps.keys
    table.keys.choose({(ELBOW, 1), (ELBOW, 2), (ELBOW, 3)})
    form.factors["time"].setValue(0.5)
    form.factors["value"].setValue(0.5)
    form.scale.click()
    times = [key.time_s for key in table.curve().keys]
    assert times == pytest.approx([0.0, 1.5, 2.0, 2.5, 4.0])
    assert table.curve().keys[2].value_rad == pytest.approx(0.55)
    assert form.factors["time"].value() == 1.0
    table.panel.curves.go(1.0)
    form._about.setCurrentIndex(1)
    form.factors["time"].setValue(10.0)
    form.scale.click()
    assert "reached a limit or another key" in table.words
    assert table.curve().keys[3].time_s < 4.0


def test_copy_cut_and_paste_at_the_playhead_and_to_other_joints(table: Table) -> None:
    table.press(Qt.Key.Key_V, CTRL)
    assert "No key was copied" in table.words
    table.keys.choose({(ELBOW, 1), (ELBOW, 2)})
    table.press(Qt.Key.Key_C, CTRL)
    table.panel.curves.go(2.5)
    table.press(Qt.Key.Key_V, CTRL)
    times = [key.time_s for key in table.curve().keys]
    assert times == pytest.approx([0.0, 1.0, 2.0, 2.5, 3.5, 4.0])  # it replaces the key between
    table.press(Qt.Key.Key_V, CTRL | SHIFT)
    assert [key.time_s for key in table.curve(OTHER).keys] == pytest.approx([0.0, 2.5, 3.5, 4.0])
    table.show(YAW)
    table.press(Qt.Key.Key_V, CTRL)
    assert table.curve(YAW).keys[1].value_rad == pytest.approx(0.8)
    table.press(Qt.Key.Key_V, CTRL | SHIFT)
    assert len(table.curve(OTHER).keys) == 4
    table.show(ELBOW)
    table.keys.choose({(ELBOW, 1)})
    table.press(Qt.Key.Key_X, CTRL)
    assert [key.time_s for key in table.curve().keys] == pytest.approx([0.0, 2.0, 2.5, 3.5, 4.0])


def test_keys_are_inserted_deleted_and_nudged(table: Table) -> None:
    before = table.editor.motion
    table.panel.curves.go(1.5)
    table.press(Qt.Key.Key_Insert)
    assert table.chosen() == [2] and len(table.curve().keys) == 6
    after = table.editor.motion
    assert before is not None and after is not None
    assert np.abs(after.positions - before.positions).max() < 1e-9
    for _ in range(3):
        table.press(Qt.Key.Key_Right)
    table.press(Qt.Key.Key_Up, SHIFT)
    key = table.curve().keys[2]
    assert key.time_s == pytest.approx(1.5 + 3 * STEP_S)
    count = table.editor.undo.count()
    table.press(Qt.Key.Key_Delete)
    assert table.curve() == CURVE and table.editor.undo.count() == count + 1
    table.press(Qt.Key.Key_A, CTRL)
    table.press(Qt.Key.Key_Delete)
    assert len(table.curve().keys) == 1 and "keeps its first key" in table.words


def test_a_double_click_inserts_a_key_into_the_curve(table: Table) -> None:
    place = (table.at(2) + table.at(3)) / 2
    QTest.mouseDClick(table.view, LEFT, NONE, place)
    assert len(table.curve().keys) == 6
    assert table.curve().keys[3].time_s == pytest.approx(2.5, abs=0.05)


def test_the_ghost_follows_a_drag(table: Table) -> None:
    poses: list[dict[str, float] | None] = []
    table.panel.curves.go(1.0)
    table.panel.posed.connect(poses.append)
    start = table.at(1)
    view = table.view
    QTest.mousePress(view, LEFT, NONE, start)
    QTest.mouseMove(view, start + QPoint(0, -40))
    assert poses and poses[-1] is not None and poses[-1][ELBOW] > 0.9
    assert table.curve() == CURVE  # not before it is let go
    QTest.mouseRelease(view, LEFT, NONE, start + QPoint(0, -40))
    assert table.curve() != CURVE


def test_a_refused_edit_leaves_keys_and_choice(table: Table) -> None:
    table.panel.steps.asked.emit("Loop")
    table.panel.steps.form.edited.emit("blend_s", 3.9)
    table.panel.steps.choose(0)
    table.keys.choose({(ELBOW, 1)})
    table.keys.set_value(0.5)
    assert table.chosen() == [1]


def test_keys_of_the_whole_console_are_left_alone(table: Table) -> None:
    board = KeyBoard(table.keys)
    taken = " ".join(KEYS)
    assert not {"Space", "Esc", "F12", "F9"} & set(taken.replace(",", " ").split())
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Escape, *map(Qt.Key, range(0x01000030, 0x0100003C))):
        event = QKeyEvent(QEvent.Type.KeyPress, key, NONE)
        assert not board.knows(event) and not board.press(event)
    assert Go() not in table.core.commands


def test_edit_keys_fits_within_the_stated_error_and_a_new_error_fits_anew(rig: Rig) -> None:
    raw = rig.open()
    rig.panel.bar.edit_keys.click()
    rig.qtbot.waitUntil(lambda: bool(rig.editor.steps))
    (step,) = rig.editor.steps
    assert isinstance(step, Keys) and step.fitted_rad == pytest.approx(math.radians(0.5))

    def error() -> float:
        assert rig.editor.motion is not None
        return float(np.degrees(np.abs(rig.editor.motion.positions - raw.positions).max()))

    assert error() <= 0.5 + 1e-6
    box = rig.box("fitted_rad")
    box.setValue(0.1)
    rig.qtbot.waitUntil(lambda: rig.editor.steps != (step,))
    assert error() <= 0.1 + 1e-6
    joint = rig.panel.keys.joints[0]
    rig.panel.keys.choose({(joint, 0)})
    rig.panel.keys.set_value(0.3)
    (edited,) = rig.editor.steps
    assert isinstance(edited, Keys) and edited.fitted_rad is None
    box.setValue(2.0)
    assert rig.editor.steps == (edited,)  # edits are not lost by turning a number
    rig.panel.steps.form.refit_asked.emit(2.0)
    rig.qtbot.waitUntil(lambda: rig.editor.steps != (edited,))
    assert error() <= 2.0 + 1e-6
    rig.editor.undo.undo()
    assert rig.editor.steps == (edited,)
    rig.panel.steps.asked.emit("Slow down to the limits")
    assert isinstance(rig.editor.steps[-1], SlowToLimits)
    rig.panel.bar.edit_keys.click()
    assert rig.panel.steps.row == 0 and rig.panel.keys.step is edited


@pytest.fixture
def rig(context: Context, core: LineCore, qtbot: QtBot, tmp_path: Path) -> Iterator[Rig]:
    found = Rig(context, qtbot, tmp_path)
    yield found
    found.panel.close_panel()
