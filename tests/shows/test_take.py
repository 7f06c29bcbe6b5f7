"""Takes: what was written is read, however much of the file is left or damaged."""

from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.errors import ShowError
from shows.fields import MAX_MOTION_S
from shows.take import MAGIC, MAX_TAKE_S, RATE_HZ, Take, TakeHead, TakeWriter, read_take

HEAD = TakeHead(
    robot="robby", body="sim", joint_names=("neck", "elbow"), limb_names=("head", "arm"),
    limbs=("arm",), freedoms={"arm": "floating"},
)  # fmt: skip
BLOCK = 20


def rows(count: int, first: int = 0) -> npt.NDArray[np.void]:
    """Return samples of a slow sine."""
    found = np.zeros(count, dtype=HEAD.dtype)
    found["t"] = (first + np.arange(count)) / RATE_HZ
    found["q"][:, 0] = np.sin(found["t"])
    found["q"][:, 1] = found["t"]
    found["velocity"][:, 0] = 0.2
    return found


def written(blocks: int = 5, ended: bool = True) -> bytes:
    """Return the file of a take of some blocks, with a marker after each."""
    stream = BytesIO()
    writer = TakeWriter(stream, HEAD)
    for block in range(blocks):
        writer.samples(rows(BLOCK, block * BLOCK))
        writer.mark((block + 1) * BLOCK / RATE_HZ, f"m{block}")
    if ended:
        writer.end("ended by the operator")
    assert writer.size_bytes == len(stream.getvalue())
    return stream.getvalue()


def read(folder: Path, data: bytes) -> Take:
    path = folder / "wave.take"
    path.write_bytes(data)
    return read_take(path)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    take = read(tmp_path, written())
    expected = rows(5 * BLOCK)
    assert take.whole and take.head == HEAD and take.name == "wave" and not take.gaps()
    assert take.time_s == pytest.approx(expected["t"])
    assert take.positions == pytest.approx(expected["q"])
    assert take.velocity[:, 0] == pytest.approx(0.2)
    assert [marker.name for marker in take.markers] == [f"m{i}" for i in range(5)]
    assert take.reason == "ended by the operator" and take.damaged_bytes == 0


@given(st.integers(0, len(written()) - 1))
def test_a_file_that_was_cut_is_valid_up_to_its_last_chunk(
    tmp_path_factory: pytest.TempPathFactory, kept: int
) -> None:
    data = written()
    try:
        take = read(tmp_path_factory.mktemp("take"), data[:kept])
    except ShowError as error:
        assert kept < len(written(0, ended=False)), error  # not even the description is whole
        return
    assert not take.whole
    assert len(take.time_s) % BLOCK == 0  # whole blocks only
    assert take.positions == pytest.approx(rows(len(take.time_s))["q"])


@given(st.integers(0, len(written()) - 1), st.integers(1, 255))
def test_a_damaged_byte_costs_no_more_than_what_follows_it(
    tmp_path_factory: pytest.TempPathFactory, place: int, change: int
) -> None:
    data = bytearray(written())
    data[place] ^= change
    try:
        take = read(tmp_path_factory.mktemp("take"), bytes(data))
    except ShowError:
        return
    assert take.positions == pytest.approx(rows(len(take.time_s))["q"])


@given(st.binary(max_size=300))
def test_no_bytes_give_anything_but_a_take_or_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    for content in (data, MAGIC + data, written(1) + data):
        try:
            read(tmp_path_factory.mktemp("take"), content)
        except ShowError as error:
            assert error.args


@pytest.mark.parametrize(
    "spoil",
    [
        lambda found: found["t"].__setitem__(30, 0.0),
        lambda found: found["t"].__setitem__(30, np.nan),
        lambda found: found["q"].__setitem__((30, 1), np.inf),
        lambda found: found["velocity"].__setitem__((30, 0), np.nan),
    ],
)
def test_a_sample_that_cannot_be_ends_the_take_before_it(tmp_path: Path, spoil: object) -> None:
    found = rows(60)
    spoil(found)  # type: ignore[operator]
    stream = BytesIO()
    TakeWriter(stream, HEAD).samples(found)
    assert len(read(tmp_path, stream.getvalue()).time_s) == 30


def test_a_chunk_of_a_damaged_kind_ends_the_take_before_it(tmp_path: Path) -> None:
    data = bytearray(written(3))
    data[data.index(b"S", len(written(1, ended=False)))] ^= 1
    take = read(tmp_path, bytes(data))
    assert len(take.time_s) == BLOCK and take.damaged_bytes == len(data) - len(written(1, False))


def test_a_second_description_ends_the_take_before_it(tmp_path: Path) -> None:
    stream = BytesIO()
    TakeWriter(stream, HEAD).samples(rows(BLOCK))
    other = BytesIO()
    wider = TakeHead(robot="robby", body="sim", joint_names=("neck", "elbow", "wrist"))
    found = np.zeros(3, dtype=wider.dtype)
    found["t"] = 1.0 + np.arange(3)
    TakeWriter(other, wider).samples(found)
    rest = other.getvalue()[len(MAGIC) :]
    take = read(tmp_path, stream.getvalue() + rest)
    assert take.head == HEAD and len(take.time_s) == BLOCK
    assert take.damaged_bytes == len(rest)


def test_a_chunk_that_cannot_be_decoded_counts_as_damaged(tmp_path: Path) -> None:
    stream = BytesIO()
    writer = TakeWriter(stream, HEAD)
    writer.samples(rows(BLOCK))
    whole = writer.size_bytes
    writer._write(b"S", b"no whole sample")
    writer.samples(rows(BLOCK, BLOCK))
    take = read(tmp_path, stream.getvalue())
    assert len(take.time_s) == BLOCK and take.damaged_bytes == writer.size_bytes - whole


def test_the_longest_take_is_read_and_becomes_a_motion(tmp_path: Path) -> None:
    stream = BytesIO()
    found = rows(2)
    found["t"] = [0.0, 1000.1 + MAX_TAKE_S - 1000.1]  # as the difference of two times
    writer = TakeWriter(stream, HEAD)
    writer.samples(found)
    assert read(tmp_path, stream.getvalue()).duration_s == pytest.approx(MAX_MOTION_S)
    later = rows(1)
    later["t"] = MAX_TAKE_S + 0.005
    writer.samples(later)
    assert len(read(tmp_path, stream.getvalue()).time_s) == 2


def test_a_gap_is_told(tmp_path: Path) -> None:
    stream = BytesIO()
    writer = TakeWriter(stream, HEAD)
    writer.samples(rows(20))
    writer.samples(rows(20, 60))
    ((begin_s, end_s),) = read(tmp_path, stream.getvalue()).gaps()
    assert (begin_s, end_s) == pytest.approx((19 / RATE_HZ, 60 / RATE_HZ))


def test_ten_minutes_of_a_humanoid_are_small(tmp_path: Path) -> None:
    names = tuple(f"joint_{i}" for i in range(28))
    head = TakeHead(robot="robby", body="sim", joint_names=names, limb_names=("a",) * 5)
    stream = BytesIO()
    writer = TakeWriter(stream, head)
    block = np.zeros(10, dtype=head.dtype)
    for _ in range(int(600 * RATE_HZ / 10)):
        writer.samples(block)
    assert writer.size_bytes < 50e6


@pytest.mark.parametrize("data", [b"", b"FLTAKE2\n", b"{}", MAGIC])
def test_another_file_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(ShowError):
        read(tmp_path, data)
