"""Identity of a board, which it sends when it starts and once a second from then on."""

from enum import IntEnum
from typing import ClassVar, Self

import msgspec

from devices.families.boards.wire.layout import Kind, Layout, check_size, choice


class Board(IntEnum):
    """Type of a board."""

    CONTACTS = 1
    HAND = 2
    BATTERY = 3
    SUPERVISOR = 4
    HANDSET = 5


class Start(IntEnum):
    """Cause of a board's last start."""

    POWER_ON = 0
    RESET_PIN = 1
    WATCHDOG = 2
    BROWN_OUT = 3
    SOFTWARE = 4


class Identity(msgspec.Struct, frozen=True):
    """Identity of a board.

    Attributes:
        board: type of the board.
        start: cause of its last start.
        hardware: revision of the hardware.
        firmware: version in three numbers.
        protocol: version of the protocol document that its payloads follow.
        serial: serial number.
        uptime_s: time since its start [s].
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
        """Decode a payload.

        Raises:
            WireError: the payload is no such message.
        """
        check_size(payload, cls.LAYOUT.size)
        board, start, hardware, major, minor, patch, *rest = cls.LAYOUT.unpack(payload)
        version = (major, minor, patch)
        return cls(choice(Board, board), choice(Start, start), hardware, version, *rest)
