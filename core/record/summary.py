"""The summary of a run."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.record.reader import Recording

LIMP_MODES = frozenset({"OFF", "DAMPED", "FAULT", "ESTOP"})
STRIDE_S = 1.0


@dataclass(frozen=True, slots=True)
class Summary:
    """The output of `footlight log show`.

    Attributes:
        duration_s: length of the record [s].
        ticks: number of ticks.
        modes: name of the mode, start and end [s], in order.
        cues_played: number of cues that ended; None without a status.
        distance_m: distance walked, from the core's report, or else from the estimated position
            once a second [m].
        falls: number of falls; None without a status.
        worst_tracking_rad: largest difference of commanded and measured position [rad].
        worst_tracking: its joint and time.
        worst_load: largest torque as a fraction of stall.
        worst_load_at: its joint and time.
        tick_us: median, 99th and 99.9th percentile of a tick's processor time [µs].
    """

    duration_s: float
    ticks: int
    modes: tuple[tuple[str, float, float], ...]
    cues_played: int | None
    distance_m: float
    falls: int | None
    worst_tracking_rad: float
    worst_tracking: str
    worst_load: float
    worst_load_at: str
    tick_us: tuple[float, float, float]

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return name and value of each figure as text."""
        timeline = "\n".join(f"{a:8.2f} s to {b:8.2f} s  {name}" for name, a, b in self.modes)
        median, p99, p99_9 = self.tick_us
        tracking = math.degrees(self.worst_tracking_rad)
        return (
            ("duration", f"{self.duration_s:.2f} s, {self.ticks} ticks"),
            ("modes", timeline),
            ("cues played", "unknown" if self.cues_played is None else str(self.cues_played)),
            ("distance walked", f"{self.distance_m:.2f} m"),
            ("falls", "unknown" if self.falls is None else str(self.falls)),
            ("worst tracking", f"{tracking:.1f}°, {self.worst_tracking}"),
            ("worst joint load", f"{self.worst_load:.0%} of stall, {self.worst_load_at}"),
            ("tick", f"median {median:.0f} µs, p99 {p99:.0f} µs, p99.9 {p99_9:.0f} µs"),
        )


def summarise(recording: Recording) -> Summary:
    """Return the summary of a run."""
    hello = recording.hello
    t = recording.column("t")
    mode = recording.column("mode")
    limp = [i for i, name in enumerate(hello.mode_names) if name in LIMP_MODES]
    active = ~np.isin(mode, limp)
    # A limp joint follows no command.
    error = np.abs(recording.column("q_command") - recording.column("q")) * active[:, None]
    stall = np.maximum(np.array(hello.stall_torque), 1e-9)
    load = np.abs(recording.column("tau_applied")) / stall
    worst_tracking, tracking_at = _worst(error, t, hello.joint_names)
    worst_load, load_at = _worst(load, t, hello.joint_names)
    median, p99, p99_9 = np.percentile(recording.column("tick_cpu_us"), [50.0, 99.0, 99.9])
    report = recording.report
    last = report or recording.last_status
    distance_m = _distance(t, recording.column("base_position_est"))
    return Summary(
        duration_s=float(t[-1] - t[0]),
        ticks=len(t),
        modes=_modes(t, mode, hello.mode_names),
        cues_played=last.cues_played if last else None,
        # The core knows when the robot walked; without its report, sway counts as well.
        distance_m=distance_m if report is None else report.distance_m,
        falls=last.falls if last else None,
        worst_tracking_rad=worst_tracking,
        worst_tracking=tracking_at,
        worst_load=worst_load,
        worst_load_at=load_at,
        tick_us=(float(median), float(p99), float(p99_9)),
    )


def _worst(
    values: npt.NDArray[Any], t: npt.NDArray[Any], names: tuple[str, ...]
) -> tuple[float, str]:
    finite = np.nan_to_num(values, nan=0.0)
    tick, joint = np.unravel_index(int(np.argmax(finite)), values.shape)
    return float(finite[tick, joint]), f"{names[int(joint)]} at {t[tick]:.2f} s"


def _modes(
    t: npt.NDArray[Any], mode: npt.NDArray[Any], names: tuple[str, ...]
) -> tuple[tuple[str, float, float], ...]:
    starts = np.concatenate([[0], np.flatnonzero(np.diff(mode)) + 1])
    ends = np.concatenate([starts[1:], [len(t) - 1]])
    return tuple(
        (
            names[mode[a]] if mode[a] < len(names) else f"mode {mode[a]}",
            float(t[a]),
            float(t[b]),
        )
        for a, b in zip(starts, ends, strict=True)
    )


def _distance(t: npt.NDArray[Any], position: npt.NDArray[Any]) -> float:
    """Return the length of the path on the ground, without the sway within a stride."""
    stamps = np.arange(t[0], t[-1] + STRIDE_S, STRIDE_S)
    indices = np.minimum(np.searchsorted(t, stamps), len(t) - 1)
    steps = np.diff(position[indices, :2], axis=0)
    return float(np.nansum(np.hypot(steps[:, 0], steps[:, 1])))
