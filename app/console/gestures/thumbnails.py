"""Pictures of gestures, made one at a time while nothing else happens, and kept."""

from collections.abc import Callable
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage

from shows.motion import Motion

Thumbnail = Callable[[Motion], QImage]


class Thumbnails(QObject):
    """Owns the pictures.

    Signals:
        made: a picture is there, of the gesture of this name.
    """

    made = Signal(str)

    def __init__(self, render: Thumbnail, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._render = render
        self._images: WeakKeyDictionary[Motion, QImage] = WeakKeyDictionary()
        self._wanted: dict[Motion, None] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._make_one)

    def of(self, motion: Motion) -> QImage | None:
        """Return a picture, or None and begin to make it."""
        image = self._images.get(motion)
        if image is None:
            self._wanted[motion] = None
            self._timer.start()
        return image

    def renew(self, render: Thumbnail) -> None:
        """Make every picture afresh, in another way."""
        self._render = render
        wanted = [*self._images, *self._wanted]
        self._images.clear()
        self._wanted = dict.fromkeys(wanted)
        self._timer.start()

    def _make_one(self) -> None:
        if not self._wanted:
            self._timer.stop()
            return
        motion = next(iter(self._wanted))
        del self._wanted[motion]
        self._images[motion] = self._render(motion)
        self.made.emit(motion.name)
