"""A person before motion capture, who does what a test says."""

import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Self, TypeAlias

import numpy as np

from devices.capture.gate import Address
from devices.capture.puppet import EASE_S, T_POSE, Performance, with_t_pose
from devices.capture.wire import vmc
from devices.interface import Floats
from shows.human import HumanTake

RATE_HZ = 60.0
Seen: TypeAlias = tuple[Floats, Floats]
"""Positions (22, 3) [m] and orientations (22, 3, 3) of the bones."""


class Actor:
    """Sends VMC frames from one port: stands still, and performs what it is told.

    Args:
        to: host and port of the receiver.
        standing: a take whose first posture is the one in which the person stands.
    """

    def __init__(self, to: Address, standing: HumanTake) -> None:
        first = Performance(1.0, standing.positions[:2], standing.orientations[:2])
        self._standing = first.at(0.0)
        self._t_pose = with_t_pose(first, 1.0).at(0.0)
        self._to, self._now = to, self._standing
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((to[0], 0))
        self.port: int = self._socket.getsockname()[1]
        self._parts: deque[Callable[[Seen], Performance]] = deque()
        self._busy, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run)

    def stand(self) -> None:
        """Go to the posture in which it stands."""
        self._lead_to(self._standing)

    def take_t_pose(self) -> None:
        """Go to the T-pose, and stay there."""
        self._lead_to(self._t_pose)

    def play(self, take: HumanTake) -> None:
        """Perform a take from where it stands, to the end."""
        self._parts.append(lambda _: Performance(take.rate_hz, take.positions, take.orientations))
        self._wait()

    def _lead_to(self, end: Seen) -> None:
        def way(start: Seen) -> Performance:
            points, turns = (np.array(pair) for pair in zip(start, end, strict=True))
            return Performance(1.0 / EASE_S, points, turns)

        self._parts.append(way)
        self._wait()

    def _wait(self) -> None:
        """Return when nothing is left to do."""
        while (self._parts or self._busy.is_set()) and self._thread.is_alive():
            time.sleep(0.02)

    def _run(self) -> None:
        begin_s, number = time.monotonic(), 0
        part, since_s = None, 0.0
        while not self._ended.wait(max(0.0, begin_s + number / RATE_HZ - time.monotonic())):
            stamp_s = number / RATE_HZ
            if part is None and self._parts:
                self._busy.set()
                part, since_s = self._parts.popleft()(self._now), stamp_s
            if part is not None:
                self._now = part.at(stamp_s - since_s)
                if stamp_s - since_s > part.duration_s:
                    part = None
                    self._busy.clear()
            points, turns = self._now
            for datagram in vmc.encode(stamp_s, points, turns @ np.swapaxes(T_POSE, 1, 2)):
                self._socket.sendto(datagram, self._to)
            number += 1

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()
        self._socket.close()
