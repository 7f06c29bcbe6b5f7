"""The line to a twin on which it takes orders: words there, an answer back, in that order."""

import tempfile
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalSocket

from app.handset.said import Hands, Lines, Screens

ORDERS_SOCKET = "orders.sock"
EVERY_MS = 100  # interval of requests for the state
SELDOM = 5  # of these requests, one asks for slow values
SLOW_S = 2.0  # without an answer: it stands still
MOST_WAITING = 200  # orders without an answer, before it is left
MOST_BYTES = 65536  # of an answer
FOLDERS = "footlight-*"  # of runs that chose none


def find_twins(place: Path | None = None) -> list[Path]:
    """Return the folders of twins that run on this computer and were not given one.

    Args:
        place: where such folders are made; None for the system's.
    """
    root = Path(tempfile.gettempdir()) if place is None else place
    return [path.parent for path in sorted(root.glob(f"{FOLDERS}/{ORDERS_SOCKET}")) if _heard(path)]


def _heard(path: Path) -> bool:
    """Tell whether somebody listens at a socket: a twin that was killed leaves its own behind."""
    probe = QLocalSocket()
    probe.connectToServer(str(path))
    heard = probe.waitForConnected(1000)
    probe.abort()
    return heard


class Twin(QObject):
    """Asks a twin for its state, sends orders to it, and reconnects when it returns.

    Attributes:
        folder: in which it runs.
        connected: it is there.
        foreign: the server there has another protocol, and gets no orders.
        barred: this user may not connect.
        hands: its last report; None before the first.

    Signals:
        changed: it appeared, disappeared, stands still or runs again.
        hands_told: the input of the handset.
        screens_told: the texts of the screens.
        lines_told: how the lines are.
        answered: an order in words, and the twin's answer.
    """

    changed = Signal()
    hands_told = Signal(object)
    screens_told = Signal(object)
    lines_told = Signal(object)
    answered = Signal(str, str)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        """Begin to look for it.

        Args:
            folder: in which it runs.
            parent: that owns this.
        """
        super().__init__(parent)
        self.folder = folder
        self.connected = self.foreign = self.barred = False
        self.hands: Hands | None = None
        self._slow = False
        self._rounds = 0
        self._asked_s = 0.0
        self._kept = b""
        self._waiting: deque[Callable[[str], None]] = deque()
        self._socket = QLocalSocket(self)
        self._socket.connected.connect(self._greet)
        self._socket.disconnected.connect(self._lose)
        self._socket.errorOccurred.connect(self._miss)
        self._socket.readyRead.connect(self._hear)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(EVERY_MS)
        self._look()

    @property
    def slow(self) -> bool:
        """It is there and does not answer."""
        return self.connected and self._slow

    def order(self, words: str) -> bool:
        """Hand an order over; tell whether it could be."""
        return self._ask(words, lambda answer: self._complain(words, answer))

    def ask(self, words: str) -> bool:
        """Hand an order over and tell with `answered` what it says; tell whether that could be."""
        return self._ask(words, lambda answer: self.answered.emit(words, answer))

    def close(self) -> None:
        """Disconnect, which releases all controls."""
        self._timer.stop()
        self._socket.abort()

    def _ask(self, words: str, then: Callable[[str], None]) -> bool:
        if not self.connected:
            return False
        if len(self._waiting) >= MOST_WAITING:
            # It would miss the release. Without orders, it lays the handset down.
            self._socket.abort()
            return False
        if not self._waiting:
            self._asked_s = time.monotonic()
        self._waiting.append(then)
        self._socket.write(" ".join(words.split()).encode() + b"\n")
        return True

    def _complain(self, words: str, answer: str) -> None:
        if not answer.startswith("ok"):
            self.answered.emit(words, answer)

    def _look(self) -> None:
        """Ask for the state, unless an answer is due; look for the twin while it is absent."""
        if self._socket.state() == QLocalSocket.LocalSocketState.UnconnectedState:
            self._socket.connectToServer(str(self.folder / ORDERS_SOCKET))
            return
        slow = bool(self._waiting) and time.monotonic() - self._asked_s > SLOW_S
        if slow != self._slow:
            self._slow = slow
            self.changed.emit()
        if self._waiting:
            return
        self._ask("tell hands", partial(self._take, Hands, self._take_hands))
        if self._rounds % SELDOM == 0:
            for words, kind, tell in (
                ("tell screens", Screens, self.screens_told.emit),
                ("tell lines", Lines, self.lines_told.emit),
            ):
                self._ask(words, partial(self._take, kind, tell))
        self._rounds += 1

    def _miss(self, error: QLocalSocket.LocalSocketError) -> None:
        barred = error == QLocalSocket.LocalSocketError.SocketAccessError
        if barred != self.barred:
            self.barred = barred
            self.changed.emit()

    def _greet(self) -> None:
        self.barred = False
        self.connected, self._slow, self._rounds, self._kept = True, False, 0, b""
        self.order("grip")
        self.changed.emit()
        self._look()

    def _lose(self) -> None:
        self.connected, self._slow, self.hands = False, False, None
        self._waiting.clear()
        self.changed.emit()

    def _hear(self) -> None:
        self._kept += bytes(self._socket.readAll().data())
        while b"\n" in self._kept and self._waiting:
            line, _, self._kept = self._kept.partition(b"\n")
            self._asked_s = time.monotonic()
            self._waiting.popleft()(line.decode(errors="replace"))
        if len(self._kept) > MOST_BYTES or (self._kept and not self._waiting):
            self._refuse()

    def _take(self, kind: Any, tell: Callable[[object], None], text: str) -> None:
        verdict, _, told = text.partition(" ")
        try:
            found = msgspec.json.decode(told if verdict == "ok" else "", type=kind)
        except msgspec.DecodeError:
            self._refuse()
        else:
            tell(found)

    def _take_hands(self, told: object) -> None:
        if isinstance(told, Hands):
            self.hands = told
            self.hands_told.emit(told)

    def _refuse(self) -> None:
        self.foreign = True
        self.close()
