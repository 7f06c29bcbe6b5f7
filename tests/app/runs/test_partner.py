"""A recorded run shows the person where the console did, and the panel Partner of the moment."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.console.stage.placing import before
from app.console.stage.touches import Bout
from app.picture.camera import Preset
from app.runs.run import Run
from app.runs.source import Library
from app.runs.window import RunWindow
from core.link.message import Vector3
from tests.app.console.stage.test_person import standing
from tests.app.runs.recording import CALIBRATED_S, FOLLOWED_S, LEAVES_S, write_run

PERSON = standing()


@pytest.fixture(scope="module")
def led(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("led") / "run.mcap", length_s=12.0, person=PERSON)


@pytest.fixture
def window(
    led: Path, reading: Library, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RunWindow]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    found = RunWindow(Run(led, reading), reading)
    qtbot.addWidget(found)
    found.show()
    qtbot.waitUntil(lambda: found.run.digest.done and found.partner.isVisible())
    yield found
    found.close()


def shown(window: RunWindow, time_s: float) -> tuple[Vector3, ...]:
    """Return the joints in the picture of a moment."""
    window.playback.go(time_s)
    scene = window.run.scene(time_s)
    assert scene is not None
    return window.stage._shot(scene).human


def test_the_person_stands_where_the_console_showed_it(window: RunWindow) -> None:
    assert window.stage._steering.preset is Preset.PAIR
    for from_s, to_s in ((CALIBRATED_S, FOLLOWED_S), (FOLLOWED_S, LEAVES_S)):
        place = window.run.digest.places.at(from_s + 0.1)
        assert place is not None and place == pytest.approx(
            (0.1 * from_s, 0.0, 0.0), abs=0.012
        )  # it is told 50 ms later
        for time_s in (to_s - 0.1, from_s + 0.1):  # in any order
            assert shown(window, time_s) == before(place, PERSON)
    assert shown(window, LEAVES_S + 0.4) != () == shown(window, LEAVES_S + 1.0)


def test_touches_count_from_where_it_is_played(window: RunWindow) -> None:
    stage = window.stage
    shown(window, 5.0)
    stage._duel.bout = three = Bout(person=3)
    for time_s in (5.1, 5.1, 5.4):
        shown(window, time_s)
        assert stage._duel.bout == three
    for time_s in (8.0, 5.0):
        stage._duel.bout = three
        shown(window, time_s)
        assert stage._duel.bout == Bout()


def test_the_panel_tells_the_moment(window: RunWindow) -> None:
    window.playback.go(FOLLOWED_S + 1.0)
    words = window.partner.words
    assert "● FOLLOWED" in words and "answers: recoil" in words and "heard: punch" in words
    item = window.partner.table.topLevelItem(0)
    assert item is not None and item.text(2) == "recoil" and "punch" in item.text(0)
    window.playback.go(FOLLOWED_S - 1.0)
    assert "○ AWAY" in window.partner.words and "heard" not in window.partner.words
    window.playback.go(LEAVES_S + 2.0)
    assert "the partner's process does not answer" in window.partner.words


def test_the_motion_of_the_person_leaves_as_a_take(
    window: RunWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "person.bvh"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(target), ""))
    window._ask_person()
    assert "person.bvh was not written" in window._line.text()  # its postures have no turns
    assert "shows no person" in window._line.text()
