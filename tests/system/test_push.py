"""The robot pulled at with the mouse, in the whole window, on the real rehearsal."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.console.stage import drag
from core.record.export import arrays
from core.record.reader import read
from tests.system import inside
from tests.system.operating import press, stand, undisturbed
from tests.system.screen import Rehearsal, Screen, missing_tools, until

MISSING = missing_tools()
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {MISSING} (make setup does it)"),
    pytest.mark.timeout(300),
]
STAGE = "ctrl+1"
WAY_PX = 10  # sideways; the robot shall lean, not fall
LEAST_N = 4.0  # of such a pull
OTHER = """
from PySide6.QtWidgets import QApplication, QLabel
application = QApplication(["other"])
label = QLabel("another program")
label.setWindowTitle("Another program")
label.resize(120, 60)
label.show()
application.exec()
"""
LEFT = "1"  # the mouse's button


@pytest.fixture
def screen() -> Iterator[Screen]:
    found = Screen()
    yield found
    found.close()


@pytest.fixture
def asker(monkeypatch: pytest.MonkeyPatch) -> Iterator[inside.Asker]:
    found = inside.Asker()
    monkeypatch.setenv(inside.ADDRESS, found.name)
    yield found
    found.close()


@pytest.fixture
def other(screen: Screen) -> Iterator[str]:
    """Another program's window: its number."""
    program = [sys.executable, "-P", "-c", OTHER]
    process = subprocess.Popen(program, env=screen.environment(), stderr=subprocess.DEVNULL)
    yield until(lambda: screen.do("search", "--onlyvisible", "--name", "^Another") or None, "it")
    process.terminate()
    process.wait()


def test_a_drag_on_the_body_pushes_until_it_ends(
    screen: Screen, asker: inside.Asker, other: str, tmp_path: Path
) -> None:
    log = tmp_path / "run.mcap"
    with Rehearsal(screen, tmp_path, "--log", str(log), module=inside.MODULE) as rehearsal:
        rehearsal.listen()
        until(lambda: "meet_cosmo" in screen.title(), "the console has opened the show")
        stand(screen, rehearsal)
        press(screen, STAGE)
        left, top, width, height = until(lambda: asker.ask("view"), "the picture is there")
        hand = Hand(screen, rehearsal, (left + width // 2, top + height // 3))

        def let_go() -> None:
            hand.press()
            hand.drag()
            hand.release()

        def leave() -> None:
            """The pointer goes out of the window, and the button is let go there."""
            place = hand.body[0] + WAY_PX // 2, hand.body[1] - 30
            screen.do("windowmove", "--sync", other, *map(str, place))
            hand.press()
            inside = hand.window()
            screen.do("windowraise", other)
            hand.drag()
            assert hand.window() != inside
            hand.release()

        def lose() -> None:
            """Another program comes to the front while the button is down."""
            hand.press()
            hand.drag()
            screen.do("windowactivate", "--sync", other)
            until(lambda: force_n(rehearsal) == 0.0, "the force ends")
            hand.release()

        for way in (let_go, leave, lose):
            undisturbed(rehearsal, way)
            rehearsal.see("it stands", lambda s: s.mode == "READY")
        assert rehearsal.status().falls == 0  # type: ignore[union-attr]
    recording = read(log)
    assert recording.problem == ""
    force = np.linalg.norm(arrays(recording)["external_force"], axis=1)
    starts = np.count_nonzero(np.diff((force > LEAST_N).astype(int)) == 1)
    assert starts >= 3
    assert LEAST_N < force.max() <= drag.MOST_N + 1e-3
    assert not force[-200:].any()


class Hand:
    """A mouse on the body.

    Attributes:
        body: a place on it, on the screen [pixels].
    """

    def __init__(self, screen: Screen, rehearsal: Rehearsal, body: tuple[int, int]) -> None:
        self.body = body
        self._screen, self._rehearsal = screen, rehearsal

    def press(self) -> None:
        """Press on the body."""
        until(self._screen.focus, "the console's window has the keys")
        self._move(0)
        self._screen.do("mousedown", LEFT)

    def drag(self) -> None:
        """Drag until the core says that the body is pulled at."""
        for way in range(0, WAY_PX + 1, 2):
            self._move(way)
        until(lambda: force_n(self._rehearsal) > LEAST_N, "the core has a force")

    def window(self) -> str:
        """Return the number of the window below the pointer."""
        return self._screen.do("getmouselocation").rpartition("window:")[2]

    def release(self) -> None:
        """Let go, and see the force end."""
        self._screen.do("mouseup", LEFT)
        until(lambda: force_n(self._rehearsal) == 0.0, "the force has ended")

    def _move(self, way: int) -> None:
        self._screen.do("mousemove", str(self.body[0] + way), str(self.body[1]))


def force_n(rehearsal: Rehearsal) -> float:
    """Return the force of the newest picture [N]."""
    scene = until(rehearsal.scene, "a picture comes")
    return float(np.linalg.norm(scene.external_force))
