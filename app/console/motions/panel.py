"""The panel Motion: from a raw take to a gesture of the show."""

from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.console.context.context import Context
from app.console.files.background import Background
from app.console.gestures.edits import name_of
from app.console.gestures.library import GestureLibrary
from app.console.motions import words
from app.console.motions.curves import POSITION, VELOCITY, CurveView
from app.console.motions.editor import Item, MotionEditor
from app.console.motions.phrase import PhrasePart, span_of
from app.console.motions.raw import raw_whole
from app.console.motions.step_list import FIT, LAYER, StepList
from app.console.record.takes import takes_folder
from app.console.toolkit import theme
from shows.errors import ShowError
from shows.joints import JointTable
from shows.motion import Marker, Motion
from shows.process.cleaning import clean_up
from shows.process.curves import Curve
from shows.process.fit import fit
from shows.process.recipe import Recipe, load_recipe, save_recipe
from shows.process.saving import gesture_of
from shows.process.steps import Keys, Layer, Step, Trim

RECIPE = ".recipe"
FIT_RAD = 0.01  # largest deviation of fitted keys
NOTHING = "Choose a take in Record (Ctrl+9) and press Make a motion, or edit a gesture with E."
PREVIEW_MS = 33
RIGHT_PX = 184
Opened: TypeAlias = tuple[Motion, Path | None, tuple[Step, ...], Path | None]
"""Raw motion, file of its take, its steps, and file of its sound."""
NARROWEST_PX = 680


class MotionPanel(QWidget):
    """Steps, curves and saving.

    Attributes:
        editor: the motion that is edited.
        steps: its steps.
        curves: its curves.
        name: title of the gesture.
        save: saves it.
        phrase: the sound of the take, and the way to the timeline.

    Signals:
        posed: angles by joint at the playhead for the stage's ghost; None gives it back.
        preview_requested: the motion that the ghost plays; None for none.
        play_asked: name of a gesture that the robot shall play.
        saved: name of a gesture that was saved.
        timeline_asked: a saved gesture shall be put on the timeline: its name and the file of its
            sound, or None.
    """

    posed = Signal(object)
    preview_requested = Signal(object)
    play_asked = Signal(str)
    saved = Signal(str)
    timeline_asked = Signal(str, object)

    def __init__(
        self, context: Context, library: GestureLibrary, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("motion_panel")
        self._context, self._library = context, library
        self._background = Background(self)
        self.editor = MotionEditor(self._find, self)
        self.steps, self.curves = StepList(self.editor), CurveView()
        self.name, self.save = QLineEdit(), QPushButton("Save gesture")
        self.phrase = PhrasePart(context.document)
        self._play, self._preview = QPushButton("Play on the robot"), QPushButton("Preview")
        self._joints, self._kind = QComboBox(), QComboBox()
        self._mark, self._fit_view = QToolButton(), QToolButton()
        self._undo, self._redo = QToolButton(), QToolButton()
        self._time, self._words, self._title = QLabel(), QLabel(NOTHING), QLabel()
        self._settle = QTimer(self, singleShot=True, interval=PREVIEW_MS)
        self._lay_out()
        self._connect()
        self._show()

    def close_panel(self) -> None:
        """Finish the work in the background."""
        self._background.close()

    # ---- opening

    def open_take(self, path: Path) -> None:
        """Edit the motion of a take, or an imported one, without steps."""
        joints = self._library.joints
        if joints is None:
            self._say("no robot is known yet: start a core, then open the take")
            return

        def work() -> Opened:
            raw, sound = raw_whole(path, joints)
            return raw, path, (), sound

        self._background.run(work, self._take_opened, lambda error: self._say(str(error)))

    def open_motion(self, motion: Motion) -> None:
        """Edit a gesture; one that was made of a take is edited from the take again."""
        joints = self._library.joints
        if joints is None:
            self._say("no robot is known yet: start a core, then edit the gesture")
            return
        folder = self.folder
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

        self._background.run(work, self._take_opened, lambda error: self._say(str(error)))

    def open_keys(self, motion: Motion, curves: dict[str, Curve]) -> None:
        """Edit a motion that is made of keys: each joint's curve, by its name."""
        self._take_opened((motion, None, (Keys(curves),), None))

    @property
    def edited(self) -> Motion | None:
        """The motion as it is edited, under its new title; None without one."""
        motion = self.editor.motion
        return None if motion is None else replace(motion, title=self.name.text().strip())

    @property
    def folder(self) -> Path:
        """Where recipes are, beside the takes."""
        return takes_folder(self._context.document.path)

    def _take_opened(self, opened: Opened) -> None:
        raw, path, steps, sound = opened
        joints = self._library.joints
        if joints is None:
            return
        self._joints.clear()
        self._words.setText("")
        self.editor.open(raw, joints, path, steps)
        self.phrase.open(sound)
        self.name.setText(raw.title or raw.name.replace("_", " ").capitalize())
        self._offer_joints(joints)
        self.curves.go(0.0)
        self.curves.fit()

    def _offer_joints(self, joints: JointTable) -> None:
        """Offer all joints, those of each limb, and each joint."""
        raw = self.editor.raw
        assert raw is not None, "a motion is open"
        limbs = {joints.limb_of[joint]: joints.limb_of[joint] for joint in raw.joint_names}
        titles = {limb.name: limb.title for limb in joints.limbs}
        if len(limbs) > 1:
            self._joints.addItem("All joints", raw.joint_names)
        for limb in limbs:
            chosen = tuple(j for j in raw.joint_names if joints.limb_of[j] == limb)
            self._joints.addItem(titles.get(limb, limb), chosen)
        for joint in raw.joint_names:
            self._joints.addItem(joint.replace("_", " "), (joint,))
        self._joints.setCurrentIndex(0)

    # ---- layout

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setSpacing(theme.GAP)
        self._kind.addItems([POSITION, VELOCITY])
        for widget, word in (
            (self._joints, "Joints of the curves"),
            (self._kind, "Kind of the curves"),
        ):
            widget.setAccessibleName(word)
            widget.setToolTip(word)
        self._joints.setMinimumContentsLength(10)
        adjust = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self._joints.setSizeAdjustPolicy(adjust)
        for button, word, tip in (
            (self._undo, "↶", "Undo the last change of the motion"),
            (self._redo, "↷", "Do the undone change again"),
            (self._mark, "⚑ Mark", "Set a marker at the playhead, or remove the one there"),
            (self._fit_view, "Fit", "Show the whole motion"),
        ):
            button.setText(word)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
        self._title.setStyleSheet(f"color: {theme.MUTED}")
        self._time.setMinimumWidth(64)
        self._title.setMinimumWidth(1)  # it is cut where there is no room
        self.setMinimumWidth(NARROWEST_PX)
        for control in (self._joints, self._kind, self._mark, self._fit_view):
            bar.addWidget(control)
        bar.addWidget(self._time)
        bar.addWidget(self._title, 1)
        bar.addWidget(self._undo)
        bar.addWidget(self._redo)
        centre = QVBoxLayout()
        centre.setSpacing(4)
        centre.addLayout(bar)
        centre.addWidget(self.curves, 1)
        right = QVBoxLayout()
        right.setSpacing(4)
        self.name.setPlaceholderText("Name of the gesture")
        self.name.setAccessibleName("Name of the gesture")
        self.save.setAccessibleName("Save the gesture")
        self.save.setToolTip("Check it against the robot's limits, and save it with the show")
        self._preview.setCheckable(True)
        self._preview.setAccessibleName("Preview on the ghost")
        self._preview.setToolTip("Let the ghost on the stage play it, again and again")
        self._play.setAccessibleName("Play on the robot")
        self._play.setToolTip("Let the robot play the saved gesture")
        self._words.setWordWrap(True)
        self._words.setAccessibleName("What happened to the motion")
        for part in (self.name, self.phrase.wanted, self.save, self._play):
            part.setFixedWidth(RIGHT_PX)
            right.addWidget(part)
        pair = QHBoxLayout()
        pair.setSpacing(4)
        pair.addWidget(self._preview)
        pair.addWidget(self.phrase.to_timeline)
        right.addLayout(pair)
        self._words.setFixedWidth(RIGHT_PX)
        right.addWidget(self._words, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.GAP, theme.GAP, theme.GAP, theme.GAP)
        row.setSpacing(theme.GAP)
        row.addWidget(self.steps)
        row.addLayout(centre, 1)
        row.addLayout(right)
        self.setFocusProxy(self.steps.list)

    def _connect(self) -> None:
        editor = self.editor
        editor.changed.connect(self._show)
        editor.refused.connect(self._say)
        editor.undo.canUndoChanged.connect(self._undo.setEnabled)
        editor.undo.canRedoChanged.connect(self._redo.setEnabled)
        self._undo.clicked.connect(editor.undo.undo)
        self._redo.clicked.connect(editor.undo.redo)
        self.steps.asked.connect(self._add)
        self.steps.clean.clicked.connect(self._clean)
        self.steps.chosen.connect(lambda _: self._show())
        self.curves.moved.connect(self._pose)
        self.curves.trimmed.connect(self._trim)
        self._joints.currentIndexChanged.connect(lambda _: self._choose())
        self._kind.currentIndexChanged.connect(lambda _: self._choose())
        self._fit_view.clicked.connect(self.curves.fit)
        self._mark.clicked.connect(self._turn_marker)
        self._preview.toggled.connect(lambda _: self._show_preview())
        self._settle.timeout.connect(self._show_preview)
        self.save.clicked.connect(self._save)
        self.name.returnPressed.connect(self._save)
        self._play.clicked.connect(lambda: self.play_asked.emit(name_of(self.name.text())))
        self.phrase.timeline_asked.connect(self._ask_timeline)
        self._context.lock.changed.connect(self._show)
        self.name.textChanged.connect(lambda _: self._show_saved())
        self._library.changed.connect(self._show_saved)

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
        try:
            step = self._new(name, motion)
        except ShowError as error:
            self._say(str(error))
            return
        if step is None:
            self._say("there is no other gesture to lay over it")
            return
        if self.editor.edit(f"add {name.lower()}", (*self.editor.state.items, Item(step))):
            self.steps.choose(len(self.editor.state.items) - 1)

    def _new(self, name: str, motion: Motion) -> Step | None:
        if name == FIT:
            return Keys(dict(zip(motion.joint_names, fit(motion, FIT_RAD), strict=True)))
        if name == LAYER:
            entries = self._library.entries()
            return Layer(motion=entries[0].name) if entries else None
        return words.NEW[name](motion)

    def _clean(self) -> None:
        raw = self.editor.raw
        if raw is None:
            return
        try:
            items = tuple(Item(step) for step in clean_up(raw))
        except ShowError as error:
            self._say(str(error))
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
            self._say("markers belong to the take: switch the steps off to set them")
            return
        time_s = min(max(0.0, self.curves.time_s), raw.duration_s)
        markers = self.editor.state.markers
        left = [marker for marker in markers if abs(marker.time_s - time_s) > 0.05]
        if len(left) == len(markers):
            left.append(Marker(round(time_s, 3), str(len(markers) + 1)))
        self.editor.mark("marker", left)

    # ---- what is seen

    def _choose(self) -> None:
        joints = self._joints.currentData() or ()
        self.curves.choose(self._kind.currentText(), joints)

    def _show(self) -> None:
        editor, row = self.editor, self._trim_row()
        motion = editor.motion
        there = motion is not None
        self.steps.setEnabled(there)
        for widget in (self._mark, self._fit_view, self._preview, self.name, self._joints):
            widget.setEnabled(there)
        self.save.setEnabled(there and not self._context.lock.locked)
        self._undo.setEnabled(editor.undo.canUndo())
        self._redo.setEnabled(editor.undo.canRedo())
        self._show_saved()
        if motion is None or editor.raw is None:
            return
        chosen = max(0, self.steps.row)
        before = editor.before(chosen) if editor.state.items else editor.raw
        trimmed = row >= 0 and editor.state.items[row].on
        shown = before if trimmed else motion
        self.curves.show_motion(before, shown, self._library.joints)
        step = editor.state.items[row].step if row >= 0 else None
        self.curves.show_span((step.start_s, step.end_s) if isinstance(step, Trim) else None)
        source = "" if editor.take is None else f"of {editor.take.stem}  "
        self._title.setText(
            f"{source}{editor.raw.duration_s:.2f} → {motion.duration_s:.2f} s, "
            f"{len(motion.joint_names)} joints"
        )
        self._pose(self.curves.time_s)
        if self._preview.isChecked():
            self._settle.start()

    def _show_saved(self) -> None:
        """Offer to play the gesture of this name, or put it on the timeline, if there is one."""
        entry = self._library.entry(name_of(self.name.text()))
        saved = self.editor.motion is not None and entry is not None
        for button in (self._play, self.phrase.to_timeline):
            button.setEnabled(saved)

    def _pose(self, time_s: float) -> None:
        """Let the ghost take the pose at the playhead."""
        motion = self.editor.motion
        if motion is None:
            return
        self._time.setText(f"{time_s:.2f} s")
        if self._preview.isChecked():
            return
        row = min(max(0, round(time_s * motion.rate_hz)), len(motion.positions) - 1)
        pose = dict(zip(motion.joint_names, motion.positions[row].tolist(), strict=True))
        self.posed.emit(pose)

    def _show_preview(self) -> None:
        on = self._preview.isChecked() and self.editor.motion is not None
        self.preview_requested.emit(self.editor.motion if on else None)
        if not on:
            self.posed.emit(None)

    # ---- saving

    def _save(self) -> None:
        """Save the motion as a gesture of the show, with its recipe beside the take."""
        motion, joints, document = self.editor.motion, self._library.joints, self._context.document
        title = self.name.text().strip()
        name = name_of(title)
        if motion is None or joints is None or self._context.lock.locked:
            return
        if not name:
            self._say(f"{title!r} has no letter from a to z; choose another name")
            self.name.setFocus()
            return
        if name not in document.own_motions and self._library.entry(name) is not None:
            self._say(f"the library has a gesture {name!r}; choose another name")
            return
        try:
            gesture = gesture_of(motion, name, title, joints)
        except ShowError as error:
            self._say(str(error))
            return
        document.edit(
            f"save gesture {name}", document.show, motions={**document.motions, name: gesture}
        )
        kept = self._keep_recipe(name) + self._keep_phrase(name, motion)
        self._words.setStyleSheet(f"color: {theme.GOOD.colour}")
        words_ = f"{title!r} is among the gestures: {gesture.duration_s:.1f} s{kept}"
        self._words.setText(f"{theme.GOOD.mark} {words_}")
        self._words.setToolTip(words_)
        self.saved.emit(name)

    def _keep_recipe(self, name: str) -> str:
        """Write the recipe beside the take; return what to add to the report."""
        take = self.editor.take
        if take is None:
            return ""
        try:
            path = take.relative_to(self.folder).as_posix()
            save_recipe(Recipe(path, self.editor.steps), self.folder / f"{name}{RECIPE}")
        except (ShowError, ValueError) as error:
            return f"; its steps were not kept ({error})"
        return ""

    def _keep_phrase(self, name: str, motion: Motion) -> str:
        """Save the sound of the take with a gesture; return what to add to the report."""
        raw = self.editor.raw
        if raw is None:
            return ""
        span = span_of(self.editor.steps, raw.duration_s, motion.duration_s)
        return self.phrase.keep(name, span, self.folder)

    def _ask_timeline(self) -> None:
        name = name_of(self.name.text())
        self.timeline_asked.emit(name, self.phrase.file_of(name))

    def _say(self, words_: str) -> None:
        """Say why something was not done."""
        self._words.setStyleSheet(f"color: {theme.WARN.colour}")
        self._words.setText(f"{theme.WARN.mark} {words_[:1].upper()}{words_[1:]}")
