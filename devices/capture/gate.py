"""The gate in front of a source: who may send, how much, and how often; it counts its refusals.

UDP proves nothing about a sender: the gate keeps mistakes and disorder out, not an attacker.
"""

from collections import Counter
from typing import Final, TypeAlias

from devices.capture.errors import Refusal

Address: TypeAlias = tuple[str, int]
"""Host and port of a sender."""

MOST_BYTES: Final = 8192
MOST_FRAMES_HZ: Final = 240.0
MOST_DATAGRAMS_HZ: Final = 8000.0
"""Some senders put each bone into a datagram of its own."""
_BURST_S: Final = 0.1  # by which a network may hold datagrams back


class Allowance:
    """Lets events pass at a mean rate, and as many at once as come in 0.1 s at that rate."""

    def __init__(self, rate_hz: float) -> None:
        self._rate_hz = rate_hz
        self._most = self._left = rate_hz * _BURST_S
        self._last_s: float | None = None

    def take(self, now_s: float) -> bool:
        """Count an event at a time [s]; return whether it may pass."""
        if self._last_s is not None:
            passed_s = max(0.0, now_s - self._last_s)
            self._left = min(self._most, self._left + passed_s * self._rate_hz)
        self._last_s = now_s
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


class Gate:
    """Admits the datagrams of one paired sender.

    Attributes:
        refused: how many datagrams and frames were refused, by the reason.
        stranger: sender of the last datagram from another address, whom an operator may pair.
    """

    def __init__(self) -> None:
        self.refused: Counter[Refusal] = Counter()
        self.stranger: Address | None = None
        self._host: str | None = None
        self._port = 0
        self.pair(None)

    def pair(self, host: str | None, port: int = 0) -> None:
        """Admit one sender from now on.

        Args:
            host: its address; None admits nobody.
            port: its port; 0 is the port of the first datagram that comes from the host.
        """
        self._host, self._port = host, port
        self._datagrams = Allowance(MOST_DATAGRAMS_HZ)
        self._frames = Allowance(MOST_FRAMES_HZ)

    @property
    def paired(self) -> Address | None:
        """Whom it admits, port 0 before its first datagram; None: nobody."""
        return None if self._host is None else (self._host, self._port)

    def admits(self, sender: Address, size: int, now_s: float) -> bool:
        """Return whether a datagram may be read, and count it if not.

        Args:
            sender: its sender.
            size: its size [bytes].
            now_s: time [s].
        """
        host, port = sender
        if host != self._host or port != (self._port or port):
            self.stranger = sender
            return self._refuse(Refusal.STRANGER)
        if size > MOST_BYTES:
            return self._refuse(Refusal.SIZE)
        if not self._datagrams.take(now_s):
            return self._refuse(Refusal.RATE)
        self._port = port
        return True

    def passes(self, now_s: float) -> bool:
        """Return whether a frame that was read may be used, and count it if not."""
        return self._frames.take(now_s) or self._refuse(Refusal.RATE)

    def count(self, reason: Refusal) -> None:
        """Count what a reader refused."""
        self.refused[reason] += 1

    def _refuse(self, reason: Refusal) -> bool:
        self.refused[reason] += 1
        return False
