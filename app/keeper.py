"""Keeps a console beside a rehearsal: starts it, starts it again when it dies, never needs it.

The console is a process of its own and no relative of the core's: it may be killed at any
moment, and the core does not notice more than its silence.
"""

import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
QUICK_S = 10.0  # a console that dies so soon after its start will do so again
QUICK_DEATHS = 2  # in a row, after which it is left to the operator to start it
END_S = 5.0  # to close its files
PROBE_S = 20.0  # to open a display, on a slow machine
PROBE = "from PySide6.QtGui import QGuiApplication; QGuiApplication([])"
_WAIT_S = 0.02


def console_command(robot: str, endpoint: str, show: Path | None) -> list[str]:
    """Return the command line of a console's process."""
    # -P: a folder named app in the working directory is not meant.
    return [sys.executable, "-P", "-m", "app", *_arguments(robot, endpoint, show)]


def console_environment() -> dict[str, str]:
    """Return the environment of a console's process: this program is the one that it runs."""
    environment = dict(os.environ)
    paths = [str(ROOT), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    return environment


def spoken_command(robot: str, endpoint: str, show: Path | None) -> str:
    """Return the command line that opens a console on a running core."""
    return shlex.join(["footlight", *_arguments(robot, endpoint, show)])


def _arguments(robot: str, endpoint: str, show: Path | None) -> list[str]:
    options = ["--robot", robot, "--connect", endpoint]
    return ["console", *options, *([] if show is None else [str(show)])]


def no_display(environment: Mapping[str, str]) -> str:
    """Return why nothing can be shown here, as the end of a sentence; empty if something can."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    if not any(environment.get(name) for name in names):
        return "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"
    return ""


def dead_display(environment: Mapping[str, str]) -> str:
    """Return why no window can be opened, as `no_display` does; tries it."""
    reason = no_display(environment)
    if reason:
        return reason
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", PROBE],
            env=dict(environment),
            capture_output=True,
            text=True,
            timeout=PROBE_S,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired:
        return f"the display did not answer within {PROBE_S:g} s"
    if done.returncode == 0:
        return ""
    if "ModuleNotFoundError" in done.stderr:
        return "the console's toolkit, PySide6, is not installed here (make setup installs it)"
    words = [line for line in done.stderr.splitlines() if line.strip()]
    return f"the display cannot be opened ({words[0].strip() if words else done.returncode})"


class Keeper:
    """Owns the console's process.

    Args:
        command: its command line.
        advice: the command line that opens another one.

    Attributes:
        advice: as given.
        closed: the operator closed it, in order.
    """

    def __init__(self, command: Sequence[str], advice: str) -> None:
        self.advice = advice
        self.closed = False
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._started_s = 0.0
        self._quick_deaths = 0

    @property
    def pid(self) -> int | None:
        """Its process number; None while it does not run."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start it.

        Raises:
            OSError: it cannot be started.
        """
        self._errors = tempfile.TemporaryFile()
        self._started_s = time.monotonic()
        # A group of its own: Ctrl-C is for whoever keeps it, who ends the core first.
        self._process = subprocess.Popen(
            list(self._command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            env=console_environment(),
            process_group=0,
        )

    def look(self) -> str:
        """Start it again if it died, and say so; to be called some times a second.

        Returns:
            A sentence for the operator, or nothing.

        Raises:
            OSError: it cannot be started again.
        """
        process = self._process
        if process is None or process.poll() is None:
            return ""
        fate = self._fate(process.returncode)
        self._forget()
        if process.returncode == 0:
            self.closed = True
            return ""
        quick = time.monotonic() - self._started_s < QUICK_S
        self._quick_deaths = self._quick_deaths + 1 if quick else 0
        if self._quick_deaths < QUICK_DEATHS:
            self.start()
            return f"the console {fate}; the core continues, and another console opens"
        return f"the console {fate} again; the core continues (end it with Ctrl-C)"

    def await_close(self, give_up: Callable[[], bool]) -> None:
        """Wait until it is gone, or `give_up` says not to wait on; starts none again."""
        while self._process is not None and self._process.poll() is None and not give_up():
            time.sleep(_WAIT_S)

    def end(self, hurry: Callable[[], bool] = lambda: False) -> None:
        """Ask it to close, and end it if it does not; `hurry` cuts the patience."""
        process = self._process
        if process is None:
            return
        if process.poll() is None:
            process.terminate()
        deadline = time.monotonic() + END_S
        while process.poll() is None:
            if time.monotonic() > deadline or hurry():
                process.kill()
                process.wait()
            time.sleep(_WAIT_S)
        self._forget()

    def _forget(self) -> None:
        self._process = None
        if self._errors is not None:
            self._errors.close()
            self._errors = None

    def _fate(self, status: int) -> str:
        """Return how it died, as the middle of a sentence."""
        if status < 0:
            return f"was killed ({signal.Signals(-status).name})"
        words: list[str] = []
        if self._errors is not None:
            self._errors.seek(0)
            words = self._errors.read().decode(errors="replace").strip().splitlines()
        return f"died ({words[-1]})" if words else f"died (exit status {status})"
