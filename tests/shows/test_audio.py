"""A sound that cannot be played to its end is refused before the show."""

import struct
from pathlib import Path

import numpy as np
import pytest

from shows import audio
from shows.audio import audio_info
from shows.errors import ShowError
from tests.shows.examples import write_wav

soundfile = pytest.importorskip("soundfile")


@pytest.fixture(params=["soundfile", "standard library"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param != "soundfile":
        monkeypatch.setattr(audio, "_soundfile", lambda: None)


def refusal(path: Path) -> ShowError:
    with pytest.raises(ShowError) as refused:
        audio_info(path, path.name)
    assert refused.value.file == path.name
    assert len(str(refused.value).splitlines()) == 1
    return refused.value


@pytest.mark.usefixtures("reader")
def test_knows_how_long_a_wav_is(tmp_path: Path) -> None:
    write_wav(tmp_path / "a.wav", 0.75)
    assert audio_info(tmp_path / "a.wav", "a.wav").duration_s == 0.75


@pytest.mark.usefixtures("reader")
def test_a_wav_cut_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    write_wav(path, 0.01)
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        assert "no sound that can be played" in refusal(path).reason


@pytest.mark.usefixtures("reader")
def test_refuses_no_sound_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    refusal(path)
    path.mkdir()
    refusal(path)
    write_wav(tmp_path / "empty.wav", 0.0)
    assert "lasts 0 s" in refusal(tmp_path / "empty.wav").reason
    write_wav(tmp_path / "slow.wav", 0.5, 100)
    assert "100 Hz" in refusal(tmp_path / "slow.wav").reason


@pytest.mark.usefixtures("reader")
def test_refuses_a_sound_that_lasts_too_long(tmp_path: Path) -> None:
    write_wav(tmp_path / "long.wav", 601.0)
    assert "lasts 601 s" in refusal(tmp_path / "long.wav").reason


def test_refuses_a_sound_that_is_too_large_without_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    write_wav(path)
    with path.open("r+b") as stream:
        stream.truncate(audio.MAX_AUDIO_BYTES + 1)
    assert "larger than" in refusal(path).reason


@pytest.mark.usefixtures("reader")
def test_a_header_that_lies_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    write_wav(path)
    data = path.read_bytes()
    path.write_bytes(data[:4] + struct.pack("<I", 2**31) + data[8:])
    assert "its end is missing" in refusal(path).reason


def test_knows_how_long_a_flac_is_and_refuses_a_cut_one(tmp_path: Path) -> None:
    path = tmp_path / "a.flac"
    noise = np.random.default_rng(1).uniform(-0.1, 0.1, 24_000)
    soundfile.write(path, noise, 48_000)
    assert audio_info(path, "a.flac").duration_s == 0.5
    data = path.read_bytes()
    for length in (0, 3, 50, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:length])
        assert "no sound that can be played" in refusal(path).reason


def test_flac_without_soundfile_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.flac").write_bytes(b"fLaC")
    monkeypatch.setattr(audio, "_soundfile", lambda: None)
    assert "install the sound extra" in refusal(tmp_path / "a.flac").advice
