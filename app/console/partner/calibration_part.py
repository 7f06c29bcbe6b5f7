"""The calibration: a countdown, then the T-pose that the partner's process takes."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from app.console.partner.section import Section
from app.console.partner.words import Said, calibration_state
from app.console.toolkit import theme
from core.link.partner import Calibrate, CalibrationReport

COUNT, TICK_MS = 3, 1000  # in which the person takes the pose
BAR_PX = 8
HOLD_S = 2.0  # how long the pose is held
CALIBRATE, CANCEL = "Calibrate", "Cancel"


class CalibrationPart(Section):
    """Asks for the T-pose, and says how it went.

    Attributes:
        button: begins the countdown, or ends it.
        bar: the share of the pose that has been held.

    Signals:
        ordered: an order to the partner's process.
    """

    ordered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.button, self.bar = QPushButton(CALIBRATE), QProgressBar()
        super().__init__("CALIBRATION", 2, parent, self.button)
        self._left = 0
        self._report = CalibrationReport()
        self._barred = ""
        self._clock = QTimer(self, interval=TICK_MS)
        self._clock.timeout.connect(self._count)
        self.bar.setRange(0, 100)
        self.bar.setAccessibleName("T-pose held")
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(BAR_PX)
        policy = self.bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.bar.setSizePolicy(policy)
        self.button.setToolTip(
            f"After {COUNT} s the person holds the T-pose for {HOLD_S:g} s: upright, arms level to "
            "the sides, palms down, face to the robot"
        )
        self.rows.addWidget(self.bar)
        self.button.clicked.connect(self._press)

    def show_calibration(self, report: CalibrationReport, barred: str) -> None:
        """Show the state of the calibration.

        Args:
            report: its state.
            barred: why none can begin now; empty if one can.
        """
        self._report, self._barred = report, barred
        if barred and self._left:
            self._end()
        holding = report.state == "holding"
        self.button.setEnabled(bool(self._left) or not (barred or holding))
        self._show()

    def _press(self) -> None:
        if self._left:
            self._end()
        else:
            self._left = COUNT
            self._clock.start()
        self._show()

    def _count(self) -> None:
        self._left -= 1
        if self._left <= 0:
            self._end()
            self.ordered.emit(Calibrate())
        self._show()

    def _end(self) -> None:
        self._left = 0
        self._clock.stop()

    def _show(self) -> None:
        self.button.setText(CANCEL if self._left else CALIBRATE)
        if self._left:
            self.say(Said(theme.BUSY, f"{self._left} … take the T-pose"))
        elif self._barred and self.isEnabled() and self._report.state == "none":
            self.say(Said(theme.IDLE, f"not calibrated: {self._barred}"))
        else:
            self.say(calibration_state(self._report))
        self.bar.setVisible(self._report.state == "holding" and not self._left)
        self.bar.setValue(round(100.0 * min(1.0, self._report.held_s / HOLD_S)))
