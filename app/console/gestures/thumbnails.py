"""Pictures of gestures, made one at a time beside the screen, and kept."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage

from shows.motion import Motion

Thumbnail = Callable[[Motion], QImage]
LOOK_MS = 20  # for a picture that is done


class Thumbnails(QObject):
    """Owns the pictures.

    Signals:
        made: a picture is there, of the gesture of this name.
    """

    made = Signal(str)

    def __init__(self, render: Thumbnail, parent: QObject | None = None) -> None:
        """Begin with none.

        Args:
            render: makes a picture, in a thread of its own; what it raises is a defect.
            parent: its owner.
        """
        super().__init__(parent)
        self._render = render
        self._images: WeakKeyDictionary[Motion, QImage] = WeakKeyDictionary()
        self._wanted: dict[Motion, None] = {}
        self._work: tuple[Motion, Future[QImage]] | None = None
        pool = ThreadPoolExecutor(1, "thumbnails")
        self._pool = pool
        self.destroyed.connect(lambda: pool.shutdown(wait=False, cancel_futures=True))
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._look)

    def of(self, motion: Motion) -> QImage | None:
        """Return a picture, or None and begin to make it."""
        image = self._images.get(motion)
        if image is None and (self._work is None or self._work[0] is not motion):
            self._wanted[motion] = None
            if not self._timer.isActive():
                self._timer.start()
        return image

    def _look(self) -> None:
        """Take a picture that is done, and have the next one made."""
        if self._work is not None:
            motion, future = self._work
            if not future.done():
                return
            self._work = None
            self._images[motion] = future.result()
            self.made.emit(motion.name)
        if not self._wanted:
            self._timer.stop()
            return
        motion = next(iter(self._wanted))
        del self._wanted[motion]
        self._work = motion, self._pool.submit(self._render, motion)
