"""Receives orders over a Unix socket: one line of words each, answered by one line."""

import select
import socket
from dataclasses import dataclass, field
from pathlib import Path

from devices.twin.fault_script import FaultInjector
from devices.twin.orders import MOST_LENGTH, LayDown

_MOST_PEERS = 8
_GRIP = ["grip"]  # the one order that concerns its client


@dataclass(slots=True)
class _Peer:
    """A connected client.

    Attributes:
        kept: beginning of a line.
        holds: the client holds the handset.
    """

    socket: socket.socket
    kept: bytearray = field(default_factory=bytearray)
    holds: bool = False


class OrderListener:
    """Receives orders; drops a client that does not read or sends too long lines."""

    def __init__(self, path: Path, injector: FaultInjector) -> None:
        """Open the socket.

        Args:
            path: path of the socket.
            injector: executes the orders.
        """
        self._injector = injector
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(path))
        self._listener.listen(_MOST_PEERS)
        self._listener.setblocking(False)
        self._peers: dict[int, _Peer] = {}
        self._poller = select.poll()

    def join(self, poller: select.poll) -> None:
        """Register the socket and its clients with a poller."""
        self._poller = poller
        poller.register(self._listener, select.POLLIN)

    def serve(self, descriptor: int) -> None:
        """Serve a descriptor that has an event."""
        if descriptor == self._listener.fileno():
            self._admit()
        elif descriptor in self._peers:
            self._hear(descriptor)

    def _admit(self) -> None:
        try:
            peer, _ = self._listener.accept()
        except OSError:  # it has disconnected already
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
        except BlockingIOError:  # its client disconnected in this turn
            return
        except OSError:  # it has disconnected
            data = b""
        try:
            kept += data
            while b"\n" in kept:
                line, _, rest = bytes(kept).partition(b"\n")
                kept[:] = rest
                answer = self._answer(peer, line.decode(errors="replace")).encode() + b"\n"
                # A short answer is sent whole, or dropped if the client does not read.
                if peer.socket.send(answer) != len(answer):
                    data = b""
        except OSError:  # it has disconnected, or does not read
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
        """Close the socket and its clients."""
        for peer in self._peers.values():
            peer.socket.close()
        self._listener.close()
