"""The faults of a twin: E-stop channels, plugs, the battery, and any order in words."""

from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from app.console.toolkit import theme
from app.handset.button import Switch
from app.handset.said import Hands, Lines
from app.handset.twin import Twin
from core.link.hello import BatteryRange

MOST_SAID = 300  # letters of an answer
INSET = 7  # of a figure, as of words: the sheet's padding does not reach into a spin box [px]


def resting_range(battery: BatteryRange) -> tuple[float, float]:
    """Return the voltages at rest that may be chosen, from flat to above the nominal one [V]."""
    span_v = battery.nominal_v - battery.flat_v
    return battery.flat_v, battery.nominal_v + 0.75 * span_v


class Mishaps(QWidget):
    """E-stop channels, plugs, the battery of a robot that has one, and any other order."""

    def __init__(
        self, twin: Twin, battery: BatteryRange | None, parent: QWidget | None = None
    ) -> None:
        """Build it.

        Args:
            twin: that gets the orders.
            battery: voltages of the robot's battery; None for a robot on mains.
            parent: the parent widget.
        """
        super().__init__(parent)
        self._twin, self._battery = twin, battery
        self._lines: Lines = {}
        words = ("closed", "OPEN")
        tip = "Open this wired channel of the E-stop chain, or close it"
        self.channels = {name: Switch(f"Channel {name.upper()}", tip, words) for name in "ab"}
        self.remote = Switch(
            "Wireless stop",
            "Press the stop button of the wireless stop, or let it go",
            ("not pressed", "PRESSED"),
        )
        self.line, self.plug = QComboBox(), QPushButton("Unplug")
        self.volts, self.charge = QDoubleSpinBox(), QPushButton("Set")
        self.words, self.do = QLineEdit(), QPushButton("Do it")
        self.answer = QLabel()
        self._lay_out()
        self._name_things()
        for name, switch in self.channels.items():
            switch.clicked.connect(lambda _, one=name: self._switch(one))
        self.remote.clicked.connect(self._press_stop)
        self.plug.clicked.connect(self._unplug)
        self.line.currentTextChanged.connect(lambda _: self._show_plug())
        self.charge.clicked.connect(lambda: twin.ask(f"battery voltage={self.volts.value():.1f}"))
        self.words.returnPressed.connect(self._do)
        self.do.clicked.connect(self._do)
        twin.hands_told.connect(self._take_hands)
        twin.lines_told.connect(self._take_lines)
        twin.answered.connect(self._take_answer)

    def forget(self) -> None:
        """Show every state as unknown: the twin is gone."""
        for switch in (*self.channels.values(), self.remote):
            switch.forget()
        self._take_lines({})
        self.answer.clear()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(theme.GAP)
        self.answer.setWordWrap(True)
        self.answer.setMinimumHeight(2 * self.answer.fontMetrics().height())
        rows: tuple[tuple[str, tuple[QWidget, ...]], ...] = (
            ("E-stop chain", (*self.channels.values(), self.remote)),
            ("Serial line", (self.line, self.plug)),
            ("Battery at rest", (self.volts, self.charge)),
            ("Any order", (self.words, self.do)),
        )
        if self._battery is None:
            rows = tuple(row for row in rows if row[1] != (self.volts, self.charge))
        for row, (title, widgets) in enumerate(rows):
            name = QLabel(title)
            name.setStyleSheet(f"color: {theme.MUTED}")
            grid.addWidget(name, row, 0)
            spans = (1, 1, 1) if len(widgets) == 3 else (2, 1)
            column = 1
            for widget, span in zip(widgets, spans, strict=True):
                widget.setMinimumHeight(self.do.sizeHint().height())
                grid.addWidget(widget, row, column, 1, span)
                column += span
        grid.addWidget(self.answer, len(rows), 1, 1, 3)
        for column in (1, 2, 3):
            grid.setColumnStretch(column, 1)

    def _name_things(self) -> None:
        battery = self._battery
        if battery is not None:
            self.volts.setRange(*resting_range(battery))
            self.volts.setValue(battery.low_v)
        self.volts.setDecimals(1)
        self.volts.setSingleStep(0.2)
        self.volts.setSuffix(" V")
        self.volts.lineEdit().setTextMargins(INSET, 0, 0, 0)
        self.words.setPlaceholderText("heat JOINT 95")
        for widget, name, tip in (
            (self.line, "Serial line", "Which line's plug"),
            (self.plug, "Plug of the line", "Pull the plug of this line, or put it back"),
            (self.volts, "Battery's voltage at rest", "The charge that has this voltage at rest"),
            (self.charge, "Set the battery", "Give the battery this charge"),
            (self.words, "Any order", "An order in words, as packaging/twin.md lists them"),
            (self.do, "Carry the order out", "Carry this order out"),
            (self.answer, "Answer of the twin", "What the twin said to the last order"),
        ):
            widget.setAccessibleName(name)
            widget.setToolTip(tip)

    def _switch(self, channel: str) -> None:
        self._twin.order(f"{'open' if self.channels[channel].well else 'close'} {channel}")

    def _press_stop(self) -> None:
        self._twin.order(f"remote_stop {'on' if self.remote.well else 'off'}")

    def _unplug(self) -> None:
        name = self.line.currentText()
        found = self._lines.get(name)
        if found is not None:
            self._twin.ask(f"{'unplug' if found.plugged else 'plug'} {name}")

    def _do(self) -> None:
        if self.words.text().strip():
            self._twin.ask(self.words.text())

    def _take_hands(self, hands: Hands) -> None:
        self.channels["a"].show_well(hands.channel_a)
        self.channels["b"].show_well(hands.channel_b)
        self.remote.show_well(not hands.stop)

    def _take_lines(self, lines: Lines) -> None:
        if list(lines) != list(self._lines):
            chosen = self.line.currentText()
            self.line.clear()
            self.line.addItems(list(lines))
            self.line.setCurrentText(chosen)
        self._lines = lines
        self._show_plug()

    def _show_plug(self) -> None:
        found = self._lines.get(self.line.currentText())
        self.plug.setText("Plug in" if found is not None and not found.plugged else "Unplug")

    def _take_answer(self, words: str, answer: str) -> None:
        verdict, _, rest = answer.partition(" ")
        tone = theme.GOOD if verdict == "ok" else theme.WARN
        said = rest.removeprefix("twin: ") or "done"
        if len(said) > MOST_SAID:
            said = f"{said[:MOST_SAID]} …"
        self.answer.setText(f"{tone.mark} {words}: {said}")
        self.answer.setStyleSheet(f"color: {tone.colour}")
