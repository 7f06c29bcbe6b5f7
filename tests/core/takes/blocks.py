"""Blocks of sound as a microphone delivers them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from devices.interface import HeardBlock
from shows.take_sound import RATE_HZ

FRAMES = 480


def tone(times_s: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Return a slow sweep, whose value tells the time."""
    return np.sin(2.0 * np.pi * (3.0 + times_s) * times_s).astype(np.float32)


def heard(
    start_s: float,
    seconds: float,
    lost: Sequence[int] = (),
    late_s: Sequence[float] = (),
    stream: int = 1,
    rate_hz: float = RATE_HZ,
) -> list[HeardBlock]:
    """Return blocks whose sound is `tone` of the time on the host's clock.

    Args:
        start_s: time of the first sample [s].
        seconds: length [s].
        lost: numbers of the blocks that do not arrive.
        late_s: errors of the stamps, of the first blocks [s].
        stream: number of the stream.
        rate_hz: true rate of the device [Hz].
    """
    blocks = []
    for number in range(round(seconds * RATE_HZ / FRAMES)):
        if number in lost:
            continue
        times_s = start_s + (number * FRAMES + np.arange(FRAMES)) / rate_hz
        error_s = late_s[number] if number < len(late_s) else 0.0
        blocks.append(HeardBlock(stream, float(times_s[0]) + error_s, tone(times_s)))
    return blocks
