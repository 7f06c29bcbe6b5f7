"""Smoothing without delay, with a stated bandwidth."""

from dataclasses import replace

import numpy as np

from shows.errors import ShowError
from shows.joints import Floats
from shows.motion import Motion
from shows.process.bounds import check_positive

HALF_POWER = np.sqrt(2.0) - 1.0
ORDER = 6
"""Exponent of the frequency in the gain: a Butterworth filter of order 3 run both ways."""

END_WINDOW = 0.5
"""Length over which the curvature at an end is estimated, in periods of the bandwidth."""


def smooth(motion: Motion, bandwidth_hz: float) -> Motion:
    """Return a motion without its components above a bandwidth.

    The gain at f is 1 / (1 + 0.414 (f / bandwidth)⁶) without any phase: that of a Butterworth
    filter of order 3 run forward and backward. It is 0.707 at the bandwidth and 0.994 at half
    of it. The first and last positions are kept.

    Args:
        motion: the motion.
        bandwidth_hz: frequency whose amplitude falls to 0.707, below half the rate [Hz].

    Raises:
        ShowError: the bandwidth is not above zero and below half the rate.
    """
    check_positive(motion.name, "bandwidth_hz", bandwidth_hz, "Hz", "choose 2 to 10 Hz")
    if bandwidth_hz >= 0.5 * motion.rate_hz:
        reason = f"{bandwidth_hz:g} Hz is not below half the rate of {motion.rate_hz:g} Hz"
        raise ShowError(motion.name, "bandwidth_hz", reason, "choose a lower bandwidth")
    trend = _trend(motion.positions, END_WINDOW * motion.rate_hz / bandwidth_hz)
    rest = motion.positions - trend
    rest[[0, -1]] = 0.0
    smoothed = trend + _low_pass(rest, bandwidth_hz / motion.rate_hz)
    smoothed[[0, -1]] = motion.positions[[0, -1]]
    return replace(motion, positions=smoothed)


def _low_pass(rest: Floats, bandwidth: float) -> Floats:
    """Apply the gain to the odd periodic extension of columns that are zero at both ends.

    Args:
        rest: samples (k, m); the first and the last row are zero.
        bandwidth: in cycles a sample.
    """
    count = len(rest)
    extended = np.concatenate([rest, -rest[-2:0:-1]])
    frequency = np.fft.rfftfreq(len(extended))
    gain = 1.0 / (1.0 + HALF_POWER * (frequency / bandwidth) ** ORDER)
    spectrum = np.fft.rfft(extended, axis=0) * gain[:, None]
    smoothed: Floats = np.fft.irfft(spectrum, n=len(extended), axis=0)[:count]
    return smoothed


def _trend(positions: Floats, window: float) -> Floats:
    """Return the cubic (k, m) that has the end positions and the end curvatures of columns.

    What remains has no kink where it is extended beyond an end. The curvatures are those of a
    cubic fitted to the samples of a window at each end.
    """
    last = len(positions) - 1
    count = min(last + 1, max(6, round(window)))
    degree = min(3, count - 1)
    share = np.linspace(-1.0, 1.0, count)
    fitting = np.linalg.pinv(np.vander(share, degree + 1, increasing=True))
    curvature = [2.0 * fitting[2], 6.0 * fitting[3]] if degree == 3 else [0.0 * share] * 2
    scale = ((count - 1) / 2.0) ** 2 / last**2
    start = (curvature[0] - curvature[1]) @ positions[:count] / scale
    end = (curvature[0] + curvature[1]) @ positions[-count:] / scale
    s = np.linspace(0.0, 1.0, last + 1)[:, None]
    line = (1.0 - s) * positions[0] + s * positions[-1]
    bend = ((1.0 - s) ** 3 - (1.0 - s)) * start + (s**3 - s) * end
    trend: Floats = line + bend / 6.0
    return trend
