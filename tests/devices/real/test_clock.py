"""Time on the robot."""

import os
import time

from devices.interface import Timekeeper
from devices.real.clock import MonotonicTimekeeper


def test_it_waits_for_a_time_and_tells_how_late_it_is() -> None:
    keeper: Timekeeper = MonotonicTimekeeper()
    until_s = keeper.now_s() + 0.02
    late_s = keeper.wait_until(until_s)
    assert late_s >= 0.0
    assert keeper.now_s() >= until_s
    assert keeper.wait_until(until_s - 1.0) > 1.0


def test_it_tells_whether_bytes_came_or_the_time() -> None:
    keeper = MonotonicTimekeeper()
    reader, writer = os.pipe()
    until_s = keeper.now_s() + 0.02
    assert not keeper.wait_readable([reader], until_s)
    assert keeper.now_s() >= until_s
    os.write(writer, b"x")
    before_s = time.monotonic()
    assert keeper.wait_readable([reader], before_s + 30.0)
    assert time.monotonic() < before_s + 30.0
    assert keeper.wait_readable([reader], before_s - 1.0)  # a time that is over still looks
    os.close(reader)
    os.close(writer)


def test_without_anything_to_wait_for_it_waits_for_the_time() -> None:
    keeper = MonotonicTimekeeper()
    until_s = keeper.now_s() + 0.01
    assert not keeper.wait_readable([], until_s)
    assert keeper.now_s() >= until_s
