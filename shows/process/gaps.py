"""Missing samples of one joint, and the cubic that bridges them."""

import numpy as np
import numpy.typing as npt

from shows.joints import Floats

SLOPE_WINDOW_S = 0.025
"""Time from which the velocity at the edge of a gap is estimated [s]."""

MIN_SLOPE_SAMPLES = 4

Mask = npt.NDArray[np.bool_]
Runs = list[tuple[int, int]]


def runs(mask: Mask) -> Runs:
    """Return the first and the last index of each run of true values (k)."""
    padded = np.concatenate([[False], mask, [False]])
    edges = np.flatnonzero(padded[1:] != padded[:-1]).reshape(-1, 2)
    return [(int(first), int(after) - 1) for first, after in edges]


def bridge(positions: Floats, missing: Mask, rate_hz: float) -> Floats:
    """Return positions (k) with cubics over the missing samples.

    A cubic has the position and the velocity of the motion at both edges of its gap. At an end
    of the motion, where one edge is absent, the position of the other edge is held.

    Args:
        positions: samples of one joint (k) [rad].
        missing: which samples are missing (k); not all.
        rate_hz: sampling rate [Hz].
    """
    bridged = positions.copy()
    last = len(positions) - 1
    window = max(MIN_SLOPE_SAMPLES, round(SLOPE_WINDOW_S * rate_hz))
    gaps = runs(missing)
    for i, (first, final) in enumerate(gaps):
        left, right = first - 1, final + 1
        if left < 0 or right > last:
            bridged[first:right] = positions[right if left < 0 else left]
            continue
        earliest = gaps[i - 1][1] + 1 if i else 0
        latest = gaps[i + 1][0] - 1 if i + 1 < len(gaps) else last
        before = positions[max(earliest, left - window + 1) : right - (final - first + 1)]
        after = positions[right : min(latest, right + window - 1) + 1]
        length = right - left
        mean_slope = (positions[right] - positions[left]) / length
        slope_in = -_edge_slope(before[::-1], -mean_slope)
        slope_out = _edge_slope(after, mean_slope)
        s = np.arange(1, length) / length
        change = s * s * (3.0 - 2.0 * s)
        bridged[first:right] = (
            positions[left]
            + change * (positions[right] - positions[left])
            + length * s * (1.0 - s) * ((1.0 - s) * slope_in - s * slope_out)
        )
    return bridged


def _edge_slope(samples: Floats, otherwise: float) -> float:
    """Return the slope [rad a sample] at the first of some samples, by a fitted parabola."""
    count = len(samples)
    if count < 2:
        return otherwise
    powers = np.vander(np.arange(count), min(3, count), increasing=True)
    return float(np.linalg.lstsq(powers, samples, rcond=None)[0][1])
