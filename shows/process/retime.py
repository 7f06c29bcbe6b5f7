"""Changing when a motion does what."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from shows.errors import ShowError
from shows.joints import Floats
from shows.motion import Motion
from shows.process.bounds import check_duration, check_positive
from shows.process.sampling import TIME_SLACK_S, sample_times, sampler, with_times

Anchor = tuple[float, float]


def retime(motion: Motion, factor: float) -> Motion:
    """Return a motion that takes another time: 2 lasts twice as long.

    The new duration is rounded to samples; the first and the last pose are kept.

    Args:
        motion: the motion.
        factor: new duration divided by the old one.

    Raises:
        ShowError: the factor is not above zero, or the result is too short or too long.
    """
    check_positive(motion.name, "factor", factor, "times", "choose a factor such as 1.5")
    return retime_between(motion, [(motion.duration_s, motion.duration_s * factor)])


def retime_markers(motion: Motion, times_s: Mapping[str, float]) -> Motion:
    """Return a motion whose named markers have moved to other times (see `retime_between`).

    Args:
        motion: the motion.
        times_s: the new time of each marker that moves, by its name [s].

    Raises:
        ShowError: no marker, or more than one, has a name; or as `retime_between`.
    """
    anchors = []
    for name, to_s in times_s.items():
        found = [marker.time_s for marker in motion.markers if marker.name == name]
        if len(found) != 1:
            known = ", ".join(repr(marker.name) for marker in motion.markers) or "none"
            reason = f"has {len(found) or 'no'} markers of this name; its markers are {known}"
            raise ShowError(motion.name, f"marker {name!r}", reason, "name one marker")
        anchors.append((found[0], to_s))
    return retime_between(motion, sorted(anchors))


def retime_between(motion: Motion, anchors: Sequence[Anchor]) -> Motion:
    """Return a motion that is at given moments at other times.

    Between the anchors the old time is a monotone cubic of the new one with continuous rate
    (Fritsch and Butland's slopes), so that the velocity has no step. The start stays at zero.
    Behind the last anchor the motion has its old pace, unless the end is an anchor. The end is
    rounded to samples, and with it an anchor there.

    Args:
        motion: the motion.
        anchors: pairs of old and new time [s], both increasing.

    Raises:
        ShowError: times are outside the motion, do not increase, or the result is too short or
            too long.
    """
    if not anchors:
        raise ShowError(motion.name, "anchors", "none is given", "give an old and a new time")
    old_s, new_s = _map(motion, anchors)
    slopes = _slopes(np.diff(old_s) / np.diff(new_s))
    old_of = CubicHermiteSpline(new_s, old_s, slopes)
    count = round(new_s[-1] * motion.rate_hz) + 1
    times_s: Floats = old_of(sample_times(count, motion.rate_hz))
    return with_times(motion, sampler(motion)(times_s), _inverse(old_of, new_s[-1]))


def _map(motion: Motion, anchors: Sequence[Anchor]) -> tuple[Floats, Floats]:
    """Return the old and the new times (n) of the anchors with both ends, checked."""
    end_s = motion.duration_s
    first, last = anchors[0], anchors[-1]
    pairs = [(float(old), float(new)) for old, new in anchors]
    if first[0] > TIME_SLACK_S:
        pairs.insert(0, (0.0, 0.0))
    if last[0] < end_s - TIME_SLACK_S:
        pairs.append((end_s, last[1] + end_s - last[0]))
    for i, (old, new) in enumerate(pairs):
        finite = np.isfinite(old) and np.isfinite(new)
        if not finite or not -TIME_SLACK_S <= old <= end_s + TIME_SLACK_S or new < 0.0:
            reason = f"{old:g} s to {new:g} s is outside the motion of {end_s:g} s"
            raise ShowError(motion.name, "anchors", reason, "choose moments of the motion")
        if i == 0 and new != 0.0:
            reason = f"the start would move to {new:g} s"
            raise ShowError(motion.name, "anchors", reason, "leave the start at 0 s")
    for before, after in pairwise(pairs):
        if after[0] <= before[0] or after[1] <= before[1]:
            reason = (
                f"{after[0]:g} s to {after[1]:g} s does not follow "
                f"{before[0]:g} s to {before[1]:g} s"
            )
            raise ShowError(motion.name, "anchors", reason, "keep the moments in their order")
    old_s, new_s = np.array(pairs).T.copy()
    check_duration(motion.name, new_s[-1])
    old_s[0], old_s[-1] = 0.0, end_s
    new_s[-1] = round(new_s[-1] * motion.rate_hz) / motion.rate_hz
    if new_s[-1] <= new_s[-2]:
        reason = f"the motion would end less than a sample after {new_s[-2]:g} s"
        raise ShowError(motion.name, "anchors", reason, "leave more time before its end")
    return old_s, new_s


def _slopes(secants: Floats) -> Floats:
    """Return slopes at the anchors that keep the cubic between them monotone."""
    inner = 2.0 * secants[:-1] * secants[1:] / (secants[:-1] + secants[1:])
    return np.concatenate([secants[:1], inner, secants[-1:]])


def _inverse(increasing: Callable[[float], Floats], end: float) -> Callable[[float], float]:
    """Return the inverse of an increasing function over 0 to `end`, by bisection."""

    def argument(value: float) -> float:
        low, high = 0.0, end
        for _ in range(50):
            middle = 0.5 * (low + high)
            if increasing(middle) < value:
                low = middle
            else:
                high = middle
        return high

    return argument
