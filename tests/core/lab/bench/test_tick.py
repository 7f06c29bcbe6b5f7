"""Clocks around the blocks and calls made again leave the walk as it is, to the bit."""

from typing import Any

import numpy as np
import pytest

from core.lab.bench.benchmark import Order, Pacer
from core.lab.bench.stopwatch import BLOCKS
from core.lab.bench.tick import CALLS, CLOCKED, PLAIN, Turns, run, script
from core.lab.laboratory import Laboratory
from core.tick.loop import Loop

SECONDS = 1.2  # each kind of turn once


@pytest.fixture(scope="module")
def lab() -> Laboratory:
    return Laboratory()


def test_what_is_looked_at_does_not_change(lab: Laboratory) -> None:
    body, original = lab.body(0), Loop.tick
    turns = Turns(body, Pacer(lambda text: None, SECONDS, "s"))
    watched = lab.run(0, script(SECONDS), body=body, gestures=True, watch=turns).rows
    turns.close()
    assert Loop.tick is original
    alone = lab.run(0, script(SECONDS), gestures=True).rows
    for name in set(alone.dtype.names or ()) - {"tick_cpu_us", "qp_time_us"}:
        assert np.array_equal(watched[name], alone[name]), name
    assert {PLAIN, CLOCKED, CALLS} <= set(turns.kinds)


def test_the_table_has_every_block_and_the_calls_are_part_of_the_tick(lab: Laboratory) -> None:
    told: list[str] = []
    found = run(lab, Order(seconds=SECONDS), told.append)
    assert len(told) == 10
    report: dict[str, Any] = dict(found.report)
    assert list(report["blocks_us"]) == list(BLOCKS)
    assert all(block["median"] > 0.0 for block in report["blocks_us"].values())
    assert 20 <= report["compiled_calls"] <= 45
    assert 0.0 < report["compiled_us"]["median"] < report["tick_us"]["median"]
    assert found.figures["failed"] == 0.0
    (listing,) = found.listings
    assert all(len(row) == len(listing.headings) for row in listing.rows)
