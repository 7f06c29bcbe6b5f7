"""What a process can do to be on time; each measure is a request that the system may refuse."""

import ctypes
import gc
import os

from core.link.catalogue.run import FIFO_REFUSED, LOCKING_REFUSED
from core.link.statement import Statement

PRIORITY = 80
_MCL_CURRENT, _MCL_FUTURE = 1, 2


def freeze_garbage() -> None:
    """Collect once, exempt what lives from collection, and collect no more.

    The tick allocates and frees by reference counts alone, so nothing is left to collect.
    """
    gc.collect()
    gc.freeze()
    gc.disable()


def become_real_time() -> list[Statement]:
    """Ask for FIFO scheduling and locked memory; return what was refused."""
    refused: list[Statement] = []
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except OSError as error:
        refused.append(FIFO_REFUSED(error=error.strerror or str(error)))
    library = ctypes.CDLL(None, use_errno=True)
    if library.mlockall(_MCL_CURRENT | _MCL_FUTURE) != 0:
        refused.append(LOCKING_REFUSED(error=os.strerror(ctypes.get_errno())))
    return refused
