"""Jumps by hand: their number, flight, way and turn within the robot's range, and a button."""

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.console.by_hand.permission import jump_bar
from app.console.by_hand.walk_hand import WalkHand
from app.console.context.core_link import CoreLink
from app.console.toolkit import theme
from core.link.commands import StartJump
from core.link.hello import Hello
from shows.gaits import JumpRange

MOST_JUMPS = 50
LEAST_FLIGHT_S = 0.02


class JumpPart(QWidget):
    """The group of the jumps; hidden for a robot that does not jump.

    Attributes:
        count: number of jumps.
        flight: duration of a flight [s].
        forward: way of a jump forward [cm].
        left: way of a jump to the left [cm].
        turn: turn of a jump to the left [deg].
        button: requests the jumps.
    """

    def __init__(self, hand: WalkHand, link: CoreLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hand, self._link = hand, link
        self._limits: JumpRange | None = None
        self._state = QLabel()
        self.count = QSpinBox()
        self.count.setRange(1, MOST_JUMPS)
        self.flight = _box(" s", 0.01, 2)
        self.forward, self.left = _box(" cm", 0.5, 1), _box(" cm", 0.5, 1)
        self.turn = _box(" °", 1.0, 0)
        self.button = QPushButton("Jump")
        self._lay_out()
        self.button.clicked.connect(self.jump)
        self.hide()

    @property
    def command(self) -> StartJump:
        """The chosen jumps."""
        return StartJump(
            count=self.count.value(),
            flight_s=round(self.flight.value(), 6),
            dx=round(0.01 * self.forward.value(), 6),
            dy=round(0.01 * self.left.value(), 6),
            turn=self._turn_rad(),
        )

    def meet(self, hello: Hello) -> None:
        """Offer what this robot can do."""
        limits = hello.gaits.jump
        self.setVisible(limits is not None)
        if limits is None or limits == self._limits:
            self._limits = limits
            return
        self._limits = limits
        self.flight.setRange(min(LEAST_FLIGHT_S, limits.flight_s), limits.flight_s)
        self.flight.setValue(limits.usual_flight_s)
        for box, most in (
            (self.forward, 100.0 * limits.forward),
            (self.left, 100.0 * limits.sideways),
            (self.turn, math.floor(math.degrees(limits.turn))),
        ):
            box.setRange(-most, most)

    def refresh(self) -> None:
        """Show whether the robot jumps, or why it cannot."""
        if self._limits is None:
            return
        link, status = self._link, self._link.status
        bar = jump_bar(status, link.connected, link.hello)
        jumps = link.connected and status is not None and status.jumps and not bar
        for widget in (self.count, self.flight, self.forward, self.left, self.turn, self.button):
            widget.setEnabled(not bar)
        tone = theme.WARN if bar else theme.GOOD if jumps else theme.IDLE
        words = f"{tone.mark} {bar or ('the robot jumps' if jumps else 'at rest')}"
        if self._state.text() != words:
            self._state.setText(words)
            self._state.setStyleSheet(f"color: {tone.colour}")

    def jump(self) -> None:
        """Request the chosen jumps."""
        self._hand.jump(self.command)

    def _turn_rad(self) -> float:
        return round(math.radians(self.turn.value()), 6)

    def _lay_out(self) -> None:
        title = QLabel("JUMP")
        title.setStyleSheet(f"color: {theme.MUTED}; font-weight: bold")
        self._state.setWordWrap(True)
        heading = QHBoxLayout()
        heading.addWidget(title)
        heading.addWidget(self._state, 1)
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.GAP)
        grid.setVerticalSpacing(2)
        named = (
            ("Count", self.count), ("Flight", self.flight), ("Forward", self.forward),
            ("Left", self.left), ("Turn left", self.turn),
        )  # fmt: skip
        for place, (text, box) in enumerate(named):
            row, column = 2 * (place // 3), place % 3
            label = QLabel(text)
            label.setBuddy(box)
            label.setStyleSheet(f"color: {theme.MUTED}; font-size: {theme.SMALL_PX}px")
            grid.addWidget(label, row, column)
            grid.addWidget(box, row + 1, column)
            grid.setColumnStretch(column, 1)
        grid.addWidget(self.button, 3, 2)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(theme.GAP // 2)
        rows.addLayout(heading)
        rows.addLayout(grid)
        for widget, name, tip in (
            (self._state, "State of the jumps", ""),
            (self.count, "Number of jumps", ""),
            (self.flight, "Flight of a jump", "Time in the air"),
            (self.forward, "Way of a jump forward", "Negative: backward"),
            (self.left, "Way of a jump to the left", "Negative: to the right"),
            (self.turn, "Turn of a jump to the left", "Negative: to the right"),
            (
                self.button,
                "Jump",
                "Jump with both feet (on the walk pad: hold Shift and press Page Up); HOLD ends it "
                "after the next landing",
            ),
        ):
            widget.setAccessibleName(name)
            widget.setToolTip(tip)


def _box(unit: str, step: float, decimals: int) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setDecimals(decimals)
    box.setSingleStep(step)
    box.setSuffix(unit)
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    return box
