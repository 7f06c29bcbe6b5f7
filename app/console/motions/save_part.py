"""The right column of the panel Motion: name, saving, previews, and what happened."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.console.context.context import Context
from app.console.gestures.edits import name_of
from app.console.gestures.library import GestureLibrary
from app.console.motions.editor import MotionEditor
from app.console.motions.phrase import PhrasePart, span_of
from app.console.record.takes import takes_folder
from app.console.toolkit import theme
from shows.errors import ShowError
from shows.motion import Motion
from shows.process.recipe import Recipe, save_recipe
from shows.process.saving import gesture_of

RECIPE = ".recipe"
NOTHING = "Make a motion of a take, or press E on a gesture."
WIDTH_PX = 184


class SavePart(QWidget):
    """Saves the motion as a gesture of the show, and shows it on ghost and robot.

    Attributes:
        name: title of the gesture.
        save: saves it.
        preview: lets the ghost play the motion.
        phrase: the sound of the take, and the way to the timeline.
        words: what happened.

    Signals:
        play_asked: name of a gesture that the robot shall play.
        saved: name of a gesture that was saved.
        timeline_asked: a saved gesture shall be put on the timeline: its name and the file of its
            sound, or None.
    """

    play_asked = Signal(str)
    saved = Signal(str)
    timeline_asked = Signal(str, object)

    def __init__(
        self,
        context: Context,
        library: GestureLibrary,
        editor: MotionEditor,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._context, self._library, self._editor = context, library, editor
        self.name, self.save = QLineEdit(), QPushButton("Save gesture")
        self.play, self.preview = QPushButton("Play on the robot"), QPushButton("Preview")
        self.phrase = PhrasePart(context.document, self)
        self.words = QLabel(NOTHING)
        self._lay_out()
        self.save.clicked.connect(self._save)
        self.name.returnPressed.connect(self._save)
        self.play.clicked.connect(lambda: self.play_asked.emit(name_of(self.name.text())))
        self.phrase.timeline_asked.connect(self._ask_timeline)
        self.name.textChanged.connect(lambda _: self.show_state())
        library.changed.connect(self.show_state)
        editor.changed.connect(self.show_state)
        context.lock.changed.connect(self.show_state)
        self.show_state()

    @property
    def folder(self) -> Path:
        """Where recipes are, beside the takes."""
        return takes_folder(self._context.document.path)

    def show_state(self) -> None:
        """Show what can be done; a gesture that was saved can be played."""
        there = self._editor.motion is not None
        self.name.setEnabled(there)
        self.preview.setEnabled(there)
        self.save.setEnabled(there and not self._context.lock.locked)
        saved = there and self._library.entry(name_of(self.name.text())) is not None
        for button in (self.play, self.phrase.to_timeline):
            button.setEnabled(saved)

    def say(self, words: str) -> None:
        """Say why something was not done; nothing clears it."""
        self.words.setStyleSheet(f"color: {theme.WARN.colour}")
        self._tell(f"{theme.WARN.mark} {words[:1].upper()}{words[1:]}" if words else "")

    def _lay_out(self) -> None:
        self.name.setPlaceholderText("Name of the gesture")
        self.name.setAccessibleName("Name of the gesture")
        self.save.setAccessibleName("Save the gesture")
        self.save.setToolTip("Check it against the robot's limits, and save it with the show")
        self.preview.setCheckable(True)
        self.preview.setAccessibleName("Preview on the ghost")
        self.preview.setToolTip("Let the ghost on the stage play it, again and again")
        self.play.setAccessibleName("Play on the robot")
        self.play.setToolTip("Let the robot play the saved gesture")
        self.words.setWordWrap(True)
        self.words.setAccessibleName("What happened to the motion")
        self.setFixedWidth(WIDTH_PX)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for part in (self.name, self.phrase.wanted, self.save, self.play):
            column.addWidget(part)
        pair = QHBoxLayout()
        pair.setSpacing(4)
        pair.addWidget(self.preview)
        pair.addWidget(self.phrase.to_timeline)
        column.addLayout(pair)
        column.addWidget(self.words, 1)

    def _save(self) -> None:
        """Save the motion as a gesture of the show, with its recipe beside the take."""
        motion, joints, document = self._editor.motion, self._library.joints, self._context.document
        title = self.name.text().strip()
        name = name_of(title)
        if motion is None or joints is None or self._context.lock.locked:
            return
        if not name:
            self.say(f"{title!r} has no letter from a to z; choose another name")
            self.name.setFocus()
            return
        if name not in document.own_motions and self._library.entry(name) is not None:
            self.say(f"the library has a gesture {name!r}; choose another name")
            return
        try:
            gesture = gesture_of(motion, name, title, joints)
        except ShowError as error:
            self.say(str(error))
            return
        document.edit(
            f"save gesture {name}", document.show, motions={**document.motions, name: gesture}
        )
        kept = self._keep_recipe(name) + self._keep_phrase(name, motion)
        self.words.setStyleSheet(f"color: {theme.GOOD.colour}")
        told = f"{title!r} is among the gestures: {gesture.duration_s:.1f} s{kept}"
        self._tell(f"{theme.GOOD.mark} {told}")
        self.saved.emit(name)

    def _tell(self, words: str) -> None:
        self.words.setText(words)
        self.words.setToolTip(words)

    def _keep_recipe(self, name: str) -> str:
        """Write the recipe beside the take; return what to add to the report."""
        take = self._editor.take
        if take is None:
            return ""
        try:
            path = take.relative_to(self.folder).as_posix()
            save_recipe(Recipe(path, self._editor.steps), self.folder / f"{name}{RECIPE}")
        except (ShowError, ValueError) as error:
            return f"; its steps were not kept ({error})"
        return ""

    def _keep_phrase(self, name: str, motion: Motion) -> str:
        """Save the sound of the take with a gesture; return what to add to the report."""
        raw = self._editor.raw
        if raw is None:
            return ""
        span = span_of(self._editor.steps, raw.duration_s, motion.duration_s)
        return self.phrase.keep(name, span, self.folder)

    def _ask_timeline(self) -> None:
        name = name_of(self.name.text())
        self.timeline_asked.emit(name, self.phrase.file_of(name))
