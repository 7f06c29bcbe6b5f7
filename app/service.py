"""The reports of a command to systemd that runs it as a service: ready, alive, ending.

The protocol is sd_notify(3): lines of text in a datagram to the socket that the environment
names. Without one, nothing is told.
"""

import os
import socket
from collections.abc import MutableMapping

SHARE = 3  # beats within the watchdog's time


class Service:
    """Reports the state of the command to systemd.

    Removes its own variables from the environment, so that no child reports for it.

    Args:
        environment: of the process.
    """

    def __init__(self, environment: MutableMapping[str, str]) -> None:
        path = environment.pop("NOTIFY_SOCKET", "")
        watchdog_us = environment.pop("WATCHDOG_USEC", "")
        whose = environment.pop("WATCHDOG_PID", str(os.getpid()))
        mine = watchdog_us.isdecimal() and whose == str(os.getpid())
        self._period_s = int(watchdog_us) * 1e-6 / SHARE if mine else float("inf")
        self._next_s = -float("inf")
        self._stamp_s: float | None = None
        self._mode = ""
        # An at sign stands for the zero of an address that is no file.
        self._address = "\0" + path[1:] if path.startswith("@") else path

    def hear(self, stamp_s: float, mode: str, now_s: float) -> None:
        """Take note of the core's newest status; beat only if it is another than the last one.

        Args:
            stamp_s: of the status, on the core's clock [s].
            mode: of the robot.
            now_s: the time [s].
        """
        if stamp_s == self._stamp_s:
            return
        if self._stamp_s is None:
            self._tell("READY=1")
        self._stamp_s = stamp_s
        if mode != self._mode:
            self._mode = mode
            self._tell(f"STATUS={mode}")
        if now_s >= self._next_s:
            self._next_s = now_s + self._period_s
            self._tell("WATCHDOG=1")

    def end(self) -> None:
        """Say that the command ends."""
        self._tell("STOPPING=1")

    def _tell(self, text: str) -> None:
        if not self._address:
            return
        kind = socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
        try:
            with socket.socket(socket.AF_UNIX, kind) as ours:
                ours.sendto(text.encode(), self._address)
        except OSError:  # no listener: systemd then treats the service as silent
            return
