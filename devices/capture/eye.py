"""The process that looks through a camera: pictures in, landmarks of a person out.

It is a process of its own, because a camera's driver may hang or crash. The weights of the model
are part of the package mediapipe: nothing is downloaded.

    python -P -m devices.capture.eye CAMERA
"""

import os
import signal
import struct
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from devices.capture.landmarks import COUNT

RECORD: Final = struct.Struct(f"<d{4 * COUNT}f")
"""When a picture was taken [s]; x, y, z [m] and certainty of each landmark, NaN: nobody."""
UNOPENED: Final = 3
"""Exit status: the camera or the file cannot be opened."""
ENDED: Final = 4
"""Exit status: there are no more pictures."""
NICENESS: Final = 5  # above that of the partner's process
WIDTH, HEIGHT, RATE_HZ = 640, 480, 30.0
_BUNDLED: Final = 1  # the model whose weights are in the package
_FRESH_S: Final = 1.0  # a driver's stamp that is older is of another clock


def stamp_s(driver_ms: float, now_s: float) -> float:
    """Return when a picture was taken, on the host's monotonic clock [s].

    Args:
        driver_ms: stamp of the driver, on that clock or, with some drivers, on none [ms].
        now_s: when the picture was there [s].
    """
    taken_s = 1e-3 * driver_ms
    return taken_s if 0.0 <= now_s - taken_s < _FRESH_S else now_s


def _of_camera(cv2: Any, number: int) -> Iterator[tuple[float, Any]] | None:
    """Return the stamps [s] and pictures of a camera, each the newest; None: there is none."""
    camera = cv2.VideoCapture(number, cv2.CAP_V4L2)
    if not camera.isOpened():
        return None
    camera.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter_fourcc(*"MJPG"))
    for key, value in (
        (cv2.CAP_PROP_FRAME_WIDTH, WIDTH),
        (cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT),
        (cv2.CAP_PROP_FPS, RATE_HZ),
        (cv2.CAP_PROP_BUFFERSIZE, 1),
    ):
        camera.set(key, value)

    def pictures() -> Iterator[tuple[float, Any]]:
        while camera.grab():
            taken_s = stamp_s(camera.get(cv2.CAP_PROP_POS_MSEC), time.monotonic())
            there, picture = camera.retrieve()
            if there:
                yield taken_s, picture

    return pictures()


def _of_file(cv2: Any, path: str) -> Iterator[tuple[float, Any]] | None:
    """Return the stamps [s] and pictures of a video file at its pace; None: it cannot be read."""
    film = cv2.VideoCapture(path, cv2.CAP_FFMPEG)
    rate_hz = film.get(cv2.CAP_PROP_FPS)
    if not film.isOpened() or not 1.0 <= rate_hz <= 240.0:
        return None

    def pictures() -> Iterator[tuple[float, Any]]:
        begin_s, number = time.monotonic(), 0
        while film.grab():
            due_s = begin_s + number / rate_hz
            number += 1
            late_s = time.monotonic() - due_s
            if late_s > 1.0 / rate_hz:
                continue  # as a camera, which does not wait either
            time.sleep(max(0.0, -late_s))
            there, picture = film.retrieve()
            if there:
                yield due_s, picture

    return pictures()


def _end_with_parent() -> None:
    """End, even in a hanging driver, when the parent closes the standard input or dies."""
    while os.read(0, 4096):
        pass
    os._exit(0)


def look(camera: str) -> int:
    """Write a record for each picture to the standard output; return the exit status.

    Args:
        camera: number of a camera, or path of a video file.
    """
    records = os.dup(1)
    os.dup2(2, 1)  # libraries print there
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of the terminal: the parent ends this process
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.nice(NICENESS)
    os.environ.setdefault("GLOG_minloglevel", "2")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")
    import cv2
    from mediapipe.python.solutions.pose import Pose

    cv2.setNumThreads(1)
    with Pose(model_complexity=_BUNDLED) as model:
        model.process(np.zeros((HEIGHT, WIDTH, 3), np.uint8))  # the first time takes longer
        found = _of_camera(cv2, int(camera)) if camera.isdecimal() else _of_file(cv2, camera)
        if found is None:
            return UNOPENED
        for taken_s, picture in found:
            seen = model.process(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)).pose_world_landmarks
            rows = np.full((COUNT, 4), np.nan)
            if seen is not None:
                rows[:] = [(one.x, one.y, one.z, one.visibility) for one in seen.landmark]
            os.write(records, RECORD.pack(taken_s, *rows.ravel().tolist()))
    return ENDED


if __name__ == "__main__":
    sys.exit(look(sys.argv[1]))
