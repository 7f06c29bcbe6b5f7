"""The gestures' panel: played where the mode allows, previewed, found, edited with undo."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.context.notices import Notice
from app.console.gestures.panel import GesturesPanel
from core.link.commands import Cancel, Freeze, Gesture, Unfreeze
from shows.document import GestureClip
from shows.limbs import Limb
from shows.motion import Motion
from tests.app.console.gestures import motions
from tests.app.console.rig import HELLO, LineCore


class Rig:
    def __init__(self, context: Context, core: LineCore, qtbot: QtBot, folder: Path) -> None:
        self.context, self.core, self._qtbot = context, core, qtbot
        self.panel = GesturesPanel(context, None, motions.picture, (motions.library(folder),))
        qtbot.addWidget(self.panel)
        self.view = self.panel.view
        self.said: list[str] = []
        context.notices.said.connect(self._hear)
        self.previews: list[Motion | None] = []
        self.panel.preview_requested.connect(self.previews.append)
        qtbot.waitUntil(lambda: self.panel.library.ready)
        self.panel.resize(420, 640)
        with qtbot.waitExposed(self.panel):
            self.panel.show()
        self.panel.activateWindow()
        self.view.setFocus()
        qtbot.waitUntil(self.view.hasFocus)

    def _hear(self, notice: Notice) -> None:
        self.said.append(notice.text)

    def named(self, name: str) -> QWidget:
        return next(w for w in self.panel.findChildren(QWidget) if w.accessibleName() == name)

    def click(self, name: str) -> None:
        button = self.named(name)
        assert isinstance(button, QAbstractButton)
        button.click()

    def listed(self) -> list[str]:
        model = self.view.model()
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    def wait_for_last(self, command: object) -> None:
        self._qtbot.waitUntil(lambda: self.core.commands[-1:] == [command])

    def favour(self, *names: str) -> None:
        store = self.context.preferences
        store.change(msgspec.structs.replace(store.value, favourites=names))

    def rename_to(self, title: str) -> None:
        QTest.keyClick(self.view, Qt.Key.Key_F2)
        editor = self.named("New title of the gesture")
        assert isinstance(editor, QLineEdit)
        editor.setText(title)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        self._qtbot.wait(20)  # the toolkit takes the title after the key


@pytest.fixture
def rig(context: Context, core: LineCore, qtbot: QtBot, tmp_path: Path) -> Iterator[Rig]:
    yield Rig(context, core, qtbot, tmp_path / "gestures")


def test_enter_plays_the_chosen_gesture(rig: Rig, qtbot: QtBot) -> None:
    rig.view.choose("wave")
    QTest.keyClick(rig.view, Qt.Key.Key_Return)
    rig.wait_for_last(Gesture("wave"))


@pytest.mark.parametrize("mode", ["DAMPED", "SETTLE", "ESTOP"])
def test_where_the_mode_forbids_nothing_is_sent_and_it_says_why(
    rig: Rig, core: LineCore, qtbot: QtBot, mode: str
) -> None:
    rig.view.choose("wave")
    core.set(mode=mode)
    qtbot.waitUntil(lambda: not rig.named("Play gestures").isEnabled())
    bar = rig.named("Why gestures cannot be played now")
    assert isinstance(bar, QLabel) and bar.isVisible() and "Not now" in bar.text()
    QTest.keyClick(rig.view, Qt.Key.Key_Return)
    assert "'Wave' was not played" in rig.said[-1]
    qtbot.wait(60)
    assert core.commands == []


@pytest.mark.parametrize("mode", ["READY", "PERFORM", "WALK"])
def test_where_the_mode_allows_it_plays(rig: Rig, core: LineCore, qtbot: QtBot, mode: str) -> None:
    core.set(mode=mode)
    link = rig.context.link
    qtbot.waitUntil(lambda: link.status is not None and link.status.mode == mode)
    rig.view.choose("nod")
    rig.click("Play gestures")
    rig.wait_for_last(Gesture("nod"))


def test_a_lost_core_disables_every_command(rig: Rig, core: LineCore, qtbot: QtBot) -> None:
    rig.view.choose("wave")
    core.stop()
    play = rig.named("Play gestures")
    qtbot.waitUntil(lambda: not play.isEnabled())
    for name in ("Cancel", "Freeze", "Resume"):
        assert not rig.named(f"{name} gestures").isEnabled()
    rig.panel.perform_favourite(0)
    QTest.keyClick(rig.view, Qt.Key.Key_Return)
    assert "the core is not there" in rig.said[-1]


def test_options_go_with_the_gesture(rig: Rig) -> None:
    rig.view.choose("wave")  # head and right arm; mirrored, head and left arm
    for name in ("Mirror the gesture", "Loop the gesture", "Limbs: Head"):
        rig.click(name)
    rig.click("Play gestures")
    rig.wait_for_last(Gesture("wave", ("left_arm",), loop=True, mirror=True))


def test_a_gesture_without_a_chosen_limb_is_refused(rig: Rig, qtbot: QtBot) -> None:
    rig.view.choose("nod")
    rig.click("Limbs: Head")
    rig.click("Play gestures")
    assert "moves none of the chosen limbs" in rig.said[-1]
    qtbot.wait(60)
    assert rig.core.commands == []


def test_cancel_freeze_and_resume_name_the_chosen_limbs(
    rig: Rig, core: LineCore, qtbot: QtBot
) -> None:
    rig.click("Cancel gestures")
    rig.wait_for_last(
        Cancel(HELLO.group_names)
    )  # by name, for a Cancel of none ends the cue as well
    rig.click("Limbs: Head")
    rig.click("Freeze gestures")
    rig.wait_for_last(Freeze(HELLO.group_names[1:]))
    assert not rig.named("Resume gestures").isEnabled()
    core.set(motion_states=("REST", "STOP", "STOP", "STOP", "STOP"))
    qtbot.waitUntil(rig.named("Resume gestures").isEnabled)
    rig.click("Resume gestures")
    rig.wait_for_last(Unfreeze(HELLO.group_names[1:]))


def test_hotkeys_play_favourites(rig: Rig, qtbot: QtBot) -> None:
    rig.favour("nod", "gone", "wave")
    QTest.keyClick(rig.panel, Qt.Key.Key_3)
    rig.wait_for_last(Gesture("wave"))
    QTest.keyClick(rig.panel, Qt.Key.Key_2)
    assert "'gone', was not played" in rig.said[-1]
    QTest.keyClick(rig.panel, Qt.Key.Key_9)
    assert "no favourite 9" in rig.said[-1]
    assert [action.shortcut().toString() for action in rig.panel.hotkeys] == list("123456789")


def test_a_digit_typed_into_the_search_plays_nothing(rig: Rig, qtbot: QtBot) -> None:
    rig.favour("nod")
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(rig.panel, Qt.Key.Key_F, modifiers)
    search = rig.named("Search gestures")
    assert isinstance(search, QLineEdit) and search.hasFocus()
    QTest.keyClick(search, Qt.Key.Key_1)
    assert search.text() == "1"
    qtbot.wait(60)
    assert rig.core.commands == []


def test_a_star_makes_a_favourite_and_takes_it_back(rig: Rig, qtbot: QtBot) -> None:
    rig.view.choose("wave")
    QTest.keyClick(rig.view, Qt.Key.Key_Asterisk)
    assert rig.context.preferences.value.favourites == ("wave",)
    assert rig.listed() == ["Wave", "Bow", "Nod"]
    current = rig.view.current()
    assert current is not None and current.name == "wave"
    QTest.keyClick(rig.view, Qt.Key.Key_Asterisk)
    assert not rig.context.preferences.value.favourites


def test_search_and_chips_narrow_the_grid(rig: Rig, qtbot: QtBot) -> None:
    search = rig.named("Search gestures")
    assert isinstance(search, QLineEdit)
    search.setText("walk")
    assert rig.listed() == ["Nod", "Wave"]
    rig.click("All tags")
    rig.click("Filter: answer")
    assert rig.listed() == ["Nod"]
    rig.click("All tags")  # a tag that is on stays in sight
    search.clear()
    rig.click("Filter: answer")
    rig.click("Filter: This show")
    assert rig.listed() == []


def test_the_ghost_shows_what_is_looked_at_as_it_would_be_played(rig: Rig, qtbot: QtBot) -> None:
    rig.view.choose("wave")
    preview = rig.previews[-1]
    assert preview is not None and preview.joint_names == ("right_elbow", "head_yaw")
    rig.click("Mirror the gesture")
    preview = rig.previews[-1]
    assert preview is not None and preview.joint_names == ("left_elbow", "head_yaw")
    rig.view.clearFocus()
    assert rig.previews[-1] is None


def test_the_limbs_that_the_robot_has_are_offered(rig: Rig) -> None:
    arms = tuple(limb for limb in HELLO.limbs if limb.kind == "arm")
    names = tuple(limb.name for limb in arms)

    def offered(limbs: tuple[Limb, ...]) -> set[str]:
        rig.context.link.hello = msgspec.structs.replace(HELLO, limbs=limbs, group_names=names)
        rig.context.link.hello_changed.emit(rig.context.link.hello)
        buttons = rig.named("Limbs").findChildren(QAbstractButton)
        return {button.accessibleName() for button in buttons}

    same_title = tuple(msgspec.structs.replace(limb, title="Arm") for limb in arms)
    assert offered(same_title) == {f"Limbs: {name}" for name in names}
    assert offered(arms) == {"Limbs: L arm", "Limbs: R arm"}
    rig.click("Cancel gestures")
    rig.wait_for_last(Cancel(names))


def test_what_plays_is_marked_by_the_cores_echo(rig: Rig, core: LineCore, qtbot: QtBot) -> None:
    core.set(gestures=("wave", "", "wave", "", ""))
    index = rig.view.model().index(2, 0)
    role = Qt.ItemDataRole.AccessibleTextRole
    qtbot.waitUntil(lambda: "plays on head, r arm" in index.data(role))


def test_the_library_is_not_renamed_or_deleted(rig: Rig, qtbot: QtBot) -> None:
    rig.view.choose("wave")
    QTest.keyClick(rig.view, Qt.Key.Key_F2)
    assert "belongs to the library" in rig.said[-1]
    QTest.keyClick(rig.view, Qt.Key.Key_Delete)
    assert "'Wave' was not deleted" in rig.said[-1]
    assert not rig.context.document.dirty


def test_a_copy_is_the_shows_own_and_is_renamed_and_deleted_with_undo(
    rig: Rig, qtbot: QtBot
) -> None:
    document = rig.context.document
    rig.view.choose("wave")
    QTest.keyClick(rig.view, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert set(document.own_motions) == {"wave_2"}
    rig.favour("wave_2")
    rig.rename_to("Grand wave")
    assert set(document.own_motions) == {"grand_wave"}
    assert rig.context.preferences.value.favourites == ("grand_wave",)
    current = rig.view.current()
    assert current is not None and current.title == "Grand wave"
    QTest.keyClick(rig.view, Qt.Key.Key_Delete)
    assert document.own_motions == {}
    for names in ({"grand_wave"}, {"wave_2"}, set()):
        document.undo.undo()
        assert set(document.own_motions) == names
    document.undo.redo()
    assert "Wave 2" in rig.listed()


def test_a_renamed_gesture_takes_its_cues_along_in_one_step(rig: Rig, qtbot: QtBot) -> None:
    document = rig.context.document
    show = motions.show_playing("mine")
    document.open(show, None, {"mine": motions.motion("mine", "Mine")}, {})
    rig.view.choose("mine")
    rig.view.setFocus()
    QTest.keyClick(rig.view, Qt.Key.Key_Delete)
    assert "played by cue 1" in rig.said[-1]
    rig.rename_to("Ours")
    clip = next(document.show.cues[0].clips())
    assert isinstance(clip, GestureClip) and clip.motion == "ours"
    document.undo.undo()
    assert document.show == show and set(document.motions) == {"mine"}


def test_a_name_that_is_taken_is_refused(rig: Rig, qtbot: QtBot) -> None:
    document = rig.context.document
    document.open(document.show, None, {"mine": motions.motion("mine", "Mine")}, {})
    rig.view.choose("mine")
    rig.view.setFocus()
    rig.rename_to("Wave")
    assert "there is a gesture 'wave' already" in rig.said[-1]
    assert set(document.motions) == {"mine"}


def test_in_show_nothing_is_edited_and_everything_is_played(rig: Rig, qtbot: QtBot) -> None:
    document = rig.context.document
    document.open(document.show, None, {"mine": motions.motion("mine", "Mine")}, {})
    rig.context.lock.set_locked(True)
    rig.view.choose("mine")
    rig.view.setFocus()
    for key in (Qt.Key.Key_F2, Qt.Key.Key_Delete, Qt.Key.Key_Asterisk):
        rig.said.clear()
        QTest.keyClick(rig.view, key)
        assert "the show is locked" in rig.said[-1]
    rig.said.clear()
    QTest.keyClick(rig.view, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert "the show is locked" in rig.said[-1]
    assert set(document.motions) == {"mine"}
    assert not rig.context.preferences.value.favourites
    QTest.keyClick(rig.view, Qt.Key.Key_Return)
    rig.wait_for_last(Gesture("mine"))


def test_everything_that_can_be_pressed_is_named_and_explained(rig: Rig) -> None:
    for button in rig.panel.findChildren(QAbstractButton):
        if button.parent() is rig.named("Search gestures"):
            continue  # the toolkit's own, which clears the line
        assert button.accessibleName() and button.toolTip(), button.text()
    assert isinstance(rig.named("Mirror the gesture"), QCheckBox)
