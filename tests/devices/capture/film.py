"""A video of a person, from pictures that assets/pictures/mannequin.py renders."""

import os
import subprocess
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from tests.tracked import REPOSITORY

PICTURES = Path(__file__).resolve().parent / "pictures"
RATE_HZ = 30.0


def film(folder: Path, parts: Iterable[tuple[str, float]], pictures: Path = PICTURES) -> Path:
    """Write a video that shows pictures, each for a time [s], and return its path.

    A process of its own writes it: OpenCV tells Qt of other plugins.
    """
    path = folder / "person.mp4"
    words = [f"{name}={shown_s}" for name, shown_s in parts]
    paths = (str(REPOSITORY), os.environ.get("PYTHONPATH", ""))
    subprocess.run(
        (
            sys.executable,
            "-P",
            "-m",
            "tests.devices.capture.film",
            str(pictures),
            str(path),
            *words,
        ),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        check=True,
    )
    return path


def write(pictures: str, path: str, words: Iterable[str]) -> None:
    """Write the video of pictures of a folder and times, as in t_pose=2.0."""
    cv2 = import_module("cv2")
    writer = None
    for name, _, shown_s in (word.partition("=") for word in words):
        picture = cv2.imread(f"{pictures}/{name}.jpg")
        if writer is None:
            size = picture.shape[1::-1]
            writer = cv2.VideoWriter(path, cv2.VideoWriter_fourcc(*"mp4v"), RATE_HZ, size)
        for _ in range(round(float(shown_s) * RATE_HZ)):
            writer.write(picture)
    assert writer is not None
    writer.release()


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], sys.argv[3:])
