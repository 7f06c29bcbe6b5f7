"""Real-time settings of a process; the system may refuse each."""

import ctypes
import gc
import os

from core.link.catalogue.run import FIFO_REFUSED, LOCKING_REFUSED
from core.link.statement import Statement

PRIORITY = 80
_MCL_CURRENT, _MCL_FUTURE = 1, 2


def freeze_garbage() -> None:
    """Collect once, exempt all live objects from collection, and disable it.

    The tick frees its objects by reference counts alone, so nothing is left to collect.
    """
    gc.collect()
    gc.freeze()
    gc.disable()


def become_real_time() -> list[Statement]:
    """Request FIFO scheduling and locked memory; return the refusals."""
    refused: list[Statement] = []
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except OSError as error:
        refused.append(FIFO_REFUSED(error=error.strerror or str(error)))
    library = ctypes.CDLL(None, use_errno=True)
    if library.mlockall(_MCL_CURRENT | _MCL_FUTURE) != 0:
        refused.append(LOCKING_REFUSED(error=os.strerror(ctypes.get_errno())))
    return refused
