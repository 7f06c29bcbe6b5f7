"""The garbage collector: it runs in the thread of the windows only, and in short steps.

Python collects in whatever thread allocates next. If that is a worker, it deletes widgets that
are part of a cycle in a thread where no widget may be touched, and the program crashes.
"""

import gc

from PySide6.QtCore import QObject, QTimer

STEP_MS = 500
YOUNG, MIDDLE, OLD = 700, 10, 25  # allocations, and collections of the younger ones, before each
SETTLED_MS = 15_000  # after the start: the library is read, the show is open


class Collector(QObject):
    """Collects in its own thread, which must be that of the windows.

    What lives after the start is never looked at again: that would take 0.1 s, in which no
    window answers.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._steps = QTimer(self)
        self._steps.setInterval(STEP_MS)
        self._steps.timeout.connect(self.step)
        self._steps.start()
        QTimer.singleShot(SETTLED_MS, self, self.spare)

    def step(self) -> None:
        """Collect what is due, as Python does by itself."""
        young, middle, old = gc.get_count()
        if old > OLD:
            gc.collect(2)
        elif middle > MIDDLE:
            gc.collect(1)
        elif young > YOUNG:
            gc.collect(0)

    def spare(self) -> None:
        """Leave alone all that lives now."""
        gc.freeze()
