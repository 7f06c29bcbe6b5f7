"""Finds checked frames in a stream of bytes, whatever else the stream holds."""

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Framing:
    """How frames of a protocol are found.

    Attributes:
        header: matches where a frame can begin, also where the stream ends within the header.
        length_at: place of the byte that tells the length.
        overhead: bytes of a whole frame beyond the length told.
        holds: whether a whole frame passes its check.
        weak: noise passes that check so often that a frame is doubted even where one was due.
    """

    header: re.Pattern[bytes]
    length_at: int
    overhead: int
    holds: Callable[[bytes], bool]
    weak: bool = False


class Scanner:
    """Cuts a stream into frames; never raises, keeps less than one frame.

    A header that fails its check costs one byte, so that no good frame behind it is lost. One that
    waits for bytes, or that follows noise, is given up when two good frames begin within what it
    claims, one right after the other: a false length costs or delays two frames at most.

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
        """Bytes that are kept, as they may begin a frame."""
        return len(self._rest)

    @property
    def due(self) -> bool:
        """A frame should begin with the next byte: those before were one, and none is kept."""
        return self._in_step and not self._rest

    def reset(self) -> None:
        """Forget the part of a frame that came, as after a port was opened again."""
        self.dropped += len(self._rest)
        self._rest = b""
        self._in_step = False

    def feed(self, data: bytes) -> list[bytes]:
        """Take the next bytes of the stream and return the frames that they complete."""
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
        pair = -1  # where the next two good frames in a row begin, once it was looked for
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
        """Tell whether bytes are one good frame and nothing else, as they mostly are."""
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
        """Return where the next two whole frames in a row begin; the data's end if nowhere."""
        while header := self._framing.header.search(data, at):
            at = header.start()
            following = self._end_of_good(data, at)
            if following and self._end_of_good(data, following):
                return at
            at += 1
        return len(data)

    def _end_of_good(self, data: bytes, at: int) -> int:
        """Return where a good frame ends that begins here; 0 if none does."""
        framing = self._framing
        if at + framing.length_at >= len(data) or not framing.header.match(data, at):
            return 0
        stop = at + data[at + framing.length_at] + framing.overhead
        if stop > len(data) or not framing.holds(data[at:stop]):
            return 0
        return stop
