"""The slopes of keys: chosen by a rule, typed, or pulled; and where they leave a corner."""

from collections.abc import Collection, Sequence

import msgspec

from shows.process.curves import Curve, Key, Tangent

CORNER_RAD_S = 1e-6  # a smaller step of the velocity is rounding


def settled(keys: Sequence[Key], touched: Collection[int]) -> tuple[Key, ...]:
    """Return keys whose slopes follow their rules, at some of them and their neighbours.

    Smooth: the slope is the harmonic mean of the secants to both sides, and zero at an extremum
    and at the ends, so that the curve between smooth keys never overshoots (Fritsch and
    Butland). Flat: zero. Linear: the secant to each side, which leaves a corner. Free: as it is.

    Args:
        keys: in order of time.
        touched: indices of those that have changed.
    """
    near = {i + step for i in touched for step in (-1, 0, 1)}
    return tuple(_ruled(keys, i) if i in near else key for i, key in enumerate(keys))


def with_tangents(curve: Curve, indices: Collection[int], tangent: Tangent) -> Curve:
    """Return a curve some of whose keys follow a rule."""
    keys = tuple(
        msgspec.structs.replace(key, tangent=tangent) if i in indices else key
        for i, key in enumerate(curve.keys)
    )
    return Curve(settled(keys, indices))


def with_slopes(
    curve: Curve,
    indices: Collection[int],
    slope_in: float | None = None,
    slope_out: float | None = None,
) -> Curve:
    """Return a curve some of whose keys are free and have other slopes; None: as it is [rad/s]."""
    keys = list(curve.keys)
    for i in indices:
        key = keys[i]
        keys[i] = msgspec.structs.replace(
            key,
            slope_in=key.slope_in if slope_in is None else slope_in,
            slope_out=key.slope_out if slope_out is None else slope_out,
            tangent="free",
        )
    return Curve(settled(keys, indices))


def joined(curve: Curve, indices: Collection[int]) -> Curve:
    """Return a curve some of whose keys have the mean of their slopes at both sides."""
    for i in indices:
        mean = 0.5 * (curve.keys[i].slope_in + curve.keys[i].slope_out)
        curve = with_slopes(curve, (i,), mean, mean)
    return curve


def corners(curve: Curve, length_s: float) -> tuple[float, ...]:
    """Return the times within a motion at which the velocity of a curve has a step [s].

    Before its first key and after its last one a curve is constant.
    """
    found = []
    for i, key in enumerate(curve.keys):
        lone = len(curve.keys) == 1
        slope_in = 0.0 if i == 0 else key.slope_in
        slope_out = 0.0 if i == len(curve.keys) - 1 else key.slope_out
        inside = 0.0 < key.time_s < length_s
        if inside and not lone and abs(slope_out - slope_in) > CORNER_RAD_S:
            found.append(key.time_s)
    return tuple(found)


def _ruled(keys: Sequence[Key], i: int) -> Key:
    key = keys[i]
    if key.tangent == "free":
        return key
    before = _secant(keys[i - 1], key) if i > 0 else None
    after = _secant(key, keys[i + 1]) if i + 1 < len(keys) else None
    slope_in = slope_out = 0.0
    if key.tangent == "linear":
        slope_in = (after or 0.0) if before is None else before
        slope_out = (before or 0.0) if after is None else after
    elif key.tangent == "smooth" and before is not None and after is not None:
        if before * after > 0.0:
            slope_in = slope_out = 2.0 / (1.0 / before + 1.0 / after)
    return msgspec.structs.replace(key, slope_in=slope_in, slope_out=slope_out)


def _secant(one: Key, other: Key) -> float:
    return (other.value_rad - one.value_rad) / (other.time_s - one.time_s)
