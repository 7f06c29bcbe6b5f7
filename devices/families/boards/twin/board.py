"""Common parts of the twins of Footlight's boards: frame sequence, identity, shared line."""

from collections.abc import Sequence
from typing import ClassVar

from devices.families.boards.wire.identity import Board as BoardKind
from devices.families.boards.wire.identity import Identity, Start
from devices.families.boards.wire.layout import TO_BOARD, Kind
from devices.twin.timing import TICK_US
from devices.wire.errors import WireError
from devices.wire.frame import Frame, FrameStream

IDENTITY_US = 1_000_000
_HARDWARE = 1
_FIRMWARE = (1, 0, 0)
_PROTOCOL = 1
_CLOCK = 1 << 32


class Board:
    """One board.

    Attributes:
        source: source of its frames.
        mute: the board sends nothing, as if it had hung without its watchdog.
        refused: number of invalid commands.
        tick_us: tick of the twin: a sample measured at its start is sent at its end [µs].
    """

    BOARD: ClassVar[BoardKind]

    def __init__(self, source: int, tick_us: int = TICK_US) -> None:
        """Switch the board on.

        Args:
            source: source of its frames.
            tick_us: tick of the twin [µs].
        """
        self.source = source
        self.tick_us = tick_us
        self.mute = False
        self.refused = 0
        self._sequence = 0
        self._start = Start.POWER_ON
        self._started_us = 0
        self._identify_us = 0

    def restart(self, start: Start, now_us: int) -> None:
        """Restart at a time [µs]: reset sequence, clock and commands."""
        self._sequence = 0
        self._start = start
        self._started_us = now_us
        self._identify_us = now_us

    def obey(self, frame: Frame, now_us: int) -> None:
        """Execute a command to this board.

        Raises:
            WireError: the command is invalid.
        """
        raise WireError(f"board {self.source:#04x} takes no commands, such as {frame.kind:#04x}")

    def take(self, frame: Frame, now_us: int) -> None:
        """Execute a command at a time [µs], or count it as refused."""
        try:
            self.obey(frame, now_us)
        except WireError:
            self.refused += 1

    def tell(self, now_us: int) -> bytes:
        """Return the bytes sent at an instant [µs]."""
        sent = b""
        if now_us >= self._identify_us:
            self._identify_us += IDENTITY_US
            uptime_s = (now_us - self._started_us) // 1_000_000
            identity = Identity(
                self.BOARD, self._start, _HARDWARE, _FIRMWARE, _PROTOCOL, self.source, uptime_s
            )
            sent = self.frame(Kind.IDENTITY, identity.encode(), now_us)
        sent += self.report(now_us)
        return b"" if self.mute else sent

    def report(self, now_us: int) -> bytes:
        """Return the unsolicited frames that are due at a time [µs]."""
        raise NotImplementedError

    def frame(self, kind: Kind, payload: bytes, now_us: int) -> bytes:
        """Return the next frame, encoded for a port."""
        t_us = (now_us - self._started_us) % _CLOCK
        frame = Frame(kind, self.source, self._sequence, t_us, payload)
        self._sequence = (self._sequence + 1) & 0xFFFF
        return frame.encode()


def age_ms(heard_us: int, now_us: int, most_ms: int) -> int:
    """Return the age of a command, limited to the range of its field [ms].

    Args:
        heard_us: time of its reception [µs]; before 0 if there was none. It may lie within the
            tick that is reported.
        now_us: instant that is reported [µs].
        most_ms: largest value of the field, used for no command too [ms].
    """
    return most_ms if heard_us < 0 else min(max(0, now_us - heard_us) // 1000, most_ms)


class BoardLine:
    """Boards that share a line.

    Attributes:
        boards: boards on the line.
        stream: stream that finds the frames.
    """

    asked = False  # boards send unsolicited

    def __init__(self, boards: Sequence[Board]) -> None:
        self.boards = tuple(boards)
        self.stream = FrameStream()
        self._by_command = {TO_BOARD | board.source: board for board in boards}

    def take(self, data: bytes, now_us: int) -> None:
        """Pass the commands received at a time [µs] to their boards."""
        for frame in self.stream.feed(data):
            board = self._by_command.get(frame.source)
            if board is not None:
                board.take(frame, now_us)

    def answer(self) -> bytes:
        """Return the replies to requests: none."""
        return b""

    def tell(self, now_us: int) -> bytes:
        """Return the bytes that all boards send at an instant [µs]."""
        return b"".join([board.tell(now_us) for board in self.boards])
