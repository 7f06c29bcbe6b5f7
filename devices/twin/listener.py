"""Takes orders over a Unix socket: lines of words, each answered by a line."""

import select
import socket
from dataclasses import dataclass, field
from pathlib import Path

from devices.twin.fault_script import FaultInjector
from devices.twin.orders import MOST_LENGTH, LayDown

_MOST_PEERS = 8
_GRIP = ["grip"]  # the one order that is about who gives it


@dataclass(slots=True)
class _Peer:
    """Somebody who speaks here.

    Attributes:
        kept: the begin of a line.
        holds: the handset is in these hands.
    """

    socket: socket.socket
    kept: bytearray = field(default_factory=bytearray)
    holds: bool = False


class OrderListener:
    """Receives orders from its clients. A peer that does not read, or rambles, is dropped."""

    def __init__(self, path: Path, injector: FaultInjector) -> None:
        """Listen.

        Args:
            path: of the socket.
            injector: who carries orders out.
        """
        self._injector = injector
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(path))
        self._listener.listen(_MOST_PEERS)
        self._listener.setblocking(False)
        self._peers: dict[int, _Peer] = {}
        self._poller = select.poll()

    def join(self, poller: select.poll) -> None:
        """Let a poller wait for what is to be served here."""
        self._poller = poller
        poller.register(self._listener, select.POLLIN)

    def serve(self, descriptor: int) -> None:
        """Serve a descriptor that has something."""
        if descriptor == self._listener.fileno():
            self._admit()
        elif descriptor in self._peers:
            self._hear(descriptor)

    def _admit(self) -> None:
        try:
            peer, _ = self._listener.accept()
        except OSError:  # it has left already
            return
        if len(self._peers) >= _MOST_PEERS:
            peer.close()
            return
        peer.setblocking(False)
        self._peers[peer.fileno()] = _Peer(peer)
        self._poller.register(peer, select.POLLIN)

    def _hear(self, descriptor: int) -> None:
        peer = self._peers[descriptor]
        kept = peer.kept
        try:
            data = peer.socket.recv(4096)
        except BlockingIOError:  # that was another's, who left in this turn
            return
        except OSError:  # it has left
            data = b""
        try:
            kept += data
            while b"\n" in kept:
                line, _, rest = bytes(kept).partition(b"\n")
                kept[:] = rest
                answer = self._answer(peer, line.decode(errors="replace")).encode() + b"\n"
                # A short answer goes out whole, or to nobody who reads.
                if peer.socket.send(answer) != len(answer):
                    data = b""
        except OSError:  # it has left, or does not read
            data = b""
        if not data or len(kept) > MOST_LENGTH:
            self._poller.unregister(descriptor)
            del self._peers[descriptor]
            peer.socket.close()
            if peer.holds:
                self._injector.carry_out(LayDown())

    def _answer(self, peer: _Peer, line: str) -> str:
        if line.split() == _GRIP:
            peer.holds = True
            return "ok"
        return self._injector.answer(line)

    def close(self) -> None:
        """Listen no more."""
        for peer in self._peers.values():
            peer.socket.close()
        self._listener.close()
