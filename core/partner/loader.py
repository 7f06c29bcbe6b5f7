"""One task beside the partner's loop, whose postures go on meanwhile."""

import threading
from collections.abc import Callable
from typing import Final

from core.partner.learned import Learned

END_S: Final = 2.0


class Loader:
    """Carries out one task at a time in a thread."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._result: Learned | None = None
        self._error: Exception | None = None

    @property
    def busy(self) -> bool:
        """A task is carried out, or its result was not taken."""
        return self._thread is not None

    def start(self, task: Callable[[], Learned]) -> None:
        """Begin a task; none is being carried out."""
        assert self._thread is None, "one task at a time"
        self._result = self._error = None
        self._thread = threading.Thread(target=self._run, args=(task,), daemon=True)
        self._thread.start()

    def result(self) -> Learned | None:
        """Return the result of a task that has ended, once; None before.

        Raises:
            Exception: the error with which the task ended.
        """
        if self._thread is None or self._thread.is_alive():
            return None
        self._thread = None
        if self._error is not None:
            raise self._error
        return self._result

    def close(self) -> None:
        """Wait for the task, so that its files are whole."""
        if self._thread is not None:
            self._thread.join(END_S)

    def _run(self, task: Callable[[], Learned]) -> None:
        try:
            self._result = task()
        except Exception as error:  # told where the result is taken
            self._error = error
