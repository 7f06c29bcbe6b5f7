"""What is asked, commanded and measured, in figures under a pad."""

import math

from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.console import theme

NONE = "–"
MARKS = (("●", "asked", theme.ACCENT), ("○", "core", theme.WARN.colour),
         ("×", "measured", theme.GOOD.colour))


class Readout(QWidget):
    """A small table: a row a quantity, with what is asked, commanded and measured."""

    def __init__(self, rows: tuple[str, ...], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(2)
        for column, (mark, word, colour) in enumerate(MARKS, start=1):
            label = QLabel(f"{mark} {word}")
            label.setStyleSheet(f"color: {colour}; font-size: {theme.SMALL_PX}px")
            grid.addWidget(label, 0, column)
            grid.setColumnStretch(column, 1)
        self._cells: list[list[QLabel]] = []
        for row, text in enumerate(rows, start=1):
            grid.addWidget(QLabel(text), row, 0)
            cells = []
            for column in range(1, len(MARKS) + 1):
                cell = QLabel(NONE)
                cell.setStyleSheet('font-family: "DejaVu Sans Mono"')
                cells.append(cell)
                grid.addWidget(cell, row, column)
            self._cells.append(cells)

    def show_row(self, row: int, *texts: str) -> None:
        """Show what is asked, commanded and measured of one quantity."""
        for cell, text in zip(self._cells[row], texts, strict=True):
            if cell.text() != text:
                cell.setText(text)

    def texts(self) -> list[list[str]]:
        """Return what is shown, row by row."""
        return [[cell.text() for cell in cells] for cells in self._cells]


def degrees(angle: float | None) -> str:
    """Return an angle [rad] in whole degrees, or a dash."""
    return NONE if angle is None else f"{math.degrees(angle):+.0f}°"


def metres(speed: float | None) -> str:
    """Return a speed [m/s] as it is read at a glance, or a dash."""
    return NONE if speed is None else f"{speed + 0.0:+.2f}"
