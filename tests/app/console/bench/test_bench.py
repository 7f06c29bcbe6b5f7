"""The console's bench: what it judges, and what it says when the robot does not follow."""

import json
import math
from dataclasses import replace

import pytest

from app.console.bench.bench import bench_show
from app.console.bench.found import Found, grown
from app.console.bench.probe import PLAYED, PRESSED, all_done
from core.link.catalogue.safety import CHAIN_CLOSED, INPUTS_NEUTRAL
from core.link.status import ResetStep, Status
from shows.document import HeadTrack

GOOD = {"median": 2.0, "p99": 9.0, "max": 30.0}
FOUND = Found(GOOD, GOOD, GOOD, (5, 5), 0, 0, (), ((300.0, 320.0),))


def failing(found: Found) -> list[str]:
    return [what for what, _, _, held in found.rows if held is False]


def test_all_bars_hold() -> None:
    assert FOUND.holds and failing(FOUND) == []


def test_each_bar_fails_by_itself() -> None:
    late = GOOD | {"p99": 51.0}
    for found, word in (
        (replace(FOUND, gui_ms=GOOD | {"p99": 21.0}), "wait of an event"),
        (replace(FOUND, gui_ms=late, loaded=True), "wait of an event"),
        (replace(FOUND, go_ms=GOOD | {"p99": 16.0}), "GO to"),
        (replace(FOUND, stop_ms=GOOD | {"p99": 11.0}), "STOP to"),
        (replace(FOUND, stop_ms=late, loaded=True), "STOP to"),
        (replace(FOUND, gui_share=0.26), "thread of the windows"),
        (replace(FOUND, holds_of_operator=1), "console was silent"),
        (replace(FOUND, refused=1), "GO refused"),
        (replace(FOUND, ticks_us=((300.0, 331.0),)), "tick"),
        (replace(FOUND, ticks_us=((math.nan, 320.0),)), "tick"),
        (replace(FOUND, ticks_us=((300.0, math.nan), (300.0, 310.0), (300.0, 310.0))), "tick"),
        (replace(FOUND, unanswered=1), "without an answer"),
    ):
        assert not found.holds
        assert [what for what in failing(found) if word in what] == failing(found) != []


def test_the_ticks_are_compared_turn_by_turn_and_not_over_the_phases_of_a_machine() -> None:
    phases = ((300.0, 310.0), (600.0, 630.0), (300.0, 400.0))
    found = replace(FOUND, ticks_us=phases)
    assert found.tick_share == pytest.approx(0.05)
    assert failing(found) == []
    (told,) = [told for what, told, _, _ in found.rows if what.endswith("3 turns")]
    assert told == "300 → 400 µs (+5.0 %); +3 to +33 %"


def test_a_go_that_was_repeated_is_told() -> None:
    (row,) = [row for row in replace(FOUND, repeated=2).rows if row[0].startswith("GO repeated")]
    assert row[1:] == ("2 of the show's", "", None)
    assert not any(row[0].startswith("GO repeated") for row in FOUND.rows)


def leaking(mb_per_h: float, hours: float) -> tuple[tuple[float, float], ...]:
    """Return looks at a memory that fills by 100 MB in its first minutes, and then leaks."""
    looks = (36.0 * i for i in range(round(100 * hours)))
    return tuple((t, 400.0 + min(100.0, t) + mb_per_h * t / 3600.0) for t in looks)


def test_memory_is_judged_once_it_was_watched_for_long() -> None:
    assert failing(replace(FOUND, memory=leaking(4.0, 1.0))) == []
    assert failing(replace(FOUND, memory=leaking(6.0, 0.5))) == []
    (row,) = failing(replace(FOUND, memory=leaking(6.0, 1.0)))
    assert "memory, 49 min" in row
    assert grown(leaking(6.0, 1.0))[1] == pytest.approx(6.0)
    assert math.isnan(grown(())[1])


def test_the_report_names_what_the_design_names() -> None:
    report = json.loads(json.dumps(FOUND.report))
    for name in ("gui_latency_ms", "go_latency_ms", "stop_latency_ms"):
        assert report[name].keys() == {"median", "p99", "max"}


def test_the_cue_that_is_pressed_moves_something_at_once() -> None:
    cue = bench_show().cue(PRESSED)
    (track,) = cue.tracks
    assert isinstance(track, HeadTrack)
    assert (cue.pre_wait_s, track.clips[0].start_s) == (0.0, 0.0)
    assert bench_show().cue(PLAYED).tracks


def test_a_reset_waits_for_every_step() -> None:
    steps = (ResetStep(INPUTS_NEUTRAL(), True), ResetStep(CHAIN_CLOSED(), False))
    assert not all_done(Status(0.0, mode="FAULT", reset_steps=steps))
    assert all_done(Status(0.0, mode="FAULT", reset_steps=steps[:1]))
    assert not all_done(Status(0.0, mode="DAMPED"))
