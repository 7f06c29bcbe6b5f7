"""An empty window: the wait of an event that is the machine's own, not the console's.

Started as `python -m app.console.bench.empty_window SECONDS`; prints the spread as JSON.
"""

import json
import sys
import time

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from app.console.bench.lateness import Lateness, spread
from app.console.bench.probe import CALM_S, PULSE_MS


def main(seconds: float) -> int:
    """Measure for some time [s]."""
    application = QApplication(["footlight"])
    window = QWidget()
    window.showMaximized()
    lateness = Lateness(PULSE_MS / 1e3)
    pulse = QTimer()
    pulse.setTimerType(Qt.TimerType.PreciseTimer)
    pulse.timeout.connect(lambda: lateness.feel(time.monotonic()))
    QTimer.singleShot(round(1e3 * CALM_S), lambda: pulse.start(PULSE_MS))
    QTimer.singleShot(round(1e3 * (CALM_S + seconds)), application.quit)
    application.exec()
    print(json.dumps(spread(lateness.waits_s)))
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))
