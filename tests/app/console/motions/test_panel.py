"""The panel Motion: from a raw take to a gesture, with a way back from every step."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QDoubleSpinBox
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.gestures.library import GestureLibrary
from app.console.motions.panel import MotionPanel
from app.console.motions.phrase import FOLDER, Span, span_of
from app.console.motions.save_part import NOTHING, RECIPE
from app.console.record.takes import takes_folder
from shows.document import Show
from shows.motion import Motion
from shows.process.recipe import load_recipe
from shows.process.steps import Keys, Mirror, Repair, SlowToLimits, Smooth, Step, Trim
from shows.take_sound import decoded
from tests.app.console.gestures import motions
from tests.app.console.record.test_panel import write_sound, write_take
from tests.app.console.rig import LineCore


class Rig:
    def __init__(self, context: Context, qtbot: QtBot, folder: Path) -> None:
        self.context, self.qtbot, self.folder = context, qtbot, folder
        self.library = GestureLibrary(
            context.link, context.document, context.notices, (motions.library(folder / "g"),)
        )
        context.document.open(Show(name="Gala"), folder / "gala", {}, {})
        self.panel = MotionPanel(context, self.library)
        self.editor = self.panel.editor
        qtbot.addWidget(self.panel)
        qtbot.waitUntil(lambda: self.library.ready)
        self.take = takes_folder(folder / "gala") / "wave_1.take"
        write_take(self.take)
        self.panel.resize(1150, 330)
        with qtbot.waitExposed(self.panel):
            self.panel.show()

    def open(self) -> Motion:
        self.panel.open_take(self.take)
        self.qtbot.waitUntil(lambda: self.editor.raw is not None)
        assert self.editor.raw is not None
        return self.editor.raw

    def steps(self) -> tuple[Step, ...]:
        return self.editor.steps

    def box(self, name: str) -> QDoubleSpinBox:
        found = self.panel.steps.form.controls[name]
        assert isinstance(found, QDoubleSpinBox)
        return found

    @property
    def words(self) -> str:
        return self.panel.saving.words.text()


@pytest.fixture
def rig(context: Context, core: LineCore, qtbot: QtBot, tmp_path: Path) -> Iterator[Rig]:
    found = Rig(context, qtbot, tmp_path)
    yield found
    found.panel.close_panel()


def test_without_a_motion_it_says_what_to_do(rig: Rig) -> None:
    assert rig.words == NOTHING and not rig.panel.saving.save.isEnabled()


def test_a_broken_take_gives_one_sentence(rig: Rig) -> None:
    rig.take.write_bytes(b"no take at all")
    rig.panel.open_take(rig.take)
    rig.qtbot.waitUntil(lambda: "is not a take" in rig.words)
    assert rig.editor.raw is None


def test_steps_are_added_changed_switched_and_undone(rig: Rig) -> None:
    raw = rig.open()
    kept = raw.positions.copy()
    rig.panel.steps.asked.emit("Smooth")
    rig.panel.steps.asked.emit("Mirror")
    assert rig.steps() == (Smooth(6.0), Mirror())
    rig.panel.steps.choose(0)
    box = rig.box("bandwidth_hz")
    box.setValue(4.0)
    box.setValue(3.0)
    assert rig.steps() == (Smooth(3.0), Mirror())
    rig.editor.undo.undo()
    assert rig.steps() == (Smooth(6.0), Mirror())  # a value that was turned is one change
    rig.editor.undo.redo()
    line = rig.panel.steps.list.item(1)
    assert line is not None
    line.setCheckState(line.checkState().Unchecked)
    assert rig.steps() == (Smooth(3.0),)
    while rig.editor.undo.canUndo():
        rig.editor.undo.undo()
    assert rig.steps() == () and rig.editor.motion is not None
    assert (rig.editor.motion.positions == kept).all() and (raw.positions == kept).all()


def test_a_step_that_does_not_fit_is_refused_with_its_place(rig: Rig) -> None:
    rig.open()
    rig.panel.steps.asked.emit("Trim")
    rig.panel.steps.choose(0)
    rig.box("start_s").setValue(50.0)
    assert "trim" in rig.words.casefold()
    assert rig.steps() == (Trim(0.0, 2.995),)
    assert rig.box("start_s").value() == 0.0


def test_the_handles_of_a_trim_change_it(rig: Rig) -> None:
    rig.open()
    rig.panel.steps.asked.emit("Trim")
    rig.panel.curves.trimmed.emit(0.5, 1.75)
    assert rig.steps() == (Trim(0.5, 1.75),)
    rig.panel.curves.trimmed.emit(-3.0, 99.0)
    assert rig.steps() == (Trim(0.0, 2.995),)


def test_clean_up_makes_a_gesture_of_a_raw_take(rig: Rig) -> None:
    rig.open()
    rig.panel.steps.clean.click()
    kinds = [type(step) for step in rig.editor.steps]
    assert kinds[0] is Repair and kinds[-2:] == [Smooth, SlowToLimits]
    rig.panel.saving.name.setText("My wave")
    rig.panel.saving.save.click()
    saved = rig.context.document.own_motions["my_wave"]
    assert saved.rate_hz == 100.0 and saved.title == "My wave" and saved.source == "recorded"
    recipe = load_recipe(takes_folder(rig.folder / "gala") / f"my_wave{RECIPE}")
    assert recipe.take == "wave_1.take" and recipe.steps == rig.editor.steps
    rig.context.document.undo.undo()
    assert "my_wave" not in rig.context.document.own_motions
    rig.context.document.undo.redo()
    rig.panel.open_motion(rig.context.document.own_motions["my_wave"])
    rig.qtbot.waitUntil(lambda: rig.panel.saving.name.text() == "My wave")
    assert rig.editor.take == rig.take and len(rig.editor.steps) == len(kinds)


def test_keys_are_fitted(rig: Rig) -> None:
    raw = rig.open()
    rig.panel.steps.asked.emit("Fit keys")
    rig.qtbot.waitUntil(lambda: bool(rig.editor.steps))
    (step,) = rig.editor.steps
    assert isinstance(step, Keys) and set(step.curves) == set(raw.joint_names)
    assert rig.editor.motion is not None
    assert np.abs(rig.editor.motion.positions - raw.positions).max() <= 0.01 + 1e-9


def test_names_that_cannot_be_are_refused(rig: Rig) -> None:
    rig.open()
    for name, word in (
        ("123", "no letter"),
        (rig.library.entries()[0].title, "library has a gesture"),
    ):
        rig.panel.saving.name.setText(name)
        rig.panel.saving.save.click()
        assert word in rig.words
    assert rig.context.document.own_motions == {}
    rig.context.lock.set_locked(True)
    rig.qtbot.waitUntil(lambda: not rig.panel.saving.save.isEnabled())


def test_the_ghost_takes_the_pose_at_the_playhead(rig: Rig) -> None:
    raw = rig.open()
    poses: list[dict[str, float] | None] = []
    rig.panel.posed.connect(poses.append)
    rig.panel.curves.go(1.0)
    assert poses and poses[-1] is not None
    assert list(poses[-1].values()) == pytest.approx(raw.positions[200].tolist())
    shown: list[Motion | None] = []
    rig.panel.preview_requested.connect(shown.append)
    rig.panel.saving.preview.click()
    assert shown == [rig.editor.motion]
    rig.panel.saving.preview.click()
    assert shown[-1] is None and poses[-1] is None


# The sound of the take


def test_the_sound_is_trimmed_like_the_motion_and_joins_the_show(rig: Rig) -> None:
    write_sound(rig.take, 3.0)
    rig.open()
    rig.qtbot.waitUntil(lambda: not rig.panel.saving.phrase.wanted.isHidden())
    rig.panel.steps.asked.emit("Trim")
    rig.panel.curves.trimmed.emit(1.0, 2.0)
    rig.panel.saving.name.setText("Hello you")
    rig.panel.saving.save.click()
    assert "its sound is the phrase hello_you" in rig.words and "no step" not in rig.words
    sound = rig.context.document.audio["hello_you"]
    assert sound.duration_s == pytest.approx(1.0)
    samples = decoded(sound.path.read_bytes()[44:])
    middle = len(samples) // 2
    assert samples[middle] == pytest.approx(0.8 * 1.5 / 3.0, abs=1e-3)
    asked: list[tuple[str, Path | None]] = []
    rig.panel.saving.timeline_asked.connect(lambda name, path: asked.append((name, path)))
    rig.panel.saving.phrase.to_timeline.click()
    assert asked == [("hello_you", sound.path)]
    rig.panel.saving.phrase.wanted.setChecked(False)
    rig.panel.saving.save.click()
    rig.panel.saving.phrase.to_timeline.click()
    assert asked[1] == ("hello_you", None)


def test_a_step_that_changes_the_time_is_said_and_a_disk_that_refuses_too(rig: Rig) -> None:
    write_sound(rig.take, 3.0)
    rig.open()
    rig.panel.steps.asked.emit("Reverse")
    rig.panel.saving.name.setText("Back")
    rig.panel.saving.save.click()
    assert "whose time no step has changed" in rig.words
    folder = rig.take.parent / FOLDER
    shutil.rmtree(folder)
    folder.write_text("no folder")
    rig.panel.saving.save.click()
    assert "its sound was not saved" in rig.words and "among the gestures" in rig.words


def test_an_overdub_is_the_whole_and_has_the_earlier_sound(rig: Rig) -> None:
    over = rig.take.with_name("wave_2.take")
    write_take(over, ("head",), backing_take="wave_1", backing_limbs=("left_arm",))
    write_sound(rig.take, 3.0)
    rig.panel.open_take(over)
    rig.qtbot.waitUntil(lambda: rig.editor.raw is not None)
    raw, joints = rig.editor.raw, rig.library.joints
    assert raw is not None and joints is not None
    assert {joints.limb_of[name] for name in raw.joint_names} == {"head", "left_arm"}
    assert not rig.panel.saving.phrase.wanted.isHidden()


def test_the_span_counts_every_trim() -> None:
    steps = (Trim(1.0, 4.0), Smooth(6.0), Trim(0.5, 2.5))
    assert span_of(steps, 5.0, 2.0) == Span(1.5, 2.0, True)
    assert not span_of(steps, 5.0, 2.4).whole
