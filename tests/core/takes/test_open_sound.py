"""The sound of a take: what a disk, a device and an end do to it."""

import wave
from pathlib import Path

import numpy as np
import pytest

from core.takes.open_sound import OpenSound
from shows.audio import audio_info
from shows.take_sound import RATE_HZ, decoded, sound_path
from tests.core.takes.blocks import heard, tone
from tests.core.takes.test_recorder import small_files

__all__ = ["small_files"]
ZERO_S = 100.0


def read(path: Path) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    with wave.open(str(path), "rb") as sound:
        return decoded(sound.readframes(sound.getnframes()))


@pytest.fixture
def take(tmp_path: Path) -> Path:
    return tmp_path / "a.take"


def test_it_is_cut_to_the_take(take: Path) -> None:
    sound = OpenSound(take, 0)
    sound.take(heard(ZERO_S - 0.5, 0.7), "")  # before its beginning is known
    assert not sound_path(take).exists()
    sound.begin(ZERO_S)
    sound.end(1.0)
    sound.take(heard(ZERO_S + 0.2, 2.0, stream=2), "")
    sound.finish()
    assert sound.complete and not sound.trouble
    samples = read(sound_path(take))
    assert len(samples) == RATE_HZ
    assert np.abs(samples - tone(ZERO_S + np.arange(RATE_HZ) / RATE_HZ)).max() < 0.02


def test_the_file_is_valid_after_every_block(take: Path) -> None:
    sound = OpenSound(take, 0)
    sound.begin(ZERO_S)
    blocks = heard(ZERO_S, 0.5)
    for block in blocks:
        sound.take([block], "")
        if sound.saved_s > 0.0:  # as after a kill
            info = audio_info(sound_path(take), "a.wav")
            assert info.duration_s == pytest.approx(sound.saved_s)
    assert sound.saved_s > 0.3
    sound.close()


def test_a_disk_that_refuses_ends_the_sound_with_what_it_has(take: Path, small_files: int) -> None:
    sound = OpenSound(take, 0)
    sound.begin(ZERO_S)
    sound.take(heard(ZERO_S, 1.0), "")
    assert sound.complete and "disk refused" in sound.trouble
    sound.take(heard(ZERO_S + 1.0, 1.0), "")
    sound.finish()
    assert sound_path(take).stat().st_size <= small_files
    assert 0 < len(read(sound_path(take))) <= small_files / 3


def test_room_is_left_on_the_disk(take: Path) -> None:
    sound = OpenSound(take, 2**60)
    sound.begin(ZERO_S)
    sound.take(heard(ZERO_S, 1.0), "")
    assert "no room" in sound.trouble and not sound_path(take).exists()


def test_a_sound_that_is_there_is_never_replaced(take: Path) -> None:
    sound_path(take).write_bytes(b"precious")
    sound = OpenSound(take, 0)
    sound.begin(ZERO_S)
    sound.take(heard(ZERO_S, 1.0), "")
    sound.finish()
    assert sound.trouble and sound_path(take).read_bytes() == b"precious"


def test_a_device_that_is_lost_keeps_the_sound_so_far(take: Path) -> None:
    sound = OpenSound(take, 0)
    sound.begin(ZERO_S)
    sound.take(heard(ZERO_S, 1.0), "")
    sound.take([], "the microphone is gone")
    sound.end(3.0)
    assert not sound.complete
    sound.finish()
    assert sound.trouble == "the microphone is gone"
    assert len(read(sound_path(take))) == RATE_HZ


def test_dropouts_and_a_missing_end_are_told(take: Path) -> None:
    sound = OpenSound(take, 0)
    sound.begin(ZERO_S)
    sound.take(heard(ZERO_S, 1.0, lost=range(40, 50)), "")
    sound.end(2.0)
    sound.finish()
    assert sound.trouble == "0.10 s were not heard and are silent; the last 1.0 s are missing"


def test_a_microphone_that_hears_nothing_leaves_no_file(take: Path) -> None:
    sound = OpenSound(take, 0)
    sound.begin(ZERO_S)
    sound.end(1.0)
    sound.finish()
    assert sound.trouble == "nothing was heard" and not sound_path(take).exists()
