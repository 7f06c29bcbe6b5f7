"""A camera as a source of human motion: a process of its own looks through it."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np

from devices.capture.depth import Depth
from devices.capture.errors import CaptureError, Refusal
from devices.capture.eye import ENDED, RECORD, UNOPENED
from devices.capture.gate import Address, Gate
from devices.capture.landmarks import COUNT, points_of, pose_of
from devices.capture.stance import Stance
from devices.errors import DeviceError
from devices.interface import PoseFrame

PACKAGES: Final = ("cv2", "mediapipe")
NEEDS: Final = (
    "footlight[camera] is not installed; on Python 3.11: pip install --require-hashes -r "
    "packaging/lock/camera.txt"
)
DRIVERS: Final = Path("/sys/class/video4linux")
MOST_CAMERAS: Final = 8
MOST_LETTERS: Final = 40
AT_ONCE: Final = 64
"""Most records of one reading."""
_END_S: Final = 0.5


def cameras(drivers: Path = DRIVERS) -> dict[int, str]:
    """Return the cameras of this computer: names by number; those that can be asked for pictures.

    Args:
        drivers: folder of the kernel that lists them.
    """
    found = {}
    for node in drivers.glob("video*"):
        try:
            first = int((node / "index").read_text()) == 0  # the others tell of its pictures
            name = (node / "name").read_text(errors="replace").strip()
            number = int(node.name.removeprefix("video"))
        except (OSError, ValueError):
            continue
        if first:
            found[number] = "".join(filter(str.isprintable, name))[:MOST_LETTERS]
    return dict(sorted(found.items())[:MOST_CAMERAS])


class CameraSource:
    """Hears the process that looks through one camera, and never waits for it.

    It is paired with the camera from the beginning: whoever opened it has chosen it.

    Args:
        camera: number of a camera, or path of a video file.
        now_s: the host's monotonic clock [s].

    Attributes:
        gate: counts what is refused.
        address: name of the camera and 0.

    Raises:
        DeviceError: a package is missing, or there is no such file.
    """

    def __init__(self, camera: str, now_s: Callable[[], float]) -> None:
        if any(find_spec(package) is None for package in PACKAGES):
            raise DeviceError("capture", NEEDS)
        self._live = camera.isdecimal()
        if not self._live and not Path(camera).is_file():
            raise DeviceError(
                "capture", f"{camera} is no file; choose a video, or a camera's number"
            )
        name = f"camera {int(camera)}" if self._live else Path(camera).name[:MOST_LETTERS]
        self.address: Address = (name, 0)
        self.gate, self._now_s = Gate(), now_s
        self._process = subprocess.Popen(
            (sys.executable, "-P", "-m", "devices.capture.eye", camera),
            stdin=subprocess.PIPE,  # it ends with this
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._pipes = self._process.stdin, self._process.stdout
        os.set_blocking(self._process.stdout.fileno(), False)
        self._part = b""
        self.pair(name)

    @property
    def paired(self) -> Address | None:
        """The camera, or None: its person is not heard."""
        return self.gate.paired

    @property
    def stranger(self) -> Address | None:
        """The camera if its person is not heard."""
        return self.address if self.gate.paired is None else None

    @property
    def refused(self) -> dict[str, int]:
        """How many pictures were refused, by the reason in words."""
        return {reason.value: count for reason, count in self.gate.refused.items()}

    @property
    def trouble(self) -> str:
        """Why there are no more pictures, one sentence; empty while there may be."""
        status, name = self._process.poll(), self.address[0]
        if status is None:
            return ""
        if status == ENDED and not self._live:
            return f"the video {name} has ended"
        if status == ENDED:
            return f"{name} gives no pictures any more; connect it, and listen again"
        if status == UNOPENED and not self._live:
            return f"{name} is no video that can be read; choose another file"
        if status == UNOPENED:
            return f"{name} cannot be opened; connect it, and close other programs that use it"
        return f"the process that looks through {name} died ({status}); listen again"

    def host_s(self, stamp_s: float) -> float:
        """Return a frame's stamp on the host's monotonic clock [s], on which it already is."""
        return stamp_s

    def pair(self, host: str | None, port: int = 0) -> None:
        """Hear the camera's person from now on, by its name; another name hears nobody."""
        del port
        self.gate.pair(host if host == self.address[0] else None)
        self._depth, self._stance = Depth(), Stance()
        self._stamp_s = float("-inf")

    def read(self) -> list[PoseFrame]:
        """Return the frames that came since the last call, each later than the one before."""
        _, records = self._pipes
        if not records.closed:
            self._part += records.read(AT_ONCE * RECORD.size) or b""  # None: nothing is there
        whole = len(self._part) - len(self._part) % RECORD.size
        come, self._part = self._part[:whole], self._part[whole:]
        found = [self._frame(record) for record in RECORD.iter_unpack(come)]
        return [frame for frame in found if frame is not None]

    def _frame(self, record: tuple[float, ...]) -> PoseFrame | None:
        """Return the posture of a picture; None: it is refused, or nobody is heard."""
        now_s, stamp_s = self._now_s(), record[0]
        if self.gate.paired is None:
            return None
        try:
            if not self._stamp_s < stamp_s <= now_s:
                raise CaptureError(Refusal.LATE, "it is older than the one before")
            points = points_of(np.array(record[1:]).reshape(COUNT, 4))
        except CaptureError as error:
            self.gate.count(error.reason)
            return None
        self._stamp_s = stamp_s
        if not self.gate.passes(now_s):
            return None
        pose = pose_of(self._depth.bounded(points, stamp_s), stamp_s)
        return PoseFrame(stamp_s, now_s, self._stance.placed(pose.positions), pose.orientations)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        for pipe in self._pipes:
            pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_S)  # a driver that hangs may hold it longer
