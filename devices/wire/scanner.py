"""Finds checked frames in a stream of bytes with noise."""

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Framing:
    """Framing of a protocol.

    Attributes:
        header: matches where a frame can begin, also where the stream ends within the header.
        length_at: offset of the length byte.
        overhead: bytes of a whole frame beyond that length.
        holds: returns whether a whole frame passes its check.
        weak: noise passes that check so often that a frame is doubted even where one was due.
    """

    header: re.Pattern[bytes]
    length_at: int
    overhead: int
    holds: Callable[[bytes], bool]
    weak: bool = False


class Scanner:
    """Cuts a stream into frames; never raises, buffers less than one frame.

    A header that fails its check costs one byte, so that no valid frame behind it is lost. A header
    that waits for bytes, or that follows noise, is discarded when two valid frames begin within its
    length, one right after the other: a false length costs or delays two frames at most.

    Attributes:
        good: frames found.
        bad: frames that began where one was due and failed their check.
        dropped: bytes that belonged to no frame.
    """

    __slots__ = ("good", "bad", "dropped", "_framing", "_rest", "_in_step")

    def __init__(self, framing: Framing) -> None:
        self.good = 0
        self.bad = 0
        self.dropped = 0
        self._framing = framing
        self._rest = b""
        self._in_step = False

    @property
    def waiting(self) -> int:
        """Number of buffered bytes, which may begin a frame."""
        return len(self._rest)

    @property
    def due(self) -> bool:
        """Whether a frame must begin with the next byte, directly after the last one."""
        return self._in_step and not self._rest

    def reset(self) -> None:
        """Discard buffered bytes, as after a port was opened again."""
        self.dropped += len(self._rest)
        self._rest = b""
        self._in_step = False

    def feed(self, data: bytes) -> list[bytes]:
        """Process the next bytes of the stream and return the frames that they complete."""
        if self._rest:
            data = self._rest + data
        framing = self._framing
        if self._in_step and not framing.weak and self._is_one(data):
            self._rest = b""
            self.good += 1
            return [data]
        search, length_at, overhead = framing.header.search, framing.length_at, framing.overhead
        frames: list[bytes] = []
        at, end = 0, len(data)
        pair = -1  # start of the next two consecutive valid frames, once it was searched
        while at < end:
            header = search(data, at)
            start = header.start() if header else end
            if start > at:
                self._drop(start - at)
                at = start
                continue
            if at + length_at >= end:
                break
            stop = at + data[at + length_at] + overhead
            doubtful = stop > end or framing.weak or not self._in_step
            if doubtful and pair <= at:
                pair = self._next_pair(data, at + 1)
            if stop > end:
                if pair == end:
                    break
            elif not (doubtful and pair < stop) and framing.holds(frame := data[at:stop]):
                frames.append(frame)
                self._in_step = True
                at = stop
                continue
            elif self._in_step:
                self.bad += 1
            self._drop(1)
            at += 1
        self._rest = data[at:]
        self.good += len(frames)
        return frames

    def _is_one(self, data: bytes) -> bool:
        """Return whether bytes are exactly one valid frame, which is the usual case."""
        framing, size = self._framing, len(data)
        return (
            size > framing.length_at
            and data[framing.length_at] + framing.overhead == size
            and framing.header.match(data) is not None
            and framing.holds(data)
        )

    def _drop(self, count: int) -> None:
        self.dropped += count
        self._in_step = False

    def _next_pair(self, data: bytes, at: int) -> int:
        """Return the start of the next two consecutive frames; the data's end without any."""
        while header := self._framing.header.search(data, at):
            at = header.start()
            following = self._end_of_good(data, at)
            if following and self._end_of_good(data, following):
                return at
            at += 1
        return len(data)

    def _end_of_good(self, data: bytes, at: int) -> int:
        """Return the end of a valid frame that begins here; 0 if there is none."""
        framing = self._framing
        if at + framing.length_at >= len(data) or not framing.header.match(data, at):
            return 0
        stop = at + data[at + framing.length_at] + framing.overhead
        if stop > len(data) or not framing.holds(data[at:stop]):
            return 0
        return stop
