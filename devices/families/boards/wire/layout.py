"""Fields of a message, defined once for the code and for the document that describes it."""

import struct
from enum import IntEnum, IntFlag
from functools import cache
from typing import Annotated, Any, TypeAlias, TypeVar

from msgspec import Meta

from devices.wire.errors import WireError

# Text has no struct code: "text12" is UTF-8 in 12 bytes, padded with zeros.
_CODES = {"u8": "B", "u16": "H", "i16": "h", "u32": "I", "i32": "i"}
Flags = TypeVar("Flags", bound=IntFlag)
Choice = TypeVar("Choice", bound=IntEnum)

Source: TypeAlias = Annotated[int, Meta(ge=0x60, le=0x7F)]  # range of a board's number
TO_BOARD = 0x80  # frames of the computer to a board have the board's source plus this as theirs


class Kind(IntEnum):
    """Type of a frame's payload."""

    IDENTITY = 0x01
    CONTACTS = 0x10
    HAND_COMMAND = 0x20
    HAND_STATUS = 0x21
    BATTERY = 0x30
    POWER_COMMAND = 0x40
    POWER_STATUS = 0x41
    HANDSET_HELLO = 0x50
    HANDSET_CHALLENGE = 0x51
    HANDSET_INPUT = 0x52
    HANDSET_SCREEN = 0x53


class Layout:
    """A sequence of little-endian fields without gaps.

    Attributes:
        rows: offset, size, type, name and unit of each field, as in the document.
        size: bytes of all fields.
    """

    def __init__(self, *fields: tuple[str, str, str]) -> None:
        """Take (name, type, unit) of each field; the unit is empty where there is none."""
        self._struct = struct.Struct("<" + "".join(_code(kind) for _, kind, _ in fields))
        self.size = self._struct.size
        self.rows: list[tuple[int, int, str, str, str]] = []
        offset = 0
        for name, kind, unit in fields:
            size = struct.calcsize("<" + _code(kind))
            self.rows.append((offset, size, kind, name, unit))
            offset += size
        self._numbers = not any(kind.startswith("text") for _, kind, _ in fields)

    def pack(self, *values: float | bytes) -> bytes:
        """Return the bytes of values; numbers are rounded to integers.

        Raises:
            WireError: a value does not fit its field.
        """
        try:
            if self._numbers:
                numbers: tuple[Any, ...] = values
                return self._struct.pack(*map(round, numbers))
            return self._struct.pack(
                *(value if isinstance(value, bytes) else round(value) for value in values)
            )
        except (struct.error, ValueError, OverflowError):
            pairs = [f"{row[3]} {value!r}" for row, value in zip(self.rows, values, strict=True)]
            raise WireError(f"one of these does not fit its field: {', '.join(pairs)}") from None

    def unpack(self, payload: bytes, offset: int = 0) -> tuple[Any, ...]:
        """Return the values at an offset.

        Raises:
            WireError: the payload is too short.
        """
        try:
            return self._struct.unpack_from(payload, offset)
        except struct.error:
            raise WireError(
                f"{len(payload)} bytes are too few: {offset + self.size} are needed"
            ) from None

    def unpack_each(self, payload: bytes, offset: int, count: int) -> list[tuple[Any, ...]]:
        """Return the values of `count` rows from an offset to the payload's end.

        Raises:
            WireError: the payload is shorter or longer.
        """
        check_size(payload, offset + count * self.size)
        return list(self._struct.iter_unpack(payload[offset:]))

    def unpack_column(self, payload: bytes, offset: int, count: int) -> tuple[Any, ...]:
        """Return the values of `count` rows of a single field, like `unpack_each`.

        Raises:
            WireError: the payload is shorter or longer.
        """
        check_size(payload, offset + count * self.size)
        return _column(self._struct.format, count).unpack_from(payload, offset)


@cache
def _column(row: str, count: int) -> struct.Struct:
    """Return the struct of `count` rows of a single field."""
    return struct.Struct(f"<{count}{row.removeprefix('<')}")


def _code(kind: str) -> str:
    return _CODES[kind] if kind in _CODES else f"{int(kind.removeprefix('text'))}s"


def check_size(payload: bytes, size: int) -> None:
    """Refuse a payload of another size.

    Raises:
        WireError: it is shorter or longer.
    """
    if len(payload) != size:
        raise WireError(f"a message of {size} bytes has {len(payload)}")


def check_count(what: str, count: int, most: int) -> None:
    """Refuse a message without elements, or with too many.

    Raises:
        WireError: the count is not 1 to the maximum.
    """
    if not 1 <= count <= most:
        raise WireError(f"{count} {what}: 1 to {most} are possible")


def check_range(what: str, value: float, least: float, most: float) -> None:
    """Refuse a value that is out of its range or not finite.

    Raises:
        WireError: it is.
    """
    if not least <= value <= most:
        raise WireError(f"{what} is {value}, and {least} to {most} are possible")


def flags(kind: type[Flags], value: int) -> Flags:
    """Return the flags of a bit field.

    Raises:
        WireError: a reserved bit is set.
    """
    found: Flags = _flags(kind, value)
    return found


@cache
def _flags(kind: type[IntFlag], value: int) -> Any:
    reserved = value & ~sum(flag.value for flag in kind)
    if reserved:
        raise WireError(f"reserved bits of {kind.__name__} are set: {reserved:#x}")
    return kind(value)


def choice(kind: type[Choice], value: int) -> Choice:
    """Return the member of an enumeration.

    Raises:
        WireError: there is no such value.
    """
    found: Choice = _choice(kind, value)
    return found


@cache
def _choice(kind: type[IntEnum], value: int) -> Any:
    try:
        return kind(value)
    except ValueError:
        raise WireError(f"{kind.__name__} has no value {value}") from None
