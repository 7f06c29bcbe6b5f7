"""The frame of Footlight's boards, on their own port, between zeros.

    00 COBS( version u8 | kind u8 | source u8 | sequence u16 | t_us u32 | payload | CRC-16 ) 00

Little-endian. The CRC is that of devices/wire/checksums.py, over everything before it. The zero
in front separates a frame from noise, so that noise destroys only the frames that it overlaps.
"""

import struct
from dataclasses import dataclass
from typing import NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from devices.compiled import compiled
from devices.wire import cobs
from devices.wire.checksums import CRC16_START, CRC16_TABLE, crc16
from devices.wire.errors import WireError

Numbers: TypeAlias = npt.NDArray[np.int64]

VERSION = 1
HEAD = struct.Struct("<BBBHI")
_CRC = struct.Struct("<H")
MOST_PAYLOAD = 200  # bytes
LONGEST = HEAD.size + MOST_PAYLOAD + _CRC.size
_LONGEST_STUFFED = LONGEST + LONGEST // 254 + 1
_HEAD, _CHECK = HEAD.size, _CRC.size  # for the kernels
_AT_ONCE = 64  # frames that the kernel finds before they are processed


@compiled
def find_frames(data: bytearray, rows: Numbers) -> tuple[int, int, int, int]:
    """Find the valid frames between zeros, and decode them in place.

    Args:
        data: received bytes, from behind a zero on.
        rows: version, kind, source, sequence, t_us, begin and end of the payload of each
            frame (n, 7).

    Returns:
        number of frames, number of searched bytes, and number of stretches, and bytes in them, that
        are no frame of this version. The search ends at the last zero, or the last row.
    """
    count, bad, noise, begin = 0, 0, 0, 0
    for end in range(len(data)):
        if data[end] != 0:
            continue
        if count == rows.shape[0]:
            break
        size = end - begin
        first = begin + 1  # end of decoded bytes, which have no run without a zero
        begin = end + 1
        if size == 0:
            continue
        sound = first + _HEAD + _CHECK <= end and size <= _LONGEST_STUFFED
        if sound:
            at = first - 1
            while at < end:
                code = int(data[at])
                data[at] = 0
                at += code
            check = CRC16_START
            for i in range(first, end - _CHECK):
                check = check << 8 & 0xFFFF ^ CRC16_TABLE[check >> 8 ^ data[i]]
            sound = at == end and check == int(data[end - 2]) | int(data[end - 1]) << 8
        if sound:
            row = rows[count]
            for i in range(3):
                row[i] = data[first + i]
            row[3] = int(data[first + 3]) | int(data[first + 4]) << 8
            row[4] = int(data[first + 5]) | int(data[first + 6]) << 8
            row[4] |= int(data[first + 7]) << 16 | int(data[first + 8]) << 24
            row[5], row[6] = first + _HEAD, end - _CHECK
            count += 1
        if not sound or data[first] != VERSION:
            bad += 1
            noise += size
    return count, begin, bad, noise


class Frame(NamedTuple):
    """One message with its sender and time.

    Attributes:
        kind: type of the payload.
        source: number of the sending board or computer.
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
        """Decode a frame without stuffing.

        Raises:
            WireError: it is too short or too long, damaged, or of another version.
        """
        if not HEAD.size + _CRC.size <= len(body) <= LONGEST:
            raise WireError(f"{len(body)} bytes are no frame")
        if _CRC.unpack_from(body, len(body) - _CRC.size)[0] != crc16(body[: -_CRC.size]):
            raise WireError("a frame is damaged: its CRC is wrong")
        version, kind, source, sequence, t_us = HEAD.unpack_from(body)
        if version != VERSION:
            raise WireError(
                f"source {source:#04x} speaks version {version} of the frame, not {VERSION}:"
                " update its firmware"
            )
        return cls(kind, source, sequence, t_us, body[HEAD.size : -_CRC.size])

    def encode(self) -> bytes:
        """Return the bytes to send.

        Raises:
            WireError: as `body`.
        """
        return cobs.DELIMITER + cobs.encode(self.body()) + cobs.DELIMITER


def elapsed_us(later_us: int, earlier_us: int) -> int:
    """Return the elapsed time of a sender's clock, which wraps every 71.6 minutes [µs]."""
    return (later_us - earlier_us) & 0xFFFFFFFF


@dataclass(slots=True)
class SourceCounts:
    """Statistics of one source.

    Attributes:
        good: accepted frames.
        lost: frames missing by their sequence.
        repeated: frames refused because the one before had the same sequence.
        restarts: times that the sequence went back: the source restarted, or another one has its
            number. Any state shared with it is void.
        sequence: sequence of the newest frame.
    """

    good: int = 0
    lost: int = 0
    repeated: int = 0
    restarts: int = 0
    sequence: int = 0

    def admit(self, sequence: int) -> bool:
        """Count a frame; return whether it is new."""
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
    """Finds frames in a stream of bytes. No bytes raise an error.

    Attributes:
        sources: counts by source, at most 256.
        bad_frames: stretches between zeros that were no frame.
        other_version: of these, valid frames of another version.
        versions: version of the last such frame, by source.
        noise_bytes: bytes in such stretches.
    """

    def __init__(self) -> None:
        self.sources: dict[int, SourceCounts] = {}
        self.bad_frames = 0
        self.other_version = 0
        self.versions: dict[int, int] = {}
        self.noise_bytes = 0
        self._kept = b""
        self._lost = False  # the bytes since the last zero are too many already
        self._rows: Numbers = np.zeros((_AT_ONCE, 7), dtype=np.int64)
        find_frames(bytearray(), self._rows)  # compiles the kernel

    def feed(self, data: bytes) -> list[Frame]:
        """Return the new frames that are complete by now."""
        found: list[Frame] = []
        if self._lost:
            stretch, zero, data = data.partition(cobs.DELIMITER)
            self.noise_bytes += len(stretch)
            if not zero:
                return found
            self.bad_frames += 1
            self._lost = False
        rest = bytearray(self._kept + data)
        count = _AT_ONCE
        while count == _AT_ONCE:
            count, end, bad, noise = find_frames(rest, self._rows)
            self.bad_frames += bad
            self.noise_bytes += noise
            for version, kind, source, sequence, t_us, begin, stop in self._rows[:count].tolist():
                if version != VERSION:
                    self.other_version += 1
                    self.versions[source] = version
                    continue
                counts = self.sources.get(source)
                if counts is None:
                    counts = self.sources[source] = SourceCounts()
                if counts.admit(sequence):
                    found.append(Frame(kind, source, sequence, t_us, bytes(rest[begin:stop])))
            del rest[:end]
        if len(rest) > _LONGEST_STUFFED:
            self.noise_bytes += len(rest)
            self._lost = True
            rest.clear()
        self._kept = bytes(rest)
        return found
