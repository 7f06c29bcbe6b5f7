"""Keeps None, True and False alive under a toolkit that gives them away.

PySide6 6.12 is built as for CPython 3.12, where these objects are immortal: whatever it returns
of them it does not count. On 3.11 each call of a method without a result takes one reference to
None away, until the interpreter aborts.
"""

import ctypes
import sys

MANY = 1 << 40  # more calls than a program makes


def keep_singletons() -> None:
    """Give these objects more references than a run can lose; from CPython 3.12 on do nothing."""
    if sys.version_info < (3, 12):
        for thing in (None, True, False, NotImplemented):
            ctypes.c_ssize_t.from_address(id(thing)).value += MANY
