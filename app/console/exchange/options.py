"""Controls that both sheets have: choices with a word for each, and a span of time."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QHBoxLayout, QLabel, QProgressBar, QWidget

from app.console.toolkit import theme

WHOLE_S = -0.01
"""Value of a time box that stands for the beginning or the end of the file [s]."""
LONGEST_S = 36_000.0


def choice(title: str, tip: str, words: Sequence[tuple[str, str]]) -> QComboBox:
    """Return a list to choose from.

    Args:
        title: name for a screen reader.
        tip: its purpose.
        words: the words that are shown, each with the value that it stands for.
    """
    box = QComboBox()
    for word, value in words:
        box.addItem(word, value)
    box.setAccessibleName(title)
    box.setToolTip(tip)
    return box


def labelled(title: str, widget: QWidget) -> QHBoxLayout:
    """Return a row with a label and its control."""
    row = QHBoxLayout()
    row.setSpacing(theme.GAP)
    label = QLabel(title)
    label.setBuddy(widget)
    row.addWidget(label)
    row.addWidget(widget)
    return row


def progress_bar(title: str) -> QProgressBar:
    """Return a thin bar that keeps its room while it is hidden."""
    bar = QProgressBar()
    bar.setTextVisible(False)
    bar.setFixedHeight(6)
    bar.setAccessibleName(title)
    policy = bar.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    bar.setSizePolicy(policy)
    return bar


class Span(QWidget):
    """From and to, in seconds; left alone they are the beginning and the end.

    Signals:
        changed: another span is chosen.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GAP)
        self.start, self.end = _time("From", "beginning"), _time("To", "end")
        for title, box in (("From", self.start), ("to", self.end)):
            label = QLabel(title)
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box)
            box.valueChanged.connect(lambda _: self.changed.emit())

    def arguments(self) -> list[str]:
        """Return the span as options of a command."""
        found = []
        for option, box in (("--from", self.start), ("--to", self.end)):
            if box.value() >= 0.0:
                found += [option, f"{box.value():.3f}"]
        return found


def _time(title: str, whole: str) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setRange(WHOLE_S, LONGEST_S)
    box.setValue(WHOLE_S)
    box.setSpecialValueText(whole)
    box.setSuffix(" s")
    box.setDecimals(2)
    box.setSingleStep(0.1)
    box.setKeyboardTracking(False)
    box.setAccessibleName(f"{title} [s]")
    box.setToolTip(f"{title} this time; at its least it is the {whole}")
    return box
