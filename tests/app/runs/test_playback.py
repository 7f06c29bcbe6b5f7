"""The playhead and the shown span stay within the run, whatever is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from app.runs.playback import Playback, clock_text

TIMES = st.floats(-1e4, 1e4)


@given(st.lists(st.tuples(st.sampled_from(["go", "show", "zoom"]), TIMES, TIMES), max_size=20))
def test_everything_stays_within_the_run(deeds: list[tuple[str, float, float]]) -> None:
    playback = Playback(0.0, 100.0)
    for deed, a, b in deeds:
        if deed == "go":
            playback.go(a)
        elif deed == "show":
            playback.show(min(a, b), max(a, b))
        else:
            playback.zoom(min(10.0, max(0.01, abs(a))))
        assert 0.0 <= playback.time_s <= 100.0
        assert -1e-9 <= playback.from_s < playback.to_s <= 100.0 + 1e-9


def test_zooming_keeps_the_playhead_where_it_is_seen() -> None:
    playback = Playback(0.0, 100.0)
    playback.show(10.0, 50.0)
    playback.go(20.0)
    playback.zoom(0.5)
    assert (playback.from_s, playback.to_s) == (15.0, 35.0)
    playback.show_all()
    assert (playback.from_s, playback.to_s) == (0.0, 100.0)


def test_the_plots_follow_a_playhead_that_leaves_them() -> None:
    playback = Playback(0.0, 100.0)
    playback.show(0.0, 10.0)
    playback.go(60.0)
    assert playback.from_s <= 60.0 <= playback.to_s
    assert playback.span_s == pytest.approx(10.0)


def test_it_plays_in_time_and_stands_at_the_end(qtbot: QtBot) -> None:
    playback = Playback(0.0, 2.0)
    playback.speed = 5.0
    playback.toggle()
    assert playback.playing
    qtbot.waitUntil(lambda: not playback.playing)
    assert playback.time_s == 2.0
    playback.toggle()  # from the begin again
    assert playback.time_s == 0.0
    playback.stand()


@pytest.mark.parametrize(
    ("time_s", "text"),
    [(0.0, "0:00.000"), (59.9996, "1:00.000"), (3723.5, "1:02:03.500"), (-1.5, "-0:01.500")],
)
def test_a_time_is_told_as_a_clock_does(time_s: float, text: str) -> None:
    assert clock_text(time_s) == text
