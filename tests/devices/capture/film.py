"""A video of a person, from pictures that assets/pictures/mannequin.py rendered."""

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

PICTURES = Path(__file__).resolve().parent / "pictures"
RATE_HZ = 30.0


def film(folder: Path, parts: Iterable[tuple[str, float]]) -> Path:
    """Write a video that shows pictures, each for a time [s], and return its path."""
    cv2 = import_module("cv2")
    path = folder / "person.mp4"
    writer = None
    for name, shown_s in parts:
        picture = cv2.imread(str(PICTURES / f"{name}.jpg"))
        if writer is None:
            size = picture.shape[1::-1]
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), RATE_HZ, size)
        for _ in range(round(shown_s * RATE_HZ)):
            writer.write(picture)
    assert writer is not None
    writer.release()
    return path
