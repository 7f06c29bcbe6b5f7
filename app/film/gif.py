"""An animated picture (GIF) of frames that arrive one after the other."""

import io
from collections.abc import Iterable, Sequence

import numpy as np
from PIL import Image as Pictures

from app.film.studio import Image


def encode_gif(samples: Sequence[Image], frames: Iterable[Image], durations_cs: list[int]) -> bytes:
    """Return a GIF that repeats without end.

    All frames share one palette, so that colours do not flicker.

    Args:
        samples: some of the frames, by which the colours are chosen (h, w, 3).
        frames: pictures (h, w, 3), as many as there are durations.
        durations_cs: of each frame [0.01 s].
    """
    stack = Pictures.fromarray(np.concatenate(samples))
    palette = stack.quantize(255, method=Pictures.Quantize.MEDIANCUT)
    reduced = [
        Pictures.fromarray(frame).quantize(palette=palette, dither=Pictures.Dither.NONE)
        for frame in frames
    ]
    stream = io.BytesIO()
    reduced[0].save(
        stream,
        "GIF",
        save_all=True,
        append_images=reduced[1:],
        duration=[10 * duration for duration in durations_cs],
        loop=0,
        disposal=1,
        optimize=False,
    )
    return stream.getvalue()


def durations(count: int, fps: float) -> list[int]:
    """Return how long each frame is shown [0.01 s]; together as long as the film."""
    ends = [round(100.0 * (i + 1) / fps) for i in range(count)]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]
