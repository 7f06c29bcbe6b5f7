"""The summary of a run."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.link.hello import Hello
from core.link.report import Report
from core.link.status import Status
from core.record.reader import Recording

LIMP_MODES = frozenset({"OFF", "DAMPED", "FAULT", "ESTOP"})
STRIDE_S = 1.0
LONGEST_US = 20_000  # longer ticks are counted as this long


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
        tick_us: median, 99th and 99.9th percentile of a tick's processor time, in whole
            microseconds [µs].
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


class Tally:
    """Adds up the summary while a run is read."""

    def __init__(self, hello: Hello) -> None:
        self._hello = hello
        self._limp = [i for i, name in enumerate(hello.mode_names) if name in LIMP_MODES]
        self._stall = np.maximum(np.array(hello.stall_torque), 1e-9)
        self._first_s = self._last_s = 0.0
        self._ticks = 0
        self._modes: list[tuple[int, float]] = []  # number and begin of each
        self._tracking = self._load = (-1.0, "")
        self._times_us = np.zeros(LONGEST_US + 1, dtype=np.int64)
        self._strides: list[npt.NDArray[Any]] = []  # places on the ground
        self._end: npt.NDArray[Any] = np.zeros(2)

    def add(self, rows: npt.NDArray[np.void]) -> None:
        """Add ticks (n), n at least 1."""
        t, mode, names = rows["t"], rows["mode"], self._hello.joint_names
        if not self._ticks:
            self._first_s = float(t[0])
        active = ~np.isin(mode, self._limp)
        # A limp joint follows no command.
        error = np.abs(rows["q_command"] - rows["q"]) * active[:, None]
        self._tracking = _worse(self._tracking, error, t, names)
        self._load = _worse(self._load, np.abs(rows["tau_applied"]) / self._stall, t, names)
        changes = np.flatnonzero(np.diff(mode)) + 1
        known = self._modes[-1][0] if self._modes else None
        for place in (*(() if known == mode[0] else (0,)), *changes.tolist()):
            self._modes.append((int(mode[place]), float(t[place])))
        whole_us = np.clip(np.nan_to_num(rows["tick_cpu_us"]), 0, LONGEST_US).astype(np.int64)
        self._times_us += np.bincount(whole_us, minlength=LONGEST_US + 1)
        self._walk(t, rows["base_position_est"])
        self._ticks += len(rows)
        self._last_s = float(t[-1])

    def summary(self, report: Report | None, status: Status | None) -> Summary:
        """Return the summary.

        Args:
            report: of the core; None if the run has none.
            status: the last one; None without one.
        """
        last = report or status
        ends = [*(begin_s for _, begin_s in self._modes[1:]), self._last_s]
        names = self._hello.mode_names
        return Summary(
            duration_s=self._last_s - self._first_s,
            ticks=self._ticks,
            modes=tuple(
                (names[mode] if mode < len(names) else f"mode {mode}", begin_s, end_s)
                for (mode, begin_s), end_s in zip(self._modes, ends, strict=True)
            ),
            cues_played=last.cues_played if last else None,
            # The core knows when the robot walked; without its report, sway counts as well.
            distance_m=self._distance() if report is None else report.distance_m,
            falls=last.falls if last else None,
            worst_tracking_rad=max(0.0, self._tracking[0]),
            worst_tracking=self._tracking[1],
            worst_load=max(0.0, self._load[0]),
            worst_load_at=self._load[1],
            tick_us=(self._percentile(0.5), self._percentile(0.99), self._percentile(0.999)),
        )

    def _walk(self, t: npt.NDArray[Any], position: npt.NDArray[Any]) -> None:
        """Note the place once a stride, and that of the last tick."""
        while True:
            due_s = self._first_s + len(self._strides) * STRIDE_S
            place = int(np.searchsorted(t, due_s))
            if place >= len(t):
                break
            self._strides.append(position[place, :2].astype(np.float64))
        self._end = position[-1, :2].astype(np.float64)

    def _distance(self) -> float:
        """Return the length of the path on the ground, without the sway within a stride."""
        if not self._strides:
            return 0.0
        steps = np.diff(np.array([*self._strides, self._end]), axis=0)
        return float(np.nansum(np.hypot(steps[:, 0], steps[:, 1])))

    def _percentile(self, share: float) -> float:
        """Return the time below which a share of the ticks stays [µs]."""
        counted = np.cumsum(self._times_us)
        return float(np.searchsorted(counted, share * self._ticks)) if self._ticks else 0.0


def summarise(recording: Recording) -> Summary:
    """Return the summary of a run."""
    tally = Tally(recording.hello)
    for block in recording.blocks:
        tally.add(block)
    return tally.summary(recording.report, recording.last_status)


def _worse(
    known: tuple[float, str], values: npt.NDArray[Any], t: npt.NDArray[Any], names: tuple[str, ...]
) -> tuple[float, str]:
    """Return the larger one of a known value and the largest of some, with joint and time."""
    finite = np.nan_to_num(values, nan=0.0)
    tick, joint = np.unravel_index(int(np.argmax(finite)), values.shape)
    found = float(finite[tick, joint])
    return (found, f"{names[int(joint)]} at {t[tick]:.2f} s") if found > known[0] else known
