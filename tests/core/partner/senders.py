"""Who sends to a partner's port: nobody yet, or a stranger who floods it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

HOST, STRANGER = "127.0.0.1", "127.0.0.2"
BURST_S = 0.01


def free_port() -> int:
    """Return an UDP port at which nobody listens."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def flood(port: int, rate_hz: float) -> Iterator[None]:
    """Let a stranger send datagrams that mean nothing, very many."""
    ended = threading.Event()

    def send() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            stranger.bind((STRANGER, 0))
            while not ended.wait(BURST_S):
                for _ in range(round(BURST_S * rate_hz)):
                    stranger.sendto(b"/VMC/Ext/OK", (HOST, port))

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
