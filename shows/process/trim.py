"""Keeping a span of a motion."""

import math

from shows.errors import ShowError
from shows.motion import Motion
from shows.process.bounds import check_within
from shows.process.sampling import TIME_SLACK_S, sample_times, sampler, with_times


def trim(motion: Motion, start_s: float, end_s: float) -> Motion:
    """Return the span of a motion between two times.

    The first sample is the pose at `start_s`, also between two samples. The rate stays, so that
    the last sample is the one nearest to `end_s`, at most half a sample away. Markers and
    thumbnail outside the span are dropped.

    Args:
        motion: the motion.
        start_s: start of the span [s].
        end_s: end of the span [s].

    Raises:
        ShowError: the span is empty, shorter than a sample, or not inside the motion.
    """
    advice = f"choose times within 0 to {motion.duration_s:.3f} s"
    last_s = motion.duration_s + TIME_SLACK_S
    check_within(motion.name, "start_s", start_s, 0.0, last_s, "s", advice)
    check_within(motion.name, "end_s", end_s, 0.0, last_s, "s", advice)
    if end_s <= start_s:
        reason = f"the span from {start_s:g} s to {end_s:g} s is empty"
        raise ShowError(motion.name, "end_s", reason, "choose an end after the start")
    inside = math.floor((motion.duration_s - start_s) * motion.rate_hz + 1e-6)
    steps = min(round((end_s - start_s) * motion.rate_hz), inside)
    if steps < 1:
        reason = f"the span of {end_s - start_s:g} s is shorter than a sample"
        raise ShowError(motion.name, "end_s", reason, f"keep at least {1.0 / motion.rate_hz:.3f} s")

    def new_time(time_s: float) -> float | None:
        inside = start_s - TIME_SLACK_S <= time_s <= end_s + TIME_SLACK_S
        return time_s - start_s if inside else None

    times_s = start_s + sample_times(steps + 1, motion.rate_hz)
    return with_times(motion, sampler(motion)(times_s), new_time)
