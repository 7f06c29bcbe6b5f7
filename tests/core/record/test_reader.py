"""The reader: complete files, the readable part of damaged files, and one sentence otherwise."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.record import schema
from core.record.errors import RecordError
from core.record.log_file import MAGIC
from core.record.reader import read
from tests.core.record.records import write
from tests.draws import share


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("record") / "run.mcap")


def test_a_whole_record_is_read_whole(whole: Path) -> None:
    recording = read(whole)
    assert recording.problem == "" and recording.missing_blocks == 0
    assert np.array_equal(recording.column("t"), np.arange(2500) * 1e-3)
    assert recording.event_text[0] == "core: block 0"
    assert recording.event_text[-1] == "voice: no sound device"
    assert recording.event_t[-1] == pytest.approx(2.499)
    assert recording.report is not None and recording.report.cues_played == 7
    assert recording.last_status is not None
    assert "endpoint" in recording.launch


def test_a_run_that_the_core_did_not_end_says_so(tmp_path: Path) -> None:
    recording = read(write(tmp_path / "run.mcap", last=False))
    assert recording.problem.endswith(
        "is read up to 2.50 s: the core did not end it (it died, or the scribe was ended first)"
    )


def test_a_record_of_an_earlier_release_is_read_without_the_later_arrays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "LATER_FIELDS", ())
        path = write(tmp_path / "run.mcap")
    recording = read(path)
    assert recording.problem == ""
    assert len(recording.column("q")) == 2500
    assert "winding_c" not in recording.names


def test_missing_blocks_are_told(tmp_path: Path) -> None:
    recording = read(write(tmp_path / "run.mcap", skip=3))
    assert recording.missing_blocks == 1
    assert "1 block of ticks missing" in recording.problem
    assert len(recording.column("t")) == 2450


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=share(40))
@given(data=st.data())
def test_a_truncated_record_is_read_as_far_as_it_goes(
    whole: Path, tmp_path: Path, data: st.DataObject
) -> None:
    content = whole.read_bytes()
    length = data.draw(st.integers(0, len(content) - 1))
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(content[:length])
    try:
        recording = read(cut)
    except RecordError as error:
        assert len(str(error).splitlines()) == 1
        return
    t = recording.column("t")
    assert np.array_equal(t, np.arange(len(t)) * 1e-3)
    assert recording.problem or len(t) == 2500
    assert len(recording.problem.splitlines()) <= 1


def test_half_a_record_holds_about_half_its_ticks(whole: Path, tmp_path: Path) -> None:
    content = whole.read_bytes()
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(content[: len(content) // 2])
    recording = read(cut)
    assert 500 < len(recording.column("t")) < 2000
    assert "its end is missing" in recording.problem


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=share(60))
@given(data=st.data())
def test_a_damaged_record_never_gives_a_traceback(
    whole: Path, tmp_path: Path, data: st.DataObject
) -> None:
    content = bytearray(whole.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(content) - 1))
        length = data.draw(st.integers(1, 64))
        content[place : place + length] = data.draw(st.binary(min_size=length, max_size=length))
    damaged = tmp_path / "damaged.mcap"
    damaged.write_bytes(content)
    try:
        recording = read(damaged)
    except RecordError as error:
        assert len(str(error).splitlines()) == 1
        return
    t = recording.column("t")
    assert set(np.round(t * 1e3).astype(int)) <= set(range(2500))


def test_one_damaged_chunk_costs_only_its_own_ticks(whole: Path, tmp_path: Path) -> None:
    content = bytearray(whole.read_bytes())
    content[len(content) // 2] ^= 0xFF
    damaged = tmp_path / "damaged.mcap"
    damaged.write_bytes(content)
    recording = read(damaged)
    t = recording.column("t")
    assert t[0] == 0.0 and t[-1] == pytest.approx(2.499)
    assert 1500 < len(t) < 2500
    assert "1 damaged part left out" in recording.problem


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", MAGIC, MAGIC + b"\x01" * 400])
def test_what_is_no_record_is_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.mcap"
    path.write_bytes(content)
    with pytest.raises(RecordError) as caught:
        read(path)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)
    assert caught.value.path == str(path)


def test_no_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="No such file"):
        read(tmp_path / "none.mcap")
    with pytest.raises(RecordError, match="cannot be read"):
        read(tmp_path)
