"""A table of angles is read exactly, resampled if it is uneven, or refused with its line."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from shows.csv_motion import encode_csv, load_csv, read_csv, save_csv
from shows.errors import ShowError
from shows.motion import Motion
from tests.shows.examples import wave_motion

GOOD = "time_s,head_yaw,left_elbow\n0.0,0.1,0.2\n0.02,0.2,0.3\n0.04,0.3,0.5\n"


def read(text: str) -> Motion:
    return read_csv(text.encode(), "wave.csv", "wave").motion


@given(
    hnp.arrays(np.float64, st.tuples(st.integers(2, 40), st.just(3)), elements=st.floats(-9, 9)),
    st.floats(10.0, 1000.0),
)
def test_what_was_written_is_read_again(positions: np.ndarray, rate_hz: float) -> None:
    motion = Motion("wave", ("a", "b", "c"), rate_hz, positions)
    reading = read_csv(encode_csv(motion), "wave.csv", "wave")
    back = reading.motion
    assert not reading.resampled or rate_hz < 10.001 or rate_hz > 999.9
    if not reading.resampled:
        assert back.joint_names == motion.joint_names
        assert back.rate_hz == pytest.approx(rate_hz, rel=1e-4)
        np.testing.assert_allclose(back.positions, positions, atol=1e-8)


def test_a_file_is_saved_and_loaded(tmp_path: Path) -> None:
    motion = wave_motion()
    save_csv(motion, tmp_path / "wave.csv")
    back = load_csv(tmp_path / "wave.csv").motion
    assert (back.name, back.rate_hz, back.source) == ("wave", 50.0, "imported")
    np.testing.assert_allclose(back.positions, motion.positions, atol=1e-8)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        GOOD.replace(",", ";"),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        "\ufeff" + GOOD,
        GOOD + "\n\n",
        GOOD.replace("time_s,head_yaw", '"time_s","head_yaw"'),
        GOOD.replace("left_elbow", "left_elbow_rad"),
        GOOD.replace("\n0", "\n1700000007"),
    ],
)
def test_reads(text: str) -> None:
    motion = read(text)
    assert motion.joint_names == ("head_yaw", "left_elbow")
    assert motion.rate_hz == 50.0
    np.testing.assert_allclose(motion.positions, [[0.1, 0.2], [0.2, 0.3], [0.3, 0.5]])


def test_degrees_are_a_column_s_matter() -> None:
    motion = read(GOOD.replace("left_elbow", "left_elbow_deg"))
    assert motion.joint_names == ("head_yaw", "left_elbow")
    np.testing.assert_allclose(motion.positions[:, 1], np.radians([0.2, 0.3, 0.5]))


def test_times_rounded_to_milliseconds_are_even() -> None:
    lines = [f"{i / 120:.3f},{i / 100}" for i in range(240)]
    reading = read_csv("\n".join(["time_s,a", *lines]).encode(), "a.csv", "a")
    assert (reading.motion.rate_hz, reading.resampled) == (120.0, False)


def test_uneven_and_slow_samples_are_resampled_along_a_curve() -> None:
    rng = np.random.default_rng(2)
    times = np.cumsum(rng.uniform(0.005, 0.02, 400))
    lines = [f"{t:.6f},{np.sin(3.0 * t):.9f}" for t in times]
    reading = read_csv("\n".join(["time_s,a", *lines]).encode(), "a.csv", "a")
    motion = reading.motion
    assert reading.resampled
    expected = np.sin(3.0 * (times[0] + np.arange(len(motion.positions)) / motion.rate_hz))
    np.testing.assert_allclose(motion.positions[:, 0], expected, atol=5e-4)
    keys = read_csv(b"time_s,a\n0,0\n1,1\n2,0\n", "a.csv", "a")
    assert keys.resampled
    assert (keys.motion.rate_hz, keys.motion.duration_s) == (50.0, 2.0)
    assert keys.motion.positions[50, 0] == pytest.approx(1.0)


def test_a_missing_sample_makes_times_uneven() -> None:
    lines = [f"{i / 100:.3f},{i / 100}" for i in range(50) if i != 20]
    reading = read_csv("\n".join(["time_s,a", *lines]).encode(), "a.csv", "a")
    assert reading.resampled
    np.testing.assert_allclose(reading.motion.positions[:, 0], np.arange(50) / 100, atol=1e-9)


@pytest.mark.parametrize(
    ("text", "place", "word"),
    [
        ("", "", "is empty"),
        (" \n \n", "", "is empty"),
        ("t,head_yaw\n0,0\n", "line 1", "begins with 't'"),
        ("time_s\n0\n1\n", "line 1", "and joints"),
        ("time_s,a,a\n0,0,0\n", "line 1", "a joint twice"),
        ("time_s,a,\n0,0,0\n", "line 1", "without a name"),
        (GOOD.replace("0.2,0.3", "0.2"), "line 3", "2 values for 3 columns"),
        (GOOD.replace("0.02,0.2,0.3", "0,02,0,2,0,3"), "line 3", "commas"),
        (GOOD.replace(",", ";").replace("0.2;0.3", "0,2;0.3"), "line 3", "decimal comma"),
        (GOOD.replace("0.3\n", "x\n"), "line 3", "'x' is not a number"),
        (GOOD.replace("0.3\n", "nan\n"), "line 3", "not within"),
        (GOOD.replace("0.3\n", "1e400\n"), "line 3", "not within"),
        (GOOD.replace("0.3\n", "\n"), "line 3", "is not a number"),
        (GOOD.replace("\n0.04", "\n0.02"), "line 4", "does not rise"),
        (GOOD.replace("\n0.04", "\n-0.04"), "line 4", "does not rise"),
        (GOOD.replace("\n0.04", "\n900"), "line 4", "lasts 900 s"),
        ("time_s,a\n0,0\n", "line 2", "second sample"),
        ("time_s," + ",".join(f"j{i}" for i in range(300)), "line 1", "256 columns"),
    ],
)
def test_refuses(text: str, place: str, word: str) -> None:
    with pytest.raises(ShowError, match=word) as refused:
        read(text)
    assert (refused.value.file, refused.value.place) == ("wave.csv", place)
    assert refused.value.advice


def test_what_is_no_text_or_too_long_is_refused() -> None:
    with pytest.raises(ShowError, match="UTF-8") as refused:
        read_csv(GOOD.encode() + b"\xff\n", "wave.csv", "wave")
    assert refused.value.place == "line 5"
    header = "time_s," + ",".join(f"j{i}" for i in range(200))
    rows = [f"{t}," + ",".join("0" * 200) for t in ("0", "0.001", "0.002", "500")]
    with pytest.raises(ShowError, match="4000000 values"):
        read("\n".join([header, *rows]))


@given(st.data())
def test_a_damaged_table_gives_a_motion_or_one_line(data: st.DataObject) -> None:
    text = bytearray(GOOD.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
        text += b" "
    try:
        motion = read_csv(bytes(text), "wave.csv", "wave").motion
    except ShowError as error:
        assert len(str(error).splitlines()) == 1
    else:
        assert np.isfinite(motion.positions).all()
