"""On a real screen the robot is seen, can be pushed in rehearsal only, and nothing crashes."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QImage

from app.console.stage import drag
from tests.tracked import REPOSITORY

pytestmark = pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="there is no Xvfb")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    folder = tmp_path_factory.mktemp("pictures")
    program = [sys.executable, "-m", "tests.system.stage_picture", str(folder)]
    screen = ["xvfb-run", "-a", "-s", "-screen 0 640x640x24"]
    variables = {**os.environ, "QT_QPA_PLATFORM": "xcb"}
    done = subprocess.run(
        screen + program, cwd=REPOSITORY, env=variables, capture_output=True, text=True, timeout=55
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout), folder


def _pixels(folder: Path, name: str) -> np.ndarray:
    image = QImage(str(folder / f"{name}.png")).convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(image.constBits(), np.uint8)
    return rows.reshape(image.height(), image.width(), 4)[..., :3].astype(int)


def test_the_robot_is_seen_in_its_colours(run: tuple[dict[str, Any], Path]) -> None:
    pixels = _pixels(run[1], "still")[60:, 150:450]
    red = (pixels[..., 0] > 120) & (pixels[..., 1] < 80) & (pixels[..., 2] < 80)
    navy = (pixels[..., 2] > 40) & (pixels[..., 0] < 40) & (pixels[..., 2] > pixels[..., 0] + 15)
    assert red.sum() > 2000 and navy.sum() > 1000
    # Head and torso are red and above the navy legs.
    assert np.nonzero(red)[0].mean() < np.nonzero(navy)[0].mean() - 50


def test_nothing_is_drawn_where_nothing_moves_or_nobody_looks(
    run: tuple[dict[str, Any], Path],
) -> None:
    found = run[0]
    assert found["frames_when_nothing_moves"] == 0
    assert found["frames_when_hidden"] == 0
    assert found["frames_when_shown_again"] > 0


def test_a_pull_pushes_until_the_mouse_is_released(run: tuple[dict[str, Any], Path]) -> None:
    found = run[0]
    assert found["pushing"]
    last = found["pushes"][-1]
    assert 10.0 < last["fy"] <= drag.MOST_N  # to the audience's right, the robot's left
    assert abs(last["fx"]) < 0.2 * last["fy"]
    assert found["sent_after_release"] == 0


def test_newtons_are_shown_at_the_mouse(run: tuple[dict[str, Any], Path]) -> None:
    still, push = (_pixels(run[1], name) for name in ("still", "push"))
    amber = (push[..., 0] > 200) & (abs(push[..., 1] - 183) < 30) & (push[..., 2] < 110)
    before = (still[..., 0] > 200) & (abs(still[..., 1] - 183) < 30) & (still[..., 2] < 110)
    assert (amber & ~before).sum() > 40


def test_a_real_robot_is_never_pushed(run: tuple[dict[str, Any], Path]) -> None:
    assert run[0]["sent_to_a_real_robot"] == 0
    assert run[0]["preset"] == "free"  # the same drag goes round it instead


def test_a_lost_core_is_written_over_the_picture(run: tuple[dict[str, Any], Path]) -> None:
    still, lost = (_pixels(run[1], name)[45:120] for name in ("still", "lost"))
    counts = [
        ((rows[..., 0] > 220) & (abs(rows[..., 1] - 107) < 25) & (rows[..., 2] < 130)).sum()
        for rows in (still, lost)
    ]
    assert counts[0] == 0 and counts[1] > 300


def test_the_words_over_a_narrow_picture_are_not_cut_off(run: tuple[dict[str, Any], Path]) -> None:
    rows = _pixels(run[1], "narrow")[45:160, :420]
    frame = (rows[..., 0] > 220) & (abs(rows[..., 1] - 124) < 10) & (abs(rows[..., 2] - 115) < 10)
    columns = np.flatnonzero(frame.any(axis=0))
    assert 4 < columns.min() < 40 and 380 < columns.max() < 416


def test_a_picture_process_that_dies_or_hangs_has_a_successor(
    run: tuple[dict[str, Any], Path],
) -> None:
    found = run[0]
    assert found["successor_of_a_killed_process"]
    red = _pixels(run[1], "successor")[60:, 150:450]
    assert ((red[..., 0] > 120) & (red[..., 1] < 80) & (red[..., 2] < 80)).sum() > 2000
    assert "does not answer" in found["said_while_it_hangs"]
    assert found["said_afterwards"] == "" and not found["hung_process_lives"]
