"""Takes a pose from the robot: the median of a short while in which no joint moves."""

from collections import deque
from collections.abc import Iterable, Sequence

import numpy as np

from app.picture.robot_tree import Floats
from core.link.scene import Scene

WINDOW_S = 0.2
LEAST_SHARE = 0.75  # of the window that must be there
STILL_RAD_PER_S = 0.02


class CaptureRefused(Exception):
    """No pose can be taken now; `str()` is one sentence for the operator."""


class Capture:
    """Keeps the joint positions of the last WINDOW_S."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, tuple[float, ...]]] = deque()

    def hear(self, scene: Scene) -> None:
        """Take the positions of a scene; a core that begins again forgets those before."""
        samples = self._samples
        if samples and (scene.stamp_s < samples[-1][0] or len(scene.q) != len(samples[-1][1])):
            samples.clear()
        if samples and scene.stamp_s == samples[-1][0]:
            return
        samples.append((scene.stamp_s, scene.q))
        while samples and scene.stamp_s - samples[0][0] > WINDOW_S + 1e-6:
            samples.popleft()

    def forget(self) -> None:
        """Drop the samples: the core is lost."""
        self._samples.clear()

    def take(self, names: Sequence[str], joints: Iterable[str]) -> dict[str, float]:
        """Return the angles of some joints [rad].

        Args:
            names: every joint, in the order of a scene's positions.
            joints: those that are taken.

        Raises:
            CaptureRefused: a joint moves, or the core says nothing of it.
        """
        stamps, rows = self._window()
        if len(stamps) < 3 or stamps[-1] - stamps[0] < LEAST_SHARE * WINDOW_S:
            raise CaptureRefused(
                "no pose was taken: the core sends no joint positions; wait until it does"
            )
        columns = [names.index(joint) for joint in joints]
        chosen = rows[:, columns]
        if not np.isfinite(chosen).all():
            unknown = names[columns[int(np.argwhere(~np.isfinite(chosen))[0][1])]]
            raise CaptureRefused(
                f"no pose was taken: the position of {_words(unknown)} is not known; see the alarms"
            )
        speeds = np.abs(np.diff(chosen, axis=0)) / np.diff(stamps)[:, None]
        if speeds.size and speeds.max() > STILL_RAD_PER_S:
            fastest = int(np.argmax(speeds.max(axis=0)))
            speed = np.degrees(speeds[:, fastest].max())
            raise CaptureRefused(
                f"no pose was taken: {_words(names[columns[fastest]])} moves at {speed:.0f} °/s; "
                "hold it still; limbs that are driven move a little at rest, so release them in "
                "Record or HOLD the robot"
            )
        medians = np.median(chosen, axis=0)
        return {names[c]: float(m) for c, m in zip(columns, medians, strict=True)}

    def _window(self) -> tuple[Floats, Floats]:
        """Return the times (k) [s] and the positions (k, n) [rad]."""
        stamps = np.array([stamp for stamp, _ in self._samples])
        rows = np.array([q for _, q in self._samples], dtype=np.float64)
        return stamps, rows.reshape(len(stamps), -1)


def _words(joint: str) -> str:
    return joint.replace("_", " ")
