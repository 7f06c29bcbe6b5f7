"""Fitting few keys to a motion within a stated error."""

import numpy as np
import numpy.typing as npt
from scipy.linalg import solveh_banded

from shows.body_limb import LENGTHS
from shows.joints import Floats
from shows.motion import Motion
from shows.process.bounds import check_within
from shows.process.curves import Curve, Key

MIN_ERROR_RAD = 1e-6
SLOPE_WEIGHT = 1e-9
"""Weight of the samples' slope, which decides where keys leave no sample between them."""

ROUNDING = 1.0 - 1e-6
LENGTH_M_RAD = 0.1  # metres that count as much as a radian, for the lengths of a body

Indices = npt.NDArray[np.intp]
_ROWS, _COLUMNS = np.triu_indices(4)


def fit(motion: Motion, max_error_rad: float) -> tuple[Curve, ...]:
    """Return one curve for each joint that is nowhere further from the samples than an error.

    A length of the body gets a curve that is nearer, because its range is smaller by as much.

    The velocity of the curves is continuous. Keys are added at the worst samples until a least
    squares fit of their values and slopes is within the error; those that the fit can spare are
    then removed.

    Args:
        motion: the motion.
        max_error_rad: largest distance of a curve from any sample, 1e-6 to 1 [rad].

    Raises:
        ShowError: the error is out of bounds.
    """
    check_within(
        motion.name,
        "max_error_rad",
        max_error_rad,
        MIN_ERROR_RAD,
        1.0,
        "rad",
        "choose an error such as 0.005 rad",
    )
    curves = []
    for joint, samples in zip(motion.joint_names, motion.positions.T, strict=True):
        scale = LENGTH_M_RAD if joint in LENGTHS else 1.0
        keys, values, slopes = _fit(samples, max_error_rad * ROUNDING * scale)
        times_s, slopes = keys / motion.rate_hz, slopes * motion.rate_hz
        triples = zip(times_s.tolist(), values.tolist(), slopes.tolist(), strict=True)
        curves.append(Curve(tuple(Key(t, value, slope, slope) for t, value, slope in triples)))
    return tuple(curves)


def _fit(samples: Floats, max_error: float) -> tuple[Indices, Floats, Floats]:
    """Return the samples that become keys (n), their values and their slopes a sample."""
    prior = np.gradient(samples)
    keys = np.array([0, len(samples) - 1])
    while True:
        values, slopes = _least_squares(samples, prior, keys)
        error = np.abs(_evaluate(keys, values, slopes, len(samples)) - samples)
        if error.max() <= max_error:
            return _spare(samples, prior, (keys, values, slopes), max_error)
        more = _worst(error, keys, max_error)
        if not more:
            everything = np.arange(len(samples))
            return everything, samples, prior
        keys = np.union1d(keys, np.array(more))


def _worst(error: Floats, keys: Indices, max_error: float) -> list[int]:
    """Return a new key for each segment that is too far from the samples.

    It is the worst sample, kept away from the segment's ends.
    """
    more = []
    worst = np.maximum.reduceat(error, keys[:-1])
    for i in np.flatnonzero(np.maximum(worst, error[keys[1:]]) > max_error):
        first, last = int(keys[i]), int(keys[i + 1])
        length = last - first
        if length < 2:
            continue
        at = first + int(np.argmax(error[first : last + 1]))
        margin = max(1, length // 4)
        more.append(min(max(at, first + margin), last - margin))
    return more


def _spare(
    samples: Floats,
    prior: Floats,
    fitted: tuple[Indices, Floats, Floats],
    max_error: float,
) -> tuple[Indices, Floats, Floats]:
    """Remove keys that the fit does not need, the most dispensable first."""
    count = len(samples)
    share = 0.5
    while share > 0.02 and len(fitted[0]) > 2:
        keys, values, slopes = fitted
        cost = np.full(len(keys), np.inf)
        for parity in (1, 2):
            chosen = np.arange(parity, len(keys) - 1, 2)
            rest = np.delete(np.arange(len(keys)), chosen)
            error = np.abs(_evaluate(keys[rest], values[rest], slopes[rest], count) - samples)
            merged = np.maximum.reduceat(error, keys[rest][:-1])
            cost[chosen] = merged[np.searchsorted(rest, chosen) - 1]
        removed = _apart(np.argsort(cost)[: max(1, int(share * len(keys)))], len(keys))
        fewer = np.delete(keys, removed)
        trial = _least_squares(samples, prior, fewer)
        error = np.abs(_evaluate(fewer, *trial, count) - samples)
        if len(removed) and error.max() <= max_error:
            fitted = (fewer, *trial)
        else:
            share *= 0.5
    return fitted


def _apart(order: Indices, count: int) -> Indices:
    """Return those of some keys, in order, that are no ends and no neighbours of earlier ones."""
    taken = np.zeros(count + 1, dtype=np.bool_)
    kept = []
    for i in order:
        if 0 < i < count - 1 and not taken[i - 1 : i + 2].any():
            taken[i] = True
            kept.append(i)
    return np.array(kept, dtype=np.intp)


def _basis(keys: Indices, count: int) -> tuple[Indices, Floats, Floats]:
    """Return each sample's segment (k), the weights (4, k) of its ends, and its length (k).

    The weights are those of value and slope at the start, then at the end; slopes are in rad a
    segment.
    """
    length = np.diff(keys)
    segment = np.repeat(np.arange(len(length)), length)
    segment = np.append(segment, len(length) - 1)
    long = length[segment].astype(np.float64)
    s = (np.arange(count) - keys[segment]) / long
    change = s * s * (3.0 - 2.0 * s)
    bow = s * (1.0 - s)
    return segment, np.array([1.0 - change, bow * (1.0 - s), change, -bow * s]), long


def _evaluate(keys: Indices, values: Floats, slopes: Floats, count: int) -> Floats:
    """Return the curve (k) at every sample."""
    segment, weights, long = _basis(keys, count)
    after = segment + 1
    curve: Floats = (
        weights[0] * values[segment]
        + weights[1] * long * slopes[segment]
        + weights[2] * values[after]
        + weights[3] * long * slopes[after]
    )
    return curve


def _least_squares(samples: Floats, prior: Floats, keys: Indices) -> tuple[Floats, Floats]:
    """Return the values (n) and slopes a sample (n) at keys that fit the samples best."""
    segment, weights, long = _basis(keys, len(samples))
    length = np.diff(keys).astype(np.float64)
    unit = np.ones(len(keys))  # each slope is solved for in rad a unit, so that all are alike
    unit[1:-1] = 0.5 * (length[:-1] + length[1:])
    unit[0], unit[-1] = length[0], length[-1]
    weights[1] *= long / unit[segment]
    weights[3] *= long / unit[segment + 1]
    starts = keys[:-1]
    products = np.add.reduceat(weights[_ROWS] * weights[_COLUMNS], starts, axis=1)
    sums = np.add.reduceat(weights * samples, starts, axis=1)
    bands = np.zeros((4, 2 * len(keys)))
    right = np.zeros(2 * len(keys))
    for product, row, column in zip(products, _ROWS.tolist(), _COLUMNS.tolist(), strict=True):
        bands[column - row, row : row + 2 * len(starts) : 2] += product
    for row in range(4):
        right[row : row + 2 * len(starts) : 2] += sums[row]
    bands[0] += SLOPE_WEIGHT
    right[0::2] += SLOPE_WEIGHT * samples[keys]
    right[1::2] += SLOPE_WEIGHT * prior[keys] * unit
    solution = solveh_banded(bands, right, lower=True)
    return solution[0::2], solution[1::2] / unit
