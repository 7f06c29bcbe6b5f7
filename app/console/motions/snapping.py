"""Where keys snap to: marks, the samples of the motion, a grid of time and whole degrees."""

import math
from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

Snap: TypeAlias = Literal["grid", "samples", "none"]
SNAPS: tuple[Snap, ...] = get_args(Snap)
GRID_S = 0.1


def snapped_time(
    time_s: float, snap: Snap, rate_hz: float, marks: Iterable[float], reach_s: float
) -> float:
    """Return the time that a key snaps to [s].

    Args:
        time_s: where it was dragged to.
        snap: the mode; "none" snaps nowhere.
        rate_hz: samples a second of the motion.
        marks: times of markers and playhead, which come first.
        reach_s: distance at which a mark attracts.
    """
    if snap == "none":
        return time_s
    nearest = min(marks, key=lambda mark: abs(mark - time_s), default=math.inf)
    if abs(nearest - time_s) <= reach_s:
        return nearest
    step_s = GRID_S if snap == "grid" else 1.0 / rate_hz
    return round(time_s / step_s) * step_s


def snapped_value(value_rad: float, snap: Snap) -> float:
    """Return the value that a key snaps to: a whole degree in the grid [rad]."""
    return math.radians(round(math.degrees(value_rad))) if snap == "grid" else value_rad
