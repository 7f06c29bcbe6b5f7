"""The clock of a source: the least delay of 5 s."""

import random

import pytest

from devices.capture.source_clock import WINDOW_S, SourceClock


def test_delays_are_measured_from_the_least_one() -> None:
    clock, draw = SourceClock(), random.Random(3)
    for i in range(600):
        stamp_s = 1000.0 + i / 60.0
        clock.hear(stamp_s, stamp_s - 950.0 + 0.004 + draw.random() * 0.02)
        assert clock.host_s(stamp_s) <= stamp_s - 950.0 + 0.024
    assert clock.host_s(1010.0) == pytest.approx(1010.0 - 950.0 + 0.004, abs=5e-4)
    assert clock.stamp_s(clock.host_s(1234.5)) == pytest.approx(1234.5)


def test_a_clock_that_drifts_is_followed_and_one_that_begins_anew_at_once() -> None:
    clock = SourceClock()
    for i in range(6000):
        arrival_s = i / 10.0
        clock.hear(arrival_s * 0.9999, arrival_s)  # 100 ppm slow
    offset_s = 599.9 * 1e-4
    assert clock.host_s(0.0) == pytest.approx(offset_s, abs=WINDOW_S * 1e-4 + 1e-6)
    clock.hear(0.5, 700.0)
    assert clock.host_s(0.5) == 700.0
    clock.hear(1e9, 700.1)  # nonsense, then sense again
    clock.hear(0.7, 700.2)
    assert clock.host_s(0.7) == 700.2


def test_without_a_message_it_is_the_hosts() -> None:
    assert SourceClock().host_s(3.0) == 3.0
