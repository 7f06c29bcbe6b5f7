"""The sound of the take that a motion is made of: trimmed like the motion, it joins the show."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QCheckBox, QPushButton

from app.console.context.document import Document
from shows.audio import audio_info
from shows.errors import ShowError
from shows.process.steps import Reverse, Step, Trim
from shows.take_sound import cut_sound

FOLDER = "phrases"  # beside the takes
ALIKE_S = 0.02  # a motion whose length differs more has another time than its sound


@dataclass(frozen=True, slots=True)
class Span:
    """The part of a take that a motion shows.

    Attributes:
        start_s: its start in the take [s].
        length_s: [s].
        whole: the motion has the take's own time from its start to its end.
    """

    start_s: float
    length_s: float
    whole: bool


def span_of(steps: Sequence[Step], raw_s: float, motion_s: float) -> Span:
    """Return the part of a take that is left by the steps.

    Args:
        steps: those that are on.
        raw_s: length of the raw motion [s].
        motion_s: length of the motion after the steps [s].
    """
    start_s, length_s = 0.0, raw_s
    for step in steps:
        if isinstance(step, Trim):
            start_s += step.start_s
            length_s = min(length_s, step.end_s) - step.start_s
    turned = any(isinstance(step, Reverse) for step in steps)
    whole = abs(motion_s - length_s) < ALIKE_S and not turned
    return Span(start_s, max(length_s, 0.0), whole)


class PhrasePart(QObject):
    """Saves the sound beside the gesture, and puts both on the timeline; a panel has its controls.

    Attributes:
        wanted: the sound is saved with the gesture; hidden if the take has none.
        to_timeline: puts the saved gesture on the timeline, with its sound.

    Signals:
        timeline_asked: the saved gesture shall be put on the timeline.
    """

    timeline_asked = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._sound: Path | None = None
        self._made: dict[str, Path] = {}  # file of the phrase, by the name of the gesture
        self.wanted = QCheckBox("With its sound")
        self.wanted.setChecked(True)
        self.wanted.setAccessibleName("Save the sound with the gesture")
        self.wanted.setToolTip("Trim the take's sound like the motion, and put it among the sounds")
        self.to_timeline = QPushButton("To timeline")
        self.to_timeline.setAccessibleName("Put the gesture on the timeline")
        self.to_timeline.setToolTip("Put the saved gesture, and its sound, at the playhead")
        self.to_timeline.clicked.connect(lambda _=False: self.timeline_asked.emit())
        self.open(None)

    def open(self, sound: Path | None) -> None:
        """Take the sound of a take; None: there is none."""
        self._sound = sound
        self.wanted.setVisible(self._sound is not None)

    @property
    def sound(self) -> Path | None:
        """The sound of the take; None without one."""
        return self._sound

    def file_of(self, gesture: str) -> Path | None:
        """Return the sound that was saved with a gesture; None if there is none."""
        return self._made.get(gesture)

    def keep(self, gesture: str, span: Span, takes: Path) -> str:
        """Save the sound with a gesture; return what to add to the report.

        Args:
            gesture: its name.
            span: the part of the take that it shows.
            takes: folder of the takes.
        """
        self._made.pop(gesture, None)
        if self._sound is None or not self.wanted.isChecked():
            return ""
        folder = takes / FOLDER
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = _free(folder, gesture)
            cut_sound(self._sound, path, span.start_s, span.length_s)
            sound = audio_info(path, path.name)
        except (OSError, ShowError) as error:
            return f"; its sound was not saved ({error})"
        self._document.add_sound(path.stem, sound)
        self._made[gesture] = path
        own = "" if span.whole else ", whose time no step has changed"
        return f"; its sound is the phrase {path.stem}{own}"


def _free(folder: Path, name: str) -> Path:
    """Return the path of a new file."""
    path, number = folder / f"{name}.wav", 1
    while path.exists():
        number += 1
        path = folder / f"{name}_{number}.wav"
    return path
