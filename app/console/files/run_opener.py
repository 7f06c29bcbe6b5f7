"""Opening a recorded run: in a window of its own process, which takes nothing from a show."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from app.console.context.notices import Notices
from app.console.files.chooser import ChooserSheet
from app.console.toolkit.sheet import Sheet
from app.keeper import console_environment

LOOK_MS = 500


class RunOpener(QObject):
    """Starts windows of runs, and tells why one did not open.

    Args:
        notices: receives the reasons.
        show_sheet: shows a sheet over the window.
    """

    def __init__(
        self, notices: Notices, show_sheet: Callable[[Sheet], object], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._notices, self._show_sheet = notices, show_sheet
        self._folder = Path.home()
        self._opened: list[tuple[Path, subprocess.Popen[str]]] = []
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)

    def choose(self) -> None:
        """Let the operator choose a run."""
        title = "Open a recorded run"
        self._show_sheet(ChooserSheet(title, self._folder, self.open, suffix=".mcap"))

    def open(self, path: Path) -> None:
        """Open a run in a window of its own."""
        self._folder = path.parent
        command = [sys.executable, "-P", "-m", "app", "log", "view", str(path)]
        try:
            process = subprocess.Popen(
                command,
                env=console_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        except OSError as error:
            self._notices.say(f"{path.name} was not opened: {error.strerror}", "warning")
            return
        self._opened.append((path, process))
        self._notices.say(f"{path.name} opens in a window of its own")
        self._timer.start()

    def _look(self) -> None:
        """Tell why a window has ended with a failure; a window that was closed needs no words."""
        for path, process in [o for o in self._opened if o[1].poll() is not None]:
            self._opened.remove((path, process))
            assert process.stderr is not None
            with process.stderr as stream:
                words = stream.read().strip().splitlines()
            if process.returncode:
                reason = (
                    words[-1].removeprefix("footlight: ")
                    if words
                    else f"its window ended ({process.returncode})"
                )
                self._notices.say(f"{path.name} was not shown: {reason}", "warning")
        if not self._opened:
            self._timer.stop()
