"""The panel Motion: from a raw take to a gesture of the show."""

import math
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.console.context.context import Context
from app.console.files.background import Background
from app.console.gestures.library import GestureLibrary
from app.console.motions import words
from app.console.motions.curve_bar import CurveBar
from app.console.motions.curves import CurveView
from app.console.motions.editor import Item, MotionEditor
from app.console.motions.key_bar import KeyBar
from app.console.motions.key_layer import KeyLayer
from app.console.motions.keys import KeyEditor
from app.console.motions.phrase import span_of
from app.console.motions.raw import raw_whole
from app.console.motions.save_part import RECIPE, SavePart
from app.console.motions.step_list import FIT, LAYER, StepList
from app.console.motions.torque_judge import TorqueJudge
from app.console.timeline.waveforms import Waveforms
from app.console.toolkit import theme
from shows.audio import AudioInfo
from shows.errors import ShowError
from shows.motion import Marker, Motion
from shows.process.cleaning import clean_up
from shows.process.curves import Curve, evaluate
from shows.process.fit import fit
from shows.process.recipe import load_recipe
from shows.process.steps import Keys, Layer, Step, Trim

FIT_RAD = math.radians(0.5)  # largest deviation of fitted keys
PREVIEW_MS = 33
Opened: TypeAlias = tuple[Motion, Path | None, tuple[Step, ...], Path | None]
"""Raw motion, file of its take, its steps, and file of its sound."""
NARROWEST_PX = 680


class MotionPanel(QWidget):
    """Steps, curves and saving.

    Attributes:
        editor: the motion that is edited.
        keys: its keys.
        steps: its steps.
        curves: its curves.
        bar: the row over the curves.
        saving: name, saving and previews.

    Signals:
        posed: angles by joint at the playhead for the stage's ghost; None gives it back.
        preview_requested: the motion that the ghost plays; None for none.
    """

    posed = Signal(object)
    preview_requested = Signal(object)

    def __init__(
        self, context: Context, library: GestureLibrary, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("motion_panel")
        self._library = library
        self._background = Background(self)
        self.editor = MotionEditor(self._find, self)
        self.curves = CurveView()
        self.keys = KeyEditor(self.editor, lambda: self.curves.time_s, self)
        self.steps = StepList(self.editor, self.keys)
        self.saving = SavePart(context, library, self.editor)
        self.bar, self.key_bar = CurveBar(self.curves), KeyBar(self.keys)
        self.layer = KeyLayer(self.curves.position, self.keys, self)
        self._torque = TorqueJudge(context.link, self)
        self._waveforms = Waveforms(self)
        self._settle = QTimer(self, singleShot=True, interval=PREVIEW_MS)
        self._lay_out()
        self._connect()
        self._show()

    def close_panel(self) -> None:
        """Finish the work in the background."""
        self._background.close()
        self._waveforms.close()

    # ---- opening

    def open_take(self, path: Path) -> None:
        """Edit the motion of a take, or an imported one, without steps."""
        joints = self._library.joints
        if joints is None:
            self.saving.say("no robot is known yet: start a core, then open the take")
            return

        def work() -> Opened:
            raw, sound = raw_whole(path, joints)
            return raw, path, (), sound

        self._background.run(work, self._take_opened, lambda error: self.saving.say(str(error)))

    def open_motion(self, motion: Motion) -> None:
        """Edit a gesture; one that was made of a take is edited from the take again."""
        joints = self._library.joints
        if joints is None:
            self.saving.say("no robot is known yet: start a core, then edit the gesture")
            return
        folder = self.saving.folder
        recipe = folder / f"{motion.name}{RECIPE}"

        def work() -> Opened:
            if not recipe.is_file():
                return motion, None, (), None
            found = load_recipe(recipe)
            path = folder / found.take
            if not path.is_file():
                return motion, None, (), None
            raw, sound = raw_whole(path, joints)
            return replace(raw, name=motion.name, title=motion.title), path, found.steps, sound

        self._background.run(work, self._take_opened, lambda error: self.saving.say(str(error)))

    def open_keys(self, motion: Motion, curves: dict[str, Curve]) -> None:
        """Edit a motion that is made of keys: each joint's curve, by its name."""
        self._take_opened((motion, None, (Keys(curves),), None))

    @property
    def edited(self) -> Motion | None:
        """The motion as it is edited, under its new title; None without one."""
        motion = self.editor.motion
        return None if motion is None else replace(motion, title=self.saving.name.text().strip())

    def _take_opened(self, opened: Opened) -> None:
        raw, path, steps, sound = opened
        joints = self._library.joints
        if joints is None:
            return
        self.saving.say("")
        self.editor.open(raw, joints, path, steps)
        self.saving.phrase.open(sound)
        self.saving.name.setText(raw.title or raw.name.replace("_", " ").capitalize())
        self.bar.offer(raw, joints)
        self.curves.go(0.0)
        self.curves.fit()
        self._show_sound()

    # ---- layout

    def _lay_out(self) -> None:
        self.setMinimumWidth(NARROWEST_PX)
        self.bar.about.setStyleSheet(f"color: {theme.MUTED}")
        centre = QVBoxLayout()
        centre.setSpacing(4)
        centre.addWidget(self.bar)
        centre.addWidget(self.key_bar)
        centre.addWidget(self.curves, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.GAP, theme.GAP, theme.GAP, theme.GAP)
        row.setSpacing(theme.GAP)
        row.addWidget(self.steps)
        row.addLayout(centre, 1)
        row.addWidget(self.saving)
        self.setFocusProxy(self.steps.list)

    def _connect(self) -> None:
        editor, bar = self.editor, self.bar
        editor.changed.connect(self._show)
        editor.refused.connect(self.saving.say)
        editor.undo.canUndoChanged.connect(bar.undo.setEnabled)
        editor.undo.canRedoChanged.connect(bar.redo.setEnabled)
        bar.undo.clicked.connect(editor.undo.undo)
        bar.redo.clicked.connect(editor.undo.redo)
        bar.joints.currentIndexChanged.connect(lambda _: self._choose())
        bar.fit.clicked.connect(self.curves.fit)
        bar.mark.clicked.connect(self._turn_marker)
        bar.edit_keys.clicked.connect(self._edit_keys)
        self.steps.asked.connect(self._add)
        self.steps.clean.clicked.connect(self._clean)
        self.steps.chosen.connect(lambda _: self._show())
        self.steps.form.gestures = self._gestures
        self.steps.form.said.connect(self.saving.say)
        self.steps.form.refit_asked.connect(self._refit)
        self.curves.edit_with(self.keys)
        self.curves.moved.connect(self._pose)
        self.curves.trimmed.connect(self._trim)
        self.keys.said.connect(self.saving.say)
        self.keys.changed.connect(self._follow_keys)
        self._torque.changed.connect(self._show_torque)
        self.curves.shown_changed.connect(self._ask_torque)
        self._waveforms.changed.connect(self._show_sound)
        self.saving.preview.toggled.connect(lambda _: self._show_preview())
        self._settle.timeout.connect(self._show_preview)

    # ---- steps

    def _find(self, name: str) -> Motion:
        """Return the motion of a gesture.

        Raises:
            ShowError: there is none.
        """
        entry = self._library.entry(name)
        if entry is None:
            raise ShowError(name, "", "is no gesture of library or show", "choose another")
        return entry.motion

    def _add(self, name: str) -> None:
        """Add a new step."""
        motion = self.editor.motion
        if motion is None:
            return
        if name == FIT:
            self._fit(len(self.editor.state.items), FIT_RAD)
            return
        try:
            step = self._new(name, motion)
        except ShowError as error:
            self.saving.say(str(error))
            return
        if step is None:
            self.saving.say("there is no other gesture to lay over it")
            return
        if self.editor.edit(f"add {name.lower()}", (*self.editor.state.items, Item(step))):
            self.steps.choose(len(self.editor.state.items) - 1)

    def _new(self, name: str, motion: Motion) -> Step | None:
        if name == LAYER:
            entries = self._library.entries()
            return Layer(motion=entries[0].name) if entries else None
        return words.NEW[name](motion)

    def _gestures(self) -> dict[str, str]:
        """Return the titles of the gestures that can be layered, by name."""
        return {entry.name: entry.title for entry in self._library.entries()}

    def _edit_keys(self) -> None:
        """Choose the last step with keys; without one, fit keys."""
        items = self.editor.state.items
        rows = [row for row, item in enumerate(items) if isinstance(item.step, Keys)]
        if self.editor.motion is None:
            return
        if not rows:
            self._fit(len(items), FIT_RAD)
        elif self.steps.row not in rows:
            self.steps.choose(rows[-1])
        self.curves.position.plot.setFocus()

    def _refit(self, degrees: float) -> None:
        """Replace the keys of the chosen step by a fit."""
        row = self.steps.row
        if 0 <= row < len(self.editor.state.items):
            self._fit(row, math.radians(degrees))

    def _fit(self, row: int, error_rad: float) -> None:
        """Fit keys beside the GUI thread; they become the step of a row, or a new one behind."""
        items, motion = self.editor.state.items, self.editor.before(row)
        if motion is None:
            return

        def take(keys: Keys) -> None:
            if self.editor.state.items != items:
                self.saving.say("the steps have changed meanwhile: fit again")
                return
            on = items[row].on if row < len(items) else True
            if self.editor.edit("fit keys", (*items[:row], Item(keys, on), *items[row + 1 :])):
                self.steps.choose(row)

        self._background.run(
            lambda: _fitted(motion, error_rad), take, lambda error: self.saving.say(str(error))
        )

    def _clean(self) -> None:
        raw = self.editor.raw
        if raw is None:
            return
        try:
            items = tuple(Item(step) for step in clean_up(raw))
        except ShowError as error:
            self.saving.say(str(error))
            return
        self.editor.edit("clean up", items)

    def _trim(self, start_s: float, end_s: float) -> None:
        """Take the handles of the trim."""
        row, items = self._trim_row(), list(self.editor.state.items)
        if row < 0:
            return
        before = self.editor.before(row)
        longest_s = 0.0 if before is None else before.duration_s
        start_s = min(max(0.0, round(start_s, 3)), longest_s)
        end_s = min(max(start_s, round(end_s, 3)), longest_s)
        items[row] = Item(Trim(start_s, end_s), items[row].on)
        if not self.editor.edit("trim", items, f"{row} trim"):
            self._show()

    def _trim_row(self) -> int:
        """Return the row of the chosen step if it is a trim; -1 otherwise."""
        row, items = self.steps.row, self.editor.state.items
        chosen = 0 <= row < len(items) and isinstance(items[row].step, Trim)
        return row if chosen else -1

    def _turn_marker(self) -> None:
        """Set a marker at the playhead, or remove the one there; only while no step is on."""
        raw = self.editor.raw
        if raw is None:
            return
        if self.editor.steps:
            self.saving.say("markers belong to the take: switch the steps off to set them")
            return
        time_s = min(max(0.0, self.curves.time_s), raw.duration_s)
        markers = self.editor.state.markers
        left = [marker for marker in markers if abs(marker.time_s - time_s) > 0.05]
        if len(left) == len(markers):
            left.append(Marker(round(time_s, 3), str(len(markers) + 1)))
        self.editor.mark("marker", left)

    # ---- what is seen

    def _choose(self) -> None:
        joints = self.bar.joints.currentData() or ()
        self.curves.choose(joints)
        self.keys.look(self.steps.row, joints, self._library.joints)

    def _show(self) -> None:
        editor, row = self.editor, self._trim_row()
        motion = editor.motion
        there = motion is not None
        self.steps.setEnabled(there)
        bar = self.bar
        for widget in (bar.mark, bar.fit, bar.joints, bar.edit_keys, *bar.plots.values()):
            widget.setEnabled(there)
        bar.undo.setEnabled(editor.undo.canUndo())
        bar.redo.setEnabled(editor.undo.canRedo())
        if motion is None or editor.raw is None:
            self.key_bar.hide()
            return
        self.keys.look(self.steps.row, self.keys.shown, self._library.joints)
        self.key_bar.setVisible(self.keys.step is not None)
        self.curves.show_motion(*self._shown(), self._library.joints)
        step = editor.state.items[row].step if row >= 0 else None
        self.curves.show_span((step.start_s, step.end_s) if isinstance(step, Trim) else None)
        source = "" if editor.take is None else f"of {editor.take.stem}  "
        bar.about.setText(
            f"{source}{editor.raw.duration_s:.2f} → {motion.duration_s:.2f} s, "
            f"{len(motion.joint_names)} joints"
        )
        self._pose(self.curves.time_s)
        self._ask_torque()
        self._show_sound()
        if self.saving.preview.isChecked():
            self._settle.start()

    def _shown(self) -> tuple[Motion | None, Motion | None]:
        """Return the motion before the chosen step, and the one that is drawn over it.

        It is the motion after every step; while keys are edited that after their step, and while
        a trim is chosen that before it.
        """
        editor, row = self.editor, self.steps.row
        if not editor.state.items:
            return editor.raw, editor.motion
        before = editor.before(max(0, row))
        trim = self._trim_row()
        if trim >= 0 and editor.state.items[trim].on:
            return before, before
        return before, editor.before(row + 1) if self.keys.step is not None else editor.motion

    def _follow_keys(self) -> None:
        """Let the ghost follow keys that are dragged."""
        if self.keys.dragging:
            self._pose(self.curves.time_s)

    def _pose(self, time_s: float) -> None:
        """Let the ghost take the pose at the playhead."""
        motion = self._shown()[1]
        if motion is None or self.saving.preview.isChecked():
            return
        row = min(max(0, round(time_s * motion.rate_hz)), len(motion.positions) - 1)
        pose = dict(zip(motion.joint_names, motion.positions[row].tolist(), strict=True))
        if self.keys.dragging:
            at_s = np.array([row / motion.rate_hz])
            pose |= {joint: float(evaluate(c, at_s)[0]) for joint, c in self.keys.curves.items()}
        self.posed.emit(pose)

    def _ask_torque(self) -> None:
        """Ask about the shown motion, if its torque is shown."""
        motion = self._shown()[1]
        if motion is not None and self.curves.shows("Torque"):
            self._torque.ask_about(motion)
            self._show_torque()

    def _show_torque(self) -> None:
        self.curves.show_torque(*self._torque.found())

    def _show_sound(self) -> None:
        """Show the part of the take's sound that belongs to the shown motion."""
        sound, raw, shown = self.saving.phrase.sound, self.editor.raw, self._shown()[1]
        if sound is None or raw is None or shown is None:
            self.curves.wave.show_peaks(None, 0.0, 0.0)
            return
        count = len(self.editor.state.items) if self.keys.step is None else self.keys.row + 1
        trim = self._trim_row()
        items = self.editor.state.items[: trim if trim >= 0 else count]
        span = span_of([i.step for i in items if i.on], raw.duration_s, shown.duration_s)
        peaks = self._waveforms.of(AudioInfo(sound, raw.duration_s))
        self.curves.wave.show_peaks(peaks, span.start_s, span.length_s)

    def _show_preview(self) -> None:
        on = self.saving.preview.isChecked() and self.editor.motion is not None
        self.preview_requested.emit(self.editor.motion if on else None)
        if not on:
            self.posed.emit(None)


def _fitted(motion: Motion, error_rad: float) -> Keys:
    """Return keys that are nowhere further from a motion than an error [rad].

    Raises:
        ShowError: the error is out of bounds.
    """
    curves = fit(motion, error_rad)
    return Keys(dict(zip(motion.joint_names, curves, strict=True)), error_rad)
