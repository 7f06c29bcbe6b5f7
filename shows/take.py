r"""A take: the raw recording of a performance, in a file that is valid at every moment.

The file begins with `FLTAKE1\n` and goes on with chunks. A chunk is its kind (1 byte), the length
of its content (u4), the CRC-32 of the content (u4), and the content; little-endian. The kinds are
`H` (description, JSON, first and once), `S` (samples), `M` (a marker, JSON) and `E` (end, JSON). A
reader takes every whole chunk up to the first damaged one, so that a writer that was killed, or
that had no room left, loses no more than its last chunk.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from shows.errors import ShowError
from shows.fields import MAX_MOTION_S, Name, Text
from shows.files import read_capped
from shows.joints import Floats
from shows.limbs import LimbFeel, LimbFreedom
from shows.motion import Marker

MAGIC = b"FLTAKE1\n"
RATE_HZ = 200.0  # of the samples
MAX_TAKE_BYTES = 256 * 2**20
MAX_CHUNK_BYTES = 2**20
MAX_TAKE_S = MAX_MOTION_S  # a longer take could not become a motion
ROUNDING_S = 1e-6  # error of a time that is the difference of two
ENDING = ".take"
_HEAD = struct.Struct("<cII")
_ADVICE = "take the file from its backup, or record it again"


class _Chunk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chunk of JSON."""


class TakeHead(_Chunk, frozen=True, kw_only=True):
    """The description of a take.

    Attributes:
        schema: version of the format.
        robot: name of the robot's profile.
        body: real, twin or sim.
        joint_names: every joint of the robot, in the order of the samples (n).
        limb_names: limbs that behaviour moves, in the order of the states (l).
        recorded_at: date and time of its beginning, ISO 8601.
        limbs: limbs that it is about; the others are context.
        freedoms: freedom of limbs at its beginning, by name.
        feel: resistance of the floating limbs.
        backing: gesture that other limbs played meanwhile, or empty.
        backing_take: name of the earlier take that they played meanwhile, or empty.
        backing_limbs: limbs that played the gesture or the earlier take.
        phrase: phrase that was played meanwhile, or empty.
        punch_s: span of the backing that it replaces [s]; None: it stands alone.
        rate_hz: nominal rate of the samples [Hz].
    """

    schema: Literal[1] = 1
    robot: Name
    body: str
    joint_names: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=256)]
    limb_names: Annotated[tuple[str, ...], msgspec.Meta(max_length=16)] = ()
    recorded_at: str = ""
    limbs: Annotated[tuple[str, ...], msgspec.Meta(max_length=16)] = ()
    freedoms: dict[str, LimbFreedom] = {}
    feel: LimbFeel = "normal"
    backing: str = ""
    backing_take: str = ""
    backing_limbs: Annotated[tuple[str, ...], msgspec.Meta(max_length=16)] = ()
    phrase: str = ""
    punch_s: tuple[float, float] | None = None
    rate_hz: Annotated[float, msgspec.Meta(gt=0.0, le=1000.0)] = RATE_HZ

    @property
    def dtype(self) -> np.dtype[np.void]:
        """The type of a sample: time [s], positions [rad], walking velocity, mode and states."""
        joints, limbs = len(self.joint_names), len(self.limb_names)
        return np.dtype(
            [
                ("t", "<f8"),
                ("q", "<f4", (joints,)),
                ("velocity", "<f4", (3,)),
                ("mode", "u1"),
                ("states", "u1", (limbs,)),
            ]
        )


class _Mark(_Chunk, frozen=True):
    time_s: float
    name: Text


class _End(_Chunk, frozen=True):
    reason: Text


@dataclass(frozen=True, eq=False)
class Take:
    """A take as read from its file.

    Attributes:
        name: name of the file without its ending.
        head: its description.
        time_s: time of each sample since its beginning, ascending (k) [s].
        positions: joint positions (k, n) [rad].
        velocity: commanded velocity of walking: forward, left [m/s], yaw rate [rad/s] (k, 3).
        markers: named moments.
        reason: why it ended; empty if it was cut short, and the file is valid up to there.
        damaged_bytes: bytes after the last chunk that could be read.
    """

    name: str
    head: TakeHead
    time_s: Floats = field(repr=False)
    positions: Floats = field(repr=False)
    velocity: Floats = field(repr=False)
    markers: tuple[Marker, ...] = ()
    reason: str = ""
    damaged_bytes: int = 0

    @property
    def duration_s(self) -> float:
        """Time of the last sample [s]."""
        return float(self.time_s[-1]) if len(self.time_s) else 0.0

    @property
    def whole(self) -> bool:
        """It was ended, and not cut short."""
        return bool(self.reason)

    def gaps(self) -> tuple[tuple[float, float], ...]:
        """Return the spans in which samples are missing [s]."""
        longest_s = 2.5 / self.head.rate_hz
        after = np.flatnonzero(np.diff(self.time_s) > longest_s)
        return tuple((float(self.time_s[i]), float(self.time_s[i + 1])) for i in after)


class TakeWriter:
    """Writes a take, chunk by chunk; each is in the file before the next.

    Args:
        stream: an empty file, open to write bytes without a buffer of its own.
        head: description of the take.

    Raises:
        OSError: the disk refused.
    """

    def __init__(self, stream: BinaryIO, head: TakeHead) -> None:
        self._stream = stream
        self._dtype = head.dtype
        self.size_bytes = stream.write(MAGIC)
        self._write(b"H", msgspec.json.encode(head))

    def samples(self, rows: npt.NDArray[np.void]) -> None:
        """Write samples of `TakeHead.dtype` (k)."""
        if len(rows):
            self._write(b"S", rows.astype(self._dtype).tobytes())

    def mark(self, time_s: float, name: str) -> None:
        """Write a marker at a time since the beginning [s]."""
        self._write(b"M", msgspec.json.encode(_Mark(time_s, name[:200])))

    def end(self, reason: str) -> None:
        """Write the end and its reason; nothing may follow."""
        self._write(b"E", msgspec.json.encode(_End(reason[:200])))

    def _write(self, kind: bytes, content: bytes) -> None:
        chunk = _HEAD.pack(kind, len(content), zlib.crc32(content)) + content
        left = memoryview(chunk)
        while left:  # a disk that is nearly full takes a part, and refuses the next
            left = left[self._stream.write(left) :]
        self._stream.flush()
        self.size_bytes += len(chunk)


def read_take(path: Path, label: str = "") -> Take:
    """Return the take of a file, up to its first damaged chunk.

    Args:
        path: `NAME.take`.
        label: name of the file in errors; by default its own.

    Raises:
        ShowError: it is missing, too large, not a take, or has no whole description.
    """
    label = label or path.name
    data = memoryview(read_capped(path, MAX_TAKE_BYTES, label))
    if bytes(data[: len(MAGIC)]) != MAGIC:
        raise ShowError(label, "byte 0", "is not a take of this program", "choose a .take file")
    head: TakeHead | None = None
    blocks: list[npt.NDArray[np.void]] = []
    markers: list[Marker] = []
    reason, end = "", len(MAGIC)
    for kind, content, after in _chunks(data):
        try:
            if kind == b"H" and head is None:
                head = msgspec.json.decode(content, type=TakeHead)
                dtype = head.dtype
            elif head is None:
                break
            elif kind == b"S":
                blocks.append(np.frombuffer(content, dtype=dtype))
            elif kind == b"M":
                mark = msgspec.json.decode(content, type=_Mark)
                markers.append(Marker(mark.time_s, mark.name))
            elif kind == b"E":
                reason, end = msgspec.json.decode(content, type=_End).reason, after
                break
            else:  # a second description, or a damaged kind
                break
        except (msgspec.DecodeError, ValueError) as error:
            if head is None:
                text = f"has no readable description ({error})"
                raise ShowError(label, f"byte {end}", text, _ADVICE) from error
            break
        end = after
    if head is None:
        raise ShowError(label, f"byte {end}", "has no whole description", _ADVICE)
    rows = np.concatenate(blocks) if blocks else np.zeros(0, dtype=head.dtype)
    rows = rows[: _sound(rows)]
    return Take(
        name=path.stem,
        head=head,
        time_s=rows["t"].astype(np.float64),
        positions=rows["q"].astype(np.float64),
        velocity=rows["velocity"].astype(np.float64),
        markers=tuple(sorted(markers, key=lambda marker: marker.time_s)),
        reason=reason,
        damaged_bytes=len(data) - end,
    )


def _chunks(data: memoryview) -> Iterator[tuple[bytes, bytes, int]]:
    """Give kind, content and end of each whole chunk, up to the first damaged one."""
    at = len(MAGIC)
    while at + _HEAD.size <= len(data):
        kind, length, check = _HEAD.unpack_from(data, at)
        content = bytes(data[at + _HEAD.size : at + _HEAD.size + length])
        if length > MAX_CHUNK_BYTES or len(content) != length or zlib.crc32(content) != check:
            return
        at += _HEAD.size + length
        yield kind, content, at


def _sound(rows: npt.NDArray[np.void]) -> int:
    """Return the number of samples before the first with a wrong time or a wrong number."""
    if not len(rows):
        return 0
    times = rows["t"]
    wrong = ~np.isfinite(times) | ~np.isfinite(rows["q"]).all(axis=1)
    wrong |= ~np.isfinite(rows["velocity"]).all(axis=1)
    wrong |= (times < -ROUNDING_S) | (times > MAX_TAKE_S + ROUNDING_S)
    wrong[1:] |= np.diff(times) <= 0.0
    return int(wrong.argmax()) if wrong.any() else len(rows)
