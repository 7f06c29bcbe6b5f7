"""One serial line with Footlight's boards, distinguished by the source in their frames."""

import math
from collections.abc import Sequence
from typing import Protocol

from devices.families.boards.wire.hand import HandCommand
from devices.families.boards.wire.identity import Board, Identity, Start
from devices.families.boards.wire.layout import TO_BOARD, Kind
from devices.families.boards.wire.supervisor import PowerCommand
from devices.interface import Trouble
from devices.real.loss import LossMeter
from devices.real.port import Port
from devices.wire.errors import WireError
from devices.wire.frame import VERSION, Frame, FrameStream, SourceCounts

PROTOCOL = 1  # supported version of packaging/wiring/protocols.md
IDENTITY_S = 3.0  # a board sends its identity once a second
MOST_LOST = 0.05  # fraction of lost frames that is reported
MOST_RESTARTS = 3  # successive restarts without an Identity that explains them
RESTART_TOLD_S = 10  # uptime

_WHY = {
    Start.WATCHDOG: "restarted because its program hung; keep the record and change the board",
    Start.BROWN_OUT: "restarted because its supply sagged; check its supply line",
}
_NAMES = {
    Board.CONTACTS: "a contact board",
    Board.HAND: "a hand board",
    Board.BATTERY: "a battery monitor",
    Board.SUPERVISOR: "a power supervisor",
    Board.HANDSET: "a handset",
}


class BoardDriver(Protocol):
    """The interface that processes the messages of one board.

    Attributes:
        device: the technician's name of the board.
        source: source of its frames.
        board: type of the board.
        silent_s: time without a valid message after which the board counts as missing [s].
        grave: the robot must not move on its own without the board.
    """

    device: str
    source: int
    board: Board
    silent_s: float
    grave: bool

    def take(self, frame: Frame, arrival_s: float) -> None:
        """Process a message that was read at a time [s].

        Raises:
            WireError: such a board does not send this message.
        """

    def forget(self) -> None:
        """Reset the state shared with the board: it restarted, or its line was lost or opened."""

    def troubles(self, now_s: float) -> tuple[Trouble, ...]:
        """Return the faults that the board reports; called only while messages arrive."""


class _Station:
    """One board and its reception."""

    def __init__(self, driver: BoardDriver) -> None:
        self.driver = driver
        self.counts = SourceCounts()
        self.loss = LossMeter()
        self.since_s = math.inf  # time at which the line was opened
        self.heard_s = -math.inf
        self.identity: Identity | None = None
        self.identity_s = -math.inf
        self.foreign = ""  # reason to reject the board's messages
        self.refusal = ""
        self.unexplained = 0  # restarts since an Identity
        self._restarts = 0

    def begin(self, now_s: float) -> None:
        """Reset the reception and the driver: earlier commands may not have reached the board."""
        self.driver.forget()
        self.since_s = now_s
        self.identity = None
        self.foreign = ""
        self.refusal = ""
        self.unexplained = 0
        self.loss.restart()

    def take(self, frame: Frame, arrival_s: float) -> None:
        """Process a frame and detect a restart of the board."""
        if self.counts.restarts != self._restarts:
            self._restarts = self.counts.restarts
            self.unexplained += 1
            self.driver.forget()
        try:
            if frame.kind == Kind.IDENTITY:
                self._identify(Identity.of(frame.payload), arrival_s)
            elif not self.foreign:
                self.driver.take(frame, arrival_s)
                self.heard_s = arrival_s
                self.refusal = ""
        except WireError as error:
            self.refusal = str(error)

    def _identify(self, identity: Identity, arrival_s: float) -> None:
        before = self.identity
        if before and (identity.uptime_s < before.uptime_s or identity.serial != before.serial):
            self.driver.forget()
        if before and identity.serial == before.serial:
            self.unexplained = 0
        self.identity, self.identity_s = identity, arrival_s
        self.foreign = self._objection(identity)

    def _objection(self, identity: Identity) -> str:
        """Return the reason to reject the board's messages; empty if it is the expected board."""
        if identity.board is not self.driver.board:
            there, wanted = _NAMES[identity.board], _NAMES[self.driver.board]
            return f"is {there}, not {wanted}; install the right firmware"
        if identity.protocol != PROTOCOL:
            return (
                f"uses version {identity.protocol} of the boards' protocols, not"
                f" {PROTOCOL}; install the right firmware"
            )
        return ""

    def fault(self, versions: dict[int, int], now_s: float) -> str:
        """Return the fault of the reception; empty without one."""
        driver = self.driver
        if self.foreign:
            return self.foreign
        if not now_s - max(self.heard_s, self.since_s) <= driver.silent_s:
            if driver.source in versions:
                version = versions[driver.source]
                return (
                    f"uses version {version} of the boards' frame, not {VERSION};"
                    " install the right firmware"
                )
            if self.refusal:
                return f"sends invalid messages ({self.refusal}); install the right firmware"
            return "silent; check its plug and its supply"
        if self.unexplained >= MOST_RESTARTS:
            return f"two boards have the number {driver.source:#04x}; renumber one of them"
        if not now_s - max(self.identity_s, self.since_s) <= IDENTITY_S:
            return "does not send its identity; install the right firmware"
        return ""

    def remarks(self) -> list[str]:
        """Return the faults that do not prevent reception."""
        said = []
        identity = self.identity
        if identity and identity.start in _WHY and identity.uptime_s < RESTART_TOLD_S:
            said.append(_WHY[identity.start])
        if self.loss.share > MOST_LOST:
            said.append(
                f"{100.0 * self.loss.share:.0f} % of its frames are lost;"
                " check its cable, shield and termination"
            )
        if self.refusal:
            said.append(f"some of its messages are refused ({self.refusal}); update its firmware")
        return said


class BoardLine:
    """Reads a line once a tick and passes each frame to the driver of its board.

    Attributes:
        port: port of the line.
        strangers: frames from sources without a driver.
    """

    def __init__(self, port: Port, drivers: Sequence[BoardDriver]) -> None:
        self.port = port
        self.strangers = 0
        self._stations = {driver.source: _Station(driver) for driver in drivers}
        self._sequences = {driver.source: 0 for driver in drivers}
        self._stream = FrameStream()
        self._openings = 0
        self._open = False

    def receive(self, now_s: float) -> None:
        """Process the bytes received by now [s], one read at most. Never raises, never waits."""
        port = self.port
        data = port.read(now_s)
        if port.openings != self._openings:
            self._openings = port.openings
            self._open = True
            for station in self._stations.values():
                station.begin(now_s)
        elif self._open and port.descriptor < 0:
            self._open = False
            for station in self._stations.values():
                station.driver.forget()
        if not data:
            return
        for frame in self._stream.feed(data):
            found = self._stations.get(frame.source)
            if found is None:
                self.strangers += 1
                continue
            counts = found.counts = self._stream.sources[frame.source]
            found.take(frame, now_s)
            if now_s >= found.loss.end_s:
                found.loss.update(counts.good, counts.lost, now_s)

    def send(self, to: int, message: HandCommand | PowerCommand, now_s: float) -> bool:
        """Send a command to the board of a source; return whether the line accepted it.

        Raises:
            WireError: a value of the message does not fit.
        """
        sequence = self._sequences[to]
        self._sequences[to] = (sequence + 1) & 0xFFFF
        t_us = int(1e6 * now_s) & 0xFFFFFFFF
        frame = Frame(message.KIND, TO_BOARD | to, sequence, t_us, message.encode())
        return self.port.write(frame.encode())

    def plates(self) -> tuple[tuple[str, Identity], ...]:
        """Return each board that has sent its identity, with the identity."""
        return tuple(
            (station.driver.device, station.identity)
            for station in self._stations.values()
            if station.identity is not None
        )

    def troubles(self, now_s: float) -> tuple[Trouble, ...]:
        """Return the faults of the line or, if it is open, of each of its boards."""
        told = self.port.troubles()
        if self.port.descriptor < 0:
            return told
        for station in self._stations.values():
            driver = station.driver
            fault = station.fault(self._stream.versions, now_s)
            if fault:
                told += (Trouble(driver.device, fault, driver.grave),)
                continue
            told += tuple(Trouble(driver.device, remark) for remark in station.remarks())
            if now_s - station.heard_s <= driver.silent_s:
                told += driver.troubles(now_s)
        return told
