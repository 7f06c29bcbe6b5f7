"""Who a board is: sent when it starts and once a second from then on."""

from enum import IntEnum
from typing import ClassVar, Self

import msgspec

from devices.families.boards.wire.layout import Kind, Layout, check_size, choice


class Board(IntEnum):
    """What a board does."""

    CONTACTS = 1
    HAND = 2
    BATTERY = 3
    SUPERVISOR = 4
    HANDSET = 5


class Start(IntEnum):
    """Why a board started last."""

    POWER_ON = 0
    RESET_PIN = 1
    WATCHDOG = 2
    BROWN_OUT = 3
    SOFTWARE = 4


class Identity(msgspec.Struct, frozen=True):
    """A board's plate.

    Attributes:
        board: what it does.
        start: why it started last.
        hardware: revision.
        firmware: version in three numbers.
        protocol: version of this document that its payloads follow.
        serial: number of this piece.
        uptime_s: since it started [s].
    """

    KIND: ClassVar = Kind.IDENTITY
    LAYOUT: ClassVar = Layout(
        ("board", "u8", ""),
        ("start", "u8", ""),
        ("hardware", "u8", ""),
        ("firmware_major", "u8", ""),
        ("firmware_minor", "u8", ""),
        ("firmware_patch", "u8", ""),
        ("protocol", "u8", ""),
        ("serial", "u32", ""),
        ("uptime", "u32", "s"),
    )

    board: Board
    start: Start
    hardware: int
    firmware: tuple[int, int, int]
    protocol: int
    serial: int
    uptime_s: int

    def encode(self) -> bytes:
        """Return the payload.

        Raises:
            WireError: a value does not fit.
        """
        return self.LAYOUT.pack(
            self.board,
            self.start,
            self.hardware,
            *self.firmware,
            self.protocol,
            self.serial,
            self.uptime_s,
        )

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Return the message that a payload is.

        Raises:
            WireError: it is none.
        """
        check_size(payload, cls.LAYOUT.size)
        board, start, hardware, major, minor, patch, *rest = cls.LAYOUT.unpack(payload)
        version = (major, minor, patch)
        return cls(choice(Board, board), choice(Start, start), hardware, version, *rest)
