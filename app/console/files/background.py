"""Work that may wait for a disk, done beside the GUI thread, one piece after the other."""

from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

T = TypeVar("T")


class Background(QObject):
    """One worker thread; its results are delivered in the GUI thread.

    Attributes:
        busy: something is being worked on or waits.
    """

    _ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(1)
        self._pending = 0
        self._closed = False
        self._ended.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Something is being worked on or waits."""
        return self._pending > 0

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Do a piece of work; nothing once it is closed.

        Args:
            work: runs in the worker thread; touches nothing of Qt.
            done: gets its result, in the GUI thread.
            failed: gets the exception that ended it, in the GUI thread.
        """
        if self._closed:
            return
        self._pending += 1
        future = self._pool.submit(work)
        future.add_done_callback(lambda ended: self._ended.emit((ended, done, failed)))

    def close(self) -> None:
        """Finish the present task, drop the waiting ones, and deliver nothing more."""
        self._closed = True
        self._pool.shutdown(wait=True, cancel_futures=True)

    def finish(self) -> None:
        """Finish all requests without further reports."""
        self._closed = True
        self._pool.shutdown(wait=True)

    def _tell(
        self,
        ended: tuple[Future[Any], Callable[[Any], None], Callable[[Exception], None]],
    ) -> None:
        future, done, failed = ended
        self._pending -= 1
        if self._closed:
            return
        try:
            result = future.result()
        except CancelledError:
            return
        except Exception as error:  # the caller knows its meaning
            failed(error)
            return
        done(result)
