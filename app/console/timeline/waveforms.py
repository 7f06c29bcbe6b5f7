"""The waveforms of sounds: computed once beside the GUI thread, and kept on disk."""

import hashlib
import os
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Signal

from app.console.files.background import Background
from shows.audio import AudioInfo
from shows.folders import user_folder

PEAKS_HZ = 100
BLOCK_S = 10.0
Peaks: TypeAlias = npt.NDArray[np.float32]


class Waveforms(QObject):
    """Owns the peaks of every sound that was shown.

    Signals:
        changed: the peaks of one more sound are known.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None, folder: Path | None = None) -> None:
        super().__init__(parent)
        self._folder = folder or user_folder("XDG_CACHE_HOME", ".cache") / "waveforms"
        self._known: dict[Path, Peaks | None] = {}
        self._background = Background(self)

    def of(self, sound: AudioInfo) -> Peaks | None:
        """Return the peaks of a sound (n), 0 to 1, PEAKS_HZ of them a second; None: not yet."""
        if sound.path not in self._known:
            self._known[sound.path] = None
            path = sound.path
            self._background.run(
                lambda: kept_peaks(path, self._folder),
                lambda peaks: self._take(path, peaks),
                lambda _: None,  # a sound that cannot be read has no waveform
            )
        return self._known[sound.path]

    def close(self) -> None:
        """End the work."""
        self._background.close()

    def _take(self, path: Path, peaks: Peaks) -> None:
        self._known[path] = peaks
        self.changed.emit()


def kept_peaks(path: Path, folder: Path) -> Peaks:
    """Return the peaks of a sound, from the disk if they were computed before.

    Raises:
        OSError, RuntimeError: the sound cannot be read.
    """
    found = path.stat()
    key = f"{path.resolve()} {found.st_mtime_ns} {found.st_size} {PEAKS_HZ}"
    kept = folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.npy"
    try:
        peaks: Peaks = np.load(kept, allow_pickle=False)
        if peaks.ndim == 1 and peaks.dtype == np.float32:
            return peaks
    except (OSError, ValueError, EOFError):
        pass  # it was not kept, or is damaged: computed again
    peaks = read_peaks(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}.part")
        with part.open("wb") as stream:
            np.save(stream, peaks)
        os.replace(part, kept)
    except OSError:
        pass  # a full disk costs the next start some time, and nothing else
    return peaks


def read_peaks(path: Path) -> Peaks:
    """Return the largest magnitude of each 1/PEAKS_HZ of a sound (n), 0 to 1."""
    import soundfile

    parts: list[Peaks] = []
    with soundfile.SoundFile(str(path)) as sound:
        stride = sound.samplerate / PEAKS_HZ
        frames = round(BLOCK_S * sound.samplerate)
        for block in sound.blocks(frames, dtype="float32", always_2d=True):
            loud = np.abs(block).max(axis=1)
            starts = np.arange(0.0, len(loud), stride).astype(np.int64)
            parts.append(np.minimum(np.maximum.reduceat(loud, starts), 1.0).astype(np.float32))
    return np.concatenate(parts) if parts else np.zeros(0, np.float32)
