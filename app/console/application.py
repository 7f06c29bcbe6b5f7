"""The console as a program: one window, one link, and an orderly end however it comes."""

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType, TracebackType

from PySide6.QtCore import qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from app.console.bench.probe import probe_of
from app.console.context.context import Context
from app.console.context.core_link import CoreLink
from app.console.context.document import Document
from app.console.context.lock import EditLock
from app.console.context.notices import Notices
from app.console.preferences.store import PreferencesStore, config_folder
from app.console.toolkit import clipboard, theme
from app.console.toolkit.collector import Collector
from app.console.toolkit.messages import tell_toolkit
from app.console.toolkit.singletons import keep_singletons
from app.console.window.window import Window

DEFECT = "the console had a defect and continues; please report your last steps"
SWITCH_S = 0.0005  # the windows' thread waits at most so long for one that saves or reads
SILENCE_S = 60.0  # about the same defect: one in a status comes 50 times a second


def run(endpoint: str, robot: str, show: Path | None) -> int:
    """Run the console until its window is closed, and return its exit status.

    Args:
        endpoint: where the core listens.
        robot: its name in the key space.
        show: the show to open; None opens none: GO plays the core's show.
    """
    keep_singletons()
    sys.setswitchinterval(SWITCH_S)
    qInstallMessageHandler(tell_toolkit)
    application = QApplication(["footlight"])
    application.setApplicationName("footlight")
    application.setApplicationDisplayName("Footlight")
    application.setDesktopFileName("footlight")
    theme.dress(application)
    collector = Collector(application)
    preferences = PreferencesStore(config_folder() / "preferences.json")
    context = Context(CoreLink(endpoint, robot), Document(), EditLock(), Notices(), preferences)
    sys.excepthook = _teller(context.notices)
    window = Window(context, show)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _closer(window))
    problem = preferences.load()
    if problem:
        context.notices.say(problem, "warning")
    probe = probe_of(os.environ, context.link, window)
    if probe is not None:
        probe.done.connect(window.leave)
    context.link.start()
    window.begin()
    collector.spare()
    status = application.exec()
    if probe is not None:
        probe.write()
    context.link.close()
    preferences.close()
    clipboard.release()
    return status


def _closer(window: Window) -> Callable[[int, FrameType | None], None]:
    def close(number: int, frame: FrameType | None) -> None:
        window.leave()

    return close


def _teller(
    notices: Notices,
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """Return the handler that shows the operator one sentence, and writes the rest to stderr."""
    told_s: dict[str, float] = {}

    def tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        where = traceback.extract_tb(trace)[-1:]
        place = f"{kind.__name__} {where}"
        now_s = time.monotonic()
        if now_s - told_s.get(place, -SILENCE_S) < SILENCE_S:
            return
        told_s[place] = now_s
        traceback.print_exception(kind, error, trace)
        notices.say(f"{DEFECT} ({kind.__name__}: {error})", "error")

    return tell
