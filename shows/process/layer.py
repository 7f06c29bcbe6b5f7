"""Laying one motion over another."""

from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from shows.errors import ShowError
from shows.joints import Floats
from shows.motion import Motion
from shows.process.bounds import check_within
from shows.process.ease import ease
from shows.process.sampling import TIME_SLACK_S, sample_times, sampler

LayerMode: TypeAlias = Literal["replace", "add"]

_FADE_ADVICE = "give a fade of some tenths of a second"


def layer(
    base: Motion,
    over: Motion,
    weight: float = 1.0,
    *,
    mode: LayerMode = "replace",
    start_s: float = 0.0,
    fade_in_s: float = 0.5,
    fade_out_s: float = 0.5,
) -> Motion:
    """Return a base motion with another one over it, faded in and out without a velocity step.

    The result has the base's length, rate, markers and name; what reaches beyond its end is cut
    off. It has the joints of both: a joint that the base lacks rests at the first position of
    the other motion, before it starts and after it ends.

    Args:
        base: the motion below.
        over: the motion above; it is resampled to the base's rate.
        weight: share of the motion above, 0 to 1.
        mode: "replace" goes over to its positions; "add" adds its difference to its first pose.
        start_s: time of the base at which it starts [s].
        fade_in_s: duration of the fade at its start [s]; may be zero at the base's start only.
        fade_out_s: duration of the fade at its end [s]; may be zero if it reaches the base's end.

    Raises:
        ShowError: it starts after the base's end, its fades are longer than it is, or a number
            is out of bounds.
    """
    check_within(base.name, "weight", weight, 0.0, 1.0, "", "choose a share from 0 to 1")
    latest_s = base.duration_s
    advice = f"start it before the end at {latest_s:.2f} s"
    check_within(base.name, "start_s", start_s, 0.0, latest_s, "s", advice)
    _check_fades(base, over, start_s, fade_in_s, fade_out_s)
    added = tuple(joint for joint in over.joint_names if joint not in base.joint_names)
    names = base.joint_names + added
    columns = [names.index(joint) for joint in over.joint_names]
    from_column = {joint: i for i, joint in enumerate(over.joint_names)}
    held = over.positions[0, [from_column[joint] for joint in added]]
    below = np.column_stack([base.positions, np.tile(held, (len(base.positions), 1))])
    times_s = sample_times(len(below), base.rate_hz) - start_s
    share = weight * _fade(times_s, over.duration_s, fade_in_s, fade_out_s)[:, None]
    above = sampler(over)(times_s)
    start = below[:, columns] if mode == "replace" else over.positions[0]
    below[:, columns] += share * (above - start)
    return replace(base, joint_names=names, positions=below)


def _fade(times_s: Floats, duration_s: float, fade_in_s: float, fade_out_s: float) -> Floats:
    """Return the weight of a motion at times from its start: 0 outside, 1 between its fades."""
    inside = (times_s >= -TIME_SLACK_S) & (times_s <= duration_s + TIME_SLACK_S)
    weight = inside.astype(np.float64)
    if fade_in_s > 0.0:
        weight *= ease(times_s / fade_in_s)
    if fade_out_s > 0.0:
        weight *= ease((duration_s - times_s) / fade_out_s)
    return weight


def _check_fades(
    base: Motion, over: Motion, start_s: float, fade_in_s: float, fade_out_s: float
) -> None:
    longest_s = over.duration_s
    for place, fade_s in (("fade_in_s", fade_in_s), ("fade_out_s", fade_out_s)):
        check_within(base.name, place, fade_s, 0.0, longest_s, "s", f"shorten {place}")
    if fade_in_s + fade_out_s > longest_s + TIME_SLACK_S:
        reason = f"both fades are longer than {over.name}, which lasts {longest_s:g} s"
        raise ShowError(base.name, "fade_out_s", reason, "shorten them")
    if fade_in_s == 0.0 and start_s > 0.0:
        reason = f"{over.name} starts inside the motion without a fade"
        raise ShowError(base.name, "fade_in_s", reason, _FADE_ADVICE)
    if fade_out_s == 0.0 and start_s + longest_s < base.duration_s - TIME_SLACK_S:
        reason = f"{over.name} ends inside the motion without a fade"
        raise ShowError(base.name, "fade_out_s", reason, _FADE_ADVICE)
