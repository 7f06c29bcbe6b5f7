"""A console that asks Qt for nothing, again and again, goes on."""

import os
import subprocess
import sys
from pathlib import Path

ASKS = """
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget
from app.console.interpreter import keep_constants

keep_constants()
application = QApplication([])
widget = QWidget()

class Bell(QObject):
    rings = Signal(bool)

bell = Bell()
bell.rings.connect(lambda on: None)
for _ in range(50_000):
    assert QApplication.focusWidget() is None
    assert widget.isEnabled() is True
    assert widget.isVisible() is False
    bell.rings.emit(True)
print("alive")
"""


def test_constants_are_never_used_up() -> None:
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", ASKS],
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(root)},
    )
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr
