"""The memory that the console and the picture process share: two frames, written by turns."""

import mmap
import os

SLOTS = 2
LARGEST_PX = 3840 * 2160  # of a frame
BYTES_PER_PX = 4
_SLOT_BYTES = LARGEST_PX * BYTES_PER_PX


class Frames:
    """Owns a mapping of the shared memory. Pages that were never written take no memory.

    Args:
        descriptor: file descriptor of the memory, see `create`; the caller closes it.
    """

    def __init__(self, descriptor: int) -> None:
        self._map = mmap.mmap(descriptor, SLOTS * _SLOT_BYTES)
        self._view = memoryview(self._map)

    @staticmethod
    def create() -> int:
        """Return the file descriptor of new memory, without a name in any file system."""
        descriptor = os.memfd_create("footlight-picture")
        os.ftruncate(descriptor, SLOTS * _SLOT_BYTES)
        return descriptor

    def slot(self, index: int, width: int, height: int) -> memoryview:
        """Return the bytes of a frame of that size in a slot: rows of 4 bytes a pixel."""
        start = index * _SLOT_BYTES
        return self._view[start : start + width * height * BYTES_PER_PX]


def fitting(width: int, height: int) -> tuple[int, int]:
    """Return the size of a picture, reduced to the largest frame if it is larger."""
    width, height = max(1, width), max(1, height)
    share = min(1.0, (LARGEST_PX / (width * height)) ** 0.5)
    return max(1, int(width * share)), max(1, int(height * share))
