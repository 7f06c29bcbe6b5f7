"""Aligns the blocks that a microphone heard with the time of a take."""

from collections import deque
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from devices.interface import HeardBlock
from shows.take_sound import RATE_HZ

AROUND = 10  # blocks before and after one, by which its time is judged
JUMP_S = 0.015  # a larger step of the time is a dropout, or a block that came twice
SLACK_S = 0.002  # a larger deviation is corrected by bending
CALM_S = 0.0005  # a smaller one ends the bending
BEND = 0.005  # largest change of speed: a twelfth of a semitone
TOLD_S = 0.03  # shorter dropouts are repaired and not reported

Samples = npt.NDArray[np.float32]


class Alignment:
    """Turns blocks with uncertain times into one even sound that begins with the take.

    The time of a block is the median of those that the blocks around it suggest, because a single
    stamp may be late by some milliseconds. Dropouts become silence; a microphone whose clock is
    not exact is bent.

    Args:
        zero_s: beginning of the take on the host's monotonic clock [s].

    Attributes:
        frames: number of frames that were given out.
        lost_s: length of the silence instead of dropouts [s].
    """

    def __init__(self, zero_s: float) -> None:
        self.frames = 0
        self.lost_s = 0.0
        self._zero_s = zero_s
        self._stream: int | None = None
        self._taken = 0  # frames of this stream
        self._waiting: deque[tuple[int, Samples]] = deque()  # first frame, and samples
        self._origins: deque[float] = deque(maxlen=2 * AROUND + 1)
        self._bends = False

    def take(self, blocks: Iterable[HeardBlock]) -> list[Samples]:
        """Take blocks in their order; return the sound whose time is certain by now."""
        given: list[Samples] = []
        for block in blocks:
            if block.stream != self._stream:
                given += self.flush()
                self._stream, self._taken, self._bends = block.stream, 0, False
                self._origins.clear()
            self._origins.append(block.stamp_s - self._taken / RATE_HZ)
            self._waiting.append((self._taken, block.samples))
            self._taken += len(block.samples)
            if len(self._waiting) > AROUND:
                given += self._place()
        return given

    def flush(self) -> list[Samples]:
        """Return the sound that still waits for later blocks."""
        given: list[Samples] = []
        while self._waiting:
            given += self._place()
        return given

    def _place(self) -> list[Samples]:
        """Give out the first block that waits."""
        first, samples = self._waiting.popleft()
        origin_s = float(np.median(self._origins))
        wanted = round((origin_s + first / RATE_HZ - self._zero_s) * RATE_HZ)
        late = wanted - self.frames  # frames by which it is later than the sound so far
        given: list[Samples] = []
        if self.frames == 0 and late < 0:
            samples = samples[-late:]  # from before the take
        elif late > JUMP_S * RATE_HZ or (self.frames == 0 and late > 0):
            given.append(np.zeros(late, np.float32))
            if late > TOLD_S * RATE_HZ:
                self.lost_s += late / RATE_HZ
        elif late < -JUMP_S * RATE_HZ:
            samples = samples[-late:]
        else:
            samples = self._bend(samples, late)
        if len(samples):
            given.append(samples)
        self.frames += sum(map(len, given))
        return given

    def _bend(self, samples: Samples, late: int) -> Samples:
        """Return a block that is a little longer or shorter, if the sound has drifted."""
        drift_s = abs(late) / RATE_HZ
        self._bends = drift_s > (CALM_S if self._bends else SLACK_S)
        most = int(BEND * len(samples))
        if not self._bends or not most:
            return samples
        count = len(samples) + min(max(late, -most), most)
        places = np.linspace(0.0, len(samples) - 1.0, count)
        bent = np.interp(places, np.arange(len(samples)), samples)
        return bent.astype(np.float32)
