"""Writes sound files."""

import wave
from pathlib import Path
from typing import Any

import numpy as np

from devices.mixer import RATE_HZ


def sound(path: Path, seconds: float = 0.5, rate: int = RATE_HZ, channels: int = 1) -> Path:
    """Write a file whose first sample is loud and whose others are silent."""
    block = np.zeros((round(seconds * rate), channels), dtype="<i2")
    block[0] = 30_000
    return written(path, block, rate)


def written(path: Path, block: Any, rate: int = RATE_HZ) -> Path:
    """Write samples (frames, channels) to a file."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(block.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(block.tobytes())
    return path
