"""The end of a process of the core: by request, or with its parent.

It imports nothing heavy, so that a process can create its lifeline before it loads the rest.
"""

import ctypes
import os
import signal
from types import FrameType
from typing import Final

PARENT_VARIABLE: Final = "FOOTLIGHT_PARENT"
_PR_SET_PDEATHSIG: Final = 1


def die_with_parent(number: int = signal.SIGTERM) -> None:
    """Request a signal from the kernel when the thread that started this process ends."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)


class Lifeline:
    """Notes that the process must end: by SIGTERM, SIGINT, or its parent's death.

    Attributes:
        signal_number: the signal that ends it, 0 before.
    """

    def __init__(self) -> None:
        """Install the handlers; call it once, in the main thread, as early as possible."""
        self.signal_number = 0
        self._parent = int(os.environ.get(PARENT_VARIABLE, "0"))
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        if self._parent:
            die_with_parent()
            # The parent may have died before the request.
            if os.getppid() != self._parent:
                self.signal_number = signal.SIGTERM

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del frame
        self.signal_number = number

    @property
    def ended(self) -> bool:
        """Whether the process must end now."""
        if self.signal_number:
            return True
        return bool(self._parent) and os.getppid() != self._parent
