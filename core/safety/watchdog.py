"""A process of its own that kills the loop's process when the loop falls silent.

Without commands from the loop the power board opens the contactor.

The loop writes one byte into a pipe every few milliseconds, which costs it a system call and
never blocks. A pipe, unlike a shared counter, also tells at once when the writer has died.
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
"""Small, so that a watchdog that does not read is noticed after 4096 beats."""


class Ending(Enum):
    """How the watch ended."""

    GOODBYE = "the loop said goodbye"
    NEVER_BEAT = "the loop never began"
    KILLED = "the loop was killed"


class Heartbeat:
    """The loop's end of the pipe.

    Args:
        writer: the pipe's writing end; this object owns it. No other process may hold it, or
            the loop's death would go unnoticed until the silence tells.
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
        """Say that the loop lives, if it is time to [s]. Never blocks, never raises."""
        if now_s < self._next_s:
            return
        self._next_s = now_s + self._period_s
        try:
            os.write(self._writer, BEAT)
        except OSError:  # full (it does not read) or broken (it is gone)
            self.alive = False
        else:
            self.alive = True

    def close(self) -> None:
        """Say goodbye, so that the watchdog ends without a kill."""
        try:
            os.write(self._writer, GOODBYE)
        except OSError:
            self.alive = False
        os.close(self._writer)


def open_pipe() -> tuple[int, int]:
    """Return the reading and the writing end; neither outlives an exec unless it is passed on."""
    return os.pipe()


def watch(
    reader: int,
    kill_loop: Callable[[], None],
    silence_s: float = 0.1,
    tell: Callable[[str], None] | None = None,
) -> Ending:
    """Read beats until a goodbye; kill the loop, once, when they stop coming.

    Args:
        reader: the pipe's reading end.
        kill_loop: ends the loop's process, whose silence makes the power board open the contactor.
        silence_s: the longest silence between beats [s]; it counts from the first beat.
        tell: takes one sentence; by default it goes to stderr.

    Returns:
        How it ended. A loop that was killed stays so, whatever is heard afterwards.
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
        except Exception as error:  # the process must still say what it could not do
            tell(f"{reason}, and ending its process failed ({error}): press the E-stop.")
        else:
            tell(f"{reason}: its process is ended, and the power board opens the contactor.")


def main(
    reader: int, kill_loop: Callable[[], None], silence_s: float = 0.1, close: tuple[int, ...] = ()
) -> int:
    """Be the watchdog process; returns its exit status, 1 if the loop was killed.

    Signals that end the other processes do not end this one: it ends when the loop has.

    Args:
        reader: the pipe's reading end.
        kill_loop: ends the loop's process.
        silence_s: the longest silence between beats [s].
        close: file descriptors that were inherited and must not be held, the writing end first.
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
    except OSError:  # nobody reads any more
        return
