"""The gate: one sender, limits on size and rate, and what it counts."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from devices.capture.errors import Refusal
from devices.capture.gate import MOST_BYTES, MOST_DATAGRAMS_HZ, MOST_FRAMES_HZ, Allowance, Gate

ANNA, ANNA_AGAIN, BEN = ("10.0.0.2", 5000), ("10.0.0.2", 5001), ("10.0.0.3", 5000)


def test_only_the_paired_sender_is_heard() -> None:
    gate = Gate()
    assert not gate.admits(ANNA, 10, 0.0)
    assert gate.stranger == ANNA
    gate.pair("10.0.0.2")
    assert gate.admits(ANNA, 10, 0.1) and not gate.admits(BEN, 10, 0.2)
    # A second program of the same computer, whose frames would mix with those of the first.
    assert not gate.admits(ANNA_AGAIN, 10, 0.3)
    assert gate.stranger == ANNA_AGAIN
    gate.pair(*ANNA_AGAIN)
    assert gate.admits(ANNA_AGAIN, 10, 0.4) and not gate.admits(ANNA, 10, 0.5)
    gate.pair(None)
    assert not gate.admits(ANNA_AGAIN, 10, 0.6)
    assert gate.refused == Counter({Refusal.STRANGER: 5})


def test_what_is_too_large_is_refused() -> None:
    gate = Gate()
    gate.pair("10.0.0.2")
    assert gate.admits(ANNA, MOST_BYTES, 0.0) and not gate.admits(ANNA, MOST_BYTES + 1, 0.1)
    assert gate.refused == Counter({Refusal.SIZE: 1})


def test_a_flood_is_cut_to_the_rate_and_ends_when_it_ends() -> None:
    gate = Gate()
    gate.pair("10.0.0.2")
    passed = sum(gate.admits(ANNA, 10, i * 1e-5) for i in range(100_000))  # 1 s
    assert MOST_DATAGRAMS_HZ <= passed <= 1.1 * MOST_DATAGRAMS_HZ + 1
    assert gate.refused[Refusal.RATE] == 100_000 - passed
    assert gate.admits(ANNA, 10, 1.1)
    used = sum(gate.passes(i * 1e-3) for i in range(1000))
    assert MOST_FRAMES_HZ <= used <= 1.1 * MOST_FRAMES_HZ + 1
    # A flood of strangers costs the paired sender nothing.
    before = gate.refused[Refusal.RATE]
    assert not any(gate.admits(BEN, 10, 2.0 + i * 1e-6) for i in range(1000))
    assert gate.admits(ANNA, 10, 2.001) and gate.refused[Refusal.RATE] == before


def test_the_highest_rate_passes_though_the_network_holds_frames_back() -> None:
    gate = Gate()
    arrivals_s = [max(0.05 * (int(i / 240.0 / 0.05) + 1), i / 240.0) for i in range(2400)]
    assert all(gate.passes(arrival_s) for arrival_s in arrivals_s)


@given(st.lists(st.floats(0.0, 10.0), max_size=200))
def test_no_order_of_times_lets_more_pass(times_s: list[float]) -> None:
    allowance = Allowance(10.0)
    passed = sum(allowance.take(now_s) for now_s in times_s)
    ascents_s = sum(max(0.0, b - a) for a, b in zip(times_s, times_s[1:], strict=False))
    assert passed <= 1 + 10.0 * ascents_s + 1e-6
