"""The computer's end of a twin: its clock, true state and pushes."""

import math
import select
import socket
import struct
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from devices.errors import DeviceError
from devices.interface import Floats, Trouble, Truth
from devices.sim.clock import Pace
from devices.sim.truth import truth_of, truth_size
from devices.twin.exchange import ASK, CLOCK_SOCKET, LARGEST, PULL, PUSH, SAID, VERSION, Ask, Said

START_S = 120.0  # time limit of the twin's start, on a slow computer
PATIENCE_S = 30.0  # time limit of one answer
REANCHOR_S = 0.5
_WINDOW_S = 1.0
# fraction of real time below which slowness is reported, until real time is reached again
_SLOW, _WELL = 0.97, 0.99
_MUCH = 2.0  # change of this factor that is reported again
_TIMEVAL = struct.Struct("@ll")


class TwinTimekeeper:
    """Clock that stands still while no process waits: a `Timekeeper`.

    Attributes:
        behind_s: accumulated delay against real time [s].
        rate: simulated seconds per second of real time, over the last second or so.
    """

    def __init__(
        self, folder: Path, pace: Pace | str = Pace.MAX, patience_s: float = PATIENCE_S
    ) -> None:
        """Connect to the twin.

        Args:
            folder: folder of the run.
            pace: "real" for real time, "max" for the highest possible speed.
            patience_s: longest wait for one answer [s].

        Raises:
            DeviceError: the twin does not run, or another core uses it.
        """
        self.behind_s = 0.0
        self.rate = 1.0
        self._told_rate = 0.0  # 0 while no slowness is reported
        self._paced = Pace(pace) is Pace.REAL
        self._patience_s = patience_s
        self._now_us = 0
        self._failure: DeviceError | None = None
        self._socket = _connected(folder / CLOCK_SOCKET)
        seconds = math.floor(patience_s)
        wait = _TIMEVAL.pack(seconds, round(1e6 * (patience_s - seconds)))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, wait)
        self._buffer = bytearray(LARGEST)
        size = self._receive()
        said, switches, joints, self._now_us, _ = SAID.unpack_from(self._buffer)
        if said == Said.BUSY or size != SAID.size + 4:
            raise self._fail("is in use by another core; end that one first")
        version = int.from_bytes(self._buffer[SAID.size : size], "little")
        if version != VERSION:
            raise self._fail(f"speaks version {version}, not {VERSION}; start it anew")
        numbers = np.frombuffer(self._buffer, np.float64, truth_size(joints, switches), SAID.size)
        contacts = np.frombuffer(self._buffer, np.bool_, switches, SAID.size + numbers.nbytes)
        self._truth = truth_of(numbers, contacts)
        self._start_s = time.monotonic() - 1e-6 * self._now_us
        self._mark = (time.monotonic(), self._now_us)

    def now_s(self) -> float:
        """Return the twin's time [s]."""
        return 1e-6 * self._now_us

    def wait_until(self, stamp_s: float) -> float:
        """Wait for an absolute time [s] and return how late it is [s].

        At real pace a delay of more than half a second is reported once and not made up for.

        Raises:
            DeviceError: the twin has ended, or does not answer.
        """
        until_us = round(1e6 * stamp_s)
        if until_us > self._now_us:
            self._ask(Ask.UNTIL, until_us)
        if not self._paced:
            return 0.0
        return self._keep_pace(stamp_s)

    def wait_readable(self, descriptors: Sequence[int], until_s: float) -> bool:
        """Wait until a file descriptor has bytes or a time is reached [s]; return whether one has.

        A descriptor that was hung up counts as readable.

        Raises:
            DeviceError: the twin has ended, or does not answer.
        """
        poller = select.poll()
        for descriptor in descriptors:
            poller.register(descriptor, select.POLLIN)
        until_us = round(1e6 * until_s)
        while not poller.poll(0):
            if self._now_us >= until_us:
                return False
            self._ask(Ask.READABLE, until_us)
        return True

    def truth(self) -> Truth:
        """Return the true state at the time of the devices' last measurements."""
        return self._truth

    def push(self, force_in_world: Floats, duration_s: float, hand: str = "") -> None:
        """Push the torso with a constant force (3) [N] for a time [s], starting now.

        A push ends an earlier push by the same hand; pushes without a hand add up.

        Raises:
            DeviceError: the push is not finite, or the twin has ended.
        """
        force = [float(value) for value in force_in_world]
        if len(force) != 3 or not all(map(math.isfinite, (*force, duration_s))):
            raise DeviceError("twin", "a push needs three finite newtons and a finite time")
        name = hand.encode()[:32]
        self._tell(PUSH.pack(Ask.PUSH, *force, duration_s, name))

    def pull(
        self,
        link: str,
        point_in_link: Floats,
        target_in_world: Floats,
        duration_s: float,
        hand: str = "",
    ) -> None:
        """Pull a point of a link toward a position for a time [s], as a hand does.

        Raises:
            DeviceError: a number is not finite, or the twin has ended.
        """
        numbers = [float(value) for value in (*point_in_link, *target_in_world, duration_s)]
        if len(numbers) != 7 or not all(map(math.isfinite, numbers)):
            raise DeviceError("twin", "a pull needs two finite positions and a finite time")
        self._tell(PULL.pack(Ask.PULL, *numbers, link.encode()[:64], hand.encode()[:32]))

    def put_back(self) -> None:
        """Put the robot back where it started, at rest in its initial posture.

        Raises:
            DeviceError: the twin has ended.
        """
        self._tell(ASK.pack(Ask.PUT_BACK, 0))

    def troubles(self) -> tuple[Trouble, ...]:
        """Return whether the twin is slower than real time, if it runs at real pace."""
        rate, told = self.rate, self._told_rate
        if not self._paced or rate >= (_WELL if told else _SLOW):
            self._told_rate = 0.0
            return ()
        # otherwise every new value would be another trouble
        if not told / _MUCH <= rate <= told * _MUCH:
            told = self._told_rate = rate
        text = (
            f"runs at about {100.0 * told:.0f} % of real time;"
            " end other programs, or take a faster machine"
        )
        return (Trouble("twin", text),)

    def close(self) -> None:
        """Disconnect; the twin then waits for another core."""
        self._failure = DeviceError("twin", "is disconnected")
        self._socket.close()

    def _keep_pace(self, stamp_s: float) -> float:
        left_s = self._start_s + stamp_s - time.monotonic()
        if left_s > 0.0:
            time.sleep(left_s)
        wall_s = time.monotonic()
        late_s = max(wall_s - self._start_s - stamp_s, 0.0)
        elapsed_s = wall_s - self._mark[0]
        if elapsed_s >= _WINDOW_S:
            self.rate = 1e-6 * (self._now_us - self._mark[1]) / elapsed_s
            self._mark = (wall_s, self._now_us)
        if late_s > REANCHOR_S:
            self._start_s += late_s
            self.behind_s += late_s
        return late_s

    def _tell(self, packet: bytes) -> None:
        try:
            self._socket.send(packet)
        except OSError:
            raise self._fail("has ended; start the run again") from None

    def _ask(self, what: Ask, until_us: int) -> None:
        if self._failure is not None:
            raise self._failure
        self._tell(ASK.pack(what, until_us))
        size = self._receive()
        said, _, _, self._now_us, _ = SAID.unpack_from(self._buffer)
        if said == Said.FAILED:
            raise self._fail(self._buffer[SAID.size : size].decode(errors="replace"))

    def _receive(self) -> int:
        try:
            size = self._socket.recv_into(self._buffer)
        except BlockingIOError:
            text = f"has not answered for {self._patience_s:g} s; start the run again"
            raise self._fail(text) from None
        except OSError:
            size = 0
        if size < SAID.size:
            raise self._fail("has ended; start the run again")
        return size

    def _fail(self, text: str) -> DeviceError:
        """Disable the client: request and answer would no longer match."""
        self._failure = DeviceError("twin", text)
        self._socket.close()
        return self._failure


def _connected(path: Path) -> socket.socket:
    """Return a connection to a twin that may still be starting.

    Raises:
        DeviceError: there is none.
    """
    deadline_s = time.monotonic() + START_S
    while True:
        found = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            found.connect(str(path))
            return found
        except OSError as error:
            found.close()
            if time.monotonic() > deadline_s:
                text = f"did not start within {START_S:g} s ({error.strerror})"
                raise DeviceError("twin", text) from None
        time.sleep(0.02)
