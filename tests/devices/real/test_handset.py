"""Counts of a second are of that second."""

from hypothesis import given
from hypothesis import strategies as st

from devices.interface import Trouble
from devices.real.handset import Window, bearable


@given(st.lists(st.integers(0, 4000), min_size=1, max_size=200))
def test_a_window_never_counts_more_than_came_in_its_second(stamps_ms: list[int]) -> None:
    window = Window()
    for place, stamp_ms in enumerate(sorted(stamps_ms)):
        window.advance(1e-3 * stamp_ms)
        window.now += 1
        assert window.now <= place + 1
    window.advance(10.0)
    assert window.last == window.now == 0


def test_a_clock_that_jumps_back_begins_anew() -> None:
    window = Window()
    window.advance(5.0)
    window.now = 7
    window.advance(1.0)
    assert window.last == window.now == 0


def test_a_lines_trouble_does_not_stop_a_robot_that_nobody_steers_by_it() -> None:
    assert bearable((Trouble("receiver", "unplugged", grave=True),)) == (
        Trouble("receiver", "unplugged"),
    )
