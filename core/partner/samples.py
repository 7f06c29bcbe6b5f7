"""A person's postures at an even rate, between the frames as they come."""

from typing import Final

from devices.interface import PoseFrame

MOST_GAP_S: Final = 0.2
"""Longest time between two frames that is bridged."""


class Samples:
    """Samples the frames of one person.

    A position is interpolated, an orientation is that of the nearer frame.

    Args:
        rate_hz: of the samples [Hz].
    """

    def __init__(self, rate_hz: float) -> None:
        self._period_s = 1.0 / rate_hz
        self._before: PoseFrame | None = None
        self._next_s = 0.0

    def take(self, frame: PoseFrame) -> list[PoseFrame]:
        """Return the samples up to a frame, from the one before; at most those of 0.2 s.

        Args:
            frame: later than the one before.
        """
        before, self._before = self._before, frame
        if before is None or frame.stamp_s - before.stamp_s > MOST_GAP_S:
            self._next_s = frame.stamp_s + self._period_s
            return [frame]
        found = []
        while self._next_s <= frame.stamp_s:
            share = (self._next_s - before.stamp_s) / (frame.stamp_s - before.stamp_s)
            points = (1.0 - share) * before.positions + share * frame.positions
            nearer = frame if share > 0.5 else before
            found.append(PoseFrame(self._next_s, frame.arrival_s, points, nearer.orientations))
            self._next_s += self._period_s
        return found
