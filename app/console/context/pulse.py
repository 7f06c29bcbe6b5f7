"""The console's heartbeat: sent by a thread that draws nothing, while the windows are alive."""

import threading
import time

from core.link.client import Client

PULSE_S = 0.04
HUNG_S = 0.25  # without a sign of the windows' thread the heartbeat ends


class Pulse:
    """Owns the thread of the heartbeat.

    The thread of the windows gives a sign in each of its turns. A turn that takes long, as on a
    busy computer, costs no heartbeat; a thread that hangs ends it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._client: Client | None = None
        self._sign_s = 0.0
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def give_sign(self, client: Client | None) -> None:
        """Take that the windows' thread is alive, and which core it is connected to."""
        with self._lock:
            self._client, self._sign_s = client, time.monotonic()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)
            self._thread.start()

    def leave(self) -> None:
        """Send nothing to the present core any more; call it before its connection is closed."""
        with self._lock:
            self._client = None

    def close(self) -> None:
        """End the thread."""
        self.leave()
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(PULSE_S):
            with self._lock:  # the connection is not closed meanwhile
                if self._client is not None and time.monotonic() - self._sign_s <= HUNG_S:
                    self._client.beat()
