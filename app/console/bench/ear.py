"""Hears when sounds begin at the monitor of a sound server's null sink."""

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

import numpy as np

RATE_HZ = 48_000
LOUD = 1000  # of 32767: a sound has begun
APART_S = 0.15  # of silence, before what is loud is another sound
LATENCY_MS = "2"


class Ear:
    """Records the monitor; every time is that at which this process had the sample, or later.

    Args:
        environment: in which the sound server is known.
        sink: the sink whose monitor is recorded.
    """

    def __init__(self, environment: Mapping[str, str], sink: str = "cap") -> None:
        self._process = subprocess.Popen(
            [
                "parec",
                f"--device={sink}.monitor",
                f"--rate={RATE_HZ}",
                "--channels=1",
                "--format=s16le",
                f"--latency-msec={LATENCY_MS}",
            ],
            env=dict(environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._begins_s: list[float] = []
        self._loud_s = 0.0
        self._heard_s = 0.0
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    @property
    def hears(self) -> bool:
        """It gets samples, whether they are loud or not."""
        return time.monotonic() < self._heard_s + APART_S

    def begins_s(self) -> Sequence[float]:
        """Return when each sound began, monotonic clock [s]."""
        return tuple(self._begins_s)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        number, rest = self._process.stdout.fileno(), b""
        while data := os.read(number, 65536):
            now_s = self._heard_s = time.monotonic()
            data = rest + data
            whole = len(data) // 2 * 2
            block, rest = np.frombuffer(data[:whole], dtype="<i2"), data[whole:]
            loud = np.flatnonzero(np.abs(block.astype(np.int32)) > LOUD)
            if not len(loud):
                continue
            begin_s = now_s - (len(block) - int(loud[0])) / RATE_HZ
            if begin_s > self._loud_s + APART_S:
                self._begins_s.append(begin_s)
            self._loud_s = now_s

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        self._thread.join()


def delays_ms(pressed_s: Sequence[float], begins_s: Sequence[float], most_s: float) -> list[float]:
    """Return how long after each press a sound began [ms]; a press without one has none.

    Args:
        pressed_s: times of the presses, ascending [s].
        begins_s: times at which sounds began, ascending [s].
        most_s: longest delay that is looked for [s].
    """
    found = []
    for press_s in pressed_s:
        after = next((begin_s for begin_s in begins_s if begin_s >= press_s), None)
        if after is not None and after <= press_s + most_s:
            found.append(1e3 * (after - press_s))
    return found
