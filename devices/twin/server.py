"""The twin's process: serves time to one core, and executes orders of its clients."""

import os
import select
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from devices.errors import DeviceError
from devices.twin.clockwork import Clockwork
from devices.twin.exchange import (
    ASK,
    BACKLOG,
    CLOCK_SOCKET,
    ORDERS_SOCKET,
    PULL,
    PUSH,
    SAID,
    VERSION,
    Ask,
    Said,
)
from devices.twin.fault_script import FaultInjector, TimedOrder
from devices.twin.listener import OrderListener
from devices.twin.settings import TwinSettings

_WAIT_MS = 200  # period of the check whether it is to end
_MOST_SECONDS = 3600


class TimeServer:
    """Serves simulated time to one timekeeper."""

    def __init__(self, clockwork: Clockwork, path: Path) -> None:
        """Open the socket.

        Args:
            clockwork: clockwork that it advances.
            path: path of the socket.
        """
        self._clockwork = clockwork
        body = clockwork.robot.body
        self._joints = len(clockwork.robot.settings.sim.joint_names)
        self._switches = len(body.truth().contacts)
        size = body.truth_numbers.nbytes
        self._answer = bytearray(SAID.size + size + self._switches)
        self._numbers = np.frombuffer(self._answer, np.float64, size // 8, SAID.size)
        self._contacts = np.frombuffer(self._answer, np.bool_, self._switches, SAID.size + size)
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind(str(path))
        self.listener.listen(BACKLOG)
        self.peer: socket.socket | None = None

    def admit(self) -> socket.socket | None:
        """Accept a new timekeeper if there is none; return its connection."""
        peer, _ = self.listener.accept()
        peer.setblocking(False)  # a client that does not read its answers is disconnected
        said = Said.WELCOME if self.peer is None else Said.BUSY
        head = SAID.pack(said, self._switches, self._joints, self._clockwork.now_us, 0)
        try:
            peer.send(head + VERSION.to_bytes(4, "little"))
        except OSError:
            said = Said.BUSY
        if said is Said.BUSY:
            peer.close()
            return None
        self.peer = peer
        return peer

    def serve(self) -> bool:
        """Serve a request of the timekeeper; return whether it is still connected.

        Raises:
            DeviceError: the simulation has diverged.
        """
        if self.peer is None:
            return False
        try:
            asked = self.peer.recv(256)
            if not asked:
                return False
            self._obey(asked)
        except OSError:  # it has disconnected
            return False
        return True

    def _obey(self, asked: bytes) -> None:
        clockwork = self._clockwork
        if len(asked) == PUSH.size and asked[0] == Ask.PUSH:
            _, x, y, z, duration_s, name = PUSH.unpack(asked)
            hand = name.rstrip(b"\0").decode(errors="replace")
            clockwork.robot.body.push(np.array((x, y, z)), duration_s, hand)
            return
        if len(asked) == PULL.size and asked[0] == Ask.PULL:
            _, *numbers, link, name = PULL.unpack(asked)
            names = (text.rstrip(b"\0").decode(errors="replace") for text in (link, name))
            point, target = np.array(numbers[:3]), np.array(numbers[3:6])
            link_name, hand = names
            try:
                clockwork.robot.body.pull(link_name, point, target, numbers[6], hand)
            except DeviceError as error:
                self._fail(str(error))
            return
        if len(asked) == ASK.size and asked[0] == Ask.PUT_BACK:
            clockwork.robot.body.put_back()
            return
        if len(asked) != ASK.size or asked[0] not in (Ask.UNTIL, Ask.READABLE):
            self._fail("received an unknown request; use the core of this version")
        what, until_us = ASK.unpack(asked)
        if until_us > clockwork.now_us + 1_000_000 * _MOST_SECONDS:
            self._fail(f"was asked for more than {_MOST_SECONDS} s at once")
        try:
            clockwork.go(until_us, stop_at_bytes=what == Ask.READABLE)
        except DeviceError as error:
            self._fail(str(error))
        self._tell()

    def _tell(self) -> None:
        clockwork, peer = self._clockwork, self.peer
        body = clockwork.robot.body
        self._contacts[:] = body.truth().contacts
        self._numbers[:] = body.truth_numbers
        SAID.pack_into(
            self._answer,
            0,
            Said.TIME,
            self._switches,
            self._joints,
            clockwork.now_us,
            clockwork.felt_us,
        )
        if peer is not None:
            peer.send(self._answer)

    def _fail(self, text: str) -> None:
        """Send the timekeeper the reason of the failure, and end.

        Raises:
            DeviceError: always.
        """
        if self.peer is not None:
            head = SAID.pack(Said.FAILED, 0, 0, self._clockwork.now_us, 0)
            self.peer.send(head + text.encode())
        raise DeviceError("twin", text)

    def leave(self) -> None:
        """Disconnect the timekeeper; another one may connect."""
        if self.peer is not None:
            self.peer.close()
            self.peer = None

    def close(self) -> None:
        """Close the socket."""
        self.leave()
        self.listener.close()


def run(
    settings: TwinSettings,
    folder: Path,
    script: Sequence[TimedOrder] = (),
    ended: Callable[[], bool] = lambda: False,
) -> None:
    """Run the twin until it is to end.

    Args:
        settings: settings of the twin.
        folder: folder of the lines' links and the sockets; of this run alone.
        script: orders with their times.
        ended: returns whether it is to end.

    Raises:
        DeviceError: the settings make no robot, the folder is in use or cannot be written, or the
            simulation diverged.
    """
    paths = (folder / CLOCK_SOCKET, folder / ORDERS_SOCKET)
    try:
        for path in paths:
            _make_room(path)
        clockwork = Clockwork(settings, folder)
        injector = FaultInjector(clockwork, script)
        clockwork.on_tick = injector.tick
        # A client that finds this socket finds all others, so it is opened last.
        orders = OrderListener(paths[1], injector)
        time_server = TimeServer(clockwork, paths[0])
    except OSError as error:
        text = f"{folder} does not take its serial lines: {error.strerror}; choose another folder"
        raise DeviceError("twin", text) from error
    try:
        _serve(time_server, orders, injector, ended)
    finally:
        time_server.close()
        orders.close()
        clockwork.close()
        for path in paths:
            path.unlink(missing_ok=True)


def _serve(
    time_server: TimeServer,
    orders: OrderListener,
    injector: FaultInjector,
    ended: Callable[[], bool],
) -> None:
    poller = select.poll()
    poller.register(time_server.listener, select.POLLIN)
    orders.join(poller)
    descriptor = -1
    while not ended():
        found = [ready for ready, _ in poller.poll(_WAIT_MS)]
        # Serve the present timekeeper first: it may disconnect while the next one waits.
        if descriptor in found and not time_server.serve():
            poller.unregister(descriptor)
            time_server.leave()
            descriptor = -1
            injector.alone = True
        for ready in found:
            if ready == descriptor:
                continue
            if ready == time_server.listener.fileno():
                peer = time_server.admit()
                if peer is not None:
                    descriptor = peer.fileno()
                    poller.register(descriptor, select.POLLIN)
                    injector.alone = False
            else:
                orders.serve(ready)  # its client has disconnected already


def _make_room(path: Path) -> None:
    """Remove the socket of a twin that was killed.

    Raises:
        DeviceError: its twin runs.
    """
    if len(os.fsencode(path)) > 107:
        raise DeviceError("twin", f"{path} is too long for a socket; choose a shorter folder")
    kind = socket.SOCK_SEQPACKET if path.name == CLOCK_SOCKET else socket.SOCK_STREAM
    probe = socket.socket(socket.AF_UNIX, kind)
    try:
        probe.connect(str(path))
    except OSError:
        path.unlink(missing_ok=True)
    else:
        raise DeviceError("twin", f"another one runs in {path.parent}; end that one first")
    finally:
        probe.close()
