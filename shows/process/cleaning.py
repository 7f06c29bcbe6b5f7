"""The steps that make a clean gesture of a raw take at one press."""

import math

import numpy as np

from shows.motion import Motion
from shows.process.smooth import smooth
from shows.process.steps import Repair, SlowToLimits, Smooth, Step, Trim

BANDWIDTH_HZ = 6.0
MOVING_RAD_S = 0.06  # a slower joint is at rest
MARGIN_S = 0.25  # of rest that is kept at both ends
SEEN_HZ = 3.0  # noise above it is no motion
SHORTEST_S = 0.5


def clean_up(motion: Motion) -> tuple[Step, ...]:
    """Return the steps: repair, trim of the rest at both ends, smoothing, slowing to the limits.

    Raises:
        ShowError: the motion is too short to be smoothed.
    """
    steps: list[Step] = [Repair()]
    span = moving_span(motion)
    if span is not None:
        steps.append(Trim(*span))
    return (*steps, Smooth(BANDWIDTH_HZ), SlowToLimits())


def moving_span(motion: Motion) -> tuple[float, float] | None:
    """Return the span in which joints move [s]; None if nothing or everything would be cut.

    Raises:
        ShowError: the motion is too short to be smoothed.
    """
    quiet = smooth(motion, min(SEEN_HZ, 0.2 * motion.rate_hz))
    speed = np.abs(np.diff(quiet.positions, axis=0)).max(axis=1) * motion.rate_hz
    moving = np.flatnonzero(speed > MOVING_RAD_S)
    if not moving.size:
        return None
    start_s = max(0.0, float(moving[0]) / motion.rate_hz - MARGIN_S)
    end_s = min(motion.duration_s, float(moving[-1] + 1) / motion.rate_hz + MARGIN_S)
    start_s, end_s = math.ceil(1e3 * start_s) / 1e3, math.floor(1e3 * end_s) / 1e3
    whole = start_s < 0.01 and end_s > motion.duration_s - 0.01
    return None if whole or end_s - start_s < SHORTEST_S else (start_s, end_s)
