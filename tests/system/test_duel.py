"""The show "Duel" for real: a puppeteer, the partner, the core; a machine that is not loaded."""

import subprocess
import sys
from pathlib import Path

import pytest

from assets.takes.duel import ANSWERED, SHOW
from tests.processes import descendants

REPOSITORY = Path(__file__).parents[2]
RIGHT = 3
"""Least number of right answers."""
WANTED = {
    "wave": "wave", "punch": "recoil", "parry": "salute", "raise_arms": "cheer", "bow": "bow",
}  # fmt: skip


@pytest.mark.long
@pytest.mark.realtime
@pytest.mark.timeout(400)
def test_the_duel_is_played_without_a_fall_and_answered() -> None:
    line = (sys.executable, "-m", "app", "rehearse", "--headless", str(SHOW))
    run = subprocess.Popen(
        line, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    out, errors = run.communicate(timeout=380)
    assert run.returncode == 0, errors + out
    assert descendants(run.pid) == []
    said = out.splitlines()
    assert sum("the robot follows the person, to mirror" in line for line in said) == 4, out
    assert not any("the input of the person was lost" in line for line in said), out
    right = [f"{motion} is answered with {WANTED[motion]}" for _, motion in ANSWERED]
    answers = [line.partition(": ")[2] for line in said if "is answered with" in line]
    right = [words.replace("raise_arms", "raise arms") for words in right]
    assert sum(answer in right for answer in answers) >= RIGHT, out
    assert next(line for line in said if "│ falls" in line).split()[3] == "0"
