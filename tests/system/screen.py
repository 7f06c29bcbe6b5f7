"""A screen that nobody sees, hands on its keys, and a real rehearsal worked through both."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import pytest

from core.link.client import Client
from core.link.event import Event
from core.link.hello import Hello
from core.link.scene import Scene
from core.link.status import Status
from core.link.topics import SCENE
from core.link.wording import text
from core.run.launch import LaunchConfig
from tests.processes import alive, arguments, descendants

REPOSITORY = Path(__file__).parents[2]
TOOLS = ("Xvfb", "openbox", "xdotool")
POLL_S = 0.02
SETTLED_S = 1.0  # for the window manager to follow
LOADED_S = 45.0  # for what takes seconds where nobody else uses the machine
T = TypeVar("T")


def missing_tools() -> str:
    """Return the names of what is needed here and not installed."""
    return ", ".join(tool for tool in TOOLS if shutil.which(tool) is None)


# Of tests that start everything, and try again where the machine was too busy.
MARKS = [
    pytest.mark.skipif(
        bool(missing_tools()), reason=f"not installed: {missing_tools()} (make setup does it)"
    ),
    pytest.mark.timeout(300),
]


def until(look: Callable[[], T | None], what: str, timeout_s: float = LOADED_S) -> T:
    """Return the first thing seen that is neither None nor False.

    Raises:
        AssertionError: nothing is seen within the time.
    """
    deadline = time.monotonic() + timeout_s
    while True:
        found = look()
        if found is not None and found is not False:
            return found
        assert time.monotonic() < deadline, f"not within {timeout_s:g} s: {what}"
        time.sleep(POLL_S)


class Screen:
    """An X server with a window manager.

    Attributes:
        display: as programs are told it.
    """

    def __init__(self, size: str = "1280x800x24") -> None:
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"]
        self._server = subprocess.Popen(
            command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(writing)
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        assert number, "Xvfb did not start"
        self.display = f":{number}"
        self._manager = subprocess.Popen(
            ["openbox", "--sm-disable"],
            env=self.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def environment(self) -> dict[str, str]:
        """Return what a program needs to open its windows here."""
        found = {**os.environ, "DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"}
        found.pop("WAYLAND_DISPLAY", None)
        return found

    def do(self, *words: str) -> str:
        """Let xdotool do something, and return what it prints."""
        done = subprocess.run(
            ["xdotool", *words],
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=LOADED_S,
        )
        return done.stdout.strip()

    def key(self, *keys: str) -> None:
        """Press and let go of keys, one after the other."""
        self.do("key", "--clearmodifiers", "--delay", "40", *keys)

    def title(self) -> str:
        """Return the title of the console's window; empty while there is none."""
        windows = self.do("search", "--onlyvisible", "--name", "Footlight$").split()
        return self.do("getwindowname", windows[-1]) if windows else ""

    def has_keys(self) -> bool:
        """Tell whether the console's window has the keys; changes nothing."""
        windows = self.do("search", "--onlyvisible", "--name", "Footlight$").split()
        return bool(windows) and self.do("getwindowfocus") == windows[-1]

    def focus(self) -> bool:
        """Bring the console's window to the front; tell whether it has the keys."""
        windows = self.do("search", "--onlyvisible", "--name", "Footlight$").split()
        if not windows:
            return False
        self.do("windowactivate", windows[-1])
        deadline = time.monotonic() + SETTLED_S
        while time.monotonic() < deadline:  # asked again at once, it would never come to rest
            if self.do("getwindowfocus") == windows[-1]:
                return True
        return False

    def close(self) -> None:
        """Take the screen away."""
        for process in (self._manager, self._server):
            process.terminate()
            process.wait(10.0)


class Rehearsal:
    """`footlight rehearse` with all that belongs to it, and a listener beside it.

    Attributes:
        process: the command.
        endpoint: where its core listens.
        lines: what it has printed, standard error output too.
        events: what was heard of the core and its siblings.
    """

    def __init__(self, screen: Screen, home: Path, *options: str, module: str = "app") -> None:
        """Start it.

        Args:
            screen: where its window opens.
            home: for its files.
            options: of the command.
            module: the command; a test may wrap the one of the program.
        """
        environment = screen.environment()
        for name in ("CONFIG", "STATE", "CACHE"):
            environment[f"XDG_{name}_HOME"] = str(home / name.lower())
        path = [str(REPOSITORY), environment.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(part for part in path if part)
        self.lines: list[str] = []
        self.events: list[Event] = []
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, "rehearse", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._client: Client | None = None
        self._module = module
        chosen = dict(zip(options, options[1:], strict=False)).get("--robot")
        self._robot = chosen or LaunchConfig("").robot
        self._hello: Hello | None = None
        self._heard_s = 0.0
        self._sequence = -1

    def listen(self) -> None:
        """Begin to listen to the core, once it says where."""
        words = "the core listens on "
        line = until(lambda: self.said(words), "the core is up", 120.0)
        endpoint = line.partition(words)[2].strip()
        self._client = Client(endpoint, self._robot, "test", operator=False, timeout_s=20.0)
        until(self.status, "the core says how it is", 120.0)

    def said(self, words: str) -> str | None:
        """Return the first line printed that holds these words."""
        return next((line for line in list(self.lines) if words in line), None)

    def status(self) -> Status | None:
        """Return the newest status; takes in the events too."""
        assert self._client is not None
        self.events += self._client.events()
        status = self._client.status()
        if status is not None and status.sequence != self._sequence:
            self._sequence, self._heard_s = status.sequence, time.monotonic()
        return status

    def hello(self) -> Hello | None:
        """Return what the core says of itself."""
        assert self._client is not None
        self._hello = self._client.hello(0.0) or self._hello
        return self._hello

    def scene(self) -> Scene | None:
        """Return the picture that came last, if one came since the last call."""
        assert self._client is not None
        found = self._client.subscribe(SCENE).poll()
        return found[-1] if found else None

    @property
    def silence_s(self) -> float:
        """Time since the core was last heard [s]."""
        self.status()
        return time.monotonic() - self._heard_s

    def see(
        self, what: str, holds: Callable[[Status], bool], timeout_s: float = LOADED_S
    ) -> Status:
        """Return the first status of which something holds.

        Raises:
            AssertionError: none comes within the time, or the command has ended.
        """
        last: Status | None = None

        def look() -> Status | None:
            nonlocal last
            assert self.said("the core is gone") is None, f"the core is gone: {what}"
            last = self.status()
            return last if last is not None and holds(last) else None

        try:
            return until(look, what, timeout_s)
        except AssertionError as error:
            tail = "\n".join(self.lines[-15:])
            heard = "\n".join(f"{event.actor}: {text(event)}" for event in self.events[-40:])
            raise AssertionError(f"{error}\nlast: {last}\nevents:\n{heard}\n{tail}") from None

    def throughout(self, time_s: float, what: str, holds: Callable[[Status], bool]) -> None:
        """Look on for some time.

        Raises:
            AssertionError: something does not hold in between.
        """
        deadline = time.monotonic() + time_s
        while time.monotonic() < deadline:
            status = self.status()
            assert status is not None and holds(status), f"not so any more: {what}: {status}"
            time.sleep(POLL_S)

    def heard(self, code: str, since: int = 0) -> list[Event]:
        """Return the events with a code since an index of `events`."""
        self.status()
        return [event for event in self.events[since:] if event.code == code]

    def member(self, role: str) -> int | None:
        """Return the number of a process of it: `console`, or a role of the core."""
        for pid in descendants(self.process.pid):
            line = arguments(pid)
            for room in {"app", "core", self._module}:
                if room in line[:-1] and line[line.index(room) + 1] == role and alive(pid):
                    return pid
        return None

    def end(self) -> int:
        """Wait until the command has ended, and return its status."""
        status = self.process.wait(LOADED_S)
        self._reader.join(10.0)
        return status

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        family = descendants(self.process.pid)
        lived = [" ".join(arguments(pid)[-6:]) for pid in family if alive(pid)]
        if self._client is not None:
            self._client.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20.0)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        for pid in family:
            if alive(pid):
                os.kill(pid, signal.SIGKILL)
        self._reader.join(10.0)
        if error is not None:
            # Only an end that is awaited tells why a process ended by itself.
            said = "\n".join(self.lines)
            error.add_note("alive at the failure:\n" + "\n".join(lived))
            error.add_note(f"all that was printed, to status {self.process.returncode}:\n{said}")
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
