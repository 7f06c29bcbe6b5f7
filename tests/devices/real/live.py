"""A line of actuators that answers by itself, from a thread of its own."""

import os
import select
import threading
from collections.abc import Sequence
from pathlib import Path

from tests.devices.families.bear.bears import Bear, Line


class Live(Line):
    """A line that answers by itself until it is told to end."""

    def __init__(self, path: Path, bears: Sequence[Bear]) -> None:
        super().__init__(path, bears)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._over.is_set():
            if select.select([self._master], [], [], 0.01)[0]:
                packets = self._stream.feed(os.read(self._master, 4096))
                answer = b"".join(map(self.answer, packets))
                if answer:
                    os.write(self._master, answer)

    def end(self) -> None:
        self._over.set()
        self._thread.join()
        self.unplug()
