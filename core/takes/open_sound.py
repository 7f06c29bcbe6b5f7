"""The sound of a take while it is recorded."""

import os
from pathlib import Path
from typing import BinaryIO

from core.takes.alignment import TOLD_S, Alignment
from core.takes.disk import check_room
from devices.interface import HeardBlock
from shows.take_sound import RATE_HZ, SoundWriter, sound_path

SYNC_S = 1.0  # longest time until the sound survives a power cut


class OpenSound:
    """A sound that is being written. A disk that refuses ends it, and never its take.

    Args:
        take: path of its take.
        reserve_bytes: space that stays free on the disk.

    Attributes:
        trouble: reason why it is missing or incomplete, one sentence; empty if it is neither.
    """

    def __init__(self, take: Path, reserve_bytes: int) -> None:
        self.trouble = ""
        self._path = sound_path(take)
        self._reserve_bytes = reserve_bytes
        self._kept: list[HeardBlock] = []  # heard before the take began
        self._alignment: Alignment | None = None
        self._end_frame: int | None = None
        self._stream: BinaryIO | None = None
        self._writer: SoundWriter | None = None
        self._synced_s = 0.0
        self._failed = False

    @property
    def saved_s(self) -> float:
        """Length of the sound in its file [s]."""
        return 0.0 if self._writer is None else self._writer.frames / RATE_HZ

    @property
    def complete(self) -> bool:
        """All of it is in the file, or the disk refused."""
        end = self._end_frame
        return self._failed or (end is not None and self._frames >= end)

    @property
    def _frames(self) -> int:
        return 0 if self._writer is None else self._writer.frames

    def begin(self, zero_s: float) -> None:
        """Set the beginning of the take on the host's monotonic clock [s]."""
        self._alignment = Alignment(zero_s)
        kept, self._kept = self._kept, []
        self.take(kept, "")

    def end(self, length_s: float) -> None:
        """Set the length of the take [s]."""
        self._end_frame = max(0, round(length_s * RATE_HZ))

    def take(self, blocks: list[HeardBlock], trouble: str) -> None:
        """Write the blocks that a microphone has heard.

        Args:
            blocks: those since the last call.
            trouble: reason why nothing is heard, one sentence; empty if it hears.
        """
        if self._failed:
            return
        self.trouble = trouble
        if self._alignment is None:
            self._kept += blocks
            return
        self._write(self._alignment, blocks, last=False)

    def finish(self) -> None:
        """Write the remaining blocks, and close the file; one without sound is deleted."""
        if self._alignment is not None and not self._failed:
            self._write(self._alignment, [], last=True)
        self.trouble = self.trouble or self._lacks()
        self.close()

    def _lacks(self) -> str:
        """Return a sentence about missing parts of the sound; empty if it is whole."""
        if self._alignment is None:
            return ""
        if not self._frames:
            return "nothing was heard"
        parts = []
        if self._alignment.lost_s > 0.0:
            parts.append(f"{self._alignment.lost_s:.2f} s were not heard and are silent")
        missing_s = ((self._end_frame or 0) - self._frames) / RATE_HZ
        if missing_s > TOLD_S:
            parts.append(f"the last {missing_s:.1f} s are missing")
        return "; ".join(parts)

    def close(self) -> None:
        """Close the file as it is."""
        if self._stream is not None:
            self._stream.close()
            if not self._frames:
                self._path.unlink(missing_ok=True)
        self._stream = None

    def discard(self) -> None:
        """Delete the file."""
        if self._writer is not None:
            self._path.unlink(missing_ok=True)

    def _write(self, alignment: Alignment, blocks: list[HeardBlock], last: bool) -> None:
        try:
            for samples in alignment.take(blocks) + (alignment.flush() if last else []):
                left = len(samples)
                if self._end_frame is not None:
                    left = max(0, min(left, self._end_frame - self._frames))
                if left:
                    writer = self._opened()
                    writer.write(samples[:left])
            if self._stream is not None and self.saved_s - self._synced_s > SYNC_S:
                os.fdatasync(self._stream.fileno())
                self._synced_s = self.saved_s
        except OSError as error:
            self._failed = True
            self.trouble = f"{self._path.name} ends early: the disk refused ({error.strerror})"
            self.close()

    def _opened(self) -> SoundWriter:
        """Return the writer of the file, which is created with its first sound.

        Raises:
            OSError: the disk refused, or has no room.
        """
        check_room(self._path.parent, self._reserve_bytes)
        if self._writer is None:
            self._stream = self._path.open("xb", buffering=0)  # never replaces a file
            self._writer = SoundWriter(self._stream)
        return self._writer
