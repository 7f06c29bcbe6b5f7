"""Pictures of gestures, made one at a time in a thread, and kept."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage

from shows.motion import Motion

Thumbnail = Callable[[Motion], QImage]
POLL_MS = 20


class Thumbnails(QObject):
    """Owns the pictures.

    Signals:
        made: the picture of the gesture of this name is available.
    """

    made = Signal(str)

    def __init__(self, render: Thumbnail, parent: QObject | None = None) -> None:
        """Start without pictures.

        Args:
            render: makes a picture in a thread of its own; an exception is a defect.
            parent: owner of the object.
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
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll)

    def of(self, motion: Motion) -> QImage | None:
        """Return a picture, or None and start to make it."""
        image = self._images.get(motion)
        if image is None and (self._work is None or self._work[0] is not motion):
            self._wanted[motion] = None
            if not self._timer.isActive():
                self._timer.start()
        return image

    def forget(self) -> None:
        """Drop every picture, because the robot changed; a picture in work is dropped too."""
        self._images.clear()
        self._work = None

    def _poll(self) -> None:
        """Take a finished picture, and start the next one."""
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
