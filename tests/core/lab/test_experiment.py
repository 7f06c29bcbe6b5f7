"""Bars hold for every seed or not at all."""

import math

import pytest

from core.lab.experiment import Bar, Experiment, Measured, Row, judge, shown, summed_up
from core.lab.laboratory import Laboratory


def nothing(lab: Laboratory, seed: int) -> Measured:
    return Measured({})


def test_a_bar_holds_at_its_very_bounds_and_not_beyond() -> None:
    bar = Bar("x", "x", at_least=3.0, at_most=5.0)
    assert [bar.holds(x) for x in (2.999, 3.0, 5.0, 5.001)] == [False, True, True, False]
    assert bar.miss(5.5) == pytest.approx(0.5)
    assert bar.miss(2.0) == pytest.approx(1.0)
    assert bar.miss(4.0) == 0.0
    assert bar.text == "3 to 5"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_holds_no_bar(value: float) -> None:
    assert not Bar("x", "x", at_least=-1e9, at_most=1e9).holds(value)
    assert Bar("x", "x", at_least=-1e9, at_most=1e9).miss(value) == math.inf


def test_one_seed_that_misses_fails_the_row() -> None:
    bar = Bar("x", "x", at_most=1.0)
    assert Row(bar, (0.5, 0.9)).verdict == "pass"
    row = Row(bar, (0.5, 1.25, 0.9))
    assert row.verdict == "FAIL"
    assert row.worst_miss == pytest.approx(0.25)
    assert Row(bar, ()).verdict == "FAIL"
    assert Row(Bar("x", "x"), (1e9,)).verdict == ""


def test_a_pooled_row_is_judged_by_the_mean_of_its_seeds() -> None:
    bar = Bar("x", "x", at_least=0.5, at_most=0.9, pooled=True)
    assert bar.text == "mean 0.5 to 0.9"
    row = Row(bar, (0.0, 1.0, 1.0))
    assert (row.verdict, row.worst_run) == ("pass", None)
    for values in ((1.0, 1.0, 1.0), (0.0, 0.4), (math.nan, 0.7), ()):
        assert Row(bar, values).verdict == "FAIL"
    assert Row(bar, (1.0, 1.0)).worst_miss == pytest.approx(0.1)


def test_a_twin_keeps_the_bounds_and_its_median_is_like_the_simulators() -> None:
    bar = Bar("x", "x", alike=True)
    assert bar.text == "twin ± 10 %"
    assert Row(bar, (1.0, 2.0, 9.0), twin_values=(2.19, 0.0, 5.0)).verdict == "pass"
    row = Row(bar, (2.0,), twin_values=(1.7,))
    assert row.verdict == "FAIL"
    assert (row.difference, row.worst_miss) == pytest.approx((-0.3, 0.1))
    for values, twin_values in (((2.0,), ()), ((), (2.0,)), ((2.0,), (math.nan,))):
        assert Row(bar, values, twin_values=twin_values).verdict == "FAIL"
    bounded = Bar("x", "x", at_most=0.5, alike=True)
    assert bounded.text == "≤ 0.5; twin ± 10 %"
    assert Row(bounded, (0.01,), twin_values=(0.02,)).verdict == "FAIL"  # far from its bound
    assert Row(bounded, (0.49,), twin_values=(0.51,)).verdict == "FAIL"
    assert Row(Bar("x", "x", at_most=1.0), (0.5,), twin_values=(2.0,)).worst_miss == 1.0


def test_a_figure_that_was_not_measured_fails() -> None:
    bars = (Bar("x", "x", at_most=1.0), Bar("y", "y", at_most=1.0))
    experiment = Experiment("e", "e", nothing, bars)
    rows = judge(experiment, [Measured({"x": 0.0})], [Measured({"y": 3.0})])
    assert [row.verdict for row in rows] == ["pass", "FAIL"]
    assert rows[1].true_values == (3.0,)


def test_numbers_are_shown_short() -> None:
    assert [shown(x) for x in (0.012345, 1234.5, 0.0, 1e-9)] == ["0.0123", "1234", "0", "1e-09"]
    assert [shown(x) for x in (math.nan, math.inf)] == ["none", "never"]
    assert summed_up([0.3, 0.1, 0.2]) == "0.2 (0.1 to 0.3)"
    assert summed_up([1.0, 1.0]) == "1"
    assert summed_up([]) == ""
