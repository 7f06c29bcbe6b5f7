"""Encodes pictures as PNG."""

import struct
import zlib

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]


def to_png(image: Image) -> bytes:
    """Encode an image (h, w, 3) as PNG, each row with the filter that leaves the least."""
    height, width, _ = image.shape
    rows = image.reshape(height, -1).astype(np.int16)
    above = np.concatenate([np.zeros_like(rows[:1]), rows[:-1]])
    left = np.concatenate([np.zeros_like(rows[:, :3]), rows[:, :-3]], axis=1)
    corner = np.concatenate([np.zeros_like(above[:, :3]), above[:, :-3]], axis=1)
    guess = left + above - corner
    to_left, to_above, to_corner = abs(guess - left), abs(guess - above), abs(guess - corner)
    upper = np.where(to_above <= to_corner, above, corner)
    paeth = np.where((to_left <= to_above) & (to_left <= to_corner), left, upper)
    tries = [rows, rows - left, rows - above, rows - (left + above) // 2, rows - paeth]
    filtered = np.stack([t.astype(np.uint8) for t in tries])
    cost = np.minimum(filtered.astype(int), 256 - filtered.astype(int)).sum(axis=2)
    best = cost.argmin(axis=0)
    raw = b"".join(bytes([k]) + filtered[k, y].tobytes() for y, k in enumerate(best))

    def chunk(kind: bytes, body: bytes) -> bytes:
        size, check = len(body), zlib.crc32(kind + body)
        return struct.pack(">I", size) + kind + body + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", head),
            chunk(b"IDAT", zlib.compress(raw, 9)),
            chunk(b"IEND", b""),
        ]
    )
