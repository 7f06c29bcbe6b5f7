"""An earlier take as a backing: ready to play, and the bytes in which the core receives it."""

import struct
from dataclasses import dataclass
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from core.behave.clip import Clip
from core.behave.errors import BehaveError
from core.link.message import PathText
from core.stage.errors import StageError
from devices.interface import Floats

MAGIC = b"FLBACK1\n"
ROWS_PER_STEP = 64  # knots that the core checks in one tick
_LENGTH = struct.Struct("<I")
_PLACE = "earlier take"


class _Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The description before the knots."""

    number: Annotated[int, Meta(ge=0, lt=2**62)]
    name: Annotated[str, Meta(max_length=200)]
    joints: Annotated[tuple[Annotated[int, Meta(ge=0, le=255)], ...], Meta(min_length=1)]
    rate_hz: Annotated[float, Meta(ge=1.0, le=1000.0)]
    rows: Annotated[int, Meta(ge=4, le=200_000)]
    slowed_s: Annotated[float, Meta(ge=0.0, le=3600.0)]
    sound: PathText
    phrase: Annotated[str, Meta(max_length=64)]


_decoder = msgspec.msgpack.Decoder(_Header)


@dataclass(frozen=True, slots=True)
class Backing:
    """An earlier take that plays while another one is recorded.

    Attributes:
        number: number of the request.
        clip: its motion, of all limbs that it holds.
        slowed_s: time by which it is longer than it was recorded, because it was too fast [s].
        sound: path of the sound that was recorded with it; empty without one.
        phrase: phrase of a show that was played with it; empty without one.
    """

    number: int
    clip: Clip
    slowed_s: float = 0.0
    sound: str = ""
    phrase: str = ""

    def to_bytes(self) -> bytes:
        """Return it as one message; `BackingUnpacker` reads it in parts."""
        clip = self.clip
        header = msgspec.msgpack.encode(
            _Header(
                number=self.number,
                name=clip.name,
                joints=clip.joints,
                rate_hz=clip.rate_hz,
                rows=len(clip.knots),
                slowed_s=self.slowed_s,
                sound=self.sound,
                phrase=self.phrase,
            )
        )
        start = MAGIC + _LENGTH.pack(len(header)) + header
        return start + bytes(-len(start) % 8) + clip.knots.tobytes()


class BackingUnpacker:
    """Decodes a backing, some knots in each step, so that a tick stays short.

    The arrays are views of the message; nothing is copied.

    Args:
        data: result of `Backing.to_bytes`; must outlive the backing.
        upper_count: number of joints in the upper body.

    Raises:
        StageError: the bytes are no backing of this robot.
    """

    def __init__(self, data: bytes, upper_count: int) -> None:
        start = len(MAGIC) + _LENGTH.size
        if data[: len(MAGIC)] != MAGIC or len(data) < start:
            raise StageError(_PLACE, "these bytes are not a prepared take; begin again")
        (length,) = _LENGTH.unpack_from(data, len(MAGIC))
        try:
            header = _decoder.decode(memoryview(data)[start : start + length])
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise StageError(_PLACE, f"cannot be decoded ({error}); begin again") from error
        first = start + length + -(start + length) % 8
        count = header.rows * len(header.joints)
        if len(data) != first + 8 * count:
            raise StageError(_PLACE, "is not as long as its header states; begin again")
        if header.rows % 2 or max(header.joints) >= upper_count:
            raise StageError(_PLACE, "is not of this robot; begin again")
        knots: Floats = np.frombuffer(data, "<f8", count, first)
        self._header = header
        self._knots = knots.reshape(header.rows, len(header.joints))
        self._peak: Floats = np.zeros(len(header.joints))
        self._next = 0

    @property
    def number(self) -> int:
        """Number of the request."""
        return self._header.number

    def step(self) -> Backing | None:
        """Check some knots; return the backing after the last ones, else None.

        Raises:
            StageError: a value is out of bounds.
        """
        header, begin = self._header, self._next
        end = min(begin + 2 * ROWS_PER_STEP, header.rows)
        try:
            part = Clip(header.name, header.joints, header.rate_hz, self._knots[begin:end])
            np.maximum(self._peak, part.peak_velocity, out=self._peak)
            if end < header.rows:
                self._next = min(end - 2, header.rows - 4)  # the parts share a knot
                return None
            clip = part.extended(self._knots, self._peak)
        except BehaveError as error:
            raise StageError(_PLACE, str(error)) from error
        return Backing(header.number, clip, header.slowed_s, header.sound, header.phrase)
