"""Where there is no OpenGL the panel says so and goes on; nothing it is told makes it fail."""

import dataclasses
import math

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.stage.legend import Legend
from app.console.stage.view import StagePanel
from app.picture.camera import Preset
from shows.motion import Motion
from tests.app.console.rig import HELLO, LineCore

WAVE = Motion("wave", ("left_elbow",), 10.0, np.array([[0.0], [1.0]]))


@pytest.fixture
def panel(context: Context, qtbot: QtBot) -> StagePanel:
    found = StagePanel(context)
    qtbot.addWidget(found, before_close_func=lambda _: found.close_view())
    found.resize(500, 400)
    found.show()
    return found


def test_without_opengl_one_sentence_is_shown(panel: StagePanel) -> None:
    assert not panel.drawing
    sentence = panel.findChild(QLabel)
    assert sentence is not None and sentence.isVisible()
    assert "OpenGL" in sentence.text()


def test_it_goes_on_without_a_picture(
    panel: StagePanel, core: LineCore, context: Context, qtbot: QtBot
) -> None:
    core.scene = replace(core.scene, base_position=(math.nan, 0.0, 0.0), q=(math.nan,) * 30)
    panel.preview(WAVE)
    with qtbot.waitSignal(context.link.scene_changed):
        panel.steering.choose(Preset.FOLLOW)
    panel.hide()
    panel.show()
    panel.preview(None)
    core.stop()
    qtbot.waitUntil(lambda: not context.link.connected)
    assert not panel.pushing


@pytest.mark.parametrize(
    ("key", "preset"),
    [
        (Qt.Key.Key_A, Preset.AUDIENCE),
        (Qt.Key.Key_O, Preset.OPERATOR),
        (Qt.Key.Key_F, Preset.FOLLOW),
        (Qt.Key.Key_V, Preset.FREE),
        (Qt.Key.Key_Left, Preset.FREE),
        (Qt.Key.Key_Plus, Preset.FREE),
    ],
)
def test_keys_choose_the_camera(panel: StagePanel, key: Qt.Key, preset: Preset) -> None:
    panel.steering.choose(Preset.OPERATOR if preset is not Preset.OPERATOR else Preset.AUDIENCE)
    QTest.keyClick(panel, key)
    assert panel.steering.preset is preset


def test_every_button_tells_its_key_and_its_name(panel: StagePanel) -> None:
    buttons = panel.findChildren(QToolButton)
    assert len(buttons) == len(Preset)
    for button in buttons:
        assert button.accessibleName() and "(" in button.toolTip()
    buttons[1].click()
    assert panel.steering.preset is Preset.OPERATOR and buttons[1].isChecked()


def test_the_camera_is_as_it_was_left(panel: StagePanel, context: Context, qtbot: QtBot) -> None:
    panel.steering.choose(Preset.OPERATOR)
    preferences = context.preferences
    assert msgspec.structs.asdict(preferences.value)["camera"] == "operator"
    QTest.keyClick(panel, Qt.Key.Key_Left)
    QTest.keyClick(panel, Qt.Key.Key_Plus)
    made = panel.steering.camera
    panel.close_view()
    assert msgspec.structs.asdict(preferences.value)["camera"] == "free"

    again = StagePanel(context)
    qtbot.addWidget(again, before_close_func=lambda _: again.close_view())
    assert again.steering.preset is Preset.FREE and again.steering.camera == made
    (checked,) = [button for button in again.findChildren(QToolButton) if button.isChecked()]
    assert checked.text() == "Free"
    again.steering.choose(Preset.FOLLOW)
    assert context.preferences.value.free_camera == made.numbers()


def test_an_aim_at_the_floor_tells_the_chosen_foot(
    panel: StagePanel, core: LineCore, context: Context, qtbot: QtBot
) -> None:
    (legend,) = panel.findChildren(Legend)
    at, size = QPointF(250.0, 380.0), QSize(500, 400)
    assert panel._aim.begin(panel.steering.camera, at, size)
    assert "the robot walks here: drag" in legend.text()
    panel._aim.cancel()
    assert "walks here" not in legend.text()
    core.hello = replace(HELLO, chooses_foot=True, started_s=7.0)
    core.set(started_s=7.0)
    qtbot.waitUntil(lambda: panel._aim.chooses_foot)
    panel._aim.choose_foot("right")
    assert panel._aim.begin(panel.steering.camera, at, size)
    assert "the robot walks here, right foot last: drag" in legend.text()


def test_the_legend_lies_below_the_picture_and_tells_of_a_preview(panel: StagePanel) -> None:
    (legend,) = panel.findChildren(Legend)
    sentence = panel.findChild(QLabel)
    assert sentence is not None
    assert legend.geometry().top() > sentence.geometry().bottom()
    assert "support" in legend.text() and "capture" in legend.toolTip()
    panel.preview(dataclasses.replace(WAVE, title="<Wave>"))
    assert "preview of &lt;Wave&gt;" in legend.text()
    panel.preview(None)
    assert "support" in legend.text()
