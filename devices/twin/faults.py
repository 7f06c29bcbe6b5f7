"""Faults of a line, set by orders, with random numbers from a seed."""

import math
from collections import deque
from dataclasses import dataclass

import numpy as np

from devices.errors import DeviceError

MOST_HELD = 65536  # bytes that a frozen line buffers, like an adapter


@dataclass(frozen=True, kw_only=True, slots=True)
class Faults:
    """Faults in one direction of a line; none by default.

    Attributes:
        drop: fraction of the messages that are lost as a whole.
        lose: fraction of the bytes that are lost.
        corrupt: fraction of the bytes that are changed.
        invent: random bytes added for each byte sent.
        noise_hz: random bytes added per second, whether bytes are sent or not [1/s].
        delay_ms: additional delay [ms].
        jitter_ms: largest random delay in addition; the order is kept [ms].
        freeze: no bytes pass; buffered bytes arrive at once when this ends.
    """

    drop: float = 0.0
    lose: float = 0.0
    corrupt: float = 0.0
    invent: float = 0.0
    noise_hz: float = 0.0
    delay_ms: float = 0.0
    jitter_ms: float = 0.0
    freeze: bool = False

    def __post_init__(self) -> None:
        """Refuse values out of their range.

        Raises:
            DeviceError: a number is out of its range.
        """
        limits = {"noise_hz": 1e6, "delay_ms": 1e4, "jitter_ms": 1e4}
        for name in ("drop", "lose", "corrupt", "invent", *limits):
            value, most = getattr(self, name), limits.get(name, 1.0)
            if not (math.isfinite(value) and 0.0 <= value <= most):
                raise DeviceError("twin", f"{name} is {value}: give a number from 0 to {most:g}")


NONE = Faults()


class Wire:
    """One direction of a line: a queue of messages with their times of delivery.

    Attributes:
        faults: faults from now on.
        lost_bytes: bytes that are never delivered.
    """

    def __init__(self, seed: int, name: str, direction: int) -> None:
        """Initialise without faults.

        Args:
            seed: seed of the twin.
            name: name of the line.
            direction: 0 toward the robot's devices, 1 from them.
        """
        self.faults = NONE
        self.lost_bytes = 0
        self._rng = np.random.default_rng([seed, direction, *name.encode()])
        self._held: deque[tuple[int, bytes]] = deque()
        self._size = 0
        self._last_us = 0
        self._noise_us = 0

    def put(self, data: bytes, due_us: int) -> None:
        """Add a message that is due at a time [µs] on a line without faults."""
        if self.faults is not NONE:
            data, due_us = self._spoil(data, due_us)
            if not data:
                return
        if self._size + len(data) > MOST_HELD:
            self.lost_bytes += len(data)
            return
        due_us = max(due_us, self._last_us)
        self._last_us = due_us
        self._held.append((due_us, data))
        self._size += len(data)

    def due_us(self) -> int | None:
        """Return the time of the next delivery [µs]; None if there is none."""
        return self._held[0][0] if self._held and not self.faults.freeze else None

    def take(self, now_us: int) -> bytes:
        """Return the bytes due by a time [µs], once."""
        faults, held = self.faults, self._held
        if not faults.noise_hz:
            self._noise_us = now_us
        if faults.freeze or (not held and not faults.noise_hz):
            return b""
        noise = self._noise(now_us) if faults.noise_hz else b""
        if not held or held[0][0] > now_us:
            return noise
        data = held.popleft()[1]
        while held and held[0][0] <= now_us:
            data += held.popleft()[1]
        self._size -= len(data)
        return noise + data

    def cut(self) -> None:
        """Drop the messages under way, as when a line is unplugged."""
        self.lost_bytes += self._size
        self._held.clear()
        self._size = 0
        self._last_us = 0

    def _spoil(self, data: bytes, due_us: int) -> tuple[bytes, int]:
        faults, rng, size = self.faults, self._rng, len(data)
        if faults.drop and rng.random() < faults.drop:
            self.lost_bytes += size
            return b"", due_us
        octets = np.frombuffer(data, np.uint8)
        if faults.corrupt:
            struck = rng.random(size) < faults.corrupt
            octets = octets ^ np.where(struck, rng.integers(1, 256, size), 0).astype(np.uint8)
        if faults.lose:
            octets = octets[rng.random(size) >= faults.lose]
            self.lost_bytes += size - len(octets)
        if faults.invent:
            places = np.flatnonzero(rng.random(len(octets)) < faults.invent)
            octets = np.insert(octets, places, rng.integers(0, 256, len(places)).astype(np.uint8))
        later_ms = faults.delay_ms
        if faults.jitter_ms:
            later_ms += faults.jitter_ms * rng.random()
        return octets.tobytes(), due_us + round(1e3 * later_ms)

    def _noise(self, now_us: int) -> bytes:
        """Return random bytes for the time since the last call, a tenth of a second at most."""
        since_us = min(max(now_us - self._noise_us, 0), 100_000)
        self._noise_us = now_us
        count = self._rng.poisson(1e-6 * since_us * self.faults.noise_hz)
        return self._rng.bytes(count)
