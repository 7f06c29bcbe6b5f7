"""When a board's samples were taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.families.boards.clock import BoardClock

WRAP_US = 1 << 32


def stamps(
    clock: BoardClock, first_us: int, arrivals_s: list[float], period_us: int
) -> list[float]:
    return [
        clock.stamp_s((first_us + i * period_us) % WRAP_US, 0.0, arrival_s)
        for i, arrival_s in enumerate(arrivals_s)
    ]


def test_a_delayed_sample_is_old() -> None:
    clock = BoardClock()
    stamps(clock, 0, [10.0 + 0.002 * i for i in range(500)], 2000)
    # From here on everything comes 80 ms later than it used to.
    late = stamps(clock, 1_000_000, [11.08 + 0.002 * i for i in range(20)], 2000)
    assert late == pytest.approx([11.0 + 0.002 * i for i in range(20)], abs=1e-4)


def test_the_age_that_a_board_tells_counts() -> None:
    clock = BoardClock()
    assert clock.stamp_s(5000, 0.004, 10.0) == pytest.approx(9.996)
    # The same sample again, ten milliseconds later, is as old as it is.
    assert clock.stamp_s(5000, 0.014, 10.01) == pytest.approx(9.996)


def test_a_status_that_is_sent_again_and_again_never_becomes_new() -> None:
    """The supervisor tells no age: only its clock says that its program hangs."""
    clock = BoardClock()
    stamps(clock, 0, [10.0 + 0.01 * i for i in range(100)], 10_000)
    frozen = stamps(clock, 990_000, [11.0 + 0.01 * i for i in range(500)], 0)
    assert frozen == pytest.approx([10.99] * 500, abs=1e-4)


@pytest.mark.parametrize("first_us", [WRAP_US - 1_000_000, 0])
def test_the_end_of_the_counter_is_no_restart(first_us: int) -> None:
    found = stamps(BoardClock(), first_us, [10.0 + 0.01 * i for i in range(300)], 10_000)
    assert found == pytest.approx([10.0 + 0.01 * i for i in range(300)], abs=1e-4)


def test_a_sample_from_before_the_last_is_older_than_that() -> None:
    clock = BoardClock()
    stamps(clock, 0, [10.0, 10.01, 10.02], 10_000)
    assert clock.stamp_s(5_000, 0.0, 10.03) == pytest.approx(10.005)
    assert clock.stamp_s(30_000, 0.0, 10.03) == pytest.approx(10.03)


@pytest.mark.parametrize("before_us", [1_050_000, 600_000_000, 2_400_000_000, WRAP_US - 1])
def test_a_board_that_began_anew_is_believed_at_once(before_us: int) -> None:
    clock = BoardClock()
    stamps(clock, before_us - 40_000, [10.0 + 0.01 * i for i in range(5)], 10_000)
    clock.forget()
    assert stamps(clock, 0, [12.0, 12.01], 10_000) == pytest.approx([12.0, 12.01])
    unnoticed = BoardClock()  # nobody has told it
    stamps(unnoticed, before_us - 40_000, [10.0 + 0.01 * i for i in range(5)], 10_000)
    found = stamps(unnoticed, 0, [12.0 + 0.01 * i for i in range(100)], 10_000)
    assert found[-1] == pytest.approx(12.99, abs=1e-3)


@given(
    st.lists(
        st.tuples(st.integers(0, WRAP_US - 1), st.floats(0.0, 0.07), st.floats(0.0, 1.0)),
        max_size=50,
    )
)
def test_no_stamp_lies_after_the_arrival_less_the_age(
    steps: list[tuple[int, float, float]],
) -> None:
    clock, now_s = BoardClock(), 100.0
    for t_us, age_s, passed_s in steps:
        now_s += passed_s
        assert clock.stamp_s(t_us, age_s, now_s) <= now_s + 1e-9
