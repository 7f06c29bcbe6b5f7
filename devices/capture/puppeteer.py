"""Sends planned datagrams over UDP at their times."""

import os
import select
import socket
import sys
import time
from collections.abc import Callable, Iterable
from typing import Final

from devices.capture.gate import Address
from devices.capture.puppet import Faults, Performance, Playing, disturbed
from devices.capture.wire.recording import Stamped
from devices.errors import DeviceError

LOOK_S: Final = 0.05  # period of the look whether it is to end


def play(
    playing: Playing,
    content: Performance | bytes,
    faults: Faults,
    to: Address,
    ended: Callable[[], bool],
) -> int:
    """Play a performance, or a recording's file, and return 0; 1 if it was ended early.

    Args:
        playing: how it is played.
        content: what is played.
        faults: of the network.
        to: host and port of the receiver.
        ended: whether it must end before its end.

    Raises:
        DeviceError: the recording is damaged, or there is no way to the host.
    """
    begun = _input_ended if playing.waits else lambda: True
    sent = send(disturbed(playing.planned(content, begun), faults), to, ended)
    if sent is None:
        return 1
    print(f"{sent} datagrams sent to {to[0]}:{to[1]}")
    return 0


def send(datagrams: Iterable[Stamped], to: Address, ended: Callable[[], bool]) -> int | None:
    """Send datagrams at their times [s], counted from now, and return how many were sent.

    Args:
        datagrams: in the order of their times.
        to: host and port of the receiver, who need not listen.
        ended: whether it must end before the last one.

    Returns:
        Number of datagrams; None if it was ended early.

    Raises:
        DeviceError: there is no way to the host.
    """
    try:
        *_, address = socket.getaddrinfo(*to, socket.AF_INET, socket.SOCK_DGRAM)[0]
    except (OSError, ValueError, OverflowError) as error:  # ValueError: it is no name at all
        raise _unreached(to, error) from None
    sent = 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        begin_s = time.monotonic()
        for due_s, datagram in datagrams:
            while (left_s := begin_s + due_s - time.monotonic()) > 0.0:
                if ended():
                    return None
                time.sleep(min(left_s, LOOK_S))
            try:
                sender.sendto(datagram, address)
            except OSError as error:
                raise _unreached(to, error) from None
            sent += 1
    return sent


def _input_ended() -> bool:
    """Return whether the standard input has ended; what it holds is dropped."""
    keys = sys.stdin.fileno()
    return bool(select.select([keys], (), (), 0.0)[0]) and os.read(keys, 4096) == b""


def _unreached(to: Address, error: Exception) -> DeviceError:
    reason = getattr(error, "strerror", None) or error
    text = f"{to[0]}:{to[1]} cannot be reached ({reason}); check the address and the network"
    return DeviceError("puppeteer", text)
