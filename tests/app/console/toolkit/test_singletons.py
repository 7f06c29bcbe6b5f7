"""A program that calls the toolkit often lives."""

import subprocess
import sys

CALLS = """
from app.console.toolkit.singletons import keep_singletons
keep_singletons()
from PySide6.QtGui import QFont
font = QFont()
for _ in range(100_000):
    font.setPixelSize(12)
    font.bold()
"""


def test_a_hundred_thousand_calls_do_not_end_the_interpreter() -> None:
    done = subprocess.run([sys.executable, "-c", CALLS], capture_output=True, text=True, timeout=50)
    assert done.returncode == 0, done.stderr
