"""Two recorded runs in the real window, by keyboard: play, jump to an alarm, and close."""

import hashlib
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.app.runs.recording import write_run
from tests.system.screen import MARKS, REPOSITORY, Screen, until

pytestmark = MARKS
CLOCK = (0, 690, 480, 70)  # where the time of the playhead stands [px]
GRAB = """
import sys
from PySide6.QtGui import QGuiApplication
application = QGuiApplication([])
picture = application.primaryScreen().grabWindow(0, *map(int, sys.argv[1:]))
sys.stdout.buffer.write(bytes(picture.toImage().constBits()))
"""


def seen(screen: Screen) -> str:
    """Return a fingerprint of the picture of the clock."""
    done = subprocess.run(
        [sys.executable, "-c", GRAB, *map(str, CLOCK)],
        env=screen.environment(),
        capture_output=True,
        check=True,
    )
    return hashlib.sha256(done.stdout).hexdigest()


def window_of(screen: Screen) -> str | None:
    """Return the identity of the window of both runs; None while there is none."""
    found = screen.do("search", "--onlyvisible", "--name", "run.mcap and late.mcap").split()
    return found[-1] if found else None


def has_keys(screen: Screen, name: str) -> bool:
    """Give the window the keys; tell whether it has them."""
    screen.do("windowactivate", name)
    return screen.do("getwindowfocus") == name


@pytest.mark.long
def test_two_runs_by_keyboard(screen: Screen, tmp_path: Path) -> None:
    runs = [write_run(tmp_path / "run.mcap"), write_run(tmp_path / "late.mcap", late_s=1.5)]
    window = subprocess.Popen(
        [sys.executable, "-P", "-m", "app", "log", "view", *map(str, runs)],
        env={
            **screen.environment(),
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
            "PYTHONPATH": str(REPOSITORY),
        },
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        name = until(lambda: window_of(screen), "the window is there")
        screen.do("windowmove", name, "0", "0", "windowsize", name, "1280", "780")
        until(lambda: has_keys(screen, name), "the window has the keys")
        begin = until(lambda: there_and_back(screen), "A and Home find their moments")
        screen.key("space")
        until(lambda: seen(screen) != begin, "it plays")
        screen.key("0", "c", "ctrl+q")
        assert window.wait(60.0) == 0
    finally:
        window.kill()
        _, errors = window.communicate()
    assert errors == ""


def there_and_back(screen: Screen) -> str | None:
    """Go to the first alarm and to the begin, twice; return the clock of the begin.

    None while the window is still being arranged: then the second look differs from the first.
    """
    looks = []
    for key in ("a", "Home", "a", "Home"):
        screen.key(key)
        time.sleep(0.5)
        looks.append(seen(screen))
    return looks[1] if looks[:2] == looks[2:] and looks[0] != looks[1] else None
