"""Keeps None, True and False alive where Qt for Python gives them back too often.

PySide6 6.12 is built for interpreters in which these objects cannot die (3.12 and newer). In an
older one every call that returns nothing takes one reference to None more than it should, and
after some ten thousand calls, seconds of a running console, the interpreter aborts with
"none_dealloc" or, at the end, "bool_dealloc".
"""

import ctypes
import sys

IMMORTAL_SINCE = (3, 12)
RESERVE = 2**60  # references; a console that makes a million calls a second needs 2**45 a year


def keep_alive() -> None:
    """Give None, True and False more references than can be taken; repeating it does no harm."""
    if sys.version_info >= IMMORTAL_SINCE:
        return
    for thing in (None, True, False):
        if sys.getrefcount(thing) < RESERVE:
            ctypes.c_ssize_t.from_address(id(thing)).value += RESERVE
