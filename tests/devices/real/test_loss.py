"""The share of messages that are lost."""

from hypothesis import given
from hypothesis import strategies as st

from devices.real.loss import LossMeter


def test_nothing_is_reported_before_a_whole_second() -> None:
    meter = LossMeter()
    meter.update(7, 3, 10.0)
    meter.update(8, 900, 10.9)
    assert meter.share == 0.0
    meter.update(10, 901, 11.0)
    assert meter.share == 898 / 901


def test_an_interruption_is_no_loss() -> None:
    meter = LossMeter()
    meter.update(1, 0, 10.0)
    meter.update(2, 1, 11.0)
    assert meter.share == 0.5
    meter.restart()
    assert meter.share == 0.0
    meter.update(3, 5000, 20.0)
    meter.update(4, 5000, 21.5)
    assert meter.share == 0.0


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.floats(0.0, 3.0)), max_size=30))
def test_the_share_is_one(steps: list[tuple[int, int, float]]) -> None:
    meter = LossMeter()
    good = lost = 0
    now_s = 0.0
    for came, missed, passed_s in steps:
        good, lost, now_s = good + came, lost + missed, now_s + passed_s
        meter.update(good, lost, now_s)
        assert 0.0 <= meter.share <= 1.0
