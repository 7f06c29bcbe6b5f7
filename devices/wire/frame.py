"""The frame that Footlight's own boards speak: on a port of their own, between zeros.

    00 COBS( version u8 | kind u8 | source u8 | sequence u16 | t_us u32 | payload | CRC-16 ) 00

Little-endian. The CRC is that of devices/wire/checksums.py, over everything before it. The zero
in front parts a frame from noise, so that noise costs no frame but those that it touches.
"""

import struct
from dataclasses import dataclass
from typing import NamedTuple, Self

from devices.wire import cobs
from devices.wire.checksums import crc16
from devices.wire.errors import WireError

VERSION = 1
HEAD = struct.Struct("<BBBHI")
_CRC = struct.Struct("<H")
MOST_PAYLOAD = 200  # bytes
LONGEST = HEAD.size + MOST_PAYLOAD + _CRC.size
_LONGEST_STUFFED = LONGEST + LONGEST // 254 + 1


class VersionError(WireError):
    """A sound frame of a version that this program does not speak.

    Attributes:
        source: who sent it.
        version: of the frame.
    """

    def __init__(self, source: int, version: int) -> None:
        super().__init__(
            f"source {source:#04x} speaks version {version} of the frame, not {VERSION}:"
            " update its firmware"
        )
        self.source = source
        self.version = version


class Frame(NamedTuple):
    """One message and who sent it when.

    Attributes:
        kind: what the payload is.
        source: which board or computer sent it.
        sequence: one more with every frame of this source, modulo 2**16.
        t_us: the sender's clock when it measured or decided, modulo 2**32 [µs].
        payload: the message.
    """

    kind: int
    source: int
    sequence: int
    t_us: int
    payload: bytes

    def body(self) -> bytes:
        """Return the frame with its CRC, not stuffed.

        Raises:
            WireError: a number is out of its range, or the payload is too long.
        """
        if len(self.payload) > MOST_PAYLOAD:
            raise WireError(f"a payload has at most {MOST_PAYLOAD} bytes, not {len(self.payload)}")
        try:
            head = HEAD.pack(VERSION, self.kind, self.source, self.sequence, self.t_us)
        except struct.error as error:
            raise WireError(f"a frame's head does not fit: {error}") from None
        body = head + self.payload
        return body + _CRC.pack(crc16(body))

    @classmethod
    def of(cls, body: bytes) -> Self:
        """Return the frame that a body is.

        Raises:
            WireError: it is too short or too long, damaged, or of another version.
        """
        if not HEAD.size + _CRC.size <= len(body) <= LONGEST:
            raise WireError(f"{len(body)} bytes are no frame")
        if _CRC.unpack_from(body, len(body) - _CRC.size)[0] != crc16(body[: -_CRC.size]):
            raise WireError("a frame is damaged: its CRC is wrong")
        version, kind, source, sequence, t_us = HEAD.unpack_from(body)
        if version != VERSION:
            raise VersionError(source, version)
        return cls(kind, source, sequence, t_us, body[HEAD.size : -_CRC.size])

    def encode(self) -> bytes:
        """Return the bytes to send.

        Raises:
            WireError: as `body`.
        """
        return cobs.DELIMITER + cobs.encode(self.body()) + cobs.DELIMITER


def elapsed_us(later_us: int, earlier_us: int) -> int:
    """Return how far a sender's clock went on, which starts anew every 71.6 minutes [µs]."""
    return (later_us - earlier_us) & 0xFFFFFFFF


@dataclass(slots=True)
class SourceCounts:
    """What came from one source.

    Attributes:
        good: frames taken.
        lost: frames missing by their sequence.
        repeated: frames refused because the one before had the same sequence.
        restarts: times that the sequence went back: the source began anew, or another
            one has its number. What was agreed with it before is void.
        sequence: of the newest frame.
    """

    good: int = 0
    lost: int = 0
    repeated: int = 0
    restarts: int = 0
    sequence: int = 0

    def admit(self, sequence: int) -> bool:
        """Account for a frame; return whether it is new."""
        step = (sequence - self.sequence) & 0xFFFF
        if self.good and step == 0:
            self.repeated += 1
            return False
        if self.good and step < 0x8000:
            self.lost += step - 1
        elif self.good:
            self.restarts += 1
        self.sequence = sequence
        self.good += 1
        return True


class FrameStream:
    """Finds frames in what comes over a port. Nothing is raised, whatever the bytes are.

    Attributes:
        sources: counts by source, at most 256.
        bad_frames: stretches between zeros that were no frame.
        other_version: of these, frames that were sound but of another version.
        versions: of the last such frame, by source.
        noise_bytes: bytes in such stretches.
    """

    def __init__(self) -> None:
        self.sources: dict[int, SourceCounts] = {}
        self.bad_frames = 0
        self.other_version = 0
        self.versions: dict[int, int] = {}
        self.noise_bytes = 0
        self._kept = b""
        self._lost = False  # what is between the last zero and the next is too long already

    def feed(self, data: bytes) -> list[Frame]:
        """Return the new frames that are complete by now."""
        *stretches, rest = (self._kept + data).split(cobs.DELIMITER)
        found = []
        for stretch in stretches:
            if stretch or self._lost:
                frame = None if self._lost else self._frame(stretch)
                if frame is None:
                    self.bad_frames += 1
                    self.noise_bytes += len(stretch)
                else:
                    counts = self.sources.get(frame.source)
                    if counts is None:
                        counts = self.sources[frame.source] = SourceCounts()
                    if counts.admit(frame.sequence):
                        found.append(frame)
                self._lost = False
        if len(rest) > _LONGEST_STUFFED or self._lost:
            self.noise_bytes += len(rest)
            self._lost, rest = True, b""
        self._kept = rest
        return found

    def _frame(self, stretch: bytes) -> Frame | None:
        if len(stretch) > _LONGEST_STUFFED:
            return None
        try:
            return Frame.of(cobs.decode(stretch))
        except VersionError as error:
            self.other_version += 1
            self.versions[error.source] = error.version
        except WireError:
            pass  # counted by the caller
        return None
