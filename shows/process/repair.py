"""Replacing outliers and dropouts of a recorded motion."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

import msgspec
import numpy as np

from shows.errors import ShowError
from shows.joints import Floats
from shows.motion import Motion
from shows.process.bounds import check_positive, check_within
from shows.process.gaps import Mask, bridge, runs

Cause: TypeAlias = Literal["lost", "outlier", "dropout"]

MIN_PAIRS = 3
"""Pairs of samples that a sample is compared with, at least."""

MAX_WINDOW_S = 1.0
"""Longest window: time and memory are proportional to it."""

PART = 8192
"""Samples that are compared at once, which bounds the memory."""

MAD_TO_SIGMA = 1.4826
"""Standard deviation of a normal distribution over its median absolute deviation."""

LEAP = 1.5
"""Step out of a dropout, relative to the larger step before and after it, at least."""


class Repaired(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Samples of a joint that were replaced.

    Attributes:
        joint: the joint.
        start_s: time of the first sample that was replaced [s].
        end_s: time of the last one [s].
        cause: lost: the caller named it; outlier: far from the samples around it; dropout: the
            position stood still while the joint moved.
    """

    joint: str
    start_s: float
    end_s: float
    cause: Cause


def repair(
    motion: Motion,
    *,
    tolerance_rad: float = 0.02,
    window_s: float = 0.1,
    threshold: float = 5.0,
    longest_dropout_s: float = 0.5,
    lost: Sequence[tuple[float, float]] = (),
) -> tuple[Motion, tuple[Repaired, ...]]:
    """Return a motion without outliers and dropouts, and what was replaced.

    Each gap becomes a cubic with the positions and velocities at its edges. All other samples
    stay as they are, so that a rest stays a rest.

    A sample is an outlier if it is further from the median of the means of the pairs of samples
    around it than `threshold` standard deviations (Hampel's test, by the median absolute
    deviation), and further than `tolerance_rad`. The mean of a pair lies on a steady movement,
    which is therefore no outlier at any speed. Where a movement turns sharply, only larger
    outliers are found.

    Equal samples are a dropout if the step that follows them is larger than `tolerance_rad` and
    than the steps around, and if the joint does not come back: it has moved on meanwhile. A
    joint that rests starts again from where it is, and is left alone.

    Args:
        motion: the motion.
        tolerance_rad: smallest deviation that is repaired [rad].
        window_s: duration of the samples that a sample is compared with [s]; a shorter burst of
            outliers, of less than half of it, is found.
        threshold: number of standard deviations.
        longest_dropout_s: equal samples for longer are a rest [s].
        lost: spans that are replaced in every joint, as start and end [s].

    Raises:
        ShowError: a number is out of bounds, a span is empty or outside the motion, or it leaves
            no sample before or after it.
    """
    for place, value, unit, advice in (
        ("tolerance_rad", tolerance_rad, "rad", "choose 0.01 to 0.05 rad"),
        ("window_s", window_s, "s", "choose 0.05 to 0.2 s"),
        ("threshold", threshold, "standard deviations", "choose 3 to 6"),
        ("longest_dropout_s", longest_dropout_s, "s", "choose 0.1 to 1 s"),
    ):
        check_positive(motion.name, place, value, unit, advice)
    check_within(motion.name, "window_s", window_s, 0.0, MAX_WINDOW_S, "s", "choose 0.05 to 0.2 s")
    rate_hz = motion.rate_hz
    named = _lost_samples(motion, lost)
    pairs = max(MIN_PAIRS, round(0.5 * window_s * rate_hz))
    pairs = min(pairs, len(motion.positions) - 1)
    columns = []
    spans: list[Repaired] = []
    for joint, raw in zip(motion.joint_names, motion.positions.T, strict=True):
        known = bridge(raw, named, rate_hz)
        longest = longest_dropout_s * rate_hz
        dropouts = _dropouts(known, pairs, tolerance_rad, longest) & ~named
        missing = named | dropouts
        known = bridge(raw, missing, rate_hz)
        outliers = _outliers(known, pairs, threshold, tolerance_rad) & ~missing
        columns.append(bridge(raw, missing | outliers, rate_hz))
        causes: tuple[tuple[Cause, Mask], ...] = (
            ("lost", named),
            ("outlier", outliers),
            ("dropout", dropouts),
        )
        spans += [
            Repaired(joint, first / rate_hz, last / rate_hz, cause)
            for cause, mask in causes
            for first, last in runs(mask)
        ]
    spans.sort(key=lambda span: span.start_s)
    return replace(motion, positions=np.column_stack(columns)), tuple(spans)


def _lost_samples(motion: Motion, lost: Sequence[tuple[float, float]]) -> Mask:
    """Return which samples (k) the caller names as lost."""
    times_s = np.arange(len(motion.positions)) / motion.rate_hz
    mask = np.zeros(len(times_s), dtype=np.bool_)
    for i, (start_s, end_s) in enumerate(lost):
        place = f"lost span {i + 1}"
        if not 0.0 <= start_s < end_s < np.inf:
            reason = f"{start_s:g} s to {end_s:g} s is not a span"
            raise ShowError(motion.name, place, reason, "give a start and a later end")
        inside = (times_s > start_s - 1e-9) & (times_s < end_s + 1e-9)
        if start_s > motion.duration_s:
            reason = f"{start_s:g} s is after the motion's end at {motion.duration_s:.2f} s"
            raise ShowError(motion.name, place, reason, "choose a span of the motion")
        mask |= inside
        if mask[0] or mask[-1]:
            reason = f"{start_s:g} s to {end_s:g} s reaches an end of the motion"
            raise ShowError(motion.name, place, reason, "trim the motion instead")
    return mask


def _outliers(positions: Floats, pairs: int, threshold: float, tolerance_rad: float) -> Mask:
    """Return which samples (k) of a joint are far from the samples around them.

    Beyond an end the motion is continued by point reflection.
    """
    count = len(positions)
    padded = np.pad(positions, pairs, mode="reflect", reflect_type="odd")
    far: Mask = np.empty(count, dtype=np.bool_)
    for first in range(0, count, PART):
        part = positions[first : first + PART]
        near = padded[first : first + len(part) + 2 * pairs]
        means = np.empty((pairs, len(part)))
        for i in range(1, pairs + 1):
            before, after = near[pairs - i :], near[pairs + i :]
            means[i - 1] = 0.5 * (before[: len(part)] + after[: len(part)])
        middle = np.median(means, axis=0)
        spread = MAD_TO_SIGMA * np.median(np.abs(means - middle), axis=0)
        bound = np.maximum(threshold * spread, tolerance_rad)
        far[first : first + PART] = np.abs(part - middle) > bound
    return far


def _dropouts(positions: Floats, pairs: int, tolerance_rad: float, longest: float) -> Mask:
    """Return which samples (k) of a joint repeat an older one while the joint moves."""
    steps = np.diff(positions)
    mask = np.zeros(len(positions), dtype=np.bool_)
    for first, last in runs(steps == 0.0):
        if first == 0 or last + 2 >= len(steps) or last - first + 1 > longest:
            continue
        leap = steps[last + 1]
        around = max(abs(steps[first - 1]), abs(steps[last + 2]))
        onward = np.median(positions[last + 2 : last + 2 + pairs]) - positions[last + 1]
        moved_on = onward * np.sign(leap) > 0.5 * abs(leap)
        if moved_on and abs(leap) > max(tolerance_rad, LEAP * around):
            mask[first + 1 : last + 2] = True
    return mask
