"""The twin's handset under real hands: an X server, a window manager, a twin, a core, a kill."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.link.client import Client
from core.link.commands import Hold
from core.link.handset import HandsetStatus
from core.link.status import Status
from devices.twin.__main__ import ask
from devices.twin.exchange import CLOCK_SOCKET
from tests.devices.twin import rig
from tests.system.screen import MARKS, REPOSITORY, Screen, until
from tests.system.test_unplugged import watched

pytestmark = MARKS
NAME = "handset of the twin"
PATIENCE_S = 120.0  # of the wall, for a window
STICK_S = 3.0  # of the wall, until a stick follows its key
WALKS_S = 5.0  # of the robot's time, from the stick to a speed
LONG_S = 30.0  # of the robot's time, in which people and windows do something
STANDS_S = 0.5  # of the robot's time, after nobody holds the dead-man


def hands(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ask(folder, "tell hands").removeprefix("ok "))
    return found


def window_of(screen: Screen) -> str | None:
    windows = screen.do("search", "--onlyvisible", "--name", NAME).split()
    return windows[-1] if windows else None


@contextmanager
def opened(screen: Screen, lines: Path, home: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Open the window of the twin that has its lines somewhere; it has the keys then."""
    environment = screen.environment()
    environment["PYTHONPATH"] = str(REPOSITORY)
    environment["XDG_CONFIG_HOME"] = str(home)
    command = [sys.executable, "-P", "-m", "app", "handset", "--ports", str(lines)]
    process = subprocess.Popen(command, env=environment, cwd=os.sep)
    try:
        window = until(lambda: window_of(screen), "the window opens", PATIENCE_S)
        screen.do("windowactivate", "--sync", window)
        until(lambda: screen.do("getwindowfocus") == window, "it has the keys")
        yield process
    finally:
        process.kill()
        process.wait()
        until(lambda: not window_of(screen), "the window is gone")


@pytest.mark.timeout(600)
def test_keys_and_mouse_reach_the_twin_and_death_lets_go(screen: Screen, tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    lines.mkdir()
    with rig.process(lines):
        rig.wait_for(lines / CLOCK_SOCKET)
        with opened(screen, lines, tmp_path) as process:
            screen.do("keydown", "shift")
            screen.do("keydown", "3")
            wanted = {"buttons": 4, "dead_man": True}
            until(lambda: wanted.items() <= hands(lines).items(), "Shift and 3 are held")
            screen.do("keyup", "3")
            screen.do("keyup", "shift")
            wanted = {"buttons": 0, "dead_man": False}
            until(lambda: wanted.items() <= hands(lines).items(), "and let go")
            screen.do("keydown", "5")
            until(lambda: hands(lines)["buttons"] == 16, "a button is held")
            process.kill()
            until(lambda: hands(lines)["buttons"] == 0, "a window that dies lets go")
            screen.do("keyup", "5")


def moves(now: Status) -> bool:
    return any(now.velocity_command)


def released(told: HandsetStatus) -> bool:
    return told.heard and not told.dead_man and not any(told.sticks)


def push_forward(screen: Screen, lines: Path) -> None:
    """Hold the arrow that pushes the left stick forward, once the stick has the keys."""
    for _ in range(30):
        screen.do("keydown", "Up")
        held_s = time.monotonic()
        while time.monotonic() < held_s + STICK_S:
            if hands(lines)["sticks"][1] > 0.5:
                return
        screen.do("keyup", "Up")
        screen.do("key", "Tab")
    raise AssertionError("no Tab leads to the left stick")


@contextmanager
def attended(client: Client) -> Iterator[None]:
    """Keep a console there, whatever the test waits for."""
    over = threading.Event()

    def beat() -> None:
        while not over.wait(0.02):
            client.beat()

    thread = threading.Thread(target=beat)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_robot_that_walks_by_the_window_stands_as_soon_as_nobody_holds_it(
    screen: Screen, tmp_path: Path
) -> None:
    lines = tmp_path / "lines"
    lines.mkdir()
    with watched(lines) as core, attended(core.client):

        def see(what: str, holds: Callable[[Status, HandsetStatus], bool], most_s: float) -> None:
            def found() -> bool:
                told = core.status.handset
                return told is not None and holds(core.status, told)

            core.until(what, found, core.status.stamp_s, most_s)

        def walk(tries: int = 3) -> None:
            see("the handset is at rest", lambda _, told: told.ready and released(told), LONG_S)
            if core.status.action == "HOLD":  # a busy machine silenced the twin for a moment
                core.client.send(Hold())
                see("nothing holds it", lambda now, _: now.action in ("NONE", "WARN"), LONG_S)
            screen.do("keydown", "shift")
            see("the dead-man is held", lambda _, told: told.dead_man, LONG_S)
            push_forward(screen, lines)
            try:
                see("it walks", lambda now, _: now.mode == "WALK" and moves(now), WALKS_S)
            except AssertionError:  # a machine too busy for the console to beat
                screen.do("keyup", "shift", "keyup", "Up")
                if tries == 1:
                    raise
                walk(tries - 1)

        core.rise("READY")
        with opened(screen, lines, tmp_path) as process:
            walk()
            screen.do("keyup", "shift")
            see("nothing is held", lambda _, told: not told.dead_man, LONG_S)
            see("no speed is asked for", lambda now, _: not moves(now), STANDS_S)
            see("it stands", lambda now, _: now.mode == "READY", LONG_S)
            screen.do("keyup", "Up")
            walk()
            process.kill()
            process.wait()
            see("nothing is held", lambda _, told: not told.dead_man, LONG_S)
            see("no speed is asked for", lambda now, _: not moves(now), STANDS_S)
            screen.do("keyup", "shift", "keyup", "Up")
        with opened(screen, lines, tmp_path):
            screen.do("keydown", "1")
            see("STOP is pressed", lambda _, told: told.buttons[0], LONG_S)
            see("it stops", lambda now, _: bool(now.latched) and now.mode == "FAULT", STANDS_S)
            screen.do("keyup", "1")
