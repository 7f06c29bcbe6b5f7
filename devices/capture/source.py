"""A source of human motion: an UDP port that gives the frames of one sender."""

import socket
from collections.abc import Callable
from typing import Final, Literal, TypeAlias, get_args

from devices.capture.errors import CaptureError, Refusal
from devices.capture.gate import MOST_BYTES, Address, Gate
from devices.capture.skeleton import Pose
from devices.capture.source_clock import RESTART_S, SourceClock
from devices.capture.wire import natnet, osc
from devices.capture.wire.mvn import MvnReader
from devices.capture.wire.vmc import VmcReader
from devices.errors import DeviceError
from devices.interface import PoseFrame

Protocol: TypeAlias = Literal["vmc", "mvn", "natnet"]
PROTOCOLS: Final[tuple[Protocol, ...]] = get_args(Protocol)
AT_ONCE: Final = 256
"""Most datagrams of one reading: a flood must not hold the process."""
Read: TypeAlias = Callable[[bytes, float], list[Pose]]


def reader_of(protocol: Protocol) -> Read:
    """Return a function that gives the postures in a datagram and its arrival [s].

    It remembers the sender's earlier datagrams, and raises `CaptureError` for a wrong one.
    """
    if protocol == "vmc":
        vmc = VmcReader()
        return lambda datagram, arrival_s: vmc.feed(osc.decode(datagram), arrival_s)
    if protocol == "mvn":
        mvn = MvnReader()
        return lambda datagram, _: mvn.feed(datagram)
    return lambda datagram, _: natnet.decode(datagram)


class Source:
    """Listens to one sender and never waits.

    Attributes:
        gate: admits the sender, and counts what is refused.
        clock: the sender's.
        address: host and port on which it listens.
    """

    def __init__(
        self, protocol: Protocol, host: str, port: int, now_s: Callable[[], float], group: str = ""
    ) -> None:
        """Open the port.

        Args:
            protocol: of the sender.
            host: address of ours on which to listen.
            port: port; 0 takes any.
            now_s: the host's monotonic clock [s].
            group: address of a multicast group to join; empty for none.

        Raises:
            DeviceError: the port cannot be opened.
        """
        self.gate, self.clock = Gate(), SourceClock()
        self._protocol, self._now_s = protocol, now_s
        self._read = reader_of(protocol)
        self._stamp_s = float("-inf")
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._own: socket.socket | None = None  # hears the paired sender alone
        self._shared = bool(group)  # every socket of a group gets a copy
        try:
            self._socket.setblocking(False)
            self._socket.bind((group or host, port))
            if group:
                membership = socket.inet_aton(group) + socket.inet_aton(host)
                self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
            self.address: Address = self._socket.getsockname()
        except (OSError, OverflowError) as error:
            self._socket.close()
            reason = getattr(error, "strerror", None) or error
            text = f"port {port} of {host} cannot be opened ({reason}); choose another one"
            raise DeviceError("capture", text) from None

    @property
    def paired(self) -> Address | None:
        """Whom it hears, port 0 before the first datagram; None: nobody."""
        return self.gate.paired

    @property
    def stranger(self) -> Address | None:
        """Sender of the newest datagram of somebody else; None without one."""
        return self.gate.stranger

    @property
    def refused(self) -> dict[str, int]:
        """How many datagrams and frames were refused, by the reason in words."""
        return {reason.value: count for reason, count in self.gate.refused.items()}

    @property
    def trouble(self) -> str:
        """Empty: a port stays open."""
        return ""

    def host_s(self, stamp_s: float) -> float:
        """Return a frame's stamp on the host's monotonic clock [s]."""
        return self.clock.host_s(stamp_s)

    def pair(self, host: str | None, port: int = 0) -> None:
        """Listen to one sender from now on; see `Gate.pair`. What was heard before is forgotten."""
        self._forget_own()
        self.gate.pair(host, port)
        self.clock = SourceClock()
        self._read = reader_of(self._protocol)
        self._stamp_s = float("-inf")

    def read(self) -> list[PoseFrame]:
        """Return the frames that arrived since the last call, each later than the one before."""
        frames = [] if self._own is None else self._read_from(self._own)
        frames += self._read_from(self._socket)
        paired = self.gate.paired
        if self._own is None and not self._shared and paired is not None and paired[1]:
            self._own = _hearing(self._socket, paired)
        return frames

    def _read_from(self, port: socket.socket) -> list[PoseFrame]:
        frames = []
        for _ in range(AT_ONCE):
            try:
                datagram, sender = port.recvfrom(MOST_BYTES + 1)
            except OSError:  # nothing is there, or a datagram of ours was refused
                break
            now_s = self._now_s()
            if self.gate.admits(sender, len(datagram), now_s):
                frames += self._frames(datagram, now_s)
        return frames

    def _frames(self, datagram: bytes, now_s: float) -> list[PoseFrame]:
        try:
            poses = self._read(datagram, now_s)
        except CaptureError as error:
            self.gate.count(error.reason)
            return []
        frames = []
        for pose in poses:
            stamp_s = self.clock.stamp_s(now_s) if pose.stamp_s is None else pose.stamp_s
            if self._stamp_s - RESTART_S <= stamp_s <= self._stamp_s:
                self.gate.count(Refusal.LATE)
            elif self.gate.passes(now_s):
                self.clock.hear(stamp_s, now_s)
                self._stamp_s = stamp_s
                frames.append(PoseFrame(stamp_s, now_s, pose.positions, pose.orientations))
        return frames

    def close(self) -> None:
        """Close the port."""
        self._forget_own()
        self._socket.close()

    def _forget_own(self) -> None:
        if self._own is not None:
            self._own.close()
        self._own = None


def _hearing(port: socket.socket, sender: Address) -> socket.socket | None:
    """Return a second socket at a port, which hears one sender alone; None if there is none.

    The kernel gives it what this sender sends. A flood of others then fills the first socket only.
    """
    own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    both = (port, own)
    try:
        own.setblocking(False)
        for one in both:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        own.bind(port.getsockname())
        own.connect(sender)
        return own
    except OSError:
        own.close()
        return None
    finally:  # no other program may open the port
        for one in both:
            if one.fileno() >= 0:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
