"""The sound of a take: its file and its parts."""

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.audio import audio_info
from shows.errors import ShowError
from shows.take_sound import RATE_HZ, SoundWriter, cut_sound, decoded, encoded


def write(path: Path, samples: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> Path:
    with path.open("wb", buffering=0) as stream:
        writer = SoundWriter(stream)
        for part in np.array_split(samples, 7):
            writer.write(part)
    return path


@given(st.lists(st.floats(-1.5, 1.5), max_size=50))
def test_samples_survive_within_24_bits(values: list[float]) -> None:
    samples = np.array(values, dtype=np.float64)
    assert decoded(encoded(samples)) == pytest.approx(np.clip(samples, -1.0, 1.0), abs=2**-23)


def test_other_programs_read_it(tmp_path: Path) -> None:
    soundfile = pytest.importorskip("soundfile")
    samples = np.sin(np.arange(RATE_HZ) * 0.05)
    path = write(tmp_path / "a.wav", samples)
    found, rate_hz = soundfile.read(str(path))
    assert rate_hz == RATE_HZ and found == pytest.approx(samples, abs=1e-6)
    assert audio_info(path, "a.wav").duration_s == 1.0


def test_a_part_is_where_it_is_in_the_take(tmp_path: Path) -> None:
    samples = np.linspace(0.1, 0.9, RATE_HZ)
    source, target = write(tmp_path / "a.wav", samples), tmp_path / "part.wav"
    cut_sound(source, target, 0.25, 0.5)
    found = decoded(target.read_bytes()[44:])
    assert len(found) == RATE_HZ // 2
    inside = slice(480, -480)
    assert found[inside] == pytest.approx(
        samples[RATE_HZ // 4 : 3 * RATE_HZ // 4][inside], abs=1e-6
    )
    assert found[0] == found[-1] == 0.0  # no click
    cut_sound(source, tmp_path / "long.wav", 0.5, 2.0)
    late = decoded((tmp_path / "long.wav").read_bytes()[44:])
    assert len(late) == 2 * RATE_HZ and not late[RATE_HZ:].any()


def test_what_cannot_be_cut_is_told(tmp_path: Path) -> None:
    (tmp_path / "bad.wav").write_bytes(b"RIFF" + bytes(40))
    good = write(tmp_path / "good.wav", np.zeros(100))
    for source, target in (
        (tmp_path / "bad.wav", tmp_path / "x.wav"),
        (tmp_path / "gone.wav", tmp_path / "x.wav"),
        (good, good),  # no file is replaced
        (good, tmp_path / "nowhere" / "x.wav"),
    ):
        with pytest.raises(ShowError, match=source.name):
            cut_sound(source, target, 0.0, 1.0)
    assert not (tmp_path / "x.wav").exists()


def test_a_disk_that_takes_parts_gets_all(tmp_path: Path) -> None:
    class Slow(io.BytesIO):
        def write(self, data) -> int:  # type: ignore[no-untyped-def]
            return super().write(bytes(data)[:5])

    stream = Slow()
    SoundWriter(stream).write(np.full(20, 0.5))
    assert decoded(stream.getvalue()[44:]) == pytest.approx(np.full(20, 0.5), abs=1e-6)
