"""The export: the documented arrays, in one file, completely or not at all."""

from pathlib import Path

import numpy as np
import pytest

from core.record.errors import RecordError
from core.record.export import export
from core.record.schema import fields
from tests.core.record.records import write
from tests.stand_in import JOINTS


def test_every_array_is_there_one_row_a_tick(tmp_path: Path) -> None:
    export(write(tmp_path / "run.mcap"), tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz", allow_pickle=False) as found:
        assert tuple(found["joint_names"]) == JOINTS
        for field in fields(True):
            assert len(found[field.name]) == 2500, field.name
        assert found["t"].dtype == np.float64
        assert found["contact_est"].shape == (2500, 2)
        assert found["motion_state"].shape == (2500, 5)
        assert found["contact_force_true"].shape == (2500, 2, 2, 3)
        assert found["event_t"].shape == found["event_text"].shape == (7,)
        assert found["event_text"][0] == "core: block 0"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_what_is_readable_of_a_cut_record_is_exported(tmp_path: Path) -> None:
    run = write(tmp_path / "run.mcap")
    run.write_bytes(run.read_bytes()[:300_000])
    recording = export(run, tmp_path / "run.npz")
    assert recording.problem
    with np.load(tmp_path / "run.npz") as found:
        assert 0 < len(found["q"]) < 2500


def test_a_target_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    run = write(tmp_path / "run.mcap", ticks=100)
    with pytest.raises(RecordError, match="cannot be written"):
        export(run, tmp_path / "no" / "run.npz")
    folder = tmp_path / "folder.npz"
    folder.mkdir()
    with pytest.raises(RecordError, match="cannot be written"):
        export(run, folder)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.npz", "run.mcap"]
