"""Requested, commanded and measured values as numbers under a pad."""

import math

from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.console.toolkit import theme

NONE = "–"
MARKS = (
    ("●", "asked by hand", theme.ACCENT),
    ("○", "commanded by the core", theme.WARN.colour),
    ("×", "measured", theme.GOOD.colour),
)
LEGEND = "  ".join(
    f'<span style="color: {colour}">{mark} {word}</span>' for mark, word, colour in MARKS
)


class Readout(QWidget):
    """A small table: a row for each quantity, with its requested, commanded and measured value."""

    def __init__(
        self, rows: tuple[str, ...], units: str, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(2)
        heading = QLabel(units)
        heading.setStyleSheet(f"color: {theme.MUTED}; font-size: {theme.SMALL_PX}px")
        grid.addWidget(heading, 0, 0)
        self._headings = []
        for column, (mark, word, colour) in enumerate(MARKS, start=1):
            label = QLabel(mark)
            self._headings.append(label)
            label.setToolTip(word)
            label.setStyleSheet(f"color: {colour}; font-size: {theme.SMALL_PX}px")
            grid.addWidget(label, 0, column)
            grid.setColumnStretch(column, 1)
        self._cells: list[list[QLabel]] = []
        for row, text in enumerate(rows, start=1):
            grid.addWidget(QLabel(text), row, 0)
            cells = []
            for column in range(1, len(MARKS) + 1):
                cell = QLabel(NONE)
                cell.setStyleSheet('font: 13px "DejaVu Sans Mono"')
                cells.append(cell)
                grid.addWidget(cell, row, column)
            self._cells.append(cells)

    def show_row(self, row: int, *texts: str) -> None:
        """Show the requested, commanded and measured value of one quantity."""
        for cell, text in zip(self._cells[row], texts, strict=True):
            if cell.text() != text:
                cell.setText(text)

    def spell_out(self, wide: bool) -> None:
        """Write the meaning of the marks beside them, where there is room."""
        for label, (mark, word, _) in zip(self._headings, MARKS, strict=True):
            label.setText(f"{mark} {word.split()[0]}" if wide else mark)

    def texts(self) -> list[list[str]]:
        """Return the rows of the table."""
        return [[cell.text() for cell in cells] for cells in self._cells]


def degrees(angle: float | None) -> str:
    """Return an angle [rad] in whole degrees, or a dash."""
    return NONE if angle is None else _signed(math.degrees(angle), 0) + "°"


def metres(speed: float | None) -> str:
    """Return a speed [m/s] as it is read at a glance, or a dash."""
    return NONE if speed is None else _signed(speed, 2)


def _signed(value: float, digits: int) -> str:
    """Return a number with its sign, but zero without one."""
    return f"{value:+.{digits}f}" if round(value, digits) else f"{0:.{digits}f}"
