"""The window of runs as a program."""

import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType, TracebackType

from PySide6.QtCore import qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from app.console.toolkit import theme
from app.console.toolkit.collector import Collector
from app.console.toolkit.messages import tell_toolkit
from app.console.toolkit.singletons import keep_singletons
from app.runs.report import write_report
from app.runs.run import Run
from app.runs.source import Library
from app.runs.window import RunWindow

DEFECT = "■ the window had a defect and continues; please report your last steps"


def show(
    path: Path,
    second: Path | None,
    library: Library,
    opened: Callable[[RunWindow], None] = lambda window: None,
) -> int:
    """Show a run until its window is closed, and return the exit status.

    Args:
        path: of the run.
        second: of a second one, shown over it; None for none.
        library: reads runs.
        opened: is called with the window.

    Raises:
        RunError: the first run cannot be opened.
    """
    run = Run(path, library)
    application = _application()
    window = RunWindow(run, library)

    def tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        traceback.print_exception(kind, error, trace)
        window.say(f"{DEFECT} ({kind.__name__}: {error})")

    sys.excepthook = tell

    def close(number: int, frame: FrameType | None) -> None:
        window.close()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, close)
    window.show()
    if second is not None:
        window.compare(second)
    opened(window)
    return application.exec()


def report(path: Path, out: Path, library: Library) -> str:
    """Write the report of a run, and return one sentence about what could not be read.

    Raises:
        RunError: the run cannot be opened, or the report cannot be written.
        OSError: the report cannot be written.
    """
    run = Run(path, library)
    try:
        _application()
        run.digest.finish()
        write_report(run, out)
        return run.digest.problem
    finally:
        run.close()


def _application() -> QApplication:
    keep_singletons()
    qInstallMessageHandler(tell_toolkit)
    application = QApplication(["footlight"])
    application.setApplicationName("footlight")
    application.setApplicationDisplayName("Footlight")
    application.setDesktopFileName("footlight")
    theme.dress(application)
    Collector(application)
    return application
