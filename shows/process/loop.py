"""Making a motion repeat without a seam."""

import numpy as np

from shows.errors import ShowError
from shows.motion import Motion
from shows.process.bounds import check_positive
from shows.process.ease import ease
from shows.process.sampling import TIME_SLACK_S, with_times


def loop(motion: Motion, blend_s: float) -> Motion:
    """Return a motion that repeats without a seam: it ends as it begins.

    The last `blend_s` of the motion are cut off and faded into its first `blend_s`. This alters
    three things: the motion is shorter by `blend_s`, its first `blend_s` differ, and its first
    pose is the one that it had `blend_s` before its end. The rest stays sample for sample.
    Position and velocity of the last sample equal those of the first. Markers that were cut off
    move to the beginning with their pose.

    Args:
        motion: the motion.
        blend_s: duration of the fade, at most half the motion [s]; rounded to samples.

    Raises:
        ShowError: the fade is shorter than a sample or longer than half the motion.
    """
    advice = f"choose at most half the motion, {0.5 * motion.duration_s:.2f} s"
    check_positive(motion.name, "blend_s", blend_s, "s", advice)
    intervals = len(motion.positions) - 1
    if blend_s > 0.5 * motion.duration_s + TIME_SLACK_S:
        reason = f"{blend_s:g} s is more than half the motion of {motion.duration_s:g} s"
        raise ShowError(motion.name, "blend_s", reason, advice)
    fade = min(round(blend_s * motion.rate_hz), intervals // 2)
    if fade < 1:
        reason = f"{blend_s:g} s is shorter than a sample, or the motion too short for a fade"
        raise ShowError(motion.name, "blend_s", reason, "choose a longer fade or motion")
    kept = intervals - fade
    weight = ease(np.arange(fade + 1) / fade)[:, None]
    positions = motion.positions[: kept + 1].copy()
    positions[: fade + 1] *= weight
    positions[: fade + 1] += (1.0 - weight) * motion.positions[kept:]
    positions[-1] = motion.positions[kept]
    length_s = kept / motion.rate_hz

    def new_time(time_s: float) -> float:
        return time_s if time_s <= length_s + TIME_SLACK_S else time_s - length_s

    return with_times(motion, positions, new_time)
