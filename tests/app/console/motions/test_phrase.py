"""The sound of a take: cut like the motion, kept beside the takes, and never written over."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.console.context.document import Document
from app.console.motions.phrase import FOLDER, PhrasePart, Span, span_of
from shows.document import Show
from shows.process.steps import Reverse, Smooth, Trim
from shows.take_sound import RATE_HZ, SoundWriter, decoded

WHOLE = Span(0.0, 2.0, True)


@pytest.fixture
def document(qtbot: QtBot, tmp_path: Path) -> Document:
    found = Document()
    found.open(Show(name="Gala"), tmp_path / "gala", {}, {})
    return found


@pytest.fixture
def phrase(document: Document, qtbot: QtBot, tmp_path: Path) -> PhrasePart:
    found = PhrasePart(document)
    qtbot.addWidget(found.wanted)
    qtbot.addWidget(found.to_timeline)
    path = tmp_path / "wave_1.wav"
    with path.open("wb", buffering=0) as stream:
        SoundWriter(stream).write(np.linspace(0.0, 0.8, 2 * RATE_HZ))  # it tells the time
    found.open(path)
    return found


def test_without_a_sound_there_is_no_choice_and_nothing_is_kept(
    phrase: PhrasePart, document: Document, tmp_path: Path
) -> None:
    phrase.open(None)
    assert phrase.wanted.isHidden()
    assert phrase.keep("wave", WHOLE, tmp_path) == "" and document.audio == {}


def test_the_part_that_the_motion_shows_is_kept(
    phrase: PhrasePart, document: Document, tmp_path: Path
) -> None:
    assert not phrase.wanted.isHidden()
    said = phrase.keep("wave", Span(0.5, 1.0, True), tmp_path)
    assert said == "; its sound is the phrase wave"
    path = phrase.file_of("wave")
    assert path == tmp_path / FOLDER / "wave.wav"
    assert document.audio["wave"].duration_s == pytest.approx(1.0)
    samples = decoded(path.read_bytes()[44:])
    inner = samples[RATE_HZ // 10 : -RATE_HZ // 10]  # the ends are faded
    told_s = 2.0 * inner / 0.8
    wanted_s = 0.5 + (np.arange(len(inner)) + RATE_HZ // 10) / RATE_HZ
    assert np.abs(told_s - wanted_s).max() < 0.001


def test_a_phrase_that_is_there_is_left_and_the_new_one_gets_a_number(
    phrase: PhrasePart, document: Document, tmp_path: Path
) -> None:
    phrase.keep("wave", WHOLE, tmp_path)
    before = (tmp_path / FOLDER / "wave.wav").read_bytes()
    assert "phrase wave_2" in phrase.keep("wave", Span(0.0, 1.0, True), tmp_path)
    assert (tmp_path / FOLDER / "wave.wav").read_bytes() == before
    assert set(document.audio) == {"wave", "wave_2"}
    assert phrase.file_of("wave") == tmp_path / FOLDER / "wave_2.wav"


def test_a_sound_that_is_not_wanted_any_more_does_not_go_to_the_timeline(
    phrase: PhrasePart, tmp_path: Path
) -> None:
    phrase.keep("wave", WHOLE, tmp_path)
    phrase.wanted.setCheckState(Qt.CheckState.Unchecked)
    assert phrase.keep("wave", WHOLE, tmp_path) == "" and phrase.file_of("wave") is None


def test_a_sound_that_cannot_be_read_or_written_is_said(
    phrase: PhrasePart, document: Document, tmp_path: Path
) -> None:
    (tmp_path / FOLDER).write_text("no folder")
    assert "its sound was not saved" in phrase.keep("wave", WHOLE, tmp_path)
    (tmp_path / FOLDER).unlink()
    (tmp_path / "wave_1.wav").write_bytes(b"no sound")
    assert "its sound was not saved" in phrase.keep("wave", WHOLE, tmp_path)
    assert document.audio == {} and phrase.file_of("wave") is None


def test_a_step_that_changes_the_time_makes_the_span_unlike() -> None:
    assert span_of((), 3.0, 3.0) == Span(0.0, 3.0, True)
    assert span_of((Trim(0.5, 2.0), Smooth(6.0)), 3.0, 1.5) == Span(0.5, 1.5, True)
    assert span_of((Trim(0.5, 2.0),), 3.0, 3.0) == Span(0.5, 1.5, False)  # slowed
    assert not span_of((Reverse(),), 3.0, 3.0).whole
    assert span_of((Trim(0.5, 9.0),), 3.0, 2.5) == Span(0.5, 2.5, True)
