"""The window of a twin's handset as a program."""

import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

from PySide6.QtCore import qInstallMessageHandler
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication

from app.console.toolkit import theme
from app.console.toolkit.messages import tell_toolkit
from app.console.toolkit.singletons import keep_singletons
from app.handset.twin import Twin, find_twins
from app.handset.window import HandsetWindow
from core.link.hello import BatteryRange


def choose_twin() -> tuple[Path | None, str]:
    """Return the folder of the only twin that runs, or None and a sentence."""
    found = find_twins()
    if len(found) == 1:
        return found[0], ""
    if not found:
        return None, "no twin runs here: start footlight rehearse --body twin, or give its --ports"
    folders = ", ".join(map(str, found))
    return None, f"several twins run here: say which with --ports ({folders})"


def run(
    folder: Path, uses: Callable[[], Sequence[str]], battery: BatteryRange | None = None
) -> int:
    """Run the window until it is closed, and return its exit status.

    Args:
        folder: in which the twin runs, or will.
        uses: returns the use of each button in words.
        battery: voltages of the robot's battery; None for a robot on mains.
    """
    keep_singletons()
    qInstallMessageHandler(tell_toolkit)
    application = QApplication(["footlight"])
    application.setDesktopFileName("footlight")
    theme.dress(application)
    window = HandsetWindow(Twin(folder), uses, battery)

    def close(number: int, frame: FrameType | None) -> None:
        window.close()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, close)
    QShortcut(QKeySequence("Ctrl+Q"), window).activated.connect(window.close)
    window.show()
    return application.exec()
