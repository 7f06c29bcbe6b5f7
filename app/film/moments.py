"""The moments of a motion that pictures show, and the robot's pose at each."""

from collections.abc import Sequence

import numpy as np

from shows.joints import Floats
from shows.motion import Motion
from shows.process.sampling import sampler

Pose = dict[str, float]


def poses_at(motion: Motion, times_s: Sequence[float]) -> list[Pose]:
    """Return joint positions by name at times [rad]."""
    rows = sampler(motion)(np.asarray(times_s, dtype=np.float64))
    return [dict(zip(motion.joint_names, row, strict=True)) for row in rows.tolist()]


def even_times(start_s: float, end_s: float, fps: float) -> list[float]:
    """Return the times of a film's pictures [s]; the last is within a picture of the end."""
    count = max(1, int((end_s - start_s) * fps + 1e-6) + 1)
    return [start_s + i / fps for i in range(count)]


def telling_times(motion: Motion, start_s: float, end_s: float, count: int) -> list[float]:
    """Return times that show what happens [s]: dense where the joints move, ends included.

    Half of the spacing goes by the way of the joints, half by the time, so that a pause is shown
    once and not over and over.
    """
    if count == 1:
        return [min(max(motion.thumbnail_s, start_s), end_s)]
    times = np.linspace(start_s, end_s, 1001)
    path = sampler(motion)(times)
    way: Floats = np.concatenate(([0.0], np.linalg.norm(np.diff(path, axis=0), axis=1).cumsum()))
    even = np.linspace(0.0, 1.0, len(times))
    share = 0.5 * even + 0.5 * (way / way[-1] if way[-1] > 1e-9 else even)
    found: list[float] = np.interp(np.linspace(0.0, 1.0, count), share, times).tolist()
    return found
