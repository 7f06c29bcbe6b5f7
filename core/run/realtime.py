"""What a process can do to be on time; each measure is a request that the system may refuse."""

import ctypes
import gc
import os

PRIORITY = 80
_MCL_CURRENT, _MCL_FUTURE = 1, 2


def freeze_garbage() -> None:
    """Collect once, exempt what lives from collection, and collect no more.

    The tick allocates and frees by reference counts alone, so nothing is left to collect.
    """
    gc.collect()
    gc.freeze()
    gc.disable()


def become_real_time() -> list[str]:
    """Ask for FIFO scheduling and locked memory; return what was refused, one sentence each."""
    refused: list[str] = []
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except OSError as error:
        refused.append(
            f"FIFO scheduling was refused ({error.strerror}): ticks may be late; "
            "give the user rtprio in limits.conf"
        )
    library = ctypes.CDLL(None, use_errno=True)
    if library.mlockall(_MCL_CURRENT | _MCL_FUTURE) != 0:
        reason = os.strerror(ctypes.get_errno())
        refused.append(
            f"locking memory was refused ({reason}): a page fault may delay a tick; "
            "give the user memlock in limits.conf"
        )
    return refused
