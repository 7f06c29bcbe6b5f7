"""Keeps references within the joint limits, which they approach smoothly."""

import math

import numpy as np

from core.compiled import compiled
from devices.interface import Floats


@compiled
def bend(raw: Floats, out: Floats, middle: Floats, knee: Floats, band: Floats) -> bool:
    """Write a reference, bent where it is beyond its knee; return whether any joint is.

    Args:
        raw: positions [rad], velocities [rad/s] and accelerations [rad/s²] (3, n).
        out: output (3, n).
        middle: of each joint's range (n) [rad].
        knee: distance from the middle within which a reference is unchanged (n) [rad].
        band: range over which it is bent (n) [rad].
    """
    q, dq, ddq = out[0], out[1], out[2]
    beyond = 0
    for i in range(q.size):
        q[i], dq[i], ddq[i] = raw[0, i], raw[1, i], raw[2, i]
        beyond += abs(q[i] - middle[i]) > knee[i]
    if beyond == 0:
        return False
    for i in range(q.size):
        way = q[i] - middle[i]
        depth = max((abs(way) - knee[i]) / band[i], 0.0)
        slope = depth + 1.0
        side = math.copysign(band[i], way)
        # Inside the knee the correction is exactly zero.
        q[i] -= depth * depth / slope * side
        outside = 1.0 if abs(way) > knee[i] else 0.0
        ddq[i] -= dq[i] * dq[i] / side * outside * 2.0 / slope
        ddq[i] /= slope * slope
        dq[i] /= slope * slope
    return True


class SoftLimits:
    """Maps any reference into the joints' range, C¹: unchanged inside, bent near the limits.

    Beyond a knee at the limit minus margin minus band, the depth u (in bands) becomes
    u / (1 + u), which starts with slope 1 and never reaches 1.

    Args:
        lower: smallest positions (n) [rad].
        upper: largest positions (n) [rad].
        margin: distance from the limit that is never entered [rad].
        band: range over which the reference is bent [rad]; at most a tenth of the joint's range.
    """

    def __init__(self, lower: Floats, upper: Floats, margin: float, band: float) -> None:
        reach = upper - lower
        self._band = np.minimum(band, 0.1 * reach)
        margins = np.minimum(margin, 0.05 * reach)
        self._middle = 0.5 * (upper + lower)
        self._knee = 0.5 * reach - margins - self._band

    def apply(self, raw: Floats, out: Floats) -> bool:
        """Write a bent reference (3, n) [rad], [rad/s], [rad/s²]; return whether any joint was."""
        return bend(raw, out, self._middle, self._knee, self._band)

    def unbend(self, q: Floats) -> Floats:
        """Return the positions (n) [rad] that `apply` maps to these, as far as there are any."""
        offset = q - self._middle
        depth = np.clip((np.abs(offset) - self._knee) / self._band, 0.0, 0.95)
        bent = np.sign(offset) * (self._knee + self._band * depth / (1.0 - depth))
        unbent: Floats = np.where(depth > 0.0, self._middle + bent, q)
        return unbent
