"""Slowing a motion where a robot's joints cannot follow it."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.interpolate import CubicHermiteSpline
from scipy.ndimage import maximum_filter1d

from shows.errors import ShowError
from shows.joints import Floats, JointTable
from shows.motion import Motion
from shows.process.bounds import check_duration
from shows.process.sampling import sample_times, sampler, with_times

FULL_CHANGE_S = 0.2
"""Shortest time in which the pace changes from none to full [s]."""

RAMP_SHARE = 0.4
"""Share of the acceleration limit that a change of pace may take."""

SLOWEST = 1e-6

FAULT_S = 0.01
"""Time to either side of a fault that is slowed with it in the first round [s]."""

WIDENING = 1.08
"""Growth of that time from round to round: in the end the pace is even, which always helps."""

GENTLER = 1.2
"""Most by which a round slows the changes of pace."""

MARGIN = 1.004
MAX_ROUNDS = 120


def slow_to_limits(motion: Motion, joints: JointTable) -> Motion:
    """Return a motion whose speeds and accelerations pass `check_motion`.

    It is slowed only around the moments that break a limit; elsewhere its pace is the old one.
    The pace changes smoothly, so that the velocity has no step. Each round measures the motion
    as `check_motion` does and slows the faults by the excess that remains.

    Args:
        motion: the motion.
        joints: limits of the robot's joints.

    Raises:
        ShowError: a joint is unknown, the result is too long, or no pace is slow enough, as with
            noise that is faster than the limits.
    """
    for joint in motion.joint_names:
        if joint not in joints.index:
            reason = f"{joints.robot} has no joint {joint!r}"
            raise ShowError(motion.name, "joint_names", reason, "name joints of its profile")
    columns = [joints.index[joint] for joint in motion.joint_names]
    excess = _excess(motion, joints, columns)
    if (excess <= 1.0).all():
        return motion
    sample = sampler(motion)
    lower = np.minimum(joints.lower[columns], motion.positions.min(axis=0))
    upper = np.maximum(joints.upper[columns], motion.positions.max(axis=0))
    old_s = sample_times(len(motion.positions), motion.rate_hz)
    new_s = old_s
    pace = np.ones(len(old_s))
    wanted = pace
    ramps = _ramps(motion, joints, columns)
    for attempt in range(MAX_ROUNDS):
        reach = round(FAULT_S * WIDENING**attempt * motion.rate_hz)
        excess = maximum_filter1d(excess, 2 * reach + 1, mode="nearest")
        factor = _at_old_samples(excess, new_s * motion.rate_hz)
        wanted = np.minimum(wanted, pace / factor)
        ramps = ramps / np.minimum(np.maximum(factor[1:], factor[:-1]), GENTLER) ** 2
        new_s, pace = _new_times(motion, _soften(wanted, ramps))
        times_s = sample_times(round(new_s[-1] * motion.rate_hz) + 1, motion.rate_hz)
        moments_s = CubicHermiteSpline(new_s, old_s, pace)(times_s)
        positions = np.clip(sample(moments_s), lower, upper)
        excess = _excess(replace(motion, positions=positions), joints, columns)
        if (excess <= 1.0).all():
            return with_times(motion, positions, _new_time(old_s, new_s))
    at_s = float(np.argmax(excess)) / motion.rate_hz
    reason = "cannot be slowed enough to keep the limits of speed and acceleration"
    raise ShowError(motion.name, f"at {at_s:.2f} s", reason, "repair or smooth it first")


def _new_time(old_s: Floats, new_s: Floats) -> Callable[[float], float]:
    return lambda time_s: float(np.interp(time_s, old_s, new_s))


def _excess(motion: Motion, joints: JointTable, columns: list[int]) -> Floats:
    """Return the factor (k) by which each sample must be slowed; at most 1 if it need not."""
    excess = np.zeros(len(motion.positions))
    speed = np.abs(np.diff(motion.positions, axis=0)) * motion.rate_hz
    share = (speed / joints.velocity_limit[columns]).max(axis=1)
    excess[1:] = share
    excess[:-1] = np.maximum(excess[:-1], share)
    acceleration, stride = motion.accelerations()
    if len(acceleration):
        bend = np.zeros(len(excess))
        share = np.abs(acceleration) / joints.acceleration[columns]
        bend[stride:-stride] = np.sqrt(share.max(axis=1))
        bend = maximum_filter1d(bend, 2 * stride + 1, mode="nearest")
        excess = np.maximum(excess, bend)
    return excess


def _at_old_samples(excess: Floats, index: Floats) -> Floats:
    """Return the factor at the old samples, whose indices among the new ones are given."""
    last = len(excess) - 1
    below = np.clip(np.floor(index).astype(int), 0, last)
    above = np.clip(np.ceil(index).astype(int), 0, last)
    most = np.maximum(excess[below], excess[above])
    return np.where(most > 1.0, most * MARGIN, 1.0)


def _ramps(motion: Motion, joints: JointTable, columns: list[int]) -> Floats:
    """Return how much the squared pace may change from one sample to the next (k - 1).

    A change of pace accelerates a joint by half its velocity times the slope of the squared pace
    over the old time. That may take RAMP_SHARE of its limit.
    """
    speed = np.abs(np.diff(motion.positions, axis=0)) * motion.rate_hz
    padded = np.pad(speed, ((1, 1), (0, 0)), mode="edge")
    speed = np.maximum(np.maximum(padded[:-2], padded[2:]), speed)
    budget = 2.0 * RAMP_SHARE * joints.acceleration[columns]
    slope = (budget / np.maximum(speed, 1e-9)).min(axis=1)
    ramps: Floats = np.minimum(slope, 2.0 / FULL_CHANGE_S) / motion.rate_hz
    return ramps


def _soften(wanted: Floats, ramps: Floats) -> Floats:
    """Return the largest pace (k) that is nowhere above the wanted one and keeps the ramps.

    Between samples the pace is linear in the new time: its square is linear in the old one.
    """
    climb = np.concatenate([np.zeros(1), np.cumsum(ramps)])
    squared = wanted * wanted
    squared = np.minimum.accumulate(squared - climb) + climb
    squared = (np.minimum.accumulate((squared + climb)[::-1]))[::-1] - climb
    softened: Floats = np.sqrt(np.maximum(squared, SLOWEST**2))
    return softened


def _new_times(motion: Motion, pace: Floats) -> tuple[Floats, Floats]:
    """Return the new times of the old samples [s] and the pace there; the end is on a sample.

    The time up to that sample is added where the motion is slowed already.
    """
    old_s = sample_times(len(pace), motion.rate_hz)
    steps_s = (2.0 / (pace[:-1] + pace[1:]) - 1.0) / motion.rate_hz
    delay_s = np.concatenate([np.zeros(1), np.cumsum(steps_s)])
    end_s = motion.duration_s + delay_s[-1]
    check_duration(motion.name, end_s)
    end_s = np.ceil(end_s * motion.rate_hz - 1e-6) / motion.rate_hz
    stretch = (end_s - motion.duration_s) / delay_s[-1]
    return old_s + stretch * delay_s, pace / (pace + stretch * (1.0 - pace))
