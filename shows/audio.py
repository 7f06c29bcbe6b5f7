"""What a show needs to know of a sound: that it can be played to its end, and how long it is."""

import importlib
import struct
import wave
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from shows.errors import ShowError
from shows.fields import MAX_MOTION_S

ENDINGS = (".flac", ".wav")
MAX_AUDIO_BYTES = 256 * 2**20
MAX_CHANNELS = 8
RATES_HZ = (8_000, 192_000)


@dataclass(frozen=True)
class AudioInfo:
    """A phrase that can be spoken.

    Attributes:
        path: its file.
        duration_s: how long it sounds [s].
    """

    path: Path
    duration_s: float


def audio_info(path: Path, label: str) -> AudioInfo:
    """Return a sound's length after proving that its last sample can be read.

    Args:
        path: a FLAC or WAV file; FLAC needs the soundfile package.
        label: what errors call the file.

    Raises:
        ShowError: missing, damaged, cut off, empty, or out of bounds.
    """
    try:
        size = path.stat().st_size
        if size > MAX_AUDIO_BYTES:
            limit = f"is larger than {MAX_AUDIO_BYTES / 2**20:.0f} MiB"
            raise ShowError(label, "", limit, "shorten it or lower its rate")
        if path.suffix == ".wav":
            _check_riff(path, size)
        library = _soundfile()
        if library is not None:
            frames, rate, channels = _probe(library, path)
        elif path.suffix == ".wav":
            frames, rate, channels = _probe_wave(path)
        else:
            raise ShowError(
                label, "", "needs the soundfile package to be read", "install the sound extra"
            )
    except (OSError, EOFError, RuntimeError, ValueError, struct.error, wave.Error) as error:
        why = str(error).rpartition(": ")[2].rstrip(".") or type(error).__name__
        raise ShowError(
            label, "", f"is no sound that can be played ({why})", "export it anew as FLAC or WAV"
        ) from error
    if not RATES_HZ[0] <= rate <= RATES_HZ[1] or not 1 <= channels <= MAX_CHANNELS:
        what = f"has {rate} Hz and {channels} channels"
        raise ShowError(label, "", what, "export it at 48000 Hz with one or two channels")
    if not 0 < frames / rate <= MAX_MOTION_S:
        what = f"lasts {frames / rate:.0f} s, not more than 0 and at most {MAX_MOTION_S:.0f} s"
        raise ShowError(label, "", what, "cut it into phrases")
    return AudioInfo(path, frames / rate)


@cache
def _soundfile() -> ModuleType | None:
    """Return the soundfile package, or None where it or its C library is not installed."""
    try:
        return importlib.import_module("soundfile")
    except (ImportError, OSError):
        return None


def _probe(library: ModuleType, path: Path) -> tuple[int, int, int]:
    with library.SoundFile(str(path)) as sound:
        frames = int(sound.frames)
        if frames > 0:
            sound.seek(frames - 1)
            if len(sound.read(1)) != 1:
                raise ValueError("its end is missing")
        return frames, int(sound.samplerate), int(sound.channels)


def _probe_wave(path: Path) -> tuple[int, int, int]:
    with wave.open(str(path), "rb") as sound:
        return sound.getnframes(), sound.getframerate(), sound.getnchannels()


def _check_riff(path: Path, size: int) -> None:
    """Refuse a WAV file that is shorter than its header promises: libsndfile forgives that."""
    with path.open("rb") as stream:
        head = stream.read(12)
    if len(head) < 12 or head[:4] != b"RIFF" or head[8:] != b"WAVE":
        raise ValueError("no WAV header")
    if struct.unpack("<I", head[4:8])[0] + 8 > size:
        raise ValueError("its end is missing")
