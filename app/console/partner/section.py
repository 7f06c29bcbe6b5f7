"""One section of the panel Partner: a title, its state in words, and rows of controls."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.console.partner.words import Said
from app.console.toolkit import theme

TIGHT = "padding-left: 5px; padding-right: 5px"  # of buttons of which many share a row


class Section(QWidget):
    """A title with a state beside it, and rows below.

    Attributes:
        state: the state in words.
        rows: put rows of controls into it.
    """

    def __init__(
        self,
        title: str,
        lines: int = 1,
        parent: QWidget | None = None,
        beside: QWidget | None = None,
    ) -> None:
        """Build an empty section.

        Args:
            title: in capitals.
            lines: lines of the state for which there is always room.
            parent: the panel.
            beside: a control in the row of the title; the state is then below.
        """
        super().__init__(parent)
        self.setAccessibleName(title.capitalize())
        name = QLabel(title)
        name.setStyleSheet(f"color: {theme.MUTED}; font-weight: bold")
        name.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.state = QLabel()
        self.state.setWordWrap(True)
        self.state.setAccessibleName(f"State of {title.lower()}")
        self.state.setAlignment(Qt.AlignmentFlag.AlignTop)
        if lines > 1:
            self.state.setMinimumHeight(theme.TWO_LINES)  # so that nothing jumps
        heading = QHBoxLayout()
        heading.setSpacing(theme.GAP)
        heading.addWidget(name)
        heading.addWidget(beside or self.state, 0 if beside else 1)
        line = QFrame()
        line.setFrameShape(QFrame.Shape.HLine)
        line.setStyleSheet(f"color: {theme.LINE}")
        self.rows = QVBoxLayout(self)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(4)
        self.rows.addWidget(line)
        self.rows.addLayout(heading)
        if beside is not None:
            heading.addStretch(1)
            name.setAlignment(Qt.AlignmentFlag.AlignVCenter)
            self.rows.addWidget(self.state)

    def say(self, said: Said, more: str = "") -> None:
        """Show a state by mark, words and colour, and more words in a line below."""
        words = f"{said}\n{more}" if more else str(said)
        if self.state.text() != words:
            self.state.setText(words)
            self.state.setStyleSheet(f"color: {said.tone.colour}")

    def add_row(self, *widgets: QWidget, stretch: int = -1) -> QHBoxLayout:
        """Add controls side by side; the one at `stretch` takes the room that is left."""
        row = QHBoxLayout()
        row.setSpacing(4)
        for place, widget in enumerate(widgets):
            row.addWidget(widget, 1 if place == stretch else 0)
        if stretch < 0:
            row.addStretch(1)
        self.rows.addLayout(row)
        return row


def figures(name: str) -> QLabel:
    """Return a label for numbers that change all the time."""
    label = QLabel()
    label.setAccessibleName(name)
    label.setWordWrap(True)
    label.setStyleSheet(f"color: {theme.MUTED}; font-size: {theme.SMALL_PX}px")
    return label
