"""The twin's handset under real hands: an X server, a window manager, a twin, and a kill."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from devices.twin.__main__ import ask
from devices.twin.exchange import CLOCK_SOCKET
from tests.devices.twin import rig
from tests.system.screen import MARKS, REPOSITORY, Screen, until

pytestmark = MARKS
NAME = "handset of the twin"


def hands(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ask(folder, "tell hands").removeprefix("ok "))
    return found


def window_of(screen: Screen) -> str | None:
    windows = screen.do("search", "--onlyvisible", "--name", NAME).split()
    return windows[-1] if windows else None


@pytest.mark.timeout(600)
def test_keys_and_mouse_reach_the_twin_and_death_lets_go(screen: Screen, tmp_path: Path) -> None:
    environment = screen.environment()
    environment["PYTHONPATH"] = str(REPOSITORY)
    environment["XDG_CONFIG_HOME"] = str(tmp_path)
    lines = tmp_path / "lines"
    lines.mkdir()
    with rig.process(lines):
        rig.wait_for(lines / CLOCK_SOCKET)
        command = [sys.executable, "-P", "-m", "app", "handset", "--ports", str(lines)]
        process = subprocess.Popen(command, env=environment, cwd=os.sep)
        try:
            window = until(lambda: window_of(screen), "the window opens", 120.0)
            screen.do("windowactivate", "--sync", window)
            until(lambda: screen.do("getwindowfocus") == window, "it has the keys")
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
        finally:
            process.kill()
            process.wait()
