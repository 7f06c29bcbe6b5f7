"""A separate process that kills the loop's process when the loop falls silent.

When the power board receives no commands from the loop it opens the contactor.

The loop writes one byte into a pipe every few milliseconds. The write is one system call and
never blocks. A pipe, unlike a shared counter, also reports the death of the writer at once.
"""

import fcntl
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from enum import Enum

BEAT = b"."
GOODBYE = b"q"
PIPE_BYTES = 4096
"""Small, so that the loop notices after 4096 beats that the watchdog does not read."""


class Ending(Enum):
    """How the watch ended."""

    GOODBYE = "the loop ended normally"
    NEVER_BEAT = "the loop never started"
    KILLED = "the loop was killed"


class Heartbeat:
    """The loop's end of the pipe.

    Args:
        writer: writing end of the pipe; this object owns it. No other process may hold it:
            otherwise the watchdog notices the loop's death only by its silence.
        period_s: time between beats [s].
    """

    def __init__(self, writer: int, period_s: float = 0.01) -> None:
        self._writer = writer
        self._period_s = period_s
        self._next_s = -float("inf")
        self.alive = True
        """The watchdog takes beats."""
        os.set_blocking(writer, False)
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, PIPE_BYTES)

    def beat(self, now_s: float) -> None:
        """Write a beat if one is due at a time [s]. Never blocks, never raises."""
        if now_s < self._next_s:
            return
        self._next_s = now_s + self._period_s
        try:
            os.write(self._writer, BEAT)
        except OSError:  # the pipe is full (no reader) or broken (the watchdog is dead)
            self.alive = False
        else:
            self.alive = True

    def close(self) -> None:
        """Announce the normal end, so that the watchdog ends without a kill."""
        try:
            os.write(self._writer, GOODBYE)
        except OSError:
            self.alive = False
        os.close(self._writer)


def open_pipe() -> tuple[int, int]:
    """Return the reading and the writing end; neither survives an exec unless it is passed on."""
    return os.pipe()


def watch(
    reader: int,
    kill_loop: Callable[[], None],
    silence_s: float = 0.1,
    tell: Callable[[str], None] | None = None,
) -> Ending:
    """Read beats until the normal end; kill the loop once if they stop.

    Args:
        reader: reading end of the pipe.
        kill_loop: kills the loop's process; its silence makes the power board open the contactor.
        silence_s: longest silence between beats, from the first beat on [s].
        tell: receives one sentence; the default prints it to stderr.

    Returns:
        How the watch ended. KILLED stays KILLED, whatever arrives later.
    """
    tell = tell or _tell_stderr
    poller = select.poll()
    poller.register(reader, select.POLLIN)
    heard_s: float | None = None
    killed = False
    goodbye = False
    while True:
        waits = heard_s is not None and not killed
        left_s = silence_s - (time.monotonic() - heard_s) if waits and heard_s is not None else None
        ready = poller.poll(None if left_s is None else max(0.0, 1e3 * left_s))
        if ready:
            beats = os.read(reader, PIPE_BYTES)
            if beats:
                heard_s = time.monotonic()
                goodbye = beats.endswith(GOODBYE)
                continue
            if goodbye or heard_s is None or killed:
                return Ending.KILLED if killed else Ending.GOODBYE if goodbye else Ending.NEVER_BEAT
            reason = "The control core died"
        elif goodbye:
            return Ending.KILLED if killed else Ending.GOODBYE
        else:
            reason = f"The control core was silent for more than {1e3 * silence_s:.0f} ms"
        killed = True
        try:
            kill_loop()
        except Exception as error:  # the watchdog must still report that the kill failed
            tell(f"{reason}, and its process could not be killed ({error}): press the E-stop.")
        else:
            tell(f"{reason}: its process was killed, and the power board opens the contactor.")


def main(
    reader: int, kill_loop: Callable[[], None], silence_s: float = 0.1, close: tuple[int, ...] = ()
) -> int:
    """Run the watchdog process and return its exit status: 1 if the loop was killed.

    Signals that end the other processes do not end this one: it ends after the loop.

    Args:
        reader: reading end of the pipe.
        kill_loop: kills the loop's process.
        silence_s: longest silence between beats [s].
        close: inherited file descriptors that this process must not hold, writing end first.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for descriptor in close:
        os.close(descriptor)
    ending = watch(reader, kill_loop, silence_s)
    os.close(reader)
    return 1 if ending is Ending.KILLED else 0


def _tell_stderr(text: str) -> None:
    try:
        print(f"watchdog: {text}", file=sys.stderr, flush=True)
    except OSError:  # stderr is closed
        return
