"""What Linux is asked of a serial line: any baud rate, raw bytes, no latency, one owner.

The standard library knows neither 8 Mbaud nor 420 000 baud; the kernel's newer termios does.
"""

import array
import fcntl
import os
import struct
import termios
from pathlib import Path

_TCGETS2 = 0x802C542A
_TCSETS2 = 0x402C542B
_TERMIOS2 = struct.Struct("=4IB19s2I")
_BOTHER = 0o010000  # the speed is a number of its own
_TIOCGSERIAL = 0x541E
_TIOCSSERIAL = 0x541F
_ASYNC_LOW_LATENCY = 0x2000
_FLAGS_WORD = 4  # of the kernel's serial_struct
_PTY_MAJORS = range(136, 144)


def is_pty(descriptor: int) -> bool:
    """Tell whether a line is a pseudo-terminal: an emulator's."""
    return os.major(os.fstat(descriptor).st_rdev) in _PTY_MAJORS


def claim(descriptor: int) -> None:
    """Become a line's only user.

    Raises:
        BlockingIOError: somebody else is.
    """
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    # Keeps out even who asks for no lock. A pty would keep that mark when its user is killed.
    if not is_pty(descriptor):
        fcntl.ioctl(descriptor, termios.TIOCEXCL)


def configure(descriptor: int, baud: int) -> int:
    """Make a line raw, 8N1, at a speed; drop what waits in it; return the speed it took [baud].

    Reads return at once: with bytes, with BlockingIOError if there are none, or empty after
    a hang-up.

    Raises:
        OSError: it is no serial line, or it was unplugged meanwhile.
    """
    control = bytearray(19)
    control[termios.VMIN] = 1  # with 0, an empty read could mean "none yet" as well
    flags = termios.CS8 | termios.CREAD | termios.CLOCAL | _BOTHER | _BOTHER << 16
    wanted = _TERMIOS2.pack(0, 0, flags, 0, 0, bytes(control), baud, baud)
    fcntl.ioctl(descriptor, _TCSETS2, wanted)
    taken = fcntl.ioctl(descriptor, _TCGETS2, bytes(_TERMIOS2.size))
    fcntl.ioctl(descriptor, termios.TCFLSH, termios.TCIOFLUSH)
    speed: int = _TERMIOS2.unpack(taken)[-1]
    return speed


def hasten(descriptor: int) -> None:
    """Ask the driver to pass bytes on at once; not every driver can, and a pty need not."""
    settings = array.array("i", [0] * 32)
    try:
        fcntl.ioctl(descriptor, _TIOCGSERIAL, settings)
        settings[_FLAGS_WORD] |= _ASYNC_LOW_LATENCY
        fcntl.ioctl(descriptor, _TIOCSSERIAL, settings)
    except OSError:
        pass  # the latency timer tells whether that matters


def latency_timer_ms(path: Path, sysfs: Path) -> int:
    """Return how long an adapter holds short replies back; 0 if it does not tell [ms].

    Args:
        path: of the line, a symbolic link or not.
        sysfs: the folder that describes every terminal, /sys/class/tty.
    """
    timer = sysfs / path.resolve().name / "device" / "latency_timer"
    try:
        return int(timer.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0
