"""Opens a serial line with pyserial, and reads its properties from Linux."""

import contextlib
import errno
import fcntl
import os
import struct
import termios
from pathlib import Path

import serial

_TCGETS2 = 0x802C542A
_TERMIOS2 = struct.Struct("=4IB19s2I")
_PTY_MAJORS = range(136, 144)


def open_line(path: Path, baud: int) -> serial.Serial:
    """Open a line for this process alone: raw, 8N1, non-blocking, with low latency, and empty.

    Reads of its descriptor return at once: with bytes, with BlockingIOError if there are none, or
    empty after a hang-up.

    Raises:
        OSError: with its number: the line is absent, no serial line, or in use.
    """
    try:
        # With an inter-byte timeout pyserial sets VMIN to 1; with 0, an empty read would mean
        # "no bytes yet" as well as "hung up".
        line = serial.Serial(str(path), baud, timeout=0, inter_byte_timeout=0, exclusive=True)
    except (OSError, ValueError, termios.error) as error:
        raise _numbered(error) from error
    try:
        if not is_pty(line.fileno()):
            # A pty would keep this flag after its process was killed.
            fcntl.ioctl(line.fileno(), termios.TIOCEXCL)
        clear(line)
    except OSError:
        line.close()
        raise
    with contextlib.suppress(ValueError):  # some drivers cannot, and a pty has no latency
        line.set_low_latency_mode(True)
    return line


def set_baud(line: serial.Serial, baud: int) -> None:
    """Change an open line's speed and drop waiting bytes.

    Raises:
        OSError: the line was unplugged, or refuses the speed.
    """
    try:
        line.baudrate = baud
    except (OSError, ValueError, termios.error) as error:
        raise _numbered(error) from error
    clear(line)


def clear(line: serial.Serial) -> None:
    """Drop waiting bytes in both directions.

    Raises:
        OSError: the line was unplugged.
    """
    try:
        line.reset_input_buffer()
        line.reset_output_buffer()
    except termios.error as error:
        raise _numbered(error) from error


def _numbered(error: Exception) -> OSError:
    """Return the OSError that caused an error; pyserial hides some of their numbers."""
    cause: BaseException | None = error
    while cause is not None:
        number = cause.args[0] if cause.args else None
        if isinstance(number, int):
            return OSError(number, os.strerror(number))
        cause = cause.__context__
    return OSError(errno.EIO, str(error))


def is_pty(descriptor: int) -> bool:
    """Return whether a line is a pseudo-terminal of an emulator."""
    return os.major(os.fstat(descriptor).st_rdev) in _PTY_MAJORS


def actual_baud(descriptor: int) -> int:
    """Return the actual speed of an open line.

    Raises:
        OSError: the line was unplugged.
    """
    taken = fcntl.ioctl(descriptor, _TCGETS2, bytes(_TERMIOS2.size))
    speed: int = _TERMIOS2.unpack(taken)[-1]
    return speed


def latency_timer_ms(path: Path, sysfs: Path) -> int:
    """Return an adapter's delay of short replies; 0 if unknown [ms].

    Args:
        path: path of the line, a symbolic link or not.
        sysfs: the folder that describes every terminal, /sys/class/tty.
    """
    timer = sysfs / path.resolve().name / "device" / "latency_timer"
    try:
        return int(timer.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0
