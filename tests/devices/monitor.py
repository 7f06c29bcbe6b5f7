"""Hears what a sound server without a card plays: records its monitor, and finds sounds in it.

`python -m tests.devices.monitor FILE` says "listening", and at each line that it is given writes
what it has recorded since the line before, and says "written".
"""

import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

RATE_HZ = 48_000
ROOT = Path(__file__).parents[2]
WINDOW = 4096  # frames that are looked for in one piece
REACH = RATE_HZ // 2  # frames by which they may lie beside the expected place
ON_TIME_S = 0.005
PATIENCE_S = 120.0  # for what a busy machine takes
LIKE = 0.8  # correlation from which on a piece is found
Floats = npt.NDArray[np.float64]


class Record:
    """What was heard, and when.

    Attributes:
        sound: one channel (frames).
        times_s: monotonic time of each frame (frames) [s].
    """

    def __init__(self, sound: npt.NDArray[Any], lengths: Any, stamps_s: Any) -> None:
        """Fit times by the blocks around each: a starved machine loses some now and then."""
        self.sound: Floats = sound.astype(np.float64)
        first = np.cumsum(lengths) - lengths
        origins = stamps_s - first / RATE_HZ
        near = [float(np.median(origins[max(i - 10, 0) : i + 11])) for i in range(len(origins))]
        begins = np.repeat(np.array(near, dtype=float), lengths)
        self.times_s: Floats = begins + np.arange(len(sound)) / RATE_HZ

    def impulses(self) -> Floats:
        """Return when something loud was heard, one time each frame [s]."""
        return self.times_s[np.flatnonzero(np.abs(self.sound) > 0.3)]

    def level(self) -> float:
        """Return the median amplitude of what was heard, without the gaps of a starved machine."""
        return float(np.median(np.abs(self.sound[self.sound != 0.0])))

    def course(self, original: npt.NDArray[Any], start_s: float) -> tuple[Floats, Floats]:
        """Find a noise in what was heard, piece by piece, where it is expected or nearby.

        Args:
            original: the noise (frames).
            start_s: when its first sample should have sounded, monotonic [s].

        Returns:
            When each piece that was found was heard [s], and how late it was [s].
        """
        size = 1 << int(np.ceil(np.log2(2 * REACH + 2 * WINDOW)))
        heard, late = [], []
        for begin in range(0, len(self.sound) - WINDOW, WINDOW):
            piece, time_s = self.sound[begin : begin + WINDOW], self.times_s[begin]
            first = max(round((time_s - start_s) * RATE_HZ) - REACH, 0)
            near = original[first : first + 2 * REACH + WINDOW].astype(np.float64)
            loud = float(np.sqrt(piece @ piece))
            if loud < 0.05 or len(near) < WINDOW:
                continue
            whole = np.fft.rfft(near, size) * np.conj(np.fft.rfft(piece, size))
            energy = np.concatenate([[0.0], np.cumsum(near**2)])
            power = np.sqrt(energy[WINDOW:] - energy[:-WINDOW])
            likeness = np.fft.irfft(whole, size)[: len(power)] / (power * loud + 1e-6)
            place = int(np.argmax(likeness))
            if likeness[place] > LIKE:
                heard.append(time_s)
                late.append(time_s - start_s - (first + place) / RATE_HZ)
        return np.array(heard), np.array(late)


def noise(seconds: float, seed: int = 1) -> npt.NDArray[np.float32]:
    """Return a noise no piece of which is like another."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-0.25, 0.25, round(seconds * RATE_HZ)).astype(np.float32)


class Monitor:
    """Records an output in a process of its own, as PortAudio is global to a process."""

    def __init__(self, environment: Mapping[str, str], folder: Path, sink: str = "cap") -> None:
        """Begin, and wait until something is recorded."""
        self._file = folder / f"{sink}-{time.monotonic_ns()}.npz"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.devices.monitor", str(self._file)],
            env={**environment, "PYTHONPATH": str(ROOT), "PULSE_SOURCE": f"{sink}.monitor"},
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._await("listening")

    def heard(self, seconds: float = 0.7) -> Record:
        """Return what is heard from now on for a time."""
        self._write()
        time.sleep(seconds)
        self._write()
        with np.load(self._file) as data:
            return Record(data["sound"], data["lengths"], data["stamps_s"])

    def await_on_time(self, original: npt.NDArray[Any], start_s: float) -> Floats:
        """Wait until a noise is heard at its time; return how late its pieces are then [s].

        On a starved machine sound stutters, and its monitor too; a wrong clock is always wrong.

        Raises:
            AssertionError: it never is.
        """
        told: list[str] = []
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            _, late_s = self.heard().course(original, start_s)
            if len(late_s) > 3 and float(np.median(np.abs(late_s))) < ON_TIME_S:
                return late_s
            told.append(", ".join(f"{1e3 * late:.0f}" for late in late_s) or "nothing")
        raise AssertionError(f"never in time [ms late]: {'; '.join(told)}")

    def await_silence(self) -> None:
        """Wait until nothing is heard.

        Raises:
            AssertionError: something always is.
        """
        deadline = time.monotonic() + PATIENCE_S
        while self.heard(0.3).sound.any():
            assert time.monotonic() < deadline, "it is never silent"

    def _write(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self._await("written")

    def _await(self, word: str) -> None:
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == f"{word}\n"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


def record(file: Path) -> None:
    """Record until the input ends."""
    import sounddevice

    blocks: list[tuple[float, npt.NDArray[Any]]] = []

    def take(data: npt.NDArray[Any], frames: int, times: Any, status: Any) -> None:
        stamp_s = time.monotonic() + times.inputBufferAdcTime - times.currentTime
        blocks.append((stamp_s, data[:, 0].copy()))

    with sounddevice.InputStream(
        samplerate=RATE_HZ, channels=1, device="pulse", latency=0.03, callback=take
    ):
        while len(blocks) < 100:
            time.sleep(0.01)
        print("listening", flush=True)
        for _ in sys.stdin:
            count = len(blocks)
            done, blocks[:count] = blocks[:count], []
            sound = np.concatenate([block for _, block in done] or [np.zeros(0)])
            lengths = np.array([len(block) for _, block in done], dtype=int)
            stamps_s = np.array([stamp_s for stamp_s, _ in done])
            np.savez(file, sound=sound, lengths=lengths, stamps_s=stamps_s)
            print("written", flush=True)


if __name__ == "__main__":
    record(Path(sys.argv[1]))
