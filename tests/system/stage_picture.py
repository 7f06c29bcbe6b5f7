"""A program for a test: the panel on a real screen, worked with the mouse, its state as JSON."""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.console.context.context import Context
from app.console.context.core_link import CoreLink
from app.console.context.document import Document
from app.console.context.lock import EditLock
from app.console.context.notices import Notices
from app.console.preferences.store import PreferencesStore
from app.console.stage.view import StagePanel
from app.console.toolkit import theme
from app.console.toolkit.singletons import keep_singletons
from core.link.commands import Push
from tests.app.console import rig
from tests.app.console.figures import figure

LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def _wait(ready: Callable[[], bool] = lambda: False, most_s: float = 20.0) -> None:
    loop = QEventLoop()
    poll = QTimer()
    poll.timeout.connect(lambda: loop.quit() if ready() else None)
    poll.start(20)
    QTimer.singleShot(round(1000 * most_s), loop.quit)
    loop.exec()


class _Work:
    """What is done with the panel, step by step."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.found: dict[str, object] = {}
        self.core = rig.LineCore()
        self.core.figure = figure()
        self.link = CoreLink(self.core.endpoint, rig.ROBOT)
        store = PreferencesStore()
        self.panel = StagePanel(Context(self.link, Document(), EditLock(), Notices(), store))
        self.panel.resize(600, 600)
        self.panel.move(0, 0)
        self.frames = 0

    def run(self) -> None:
        with self.core:
            self.panel.show()
            self.link.start()
            self._count()
            _wait(lambda: self.frames > 0)
            _wait(most_s=0.3)
            self._save("still")
            self._still()
            self._push()
            self._hide()
            self._real()
            self._kill()
            self._hang()
        _wait(lambda: not self.link.connected)
        _wait(most_s=1.0)
        self._save("lost")
        self.panel.resize(420, 600)
        _wait(most_s=1.0)
        self._save("narrow")
        self.panel.close_view()
        self.link.close()
        self.panel.close()

    def _count(self) -> None:
        show = self.panel.picture.show_frame

        def counted(image: QImage) -> None:
            self.frames += 1
            show(image)

        self.panel.picture.show_frame = counted  # type: ignore[method-assign]

    def _pushes(self) -> list[Push]:
        return [command for command in self.core.commands if isinstance(command, Push)]

    def _still(self) -> None:
        before = self.frames
        _wait(most_s=1.0)
        self.found["frames_when_nothing_moves"] = self.frames - before

    def _push(self) -> None:
        picture = self.panel.picture
        body = QPoint(picture.width() // 2, picture.height() // 3)
        QTest.mousePress(picture, LEFT, PLAIN, body)
        self.found["pushing"] = self.panel.pushing
        QTest.mouseMove(picture, body + QPoint(60, 0))
        _wait(lambda: len(self._pushes()) > 5, 5.0)
        self._save("push")
        QTest.mouseRelease(picture, LEFT, PLAIN, body + QPoint(60, 0))
        _wait(most_s=0.3)
        sent = len(self._pushes())
        _wait(most_s=0.3)
        self.found["pushes"] = msgspec.to_builtins(self._pushes())
        self.found["sent_after_release"] = len(self._pushes()) - sent

    def _hide(self) -> None:
        self.panel.hide()
        _wait(most_s=0.2)
        before = self.frames
        for step in range(20):
            self.core.scene = msgspec.structs.replace(
                self.core.scene, base_position=(0.0, 0.0, 0.78 + 0.001 * step)
            )
            _wait(most_s=0.03)
        self.found["frames_when_hidden"] = self.frames - before
        self.panel.show()
        _wait(lambda: self.frames > before, 5.0)
        self.found["frames_when_shown_again"] = self.frames - before

    def _real(self) -> None:
        self.core.hello = msgspec.structs.replace(rig.HELLO, body="real", simulated=False)
        _wait(lambda: self.link.hello is not None and not self.link.hello.simulated)
        picture = self.panel.picture
        sent = len(self._pushes())
        body = QPoint(picture.width() // 2, picture.height() // 3)
        QTest.mousePress(picture, LEFT, PLAIN, body)
        QTest.mouseMove(picture, body + QPoint(30, 0))
        _wait(most_s=0.3)
        QTest.mouseRelease(picture, LEFT, PLAIN, body + QPoint(30, 0))
        self.found["sent_to_a_real_robot"] = len(self._pushes()) - sent
        self.found["preset"] = self.panel.steering.preset.value

    def _kill(self) -> None:
        """Kill the process that draws; its successor shows the robot."""
        killed, before = painter(), self.frames
        os.kill(killed, signal.SIGKILL)
        _wait(lambda: self.frames > before and painter() not in (0, killed), 10.0)
        self.found["successor_of_a_killed_process"] = painter() not in (0, killed)
        self._save("successor")

    def _hang(self) -> None:
        """Stop the process that draws: the picture is said to be old, then another one draws."""
        hung, before = painter(), self.frames
        os.kill(hung, signal.SIGSTOP)
        self.core.scene = msgspec.structs.replace(self.core.scene, base_position=(0.1, 0.0, 0.78))
        _wait(lambda: bool(self.panel.picture.accessibleDescription()), 4.0)
        self.found["said_while_it_hangs"] = self.panel.picture.accessibleDescription()
        _wait(lambda: painter() not in (0, hung) and self.frames > before, 15.0)
        _wait(most_s=0.5)
        self.found["said_afterwards"] = self.panel.picture.accessibleDescription()
        self.found["hung_process_lives"] = os.path.exists(f"/proc/{hung}")

    def _save(self, name: str) -> None:
        screen = QApplication.primaryScreen()
        screen.grabWindow(0, 0, 0, 600, 600).save(f"{self._folder}/{name}.png")


def painter() -> int:
    """Return the process that draws; 0 without one."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    for child in children:
        if b"app.picture" in Path(f"/proc/{child}/cmdline").read_bytes():
            return int(child)
    return 0


if __name__ == "__main__":
    keep_singletons()
    application = QApplication([])
    theme.dress(application)
    work = _Work(sys.argv[1])
    work.run()
    print(json.dumps(work.found))
