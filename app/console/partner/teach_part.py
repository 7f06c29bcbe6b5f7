"""Teaching: takes of a new motion of the person, and the clip with which the robot answers it."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QWidget

from app.console.partner.section import TIGHT, Section, figures
from app.console.partner.words import LONGEST, Said, name_of, title
from app.console.toolkit import theme
from core.link.partner import DropTake, EndTeach, RecordTake, Teach, TeachReport

NO_ANSWER, IDLE = "no answer", "idle motion"
ANSWER_TIP = (
    "The clip with which the robot answers; "
    f"{IDLE}: what the person does between the motions, which has no answer"
)
FIRST = 2  # place of the first clip in the list
RECORD, END = "● Record", "■ End take"


class TeachPart(Section):
    """Teaches a motion take by take.

    Attributes:
        name: of the motion.
        answer: the clip that answers it.
        teach: begins.
        record: begins a take, or ends it.
        drop: forgets the newest take.
        keep: learns the motion and saves it.
        forget: forgets it.

    Signals:
        ordered: an order to the partner's process.
        troubled: it tells why an order could not be carried out.
    """

    ordered = Signal(object)
    troubled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("TEACH", 2, parent)
        self._report = TeachReport()
        self._clips: list[str] = []
        self.name, self.answer = QLineEdit(), QComboBox()
        self.teach, self.record = QPushButton("Teach"), QPushButton(RECORD)
        self.drop, self.keep, self.forget = (
            QPushButton(word) for word in ("Drop take", "Keep", "Forget")
        )
        self._trouble = figures("Why teaching did not do it")
        self._trouble.setStyleSheet(f"color: {theme.WARN.colour}; font-size: {theme.SMALL_PX}px")
        self.name.setMaxLength(LONGEST)
        self.name.setPlaceholderText("name of the motion")
        self.answer.addItems([NO_ANSWER, IDLE])
        self.answer.setMinimumContentsLength(8)
        for button in (self.teach, self.record, self.drop, self.keep, self.forget):
            button.setStyleSheet(TIGHT)
        for widget, word, tip in (
            (self.name, "Name of the motion", "An existing motion gets more takes"),
            (
                self.answer,
                "Answer to the motion",
                ANSWER_TIP,
            ),
            (self.teach, "Teach", "Begin to teach this motion"),
            (self.record, "Record a take of the motion", "Begin a take of the person, or end it"),
            (self.drop, "Drop take", "Forget the newest take"),
            (self.keep, "Keep the motion", "Learn the motion and save it in the repertoire"),
            (self.forget, "Forget the motion", "End teaching, and forget the new takes"),
        ):
            widget.setAccessibleName(word)
            widget.setToolTip(tip)
        self.add_row(self.name, self.answer, self.teach, stretch=0)
        self.add_row(self.record, self.drop, self.keep, self.forget)
        self.rows.addWidget(self._trouble)
        self.name.textChanged.connect(lambda _: self._enable())
        self.name.returnPressed.connect(self._begin)
        self.teach.clicked.connect(self._begin)
        self.record.clicked.connect(self._toggle)
        self.drop.clicked.connect(lambda: self.ordered.emit(DropTake()))
        self.keep.clicked.connect(lambda: self.ordered.emit(EndTeach(True)))
        self.forget.clicked.connect(lambda: self.ordered.emit(EndTeach(False)))
        self._ready = False

    def offer(self, clips: Sequence[tuple[str, str]]) -> None:
        """Offer clips to answer with, each by name and title; the chosen one stays chosen."""
        names = [name for name, _ in clips]
        if names == self._clips:
            return
        place, chosen = self.answer.currentIndex(), self._chosen
        self._clips = names
        self.answer.clear()
        self.answer.addItems([NO_ANSWER, IDLE, *(words for _, words in clips)])
        if chosen:
            place = FIRST + names.index(chosen) if chosen in names else 0
        self.answer.setCurrentIndex(place)

    @property
    def _chosen(self) -> str:
        """The name of the chosen clip; empty without one."""
        place = self.answer.currentIndex() - FIRST
        return self._clips[place] if place >= 0 else ""

    def show_teach(self, report: TeachReport, ready: bool) -> None:
        """Show how far the teaching is.

        Args:
            report: its state.
            ready: a repertoire is loaded, and the process answers.
        """
        self._report, self._ready = report, ready
        self.say(teach_state(report, ready))
        trouble = f"{theme.WARN.mark} {report.trouble}" if report.trouble else ""
        new = bool(trouble) and trouble != self._trouble.text()
        self._trouble.setText(trouble)
        self._trouble.setVisible(bool(trouble))
        if new:
            self.troubled.emit()
        self._enable()

    def _enable(self) -> None:
        report, ready = self._report, self._ready
        taught, recording = bool(report.name), report.recording_s is not None
        for widget in (self.name, self.answer):
            widget.setEnabled(ready and not taught)
        self.teach.setEnabled(ready and not taught and bool(name_of(self.name.text())))
        self.record.setEnabled(ready and taught)
        self.record.setText(END if recording else RECORD)
        self.drop.setEnabled(ready and taught and report.takes > 0 and not recording)
        enough = report.takes >= report.needed
        self.keep.setEnabled(ready and taught and enough and not recording)
        self.forget.setEnabled(ready and taught)

    def _begin(self) -> None:
        if self.teach.isEnabled():
            idle = self.answer.currentText() == IDLE and not self._chosen
            self.ordered.emit(Teach(name_of(self.name.text()), self._chosen, idle))

    def _toggle(self) -> None:
        self.ordered.emit(RecordTake(self._report.recording_s is None))


def teach_state(report: TeachReport, ready: bool) -> Said:
    """Return how far the teaching is, in words."""
    if not report.name:
        words = "name a motion, then Teach" if ready else "load a repertoire first"
        return Said(theme.IDLE, words)
    answer = f", answered by {title(report.answer)}" if report.answer else ""
    takes = f"{title(report.name)}{answer}: {report.takes} of {report.needed} takes"
    if report.recording_s is not None:
        return Said(theme.BUSY, f"{takes}, recording {report.recording_s:.1f} s")
    if report.takes >= report.needed:
        return Said(theme.GOOD, f"{takes}: Keep learns it")
    return Said(theme.IDLE, takes)
