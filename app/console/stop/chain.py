"""The sources of a stop: the hardware chain, the latch, and the steps to a reset."""

import re
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.console.stop.controls import latched
from app.console.toolkit import theme
from app.console.toolkit.theme import Tone
from core.link.status import Status
from core.link.wording import sentence, text

ONLY_CHAIN = "Only this hardware chain is an E-stop. STOP on a screen is software."
UNIT = re.compile(r"(?<=\d) (?=\w)")  # a figure and its unit stay on one line


@dataclass(frozen=True, slots=True)
class Row:
    """One line: a mark, a word, and its subject."""

    tone: Tone
    text: str


def channel_rows(status: Status | None, connected: bool) -> tuple[Row, ...]:
    """Return the chain, channel by channel; unknown while the core is not there."""
    if status is None:
        return (Row(theme.UNKNOWN, "unknown: no core yet"),)
    if not status.estop_channels:
        return (Row(theme.UNKNOWN, "the core reads no channel"),)
    if not connected:
        return tuple(Row(theme.UNKNOWN, f"{c.name}: unknown") for c in status.estop_channels)
    return tuple(
        Row(theme.GOOD, f"{c.name}: closed") if c.closed else Row(theme.BAD, f"{c.name}: OPEN")
        for c in status.estop_channels
    )


def latch_rows(status: Status | None, connected: bool) -> tuple[Row, ...]:
    """Return the latched stops and their causes."""
    if status is None or not connected:
        return (Row(theme.UNKNOWN, "Unknown: the core is not there."),)
    if not latched(status):
        return (Row(theme.IDLE, "Nothing is latched."),)
    return tuple(Row(theme.BAD, reason) for reason in latch_reasons(status))


def latch_reasons(status: Status) -> tuple[str, ...]:
    """Return the causes of a latched stop, one sentence each; at least one."""
    reasons = tuple(sentence(reason) for reason in status.latched)
    return reasons or (f"The robot is in {status.mode}.",)


def step_rows(status: Status | None, connected: bool) -> tuple[Row, ...]:
    """Return the conditions of a reset, met or not; none if there is nothing to reset."""
    if status is None or not connected or not latched(status):
        return ()
    return tuple(
        Row(theme.GOOD, f"done: {text(step.condition)}")
        if step.done
        else Row(theme.WARN, f"waiting: {text(step.condition)}")
        for step in status.reset_steps
    )


class RowList(QWidget):
    """Shows rows, one under the other, and touches only those that differ.

    Attributes:
        rows: the lines.
    """

    def __init__(self, name: str, size_px: int = 13, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._size_px = size_px
        self.rows: tuple[Row, ...] = ()
        self._labels: list[QLabel] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)

    def set_rows(self, rows: tuple[Row, ...]) -> None:
        """Show other rows."""
        if rows == self.rows:
            return
        self.rows = rows
        while len(self._labels) < len(rows):
            label = QLabel(self)
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            self._labels.append(label)
            self._column.addWidget(label)
        for index, label in enumerate(self._labels):
            label.setVisible(index < len(rows))
            if index < len(rows):
                row = rows[index]
                text = UNIT.sub("\u00a0", row.text)
                label.setText(f"{row.tone.mark} {text}")
                label.setStyleSheet(f"color: {row.tone.colour}; font-size: {self._size_px}px;")
        self.setAccessibleDescription("; ".join(row.text for row in rows))


class ChainView(QWidget):
    """The E-stop chain, the latched stops with their causes, and the steps to a reset."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.channels = RowList("E-stop chain")
        self.latch = RowList("What is latched, and why")
        self.steps = RowList("What a reset needs", theme.SMALL_PX)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(heading("E-STOP CHAIN"))
        column.addWidget(self.channels)
        column.addWidget(small(ONLY_CHAIN))
        column.addSpacing(theme.GAP)
        column.addWidget(heading("LATCHED"))
        column.addWidget(self.latch)
        column.addWidget(self.steps)
        column.addStretch()

    def show_status(self, status: Status | None, connected: bool) -> None:
        """Show the core's report, or its absence."""
        self.channels.set_rows(channel_rows(status, connected))
        self.latch.set_rows(latch_rows(status, connected))
        self.steps.set_rows(step_rows(status, connected))


def heading(text: str) -> QLabel:
    """Return the heading of a part."""
    label = QLabel(text)
    label.setStyleSheet(f"color: {theme.MUTED}; font-size: {theme.SMALL_PX}px; font-weight: bold;")
    return label


def small(text: str) -> QLabel:
    """Return a line that explains."""
    label = QLabel(text)
    label.setWordWrap(True)
    label.setStyleSheet(f"color: {theme.MUTED}; font-size: {theme.SMALL_PX}px;")
    return label
