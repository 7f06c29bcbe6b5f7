"""How a process of the core lives and dies: it ends when asked, and with its parent.

Imports nothing heavy, so that a process can hold its lifeline before it loads the rest.
"""

import ctypes
import os
import signal
from types import FrameType
from typing import Final

PARENT_VARIABLE: Final = "FOOTLIGHT_PARENT"
_PR_SET_PDEATHSIG: Final = 1


def die_with_parent(number: int = signal.SIGTERM) -> None:
    """Ask the kernel for a signal when the thread that started this process is gone."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)


class Lifeline:
    """Notes that the process shall end: by SIGTERM, SIGINT, or its parent's death.

    Attributes:
        signal_number: what asked it to end, 0 while it may live.
    """

    def __init__(self) -> None:
        """Install the handlers; to be called once, in the main thread, as early as can be."""
        self.signal_number = 0
        self._parent = int(os.environ.get(PARENT_VARIABLE, "0"))
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        if self._parent:
            die_with_parent()
            # It may have died before the kernel was told.
            if os.getppid() != self._parent:
                self.signal_number = signal.SIGTERM

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del frame
        self.signal_number = number

    @property
    def ended(self) -> bool:
        """Whether the process shall end now."""
        if self.signal_number:
            return True
        return bool(self._parent) and os.getppid() != self._parent
