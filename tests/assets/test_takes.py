"""The shipped takes are those of their script, small, and of one person."""

import numpy as np
import pytest

from assets.takes import duel
from assets.takes.build import FOLDER, bvh_bytes
from assets.takes.person import HIPS_M
from assets.takes.scenes import takes
from shows.bvh_human import load_bvh
from shows.human import INDEX, HumanTake

TAKES = {take.name: take for take in takes()}


def test_the_files_are_those_of_the_script_and_small() -> None:
    files = {path.stem: path.read_bytes() for path in FOLDER.glob("*.bvh")}
    assert files == {name: bvh_bytes(take) for name, take in TAKES.items()}
    assert max(map(len, files.values())) < 50_000


def test_the_show_duel_has_the_takes_of_the_script() -> None:
    made = {path: bvh_bytes(take) for path, take in duel.takes()}
    assert set(duel.SHOW.rglob("*.bvh")) == set(made)
    assert all(path.read_bytes() == data for path, data in made.items())
    assert sum(map(len, made.values())) < 2_000_000


@pytest.mark.parametrize("take", TAKES.values(), ids=TAKES.keys())
def test_a_file_is_the_person_who_was_keyed(take: HumanTake) -> None:
    reading = load_bvh(FOLDER / f"{take.name}.bvh")
    assert (reading.unit, reading.up, reading.filled) == ("centimetre", "y", ())
    keyed = take.normalised()
    np.testing.assert_allclose(reading.take.positions, keyed.positions, atol=1e-3)
    np.testing.assert_allclose(reading.take.orientations, keyed.orientations, atol=1e-3)
    assert reading.take.rate_hz == 30.0 and 3.0 <= reading.take.duration_s <= 6.0
    # It begins and ends upright with hanging arms, so that takes follow each other.
    for sample in (0, -1):
        assert take.positions[sample, 0] == pytest.approx((0.0, 0.0, HIPS_M), abs=1e-9)
        arms = take.orientations[sample, INDEX["left_shoulder"] : INDEX["right_hand"] + 1]
        np.testing.assert_allclose(arms, np.tile(np.eye(3), (len(arms), 1, 1)), atol=1e-9)


def test_feet_slide_only_while_they_are_lifted() -> None:
    for take in TAKES.values():
        for side in ("left", "right"):
            foot = take.of(f"{side}_foot")
            moved = np.linalg.norm(np.diff(foot[:, :2], axis=0), axis=1)
            assert moved[np.maximum(foot[1:, 2], foot[:-1, 2]) < 1e-9].max(initial=0.0) < 1e-9
            assert foot[:, 2].min() > -1e-9
