"""Sampling a motion at other times, and moving its markers along."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from scipy.interpolate import CubicSpline

from shows.joints import Floats
from shows.motion import Marker, Motion

TIME_SLACK_S = 1e-9
"""Tolerance for the rounding of times [s]."""

Sampler: TypeAlias = Callable[[Floats], Floats]
NewTime: TypeAlias = Callable[[float], float | None]


def sampler(motion: Motion) -> Sampler:
    """Return a function that gives a motion's positions (n, m) [rad] at times (n) [s].

    It is the cubic spline through the samples, whose velocity and acceleration are continuous.
    Before its first and after its last sample a motion rests.
    """
    spline = CubicSpline(sample_times(len(motion.positions), motion.rate_hz), motion.positions)
    end_s = motion.duration_s

    def positions_at(times_s: Floats) -> Floats:
        positions: Floats = spline(np.clip(times_s, 0.0, end_s))
        return positions

    return positions_at


def sample_times(count: int, rate_hz: float) -> Floats:
    """Return the times of samples (count) [s], from zero on."""
    times_s: Floats = np.arange(count) / rate_hz
    return times_s


def with_times(motion: Motion, positions: Floats, new_time: NewTime) -> Motion:
    """Return a motion with other positions whose markers and thumbnail have moved in time.

    Args:
        motion: the motion before.
        positions: the new positions (n, m) [rad] at the same rate.
        new_time: the new time of an old one [s]; None drops the marker. A thumbnail that is
            dropped becomes the first pose.
    """
    end_s = (len(positions) - 1) / motion.rate_hz

    def moved(time_s: float) -> float | None:
        new_s = new_time(time_s)
        return None if new_s is None else min(max(float(new_s), 0.0), end_s)

    times = ((moved(marker.time_s), marker.name) for marker in motion.markers)
    markers = [Marker(time_s=time_s, name=name) for time_s, name in times if time_s is not None]
    return replace(
        motion,
        positions=positions,
        markers=tuple(sorted(markers, key=lambda marker: marker.time_s)),
        thumbnail_s=moved(motion.thumbnail_s) or 0.0,
    )
