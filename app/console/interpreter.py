"""Keeps Python 3.11 alive under a Qt binding that counts on constants that are never freed.

PySide6 6.12 returns None, True and False without taking a reference to them, which is right from
Python 3.12 on, where they are immortal. In Python 3.11 each such call takes one reference away,
and after some thousand calls the interpreter aborts ("deallocating None").
"""

import ctypes
import sys

MANY = 1 << 60  # references; a billion calls a second would need 36 years for them


def keep_constants() -> None:
    """Make None, True, False and NotImplemented immortal, as later versions of Python do.

    To be called once, before the first widget is made; does nothing from Python 3.12 on.
    """
    if sys.version_info >= (3, 12) or sys.implementation.name != "cpython":
        return
    for constant in (None, True, False, NotImplemented):
        # The reference count is the first field of every object of a release build.
        ctypes.c_ssize_t.from_address(id(constant)).value = MANY
