"""Curves: one joint's positions over time, by keys that a person can edit."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal, TypeAlias

import msgspec
import numpy as np

from shows.errors import ShowError
from shows.joints import Floats
from shows.motion import Motion
from shows.process.bounds import SettingError, check_within
from shows.process.sampling import sample_times

Tangent: TypeAlias = Literal["free", "smooth", "flat", "linear"]

_LABEL = "curve"


class Key(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A point of a curve.

    Attributes:
        time_s: from the motion's start [s].
        value_rad: position [rad].
        slope_in: velocity just before it [rad/s].
        slope_out: velocity just after it [rad/s]; another one than `slope_in` breaks the key.
        tangent: how an editor chooses the slopes when keys change (see `key_tangents`); the
            curve is that of the slopes alone.
    """

    time_s: float
    value_rad: float
    slope_in: float = 0.0
    slope_out: float = 0.0
    tangent: Tangent = "free"

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """Time, value and slopes [s, rad, rad/s, rad/s]."""
        return self.time_s, self.value_rad, self.slope_in, self.slope_out


class Curve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Keys in order of time, joined by cubics; before and after them the position is constant.

    Attributes:
        keys: at least one.

    Raises:
        ShowError: the keys are not finite, or their times do not increase from zero on.
    """

    keys: Annotated[tuple[Key, ...], msgspec.Meta(min_length=1, max_length=100_000)]

    def __post_init__(self) -> None:
        """Refuse keys that are not finite or out of order."""
        if not self.keys:
            raise SettingError(_LABEL, "keys", "it has none", "add a key")
        before_s = -math.inf
        for i, key in enumerate(self.keys):
            place = f"key {i + 1}"
            if not all(map(math.isfinite, key.numbers)):
                raise SettingError(_LABEL, place, "is not finite", "give finite numbers")
            if key.time_s < 0.0 or key.time_s <= before_s:
                before = "before 0 s" if key.time_s < 0.0 else f"not after {before_s:g} s"
                reason = f"{key.time_s:g} s is {before}"
                raise SettingError(_LABEL, place, reason, "keep the keys in order of time")
            before_s = key.time_s


def evaluate(curve: Curve, times_s: Floats) -> Floats:
    """Return a curve's positions (n) [rad] at times (n) [s]."""
    return _state(curve, np.asarray(times_s, dtype=np.float64))[0]


def velocity(curve: Curve, times_s: Floats) -> Floats:
    """Return a curve's velocities (n) [rad/s] at times (n) [s]; at a corner that behind it."""
    return _state(curve, np.asarray(times_s, dtype=np.float64))[1]


def bake(curves: Sequence[Curve], like: Motion) -> Motion:
    """Return a motion with the positions of curves at its samples.

    Args:
        curves: one for each joint of the motion, in its order.
        like: gives the joints, the rate, the length and the rest.

    Raises:
        ShowError: there is not one curve for each joint.
    """
    if len(curves) != len(like.joint_names):
        reason = f"{len(curves)} curves do not fit {len(like.joint_names)} joints"
        raise ShowError(like.name, "curves", reason, "give one curve a joint")
    times_s = sample_times(len(like.positions), like.rate_hz)
    return replace(like, positions=np.column_stack([evaluate(c, times_s) for c in curves]))


def insert_key(curve: Curve, time_s: float) -> Curve:
    """Return a curve of the same shape with one more key.

    Raises:
        ShowError: there is a key at this time, or the time is negative or not finite.
    """
    check_within(_LABEL, "time_s", time_s, 0.0, math.inf, "s", "choose a time from 0 s on")
    if any(key.time_s == time_s for key in curve.keys):
        raise ShowError(_LABEL, f"at {time_s:g} s", "there is a key already", "move that key")
    value, slope = (float(each[0]) for each in _state(curve, np.array([time_s])))
    keys = [*curve.keys, Key(time_s, value, slope, slope)]
    first, last = curve.keys[0], curve.keys[-1]
    if time_s < first.time_s:
        keys[0] = msgspec.structs.replace(first, slope_in=0.0)
    elif time_s > last.time_s:
        keys[-2] = msgspec.structs.replace(last, slope_out=0.0)
    return Curve(tuple(sorted(keys, key=lambda key: key.time_s)))


def _state(curve: Curve, times_s: Floats) -> tuple[Floats, Floats]:
    """Return positions (n) [rad] and velocities (n) [rad/s] at times (n) [s]."""
    knots_s, values, slopes_in, slopes_out = np.array([key.numbers for key in curve.keys]).T
    if len(knots_s) == 1:
        return np.full(len(times_s), values[0]), np.zeros(len(times_s))
    clipped_s = np.clip(times_s, knots_s[0], knots_s[-1])
    i = np.clip(np.searchsorted(knots_s, clipped_s, side="right") - 1, 0, len(knots_s) - 2)
    length_s = knots_s[i + 1] - knots_s[i]
    s = (clipped_s - knots_s[i]) / length_s
    rise, enter, leave = values[i + 1] - values[i], slopes_out[i], slopes_in[i + 1]
    position: Floats = (
        values[i]
        + s * s * (3.0 - 2.0 * s) * rise
        + length_s * s * (1.0 - s) * ((1.0 - s) * enter - s * leave)
    )
    speed: Floats = (
        6.0 * s * (1.0 - s) * rise / length_s
        + (1.0 - s) * (1.0 - 3.0 * s) * enter
        + s * (3.0 * s - 2.0) * leave
    )
    return position, np.where(times_s == clipped_s, speed, 0.0)
