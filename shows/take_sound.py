"""The sound of a take: a WAV file beside it that is valid at every moment, and parts of it.

The file `NAME.wav` is as long as the take and begins with it. It has one channel of 24 bits. Its
header is renewed after each block, so that a writer that was killed loses no more than its last
block.
"""

import os
import struct
import wave
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from shows.errors import ShowError
from shows.joints import Floats

RATE_HZ = 48_000
ENDING = ".wav"
BYTES = 3  # of a sample
FULL_SCALE = 2**23 - 1
CUT_S = 0.005  # fade at a cut
_HEADER = struct.Struct("<4sI4s4sIHHIIHH4sI")


def sound_path(take: Path) -> Path:
    """Return the path of the sound of a take."""
    return take.with_suffix(ENDING)


class SoundWriter:
    """Writes a sound, block by block.

    Args:
        stream: an empty file, open to write bytes without a buffer of its own.

    Attributes:
        frames: number of frames in the file.

    Raises:
        OSError: the disk refused.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.frames = 0
        self._put(header(0))

    def write(self, samples: npt.NDArray[np.floating]) -> None:
        """Write samples, -1 to 1 (n)."""
        self._put(encoded(samples))
        self.frames += len(samples)
        self._stream.seek(0)
        self._put(header(self.frames))
        self._stream.seek(0, os.SEEK_END)

    def _put(self, data: bytes) -> None:
        left = memoryview(data)
        while left:  # a disk that is nearly full takes a part, and refuses the next
            left = left[self._stream.write(left) :]


def header(frames: int) -> bytes:
    """Return the header of a file with a number of frames."""
    size = frames * BYTES
    return _HEADER.pack(
        b"RIFF", _HEADER.size - 8 + size, b"WAVE", b"fmt ", 16, 1, 1, RATE_HZ, RATE_HZ * BYTES,
        BYTES, 8 * BYTES, b"data", size,
    )  # fmt: skip


def encoded(samples: npt.NDArray[np.floating]) -> bytes:
    """Return samples, -1 to 1 (n), as bytes."""
    whole = np.round(np.clip(samples, -1.0, 1.0) * FULL_SCALE).astype("<i4")
    data: bytes = whole.view(np.uint8).reshape(-1, 4)[:, :BYTES].tobytes()
    return data


def decoded(data: bytes) -> Floats:
    """Return the samples of bytes, -1 to 1 (n)."""
    raw = np.frombuffer(data[: len(data) // BYTES * BYTES], np.uint8).reshape(-1, BYTES)
    wide = np.zeros((len(raw), 4), np.uint8)
    wide[:, 1:] = raw  # the sign is in the highest byte
    samples: Floats = (wide.view("<i4")[:, 0] >> 8) / FULL_SCALE
    return samples


def cut_sound(source: Path, target: Path, start_s: float, length_s: float) -> None:
    """Write a part of a take's sound to a new file; where it is longer than the sound, silence.

    Args:
        source: the sound of a take.
        target: file that does not exist yet.
        start_s: time of the take at which the part begins [s].
        length_s: length of the part [s].

    Raises:
        ShowError: the sound cannot be read, or the disk refused.
    """
    try:
        with wave.open(str(source), "rb") as sound:
            if sound.getparams()[:3] != (1, BYTES, RATE_HZ):
                raise ShowError(source.name, "", "is not the sound of a take", "record it again")
            first = min(max(0, round(start_s * RATE_HZ)), sound.getnframes())
            count = max(1, round(length_s * RATE_HZ))
            sound.setpos(first)
            samples = decoded(sound.readframes(count))
            cut_end = first + len(samples) < sound.getnframes()
        ramp = np.linspace(0.0, 1.0, min(round(CUT_S * RATE_HZ), len(samples)))
        if first:
            samples[: len(ramp)] *= ramp
        if cut_end:
            samples[len(samples) - len(ramp) :] *= ramp[::-1]
        with target.open("xb", buffering=0) as stream:
            SoundWriter(stream).write(np.pad(samples, (0, count - len(samples))))
    except (OSError, EOFError, wave.Error) as error:
        why = getattr(error, "strerror", None) or str(error)
        reason = f"could not be cut ({why})"
        raise ShowError(source.name, "", reason, "make room, or record it again") from error
