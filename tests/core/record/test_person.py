"""The person of a run becomes a take: it begins in the T-pose, and has the times of the show."""

from pathlib import Path

import numpy as np
import pytest

from assets.takes.duel import SHOW
from core.link.status import Status
from core.partner.calibration import HOLD_S, Calibration, calibrated
from core.partner.process import human_of
from core.record.errors import RecordError
from core.record.export import export
from core.record.log_file import LogFile
from core.record.person import EASE_S, GAP_S, save_person
from devices.interface import PoseFrame
from shows.bvh_human import load_bvh
from shows.human import BONES, HumanTake
from tests.core.record.records import blocks, write
from tests.stand_in import HELLO

CUE_S, BEGIN_S, LENGTH_S = 6.0, 4.0, 12.0
T_POSE, ACTION = 0, 540  # samples of the performance: the T-pose, and arms that move


@pytest.fixture(scope="module")
def performer() -> HumanTake:
    return load_bvh(SHOW / "takes" / "performer.bvh").take


def record(path: Path, performer: HumanTake) -> Path:
    """Write a run: nobody, another person in the T-pose, a gap, the T-pose, the action."""
    log = LogFile(path, HELLO, "", reserve_bytes=0)

    def say(time_s: float, place: int, away_m: float = 0.0) -> None:
        points = performer.positions[place] + (away_m, 0.0, 0.0)
        log.partner(human_of(PoseFrame(50.0 + time_s, 0.0, points, performer.orientations[place])))

    for number, block in enumerate(blocks(round(1e3 * LENGTH_S))):
        log.block(block)
        now_s = 0.05 * (number + 1)
        running = "1" if CUE_S <= now_s < LENGTH_S - 1.0 else ""
        log.status(Status(now_s, host_stamp_s=50.0 + now_s, running_cue=running))
        if now_s < BEGIN_S - 2.0 * GAP_S:
            say(now_s, 30, away_m=5.0)
        elif now_s > BEGIN_S:
            action = ACTION + round(30.0 * (now_s - CUE_S))
            say(now_s, T_POSE if now_s < CUE_S - 1.0 else action)
    log.close()
    return path


def test_it_is_calibrated_and_then_does_what_the_person_did(
    performer: HumanTake, tmp_path: Path
) -> None:
    out = tmp_path / "person.bvh"
    save_person(record(tmp_path / "run.mcap", performer), out)
    take = load_bvh(out).take
    assert take.duration_s == pytest.approx(LENGTH_S - CUE_S, abs=0.1)
    held = [
        PoseFrame(HOLD_S * i / 60.0, 0.0, take.positions[0], take.orientations[0])
        for i in range(61)
    ]
    assert isinstance(calibrated(held, 1.0), Calibration)
    eased = round(EASE_S * take.rate_hz)
    expected = performer.positions[ACTION : ACTION + len(take.positions)]
    for place in range(eased, len(take.positions) - 2):
        shape = take.positions[place] - take.positions[place, 0]
        wanted = expected[place] - expected[place, 0]
        assert np.abs(shape - wanted).max() < 0.02  # between samples 50 ms apart
    jumps = np.linalg.norm(np.diff(take.positions, axis=0), axis=2).max(axis=1)
    assert jumps.max() * take.rate_hz < 5.0  # of a hand [m/s]


def test_the_arrays_of_a_run_have_the_person(performer: HumanTake, tmp_path: Path) -> None:
    export(record(tmp_path / "run.mcap", performer), tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz", allow_pickle=False) as found:
        t, points = found["human_t"], found["human_position"]
        assert points.shape == (len(t), 22, 3) and tuple(found["human_bone_names"]) == BONES
        before = t < BEGIN_S
        assert t[before][-1] == pytest.approx(BEGIN_S - 2.0 * GAP_S, abs=0.06)
        other = performer.positions[30] + (5.0, 0.0, 0.0)
        np.testing.assert_allclose(points[before][0], other, atol=1e-4)


def test_a_run_without_a_person_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="shows no person: record a run"):
        save_person(write(tmp_path / "run.mcap"), tmp_path / "person.bvh")
    assert not (tmp_path / "person.bvh").exists()
