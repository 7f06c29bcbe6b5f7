"""The console of a bench that draws a part of it: application, preferences, link to a core."""

import sys
import time
from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from app.console.application import SWITCH_S
from app.console.bench.painting import Frames
from app.console.context.context import Context
from app.console.context.core_link import CoreLink
from app.console.context.document import Document
from app.console.context.lock import EditLock
from app.console.context.notices import Notices
from app.console.preferences.store import PreferencesStore, config_folder
from app.console.toolkit import theme
from app.console.toolkit.collector import Collector
from app.console.toolkit.singletons import keep_singletons


class BenchConsole:
    """Owns the application of a bench's process.

    Args:
        endpoint: of the core's link.
        robot: name of its profile.

    Attributes:
        application: with the console's theme.
        collector: of garbage, as in the console.
        context: for the windows and panels; its link waits to be started.
    """

    def __init__(self, endpoint: str, robot: str) -> None:
        keep_singletons()
        sys.setswitchinterval(SWITCH_S)
        self.application = QApplication(["footlight"])
        theme.dress(self.application)
        self.collector = Collector(self.application)
        self._preferences = PreferencesStore(config_folder() / "preferences.json")
        link = CoreLink(endpoint, robot)
        self.context = Context(link, Document(), EditLock(), Notices(), self._preferences)

    def close(self) -> None:
        """Close the link and the preferences."""
        self.context.link.close()
        self._preferences.close()


def await_ready(frames: Frames, ready: Callable[[], bool], patience_s: float, failure: str) -> bool:
    """Draw until something is ready; return False, and say why on stderr, if it takes too long.

    Args:
        frames: of the window.
        ready: tells whether it is.
        patience_s: longest time [s].
        failure: what to say then.
    """
    give_up_s = time.monotonic() + patience_s
    while not ready():
        frames.spin(0.1)
        if time.monotonic() > give_up_s:
            print(failure, file=sys.stderr)
            return False
    return True
