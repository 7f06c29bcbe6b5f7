"""What the parts of the bench share: quantiles, progress, things put in others' places."""

import math

import pytest

from core.lab.bench.benchmark import (
    QUANTILE_HEADINGS,
    Pacer,
    patched,
    quantile_cells,
    quantiles,
)


class Thing:
    def name(self) -> str:
        return "original"


def test_nothing_measured_is_not_a_number() -> None:
    assert all(math.isnan(value) for value in quantiles([]).values())


def test_quantiles_are_those_of_the_values() -> None:
    found = quantiles(list(range(1001)))
    assert list(found) == ["median", "p99", "p99_9", "max"]
    assert list(found.values()) == pytest.approx([500.0, 990.0, 999.0, 1000.0])


def test_what_was_replaced_comes_back_even_after_an_error() -> None:
    with pytest.raises(RuntimeError):
        with patched([(Thing, "name", lambda thing: "other")]):
            assert Thing().name() == "other"
            raise RuntimeError
    assert Thing().name() == "original"


def test_a_pacer_tells_every_step_once_whatever_is_left_out() -> None:
    told: list[str] = []
    pacer = Pacer(told.append, 10.0, "s", steps=4)
    for place in (-1.0, 0.0, 2.0, 2.6, 2.7, 6.0):
        pacer.reach(place)
    assert told == ["2.5 of 10 s", "5 of 10 s"]
    pacer.finish()
    pacer.finish()
    assert len(told) == 4


def test_quantiles_are_listed_in_the_order_of_their_headings() -> None:
    found = {"max": 4.0, "p99": 2.0, "median": 1.0, "p99_9": 3.04}
    assert len(QUANTILE_HEADINGS) == 4
    assert quantile_cells(found) == ("1.0", "2.0", "3.0", "4.0")
    assert quantile_cells(found, 2) == ("1.00", "2.00", "3.04", "4.00")
