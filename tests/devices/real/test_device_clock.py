"""The unit's clock, seen through a line that gathers, delays and drops."""

import random
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from devices.real.device_clock import DeviceClock
from tests.draws import share

PERIOD_NS = 2_000_000
LEAST_DELAY_S = 0.0007


@dataclass(frozen=True)
class Line:
    """How packets come here."""

    drift: float  # of our clock against the unit's
    batch_s: float  # USB delivers what it gathered at multiples of this
    jitter_s: float  # mean of an exponential delay
    stall_s: float  # now and then nobody reads for so long
    seed: int


lines = st.builds(
    Line,
    drift=st.floats(-1e-4, 1e-4),
    batch_s=st.sampled_from([0.0, 0.001, 0.0033, 0.016]),
    jitter_s=st.floats(0.0, 0.002),
    stall_s=st.floats(0.0, 0.15),
    seed=st.integers(0, 2**32),
)


def _arrivals(line: Line, count: int, start_ns: int, start_s: float) -> list[tuple[int, float]]:
    """Return device time [ns] and arrival [s] of packets in a row."""
    chance = random.Random(line.seed)
    arrivals = []
    arrived_s = free_s = 0.0
    for i in range(count):
        device_ns = i * PERIOD_NS
        at_s = start_s + device_ns * 1e-9 * (1.0 + line.drift) + LEAST_DELAY_S
        if line.jitter_s:
            at_s += chance.expovariate(1.0 / line.jitter_s)
        if line.batch_s:
            at_s += -at_s % line.batch_s
        if chance.random() < 0.002:
            free_s = at_s + line.stall_s
        arrived_s = max(at_s, free_s, arrived_s)
        arrivals.append((start_ns + device_ns, arrived_s))
    return arrivals


@settings(max_examples=share(25))
@given(lines)
def test_stamps_are_steady_though_arrivals_are_not(line: Line) -> None:
    clock = DeviceClock(transit_s=LEAST_DELAY_S)
    last_s = 0.0
    worst_early = worst_late = 0.0
    for i, (device_ns, arrival_s) in enumerate(_arrivals(line, 6000, 10**12, 1000.0)):
        stamp_s = clock.feed(device_ns, arrival_s)
        assert last_s <= stamp_s <= arrival_s - LEAST_DELAY_S
        last_s = stamp_s
        if i * PERIOD_NS > 5_000_000_000:
            error_s = stamp_s - (1000.0 + i * PERIOD_NS * 1e-9 * (1.0 + line.drift))
            worst_early, worst_late = min(worst_early, error_s), max(worst_late, error_s)
    # Where gathering beats with the packets, nothing tells by how much the earliest was kept back.
    assert worst_late < min(line.batch_s, PERIOD_NS * 1e-9) + 0.001
    assert worst_early > -0.001
    assert clock.restarts == 0


@settings(max_examples=share(15))
@given(lines, st.integers(1, 4000), st.integers(0, 10**9), st.floats(0.3, 5.0))
def test_a_restart_of_the_unit_is_noticed(
    line: Line, before: int, uptime_ns: int, gap_s: float
) -> None:
    clock = DeviceClock()
    first = _arrivals(line, before, 10**12, 50.0)
    start_s = first[-1][1] + gap_s
    second = _arrivals(line, 400, uptime_ns, start_s)
    for device_ns, arrival_s in first:
        clock.feed(device_ns, arrival_s)
    last_s = 0.0
    for i, (device_ns, arrival_s) in enumerate(second):
        stamp_s = clock.feed(device_ns, arrival_s)
        assert last_s <= stamp_s <= arrival_s
        last_s = stamp_s
        if i > 100:
            true_s = start_s + i * PERIOD_NS * 1e-9 * (1.0 + line.drift) + LEAST_DELAY_S
            assert abs(stamp_s - true_s) < 0.025 + line.batch_s + line.stall_s
    assert clock.restarts == 1


def test_a_clean_line_is_exact_from_the_first_packet() -> None:
    clock = DeviceClock()
    for device_ns, arrival_s in _arrivals(Line(0.0, 0.0, 0.0, 0.0, 1), 3000, 0, 5.0):
        error_s = clock.feed(device_ns, arrival_s) - (5.0 + device_ns * 1e-9 + LEAST_DELAY_S)
        assert abs(error_s) < 1e-9


def test_a_late_first_packet_is_made_up_for_at_once() -> None:
    clock = DeviceClock()
    clock.feed(0, 10.020)
    clock.feed(25_000_000, 10.0251)
    for i in range(26, 60):
        assert abs(clock.feed(i * 1_000_000, 10.012 + i * 1e-3) - (10.0001 + i * 1e-3)) < 1e-6


def test_a_fit_that_lowers_the_line_does_not_turn_stamps_back() -> None:
    clock = DeviceClock()
    last_s = 0.0
    for i in range(50_000):
        device_s = i * 1e-4
        way_s = 0.005 if device_s < 3.0 or device_s > 3.3 else 0.001
        stamp_s = clock.feed(i * 100_000, 10.0 + device_s + way_s)
        assert last_s <= stamp_s
        last_s = stamp_s


def test_a_drift_is_learnt() -> None:
    clock = DeviceClock()
    for device_ns, arrival_s in _arrivals(Line(8e-5, 0.001, 0.0003, 0.0, 3), 10_000, 0, 5.0):
        clock.feed(device_ns, arrival_s)
    assert abs(clock.drift - 8e-5) < 1.5e-5


def test_a_short_sleep_of_the_reader_is_no_restart() -> None:
    clock = DeviceClock()
    for i in range(2000):
        clock.feed(i * 1_000_000, 10.0 + i * 1e-3)
    # All of a second's packets are read at its end; the port kept 90 of them.
    for i in range(2910, 3000):
        stamp_s = clock.feed(i * 1_000_000, 13.2)
        assert abs(stamp_s - (10.0 + i * 1e-3)) < 1e-6
    assert clock.restarts == 0


def test_a_restart_that_device_time_hides_is_noticed_by_lateness() -> None:
    clock = DeviceClock()
    for i in range(300):
        clock.feed(i * 1_000_000, 10.0 + i * 1e-3)
    # Power was off for two seconds, and the first packet came 0.4 s after power returned.
    for i in range(400, 600):
        stamp_s = clock.feed(i * 1_000_000, 12.3 + i * 1e-3)
    assert clock.restarts == 1
    assert abs(stamp_s - (12.3 + 0.599)) < 1e-6


def test_a_jump_of_device_time_does_not_pull_stamps_into_the_past() -> None:
    clock = DeviceClock()
    for i in range(2000):
        clock.feed(i * 1_000_000, 10.0 + i * 1e-3)
    assert clock.feed(2**63, 12.0) == 12.0
    for i in range(2001, 2100):
        stamp_s = clock.feed(i * 1_000_000, 10.0 + i * 1e-3)
        assert abs(stamp_s - (10.0 + i * 1e-3)) < 1e-6
    assert clock.restarts == 2


def test_a_longer_way_is_believed_after_a_while() -> None:
    clock = DeviceClock()
    for i in range(40_000):
        way_s = 0.001 if i < 10_000 else 0.004
        stamp_s = clock.feed(i * 1_000_000, 10.0 + i * 1e-3 + way_s)
    assert abs(stamp_s - (10.0 + 39.999 + 0.004)) < 2e-4
