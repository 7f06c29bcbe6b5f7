"""The input of a person's motion: one source, its frames on the host's clock, and its state."""

import math
import re
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol, TypeAlias

import numpy as np

from core.link.partner import PairSource, PortProtocol, SourceReport, UseSource
from core.link.partner import Protocol as SourceProtocol
from core.partner.presence import LOST_S
from devices.errors import DeviceError
from devices.interface import PoseFrame

USUAL_PORTS: Final[dict[SourceProtocol, int]] = {
    "vmc": 39539,
    "mvn": 9763,
    "natnet": 1511,
    "camera": 0,
}
ANYWHERE: Final = "0.0.0.0"
WINDOW_S: Final = 1.0
"""Time over which rate and jitter are told."""
MOST_ARRIVALS: Final = 512  # more than the gate passes in that time
MOST_REASONS: Final = 16
CAMERAS_S: Final = 1.0
"""Period in which it is looked which cameras there are."""
_SOURCE = re.compile(r"\A(vmc|mvn|natnet)(?::(\d{1,5}))?(?:@([0-9.]{7,15}))?\Z", re.ASCII)
_CAMERA = re.compile(r"\Acamera(?::(.+))?\Z")
Address: TypeAlias = tuple[str, int]


class CaptureSource(Protocol):
    """An open port that hears one sender, or a camera. No method raises or waits."""

    address: Address

    @property
    def paired(self) -> Address | None:
        """Whom it hears, port 0 before the first datagram; None: nobody."""

    @property
    def stranger(self) -> Address | None:
        """Sender of the newest datagram of somebody else; None without one."""

    @property
    def refused(self) -> dict[str, int]:
        """How many datagrams and frames were refused, by the reason in words."""

    @property
    def trouble(self) -> str:
        """Why nothing will be heard any more, one sentence; empty if there is no reason."""

    def host_s(self, stamp_s: float) -> float:
        """Return a frame's stamp on the host's monotonic clock [s]."""

    def pair(self, host: str | None, port: int = 0) -> None:
        """Hear one sender from now on; None hears nobody."""

    def read(self) -> list[PoseFrame]:
        """Return the frames since the last call, a bounded number."""

    def close(self) -> None:
        """Close the port."""


class Sources(Protocol):
    """Opens sources."""

    def cameras(self) -> dict[int, str]:
        """Return the names of this computer's cameras, by number."""

    def open_port(
        self, protocol: PortProtocol, host: str, port: int, now_s: Callable[[], float], group: str
    ) -> CaptureSource:
        """Open an UDP port.

        Args:
            protocol: of the sender.
            host: address of ours on which to listen.
            port: of ours.
            now_s: the host's monotonic clock [s].
            group: multicast group to join; empty: none.

        Raises:
            DeviceError: it cannot be opened.
        """

    def open_camera(self, camera: str, now_s: Callable[[], float]) -> CaptureSource:
        """Open a camera by its number, or a video file.

        Raises:
            DeviceError: no camera can be used, or there is no such file.
        """


def orders_of(source: str) -> tuple[UseSource | PairSource, ...]:
    """Return the orders for `PROTOCOL[:PORT][@HOST]` or `camera[:WHICH]`; none for an empty text.

    Raises:
        ValueError: it is not of that form.
    """
    if not source:
        return ()
    camera = _CAMERA.match(source)
    if camera is not None:
        return (UseSource("camera", camera=camera[1] or "0"),)
    found = _SOURCE.match(source)
    if found is None:
        raise ValueError(f"{source!r} is no source, as in vmc:39539@127.0.0.1")
    word, port, host = found.groups()
    protocol = next(name for name in USUAL_PORTS if name == word)
    use = UseSource(protocol, int(port or 0))
    return (use,) if host is None else (use, PairSource(host))


class Input:
    """Opens a source, pairs it, and reads it.

    Args:
        sources: opens a port or a camera.
        now_s: the host's monotonic clock [s].
    """

    def __init__(self, sources: Sources, now_s: Callable[[], float]) -> None:
        self._sources, self._now_s = sources, now_s
        self._cameras: dict[int, str] = {}
        self._looked_s = -math.inf
        self._source: CaptureSource | None = None
        self._protocol: SourceProtocol | None = None
        self._trouble = ""
        self._stamp_s = -math.inf
        self._arrivals: deque[tuple[float, float]] = deque(maxlen=MOST_ARRIVALS)

    @property
    def sees_steps(self) -> bool:
        """Whether the source tells lifts and landings of the feet; a camera does not."""
        return self._protocol != "camera"

    def use(self, order: UseSource) -> None:
        """Close the source, and open another one; at a port nobody is heard before `pair`."""
        self.close()
        self._trouble = ""
        if not order.protocol:
            return
        port = order.port or USUAL_PORTS[order.protocol]
        try:
            if order.protocol == "camera":
                self._source = self._sources.open_camera(order.camera, self._now_s)
            else:
                self._source = self._sources.open_port(
                    order.protocol, ANYWHERE, port, self._now_s, order.group
                )
            self._protocol = order.protocol
        except DeviceError as error:
            self._trouble = str(error)

    def pair(self, order: PairSource) -> None:
        """Hear one sender from now on."""
        self._forget()
        if self._source is not None:
            self._source.pair(order.host or None, order.port)

    @property
    def fresh(self) -> bool:
        """Frames arrive."""
        return self._now_s() - self._stamp_s < LOST_S

    def read(self) -> list[PoseFrame]:
        """Return the frames since the last call, stamps ascending on the host's clock."""
        source, frames = self._source, []
        if source is None:
            return []
        for frame in source.read():
            stamp_s = source.host_s(frame.stamp_s)
            self._arrivals.append((frame.arrival_s, frame.arrival_s - stamp_s))
            if stamp_s > self._stamp_s:  # the clock of the source is still being learned
                self._stamp_s = stamp_s
                frames.append(replace(frame, stamp_s=stamp_s))
        return frames

    def report(self, now_s: float) -> SourceReport:
        """Return the state of the source."""
        while self._arrivals and now_s - self._arrivals[0][0] > WINDOW_S:
            self._arrivals.popleft()
        if now_s - self._looked_s >= CAMERAS_S:
            self._cameras, self._looked_s = self._sources.cameras(), now_s
        source = self._source
        if source is None or self._protocol is None:
            return SourceReport(trouble=self._trouble, cameras=self._cameras)
        delays_s = [delay_s for _, delay_s in self._arrivals]
        most = sorted(source.refused.items())[:MOST_REASONS]
        return SourceReport(
            protocol=self._protocol,
            port=source.address[1],
            paired=source.paired or ("", 0),
            stranger=source.stranger or ("", 0),
            age_s=now_s - self._stamp_s,
            rate_hz=len(delays_s) / WINDOW_S,
            jitter_s=float(np.std(delays_s)) if delays_s else 0.0,
            refused=dict(most),
            trouble=source.trouble,
            cameras=self._cameras,
        )

    def close(self) -> None:
        """Close the source."""
        if self._source is not None:
            self._source.close()
        self._source = self._protocol = None
        self._forget()

    def _forget(self) -> None:
        self._stamp_s = -math.inf
        self._arrivals.clear()
