"""Jumps by hand: their number, a button, and flight, way and turn within the robot's range."""

import math

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QWidget,
)

from app.console.by_hand.permission import jump_bar
from app.console.by_hand.walk_hand import WalkHand
from app.console.context.core_link import CoreLink
from app.console.toolkit import theme
from core.link.commands import StartJump
from core.link.hello import Hello
from shows.fields import MAX_JUMPS
from shows.gaits import JumpRange

LEAST_FLIGHT_S = 0.02
TIP = (
    "Jump with both feet (on the walk pad: hold Shift and press Page Up); HOLD ends it after the "
    "next landing"
)


class JumpPart(QWidget):
    """A row with the number of jumps and their button; hidden for a robot that does not jump.

    Attributes:
        count: number of jumps.
        fields: flight, way and turn of a jump; hidden until they are asked for.
        flight: duration of a flight [s].
        forward: way of a jump forward [cm].
        left: way of a jump to the left [cm].
        turn: turn of a jump to the left [deg].
        button: requests the jumps.

    Signals:
        resized: the fields are shown or hidden.
    """

    resized = Signal()

    def __init__(self, hand: WalkHand, link: CoreLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hand, self._link = hand, link
        self._limits: JumpRange | None = None
        self.count = QSpinBox()
        self.count.setRange(1, MAX_JUMPS)
        self.count.setPrefix("× ")
        self.fields = QWidget()
        self.flight = _box(" s", 0.01, 2)
        self.forward, self.left = _box(" cm", 0.5, 1), _box(" cm", 0.5, 1)
        self.turn = _box("°", 1.0, 0)
        self._more = QPushButton("More")
        self._more.setCheckable(True)
        self.button = QPushButton("Jump")
        self._lay_out()
        self._more.toggled.connect(self._show_fields)
        self.flight.valueChanged.connect(self._bound_way)
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
            turn=round(math.radians(self.turn.value()), 6),
        )

    def meet(self, hello: Hello) -> None:
        """Offer what this robot can do."""
        limits = hello.gaits.jump
        self.setVisible(limits is not None)
        self._show_fields()
        if limits is not None and limits != self._limits:
            longest_s = _down(limits.flight_s, self.flight)
            self.flight.setRange(min(LEAST_FLIGHT_S, longest_s), longest_s)
            self.flight.setValue(limits.usual_flight_s)
            for box, most in (
                (self.left, _down(100.0 * limits.sideways, self.left)),
                (self.turn, _down(math.degrees(limits.turn), self.turn)),
            ):
                box.setRange(-most, most)
                box.setEnabled(most > 0.0)
        self._limits = limits
        self._bound_way()

    def refresh(self) -> None:
        """Offer the jumps unless something bars them."""
        if self._limits is None:
            return
        bar = jump_bar(self._link.status, self._link.connected, self._link.hello)
        for widget in (self.count, self.fields, self.button):
            widget.setEnabled(not bar)
        self.button.setToolTip(bar or TIP)

    def jump(self) -> None:
        """Request the chosen jumps."""
        self._hand.jump(self.command)

    def _bound_way(self) -> None:
        """Offer the ways that the chosen flight allows."""
        if self._limits is not None:
            ways = self._limits.ways(self.flight.value())
            backward, forward = (_down(100.0 * way, self.forward) for way in ways)
            self.forward.setRange(-backward, forward)
            self.forward.setEnabled(max(backward, forward) > 0.0)

    def _show_fields(self) -> None:
        shown = self._more.isChecked() and not self.isHidden()
        if shown == self.fields.isHidden():
            self.fields.setVisible(shown)
            self.resized.emit()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GAP // 2)
        for part in (self.count, self._more, self.button):
            row.addWidget(part)
        grid = QGridLayout(self.fields)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.GAP)
        grid.setVerticalSpacing(2)
        named = (
            ("Flight", self.flight), ("Forward", self.forward), ("Left", self.left),
            ("Turn left", self.turn),
        )  # fmt: skip
        for column, (text, field) in enumerate(named):
            label = QLabel(text)
            label.setBuddy(field)
            label.setStyleSheet(f"color: {theme.MUTED}; font-size: {theme.SMALL_PX}px")
            grid.addWidget(label, 0, column)
            grid.addWidget(field, 1, column)
            grid.setColumnStretch(column, 1)
        self.fields.hide()
        for widget, name, tip in (
            (self.count, "Number of jumps", "Number of jumps, one after the other"),
            (
                self._more,
                "Flight, way and turn of jumps",
                "Show the flight, the way and the turn of each jump",
            ),
            (self.flight, "Flight of a jump", "Time in the air"),
            (self.forward, "Way of a jump forward", "Negative: backward"),
            (self.left, "Way of a jump to the left", "Negative: to the right"),
            (self.turn, "Turn of a jump to the left", "Negative: to the right"),
            (self.button, "Jump", TIP),
        ):
            widget.setAccessibleName(name)
            widget.setToolTip(tip)


def _box(unit: str, step: float, decimals: int) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setDecimals(decimals)
    box.setSingleStep(step)
    box.setSuffix(unit)
    box.setMinimumWidth(64)
    return box


def _down(most: float, box: QDoubleSpinBox) -> float:
    """Return the largest value that a box can show and that is not beyond a limit."""
    steps = 10.0 ** box.decimals()
    return math.floor(most * steps + 1e-6) / steps
