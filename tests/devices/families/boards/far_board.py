"""A board at the far end of a line, and the line with the driver under test, in virtual time."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Protocol

from devices.families.boards.line import BoardDriver, BoardLine
from devices.families.boards.wire.identity import Board, Identity, Start
from devices.families.boards.wire.layout import Kind
from devices.wire.frame import Frame, FrameStream
from tests.devices.real.wire import Wire


class Message(Protocol):
    KIND: ClassVar[Kind]

    def encode(self) -> bytes: ...


class FarBoard:
    """Numbers and stamps a board's frames."""

    def __init__(self, source: int, board: Board, serial: int = 1) -> None:
        self.source = source
        self.board = board
        self.serial = serial
        self.sequence = 0
        self.started_s = 0.0
        self.protocol = 1
        self.start = Start.POWER_ON

    def says(self, message: Message, now_s: float, age_s: float = 0.0) -> bytes:
        """Return the frame of a sample that was taken `age_s` ago."""
        t_us = round(1e6 * (now_s - age_s - self.started_s)) & 0xFFFFFFFF
        frame = Frame(message.KIND, self.source, self.sequence, t_us, message.encode())
        self.sequence = (self.sequence + 1) & 0xFFFF
        return frame.encode()

    def plate(self, now_s: float) -> bytes:
        uptime_s = int(now_s - self.started_s)
        version = (1, 0, 0)
        identity = Identity(
            self.board, self.start, 1, version, self.protocol, self.serial, uptime_s
        )
        return self.says(identity, now_s)

    def restart(self, now_s: float, start: Start = Start.POWER_ON) -> None:
        self.sequence = 0
        self.started_s = now_s
        self.start = start


class Rig:
    """A line with drivers, read every millisecond."""

    def __init__(self, folder: Path, drivers: Sequence[BoardDriver]) -> None:
        self.wire = Wire(folder / "boards")
        self.line = BoardLine(self.wire.port, drivers)
        self.now_s = 1000.0
        self.tick()

    def tick(self, data: bytes = b"", seconds: float = 0.001) -> None:
        """Let time pass, then bytes arrive, and read them."""
        self.now_s += seconds
        if data:
            self.wire.arrive(data)
        self.line.receive(self.now_s)

    def texts(self) -> list[str]:
        return [f"{told.device}: {told.text}" for told in self.line.troubles(self.now_s)]

    def sent(self) -> list[Frame]:
        return FrameStream().feed(self.wire.sent())

    def close(self) -> None:
        self.wire.close()
