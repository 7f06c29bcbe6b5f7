"""The timeline's panel under real mouse and keys, on a real link."""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.cues.caller import Caller
from app.console.gestures.library import GestureLibrary
from app.console.gestures.model import GESTURE_MIME
from app.console.timeline.actions import new_sway
from app.console.timeline.headers import FLAGS
from app.console.timeline.material import clip_at
from app.console.timeline.panel import TimelinePanel
from app.console.timeline.ruler import MARKS_PX
from shows.document import (
    Clip,
    Cue,
    GestureClip,
    GestureTrack,
    HeadClip,
    JumpClip,
    LiveClip,
    Show,
    SwayClip,
    VoiceClip,
    WalkClip,
)
from shows.gaits import GaitRange, JumpRange, RunRange
from shows.joints import SwayRange
from shows.motion import save_motion
from tests.app.console.timeline.cues import CUE
from tests.shows.examples import joint_table, wave_motion, write_wav

LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


class Desk:
    """The panel with what is said to the operator."""

    def __init__(self, context: Context, panel: TimelinePanel) -> None:
        self.context, self.panel = context, panel
        self.editor, self.canvas = panel.editor, panel.canvas
        self.refused: list[str] = []
        self.editor.refused.connect(self.refused.append)

    @property
    def cue(self) -> Cue:
        return self.context.document.show.cues[0]

    @property
    def undone(self) -> str:
        return self.context.document.undo.undoText()

    def clip(self, track: int, index: int) -> Clip:
        return clip_at(self.cue, (track, index))

    def at(self, time_s: float, track: int, y: float = 30.0) -> QPoint:
        lanes = self.canvas.lanes
        assert lanes is not None
        return QPoint(round(lanes.scale.x(time_s)), round(lanes.top_px(track) + y))

    def drag(
        self,
        widget: QWidget,
        start: QPoint,
        end: QPoint,
        keys: Qt.KeyboardModifier = PLAIN,
        release: bool = True,
    ) -> None:
        QTest.mousePress(widget, LEFT, keys, start)
        for share in (0.3, 0.7, 1.0):
            QTest.mouseMove(widget, start + (end - start) * share)
            QTest.qWait(1)
        if release:
            QTest.mouseRelease(widget, LEFT, keys, end)

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = PLAIN) -> None:
        QTest.keyClick(self.canvas, key, keys)


@pytest.fixture
def desk(context: Context, qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    folder = tmp_path / "gestures"
    save_motion(wave_motion("wave", 2.0), folder / "wave.json")
    save_motion(wave_motion("bow", 3.5), folder / "bow.json")
    library = GestureLibrary(context.link, context.document, context.notices, [folder])
    panel = TimelinePanel(context, library, Caller(context))
    qtbot.addWidget(panel)
    qtbot.waitUntil(lambda: library.ready and len(library.entries()) == 2)
    motions = {entry.name: entry.motion for entry in library.entries()}
    show = Show(name="x", cues=(CUE, Cue(number="8")))
    context.document.open(show, None, motions, {}, borrowed=motions.values())
    panel.resize(1200, 420)
    with qtbot.waitExposed(panel):
        panel.show()
    panel.show_cues(["7"])
    QTest.qWait(30)
    panel.canvas.setFocus()
    yield Desk(context, panel)
    panel.close_panel()


def test_a_clip_is_dragged_in_one_step_that_has_a_name_and_is_undone(desk: Desk) -> None:
    desk.editor.snaps = False
    desk.drag(desk.canvas, desk.at(1.5, 0), desk.at(2.0, 0))
    assert desk.clip(0, 0).start_s == pytest.approx(1.5, abs=0.03)
    assert desk.undone == "move Wave"
    desk.context.document.undo.undo()
    assert desk.cue == CUE


def test_a_dragged_edge_snaps_unless_snapping_is_off(desk: Desk) -> None:
    desk.editor.do("no tempo", lambda cue: msgspec.structs.replace(cue, tempo=None))
    beside = desk.at(2.03, 0) + (desk.at(1.5, 0) - desk.at(1.0, 0))
    desk.drag(desk.canvas, desk.at(1.5, 0), QPoint(beside.x(), desk.at(1.5, 0).y()))
    assert desk.clip(0, 0).start_s == 2.0  # the safe point
    desk.context.document.undo.undo()
    desk.key(Qt.Key.Key_N)
    desk.drag(desk.canvas, desk.at(1.5, 0), desk.at(2.53, 0))
    assert desk.clip(0, 0).start_s == pytest.approx(2.03, abs=0.02)


def test_edges_trim_and_with_control_they_stretch(desk: Desk) -> None:
    desk.editor.snaps = False
    end = desk.at(3.0, 0) - QPoint(3, 0)
    desk.drag(desk.canvas, end, desk.at(2.0, 0))
    trimmed = desk.clip(0, 0)
    assert isinstance(trimmed, GestureClip)
    assert trimmed.length_s == pytest.approx(1.03, abs=0.05) and desk.undone == "trim Wave"
    desk.context.document.undo.undo()
    desk.drag(desk.canvas, end, end + (desk.at(2.0, 0) - desk.at(1.0, 0)), CONTROL)
    slow = desk.clip(0, 0)
    assert isinstance(slow, GestureClip)
    assert slow.speed == pytest.approx(2.0 / 3.0, abs=0.02) and desk.undone == "stretch Wave"


def test_a_blend_is_dragged_by_its_handle(desk: Desk) -> None:
    handle = desk.at(2.5, 2, 6.0)
    desk.drag(desk.canvas, handle, desk.at(3.5, 2, 6.0))
    walk = desk.clip(2, 0)
    assert isinstance(walk, WalkClip)
    assert walk.blend_in_s == pytest.approx(1.5, abs=0.05)


def test_esc_ends_a_drag_and_nothing_is_edited(desk: Desk) -> None:
    desk.drag(desk.canvas, desk.at(1.5, 0), desk.at(4.0, 0), release=False)
    assert desk.editor.previewing
    desk.key(Qt.Key.Key_Escape)
    assert not bool(desk.editor.previewing)
    QTest.mouseRelease(desk.canvas, LEFT, PLAIN, desk.at(4.0, 0))
    assert desk.cue == CUE and not desk.context.document.dirty


def test_a_box_selects_and_keys_edit_the_selection(desk: Desk) -> None:
    desk.drag(desk.canvas, desk.at(0.2, 0, 20.0), desk.at(4.9, 1, 20.0))
    assert desk.editor.selection == {(0, 0), (1, 0)}
    for _ in range(3):
        desk.key(Qt.Key.Key_Right)
    assert [desk.clip(0, 0).start_s, desk.clip(1, 0).start_s] == [1.3, 0.8]
    assert desk.undone == "nudge 2 clips"
    desk.context.document.undo.undo()
    assert desk.cue == CUE  # nudges in a row are one step
    desk.key(Qt.Key.Key_D, CONTROL)
    assert desk.editor.selection == {(0, 2), (1, 1)}
    desk.key(Qt.Key.Key_Delete)
    assert desk.cue == CUE


def test_clips_go_to_another_cue_by_the_clipboard(desk: Desk) -> None:
    desk.key(Qt.Key.Key_A, CONTROL)
    desk.key(Qt.Key.Key_C, CONTROL)
    desk.panel.show_cues(["8"])
    desk.editor.put_playhead(2.0)
    desk.key(Qt.Key.Key_V, CONTROL)
    other = desk.context.document.show.cues[1]
    assert [len(track.clips) for track in other.tracks] == [2, 1, 1, 1, 1]
    assert min(clip.start_s for clip in other.clips()) == 2.0


def test_split_marker_safe_point_and_loop_by_keys(desk: Desk) -> None:
    desk.editor.select(frozenset({(0, 0)}))
    desk.editor.put_playhead(2.5)
    desk.key(Qt.Key.Key_S)
    assert len(desk.cue.tracks[0].clips) == 3
    desk.key(Qt.Key.Key_L)
    looped = desk.clip(0, 2)
    assert isinstance(looped, GestureClip) and looped.loop
    desk.key(Qt.Key.Key_M)
    desk.key(Qt.Key.Key_P)
    assert [marker.time_s for marker in desk.cue.markers] == [2.5, 3.0]
    assert desk.cue.safe_points_s == (2.0, 2.5, 4.0)
    desk.editor.put_playhead(30.0)
    desk.key(Qt.Key.Key_S)
    assert "under the playhead" in desk.refused[-1]


def test_the_ruler_scrubs_selects_a_range_and_moves_marks(desk: Desk) -> None:
    posed: list[Any] = []
    desk.panel.posed.connect(lambda angles, away, path: posed.append((angles, away)))
    ruler, scale = desk.panel.ruler, desk.panel.view.scale
    desk.editor.snaps = False
    QTest.mouseClick(ruler, LEFT, PLAIN, QPoint(round(scale.x(2.0)), MARKS_PX + 8))
    assert desk.editor.playhead_s == pytest.approx(2.0, abs=0.02)
    angles, away = posed[-1]
    assert angles["head_yaw"] != 0.0 and away == pytest.approx((0.0, 0.0, 0.0), abs=0.01)
    desk.editor.put_playhead(5.0)
    assert posed[-1][1][0] > 0.2
    start = QPoint(round(scale.x(1.0)), MARKS_PX + 8)
    desk.drag(ruler, start, start + QPoint(round(2.0 * scale.px_per_s), 0), SHIFT)
    assert desk.editor.span == pytest.approx((1.0, 3.0), abs=0.03)
    marker = QPoint(round(scale.x(3.0)) + 3, 7)
    desk.drag(ruler, marker, QPoint(round(scale.x(4.5)), 7))
    assert desk.cue.markers[0].time_s == pytest.approx(4.5, abs=0.03)
    desk.panel.hide()
    assert posed[-1] == (None, None)


def test_tracks_are_muted_locked_and_renamed(desk: Desk) -> None:
    headers = desk.panel.headers
    desk.panel.headers.turn(0, FLAGS[0])
    assert desk.cue.tracks[0].muted and desk.undone == "mute the track Gesture in cue 7"
    desk.panel.headers.turn(0, FLAGS[2])
    desk.drag(desk.canvas, desk.at(1.5, 0), desk.at(3.0, 0))
    assert "is locked" in desk.refused[-1] and desk.clip(0, 0) == clip_at(CUE, (0, 0))
    headers.rename(0)
    (line,) = headers.findChildren(QLineEdit)
    QTest.keyClicks(line, "Arms")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert desk.cue.tracks[0].name == "Arms"


def test_exact_values_are_typed(desk: Desk) -> None:
    desk.editor.select(frozenset({(1, 0)}))
    fields = desk.panel.fields
    line = field(fields, "Yaw °")
    assert line.text() == "22.918"
    write(line, "30")
    head = desk.clip(1, 0)
    assert isinstance(head, HeadClip) and head.yaw == pytest.approx(0.5236, abs=1e-3)
    write(field(fields, "End"), "0:09.5")
    assert desk.clip(1, 0).length_s == 9.0  # type: ignore[union-attr]
    write(field(fields, "Start"), "soon")
    assert "is no time" in desk.panel._line.text() and desk.clip(1, 0).start_s == 0.5
    desk.editor.select(frozenset({(0, 0), (0, 1)}))
    choice = named(fields, QComboBox, "Gesture")
    assert isinstance(choice, QComboBox) and choice.currentIndex() == -1
    assert field(fields, "Speed").placeholderText() == "(several)"
    places, start_s = desk.editor.selection, 20.0
    sway = new_sway(start_s, SwayRange(left=0.0, forward=0.02, up=0.08, frequency_hz=0.2))
    desk.editor.insert_clip("add a sway clip", sway, None, None)
    assert desk.editor.selection != places
    write(field(fields, "Amplitude cm"), "1.5")
    write(field(fields, "Period"), "10")
    write(field(fields, "Length"), "25")
    (place,) = desk.editor.selection
    assert desk.clip(*place) == SwayClip(
        start_s=start_s, length_s=25.0, direction="forward", amplitude_m=0.015, frequency_hz=0.1
    )
    assert field(fields, "Cycles").text() == "2"


def test_a_live_clip_is_added_trimmed_and_told_whom_it_follows(
    desk: Desk, qtbot: QtBot, tmp_path: Path
) -> None:
    repertoire = tmp_path / "repertoires" / "duel" / "repertoire.json"
    repertoire.parent.mkdir(parents=True)
    repertoire.write_text("{}")
    desk.context.document.folder = tmp_path
    desk.editor.put_playhead(20.0)
    desk.panel.actions_.add_clip("live")
    (place,) = desk.editor.selection
    assert desk.cue.tracks[place[0]].kind == "live"
    assert desk.clip(*place) == LiveClip(start_s=20.0, length_s=20.0)
    desk.editor.put_playhead(30.0)
    desk.key(Qt.Key.Key_W)
    desk.key(Qt.Key.Key_Left)
    fields = desk.panel.fields
    for label, value in (("Mode", "answer"), ("Repertoire", "duel")):
        choice = named(fields, QComboBox, label)
        assert isinstance(choice, QComboBox)
        choice.setCurrentIndex(choice.findData(value))
        choice.activated.emit(choice.currentIndex())
        if value == "answer":
            qtbot.waitUntil(lambda: any("names none" in c.reason for c in desk.editor.conflicts))
    for label in ("Legs", "Mirror sides"):
        named(fields, QCheckBox, label).click()  # type: ignore[attr-defined]
    limbs = named(fields, QToolButton, "Limbs")
    assert isinstance(limbs, QToolButton) and limbs.text() == "all"
    {action.text(): action for action in limbs.menu().actions()}["head"].trigger()
    assert desk.clip(*place) == LiveClip(
        start_s=19.9,
        length_s=10.0,
        mode="answer",
        groups=("left_arm", "right_arm"),
        legs=True,
        mirror_sides=False,
        repertoire="duel",
    )
    assert limbs.text().startswith("left arm")
    assert desk.undone.startswith("change the limbs of Answer: duel")
    qtbot.waitUntil(lambda: not any(c.place == place for c in desk.editor.conflicts))


def test_a_gesture_and_a_sound_are_dropped(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    lanes = desk.canvas.lanes
    assert lanes is not None
    data = QMimeData()
    data.setData(GESTURE_MIME, b"bow")
    desk.panel._drops.drop(data, lanes, QPointF(desk.at(9.0, 0)))
    dropped = desk.clip(0, 2)
    assert isinstance(dropped, GestureClip)
    assert dropped.motion == "bow" and dropped.start_s == pytest.approx(9.0, abs=0.05)
    write_wav(tmp_path / "a voice.wav", 0.5)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a voice.wav"))])
    desk.panel._drops.drop(data, lanes, QPointF(desk.at(2.0, 3)))
    qtbot.waitUntil(lambda: len(desk.cue.tracks[3].clips) == 2)
    voice = desk.clip(3, 1)
    assert isinstance(voice, VoiceClip) and voice.phrase == "a_voice"
    assert desk.context.document.audio["a_voice"].duration_s == 0.5
    (tmp_path / "broken.wav").write_bytes(b"RIFF")
    desk.panel.add_sound(tmp_path / "broken.wav")
    qtbot.waitUntil(lambda: "broken.wav" in desk.panel._line.text())


def test_conflicts_are_marked_where_they_occur(desk: Desk, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: bool(desk.editor.conflicts))  # the phrase is not in the show
    found = {conflict.place: conflict for conflict in desk.editor.conflicts}
    assert "no sound 'hello'" in found[(3, 0)].reason
    clip, gestures = GestureClip(start_s=1.5, motion="wave"), desk.cue.tracks[0]
    assert isinstance(gestures, GestureTrack)
    track = GestureTrack(clips=(*gestures.clips, clip))
    desk.editor.do("two", lambda cue: msgspec.structs.replace(cue, tracks=(track, *cue.tracks[1:])))
    qtbot.waitUntil(lambda: any(c.place == (0, 2) for c in desk.editor.conflicts))
    (both,) = [c for c in desk.editor.conflicts if c.place == (0, 2) and c.gravity == "fault"]
    assert (both.start_s, both.end_s) == (1.5, 3.0) and "Two clips of this track" in both.reason


def test_a_locked_show_refuses_edits_in_one_sentence(desk: Desk) -> None:
    desk.context.lock.set_locked(True)
    desk.drag(desk.canvas, desk.at(1.5, 0), desk.at(3.0, 0))
    desk.key(Qt.Key.Key_M)
    assert desk.cue == CUE and "switch to EDIT" in desk.refused[-1]


def test_the_tempo_is_tapped_and_typed(desk: Desk) -> None:
    desk.editor.do("no tempo", lambda cue: msgspec.structs.replace(cue, tempo=None))
    desk.editor.put_playhead(1.0)
    for _ in range(4):
        desk.key(Qt.Key.Key_T)
        QTest.qWait(300)
    tempo = desk.cue.tempo
    assert tempo is not None and 120.0 < tempo.bpm < 220.0 and tempo.first_s == 1.0
    line = desk.panel._toolbar.tempo
    write(line, "fast")
    assert "no tempo" in desk.panel._line.text()
    write(line, "96,5")
    assert desk.cue.tempo is not None and desk.cue.tempo.bpm == 96.5
    write(line, "")
    assert desk.cue.tempo is None


def named(fields: QWidget, kind: type[QWidget], label: str) -> QWidget:
    (found,) = (
        widget
        for widget in fields.findChildren(kind)
        if widget.accessibleName() == f"{label} of the selected clips"
    )
    return found


def field(fields: QWidget, label: str) -> QLineEdit:
    found = named(fields, QLineEdit, label)
    assert isinstance(found, QLineEdit)
    return found


def write(line: QLineEdit, text: str) -> None:
    line.setFocus()
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


GAITS = GaitRange(
    run=RunRange(forward=0.15, sideways=0.1, turning=0.5),
    jump=JumpRange(
        flight_s=0.12, period_s=0.6, usual_flight_s=0.1, usual_period_s=0.8,
        forward=0.06, sideways=0.03, turn=0.2,
    ),
)  # fmt: skip


def test_runs_and_jumps_are_added_and_typed_within_the_range_of_the_robot(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = replace(joint_table(), gaits=GAITS)
    monkeypatch.setattr(type(desk.editor), "joints", property(lambda _: table))
    desk.editor.put_playhead(20.0)
    desk.panel.actions_.add_clip("run")
    (place,) = desk.editor.selection
    assert desk.clip(*place) == WalkClip(start_s=20.0, length_s=4.0, gait="run", vx=0.15)
    fields = desk.panel.fields
    assert field(fields, "Ahead m/s").toolTip().endswith("-0.15 to 0.15 m/s in a run")
    desk.editor.put_playhead(30.0)
    desk.panel.actions_.add_clip("jump")
    (place,) = desk.editor.selection
    assert desk.clip(*place) == JumpClip(start_s=30.0, length_s=1.2)
    assert field(fields, "Flight s").placeholderText() == "0.1 (usual)"
    write(field(fields, "Jumps"), "2.5")
    assert "no whole number" in desk.panel._line.text()
    write(field(fields, "Jumps"), "2")
    write(field(fields, "Flight s"), "0.08")
    write(field(fields, "Period s"), "0.9")
    write(field(fields, "Ahead cm"), "-3")
    write(field(fields, "Turn °"), "10")
    found = desk.clip(*place)
    assert isinstance(found, JumpClip) and found.turn == pytest.approx(math.radians(10.0))
    assert (found.count, found.flight_s, found.period_s, found.dx) == (2, 0.08, 0.9, -0.03)
    assert found.length_s == 2.2
    write(field(fields, "Flight s"), "")
    assert desk.clip(*place).flight_s == 0.0  # type: ignore[union-attr]


def test_a_gait_that_the_robot_lacks_is_not_added(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = GaitRange(refused={"jump": "its knees are too weak"})
    table = replace(joint_table(), gaits=lacking)
    monkeypatch.setattr(type(desk.editor), "joints", property(lambda _: table))
    before = desk.cue
    desk.panel.actions_.add_clip("jump")
    assert desk.cue == before and "its knees are too weak" in desk.panel._line.text()
    menu = QMenu()
    desk.panel.actions_.fill(menu)
    (add,) = (a.menu() for a in menu.actions() if a.text() == "Add a clip")
    assert isinstance(add, QMenu)
    add.aboutToShow.emit()
    action = {a.text(): a for a in add.actions()}["Jump"]
    assert not action.isEnabled() and action.toolTip() == "Its knees are too weak."
