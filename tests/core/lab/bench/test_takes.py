"""The bench of a take: it opens a real file, whose length and markers are those written."""

from pathlib import Path

import numpy as np
import pytest

from core.lab.bench.benchmark import Order, Pacer
from core.lab.bench.takes import OPENINGS, PART, open_take, run, write_take
from core.lab.laboratory import Laboratory
from shows.take import RATE_HZ, read_take

SECONDS = 12.0


@pytest.fixture(scope="module")
def lab() -> Laboratory:
    return Laboratory()


def test_every_joint_moves_and_is_noisy(lab: Laboratory, tmp_path: Path) -> None:
    path = tmp_path / "a.take"
    write_take(lab, path, SECONDS, 3, Pacer(lambda text: None, SECONDS, "s"))
    take = read_take(path)
    assert take.whole and len(take.time_s) == round(SECONDS * RATE_HZ) and not take.gaps()
    assert [marker.time_s for marker in take.markers] == pytest.approx([0.0, 5.0, 10.0])
    assert (np.ptp(take.positions, axis=0) > 0.1).all()
    assert (np.diff(take.positions, axis=0) != 0.0).mean() > 0.5


def test_what_opens_is_the_whole_take(lab: Laboratory, tmp_path: Path) -> None:
    path = tmp_path / "a.take"
    write_take(lab, path, SECONDS, 3, Pacer(lambda text: None, SECONDS, "s"))
    read_s, opened_s, motion = open_take(lab, path)
    assert read_s > 0.0 and opened_s > 0.0
    assert motion.duration_s == pytest.approx(SECONDS, abs=0.01) and len(motion.markers) == 3


def test_a_short_take_is_measured_and_is_no_take_of_ten_minutes(lab: Laboratory) -> None:
    told: list[str] = []
    found = run(lab, Order(), told.append, SECONDS)
    assert set(found.figures) == {bar.figure for bar in PART.bars}
    assert len(told) == 5 + OPENINGS
    failed = [bar.figure for bar in PART.bars if not bar.holds(found.figures[bar.figure])]
    assert failed == ["seconds", "markers"]
