"""Presses that waited for a busy program are judged by when they were made."""

import pytest

from app.console.cues.event_clock import EventClock
from app.console.cues.go_guard import GoGuard


def test_times_between_events_are_those_of_their_stamps_however_late_they_are_heard() -> None:
    clock = EventClock()
    first = clock.time_s(100.0, 5_000)
    assert clock.time_s(100.001, 5_120) - first == pytest.approx(0.12)
    assert clock.time_s(107.0, 5_500) - first == pytest.approx(0.5)


def test_what_has_no_stamp_lies_among_the_events_by_the_least_delay() -> None:
    clock = EventClock()
    assert clock.time_s(50.0) == 50.0
    late = clock.time_s(100.0, 5_000)  # heard 0.4 s late, as the next one shows
    prompt = clock.time_s(101.0, 6_400)
    assert clock.time_s(101.5) - prompt == pytest.approx(0.5)
    assert clock.time_s(101.5) - late == pytest.approx(1.9)


def test_stamps_that_begin_anew_are_taken_for_now() -> None:
    clock = EventClock()
    before = clock.time_s(100.0, 2**32 - 1)
    assert clock.time_s(101.0, 5) - before == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("apart_ms", "heard_apart_s", "counts"), [(100, 2.0, False), (500, 0.001, True)]
)
def test_the_guard_judges_queued_presses_by_their_stamps(
    apart_ms: int, heard_apart_s: float, counts: bool
) -> None:
    clock, guard = EventClock(), GoGuard(minimum_s=0.3, key_up=False)
    assert guard.press(clock.time_s(100.0, 5_000)) == ""
    reason = guard.press(clock.time_s(100.0 + heard_apart_s, 5_000 + apart_ms))
    assert (reason == "") is counts
