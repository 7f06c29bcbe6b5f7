"""A program that calls Qt very often lives on."""

import subprocess
import sys

PROGRAM = """
import app.console
from PySide6.QtGui import QVector3D
vector = QVector3D()
for _ in range(300_000):
    vector.setX(1.0)
print("alive")
"""


def test_three_hundred_thousand_calls_do_not_end_the_interpreter() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("alive\n", 0), done.stderr
