"""Reads a sound file in parts, at the speaker's rate and with at most two channels."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

PART_S = 1.0  # length of one part
BESIDE = 0.7  # -3 dB: level of further channels in left and right
Samples: TypeAlias = npt.NDArray[np.float32]


def read_parts(path: Path, rate_hz: int) -> Iterator[Samples]:
    """Yield a sound file in parts, as mono or stereo (frames, channels) at a rate, -1 to 1.

    Raises:
        ImportError: soundfile is not installed.
        OSError, RuntimeError: the file cannot be read.
    """
    import soundfile

    with soundfile.SoundFile(str(path)) as sound:
        step = sound.samplerate / rate_hz  # frames of the file for each output frame
        size = max(1, round(PART_S * sound.samplerate))
        kept: Samples | None = None  # the last frame of the previous block
        first = given = 0  # number of the first frame in hand; number of output frames
        while len(block := two_sided(sound.read(size, dtype="float32", always_2d=True))):
            if step == 1.0:
                yield block
                continue
            held = block if kept is None else np.concatenate([kept, block])
            last = first + len(held) - 1
            count = math.floor(last / step) + 1 - given
            yield _between(held, np.arange(given, given + count) * step - first)
            given, first, kept = given + count, last, held[-1:]
        if kept is not None and round((first + 1) / step) > given:
            yield np.repeat(kept, round((first + 1) / step) - given, axis=0)


def two_sided(block: Samples) -> Samples:
    """Return a block (frames, channels) with at most two channels.

    The first two are left and right; further channels, such as a centre, are mixed into both.
    """
    if block.shape[1] <= 2:
        return block
    others: Samples = block[:, 2:].sum(axis=1, keepdims=True)
    return block[:, :2] + np.float32(BESIDE) * others


def _between(block: Samples, positions: npt.NDArray[np.float64]) -> Samples:
    """Return interpolated values of a block (frames, channels) at positions in frames (n)."""
    frames = np.arange(len(block))
    columns = [np.interp(positions, frames, column) for column in block.T]
    return np.stack(columns, axis=1).astype(np.float32)
