"""Sound files: whatever their rate and channels, they come whole and without seams."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.stage.sound_file import read_parts
from devices.mixer import RATE_HZ
from tests.core.stage.sounds import sound, written


def read(path: Path) -> Any:
    return np.concatenate(list(read_parts(path, RATE_HZ)))


@pytest.mark.parametrize(("rate", "channels"), [(48_000, 1), (44_100, 2), (16_000, 1), (96_000, 2)])
def test_sounds_are_brought_to_the_speaker_s_rate(tmp_path: Path, rate: int, channels: int) -> None:
    samples = read(sound(tmp_path / "x.wav", 0.5, rate, channels))
    assert samples.shape == (RATE_HZ // 2, channels)
    assert samples[0, 0] == pytest.approx(30_000 / 32_768)


@pytest.mark.parametrize("rate", [8_000, 11_025, 44_100, 48_000, 96_000, 192_000])
@pytest.mark.parametrize("seconds", [0.001, 1.0, 2.7003])
def test_a_sound_that_is_read_in_parts_has_no_seams(
    tmp_path: Path, rate: int, seconds: float
) -> None:
    count = round(seconds * rate)
    whole = (20_000.0 * np.sin(np.arange(count) / rate * 9.0)).astype("<i2")[:, None]
    samples = read(written(tmp_path / "x.wav", whole, rate))[:, 0]
    assert len(samples) == pytest.approx(count * RATE_HZ / rate, abs=1.0)
    times = np.arange(len(samples)) * (rate / RATE_HZ)
    expected = np.interp(times, np.arange(count), whole[:, 0] / 32_768.0)
    assert np.abs(samples - expected).max() < 1e-6


def test_speech_in_the_centre_of_a_surround_sound_is_heard_on_both_sides(tmp_path: Path) -> None:
    block = np.zeros((480, 6), dtype="<i2")
    block[:, 0], block[:, 2] = 8_000, 16_000
    samples = read(written(tmp_path / "x.wav", block))
    assert samples.shape == (480, 2)
    assert samples[0] == pytest.approx([19_200 / 32_768, 11_200 / 32_768])
