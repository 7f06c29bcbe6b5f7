"""When a foot may leave the ground: not before the pressure lies on the feet that stay."""

import math

from core.retouch.region import Region
from devices.interface import Floats


def detachment(first: Floats, last: Floats, rate: float, region: Region) -> float:
    """Return the time from which the pressure p(t) of a piece lies in a region [s].

    The pressure runs straight from p₀ to p_T, so that every half-plane tells the share of
    p₀ - p_T that may be left; the time follows in closed form. It is infinite if p_T lies outside
    or on the edge that p₀ violates.

    Args:
        first: p₀ (2) [m].
        last: p_T (2) [m].
        rate: of the pressure, αω [1/s].
        region: of the feet that stay.
    """
    before = region.normals @ first - region.bounds
    after = region.bounds - region.normals @ last
    if after.min() < 0.0:
        return math.inf
    share = 1.0
    for beyond, room in zip(before.tolist(), after.tolist(), strict=True):
        if beyond > 0.0:
            share = min(share, room / (room + beyond))
    return -math.log(share) / rate if share > 0.0 else math.inf
