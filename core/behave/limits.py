"""References stay within joint limits, approached softly."""

import numpy as np

from devices.interface import Floats


class SoftLimits:
    """Maps any reference into the joints' range, C¹: untouched inside, bent near the limits.

    Beyond a knee at the limit minus margin minus band, the depth u (in bands) becomes
    u / (1 + u), which starts with slope 1 and never reaches 1.

    Args:
        lower: smallest positions (n) [rad].
        upper: largest positions (n) [rad].
        margin: what is kept free of the limit itself [rad].
        band: the width over which the reference is bent [rad]; at most a tenth of the range.
    """

    def __init__(self, lower: Floats, upper: Floats, margin: float, band: float) -> None:
        reach = upper - lower
        self._band = np.minimum(band, 0.1 * reach)
        margins = np.minimum(margin, 0.05 * reach)
        self._middle = 0.5 * (upper + lower)
        self._knee = 0.5 * reach - margins - self._band
        self._offset = np.empty_like(lower)
        self._depth = np.empty_like(lower)
        self._slope = np.empty_like(lower)
        self._work = np.empty_like(lower)
        self._outside = np.empty(lower.shape, dtype=np.bool_)

    def apply(self, q: Floats, dq: Floats, ddq: Floats) -> bool:
        """Bend a reference (n) in place [rad], [rad/s], [rad/s²]; tells whether it had to."""
        offset, outside = self._offset, self._outside
        np.subtract(q, self._middle, out=offset)
        np.abs(offset, out=offset)
        np.greater(offset, self._knee, out=outside)
        if np.count_nonzero(outside) == 0:
            return False
        depth, slope, work = self._depth, self._slope, self._work
        np.subtract(offset, self._knee, out=depth)
        np.divide(depth, self._band, out=depth)
        np.maximum(depth, 0.0, out=depth)
        np.add(depth, 1.0, out=slope)  # 1 + u, so far
        np.subtract(q, self._middle, out=work)
        np.copysign(self._band, work, out=offset)  # the band with the side's sign
        # What is taken off the position vanishes inside, which leaves it as it is to the bit.
        np.multiply(depth, depth, out=work)
        np.divide(work, slope, out=work)
        np.multiply(work, offset, out=work)
        np.subtract(q, work, out=q)
        np.multiply(dq, dq, out=work)
        np.divide(work, offset, out=work)
        np.multiply(work, outside, out=work)
        np.multiply(work, 2.0, out=work)
        np.divide(work, slope, out=work)
        np.subtract(ddq, work, out=ddq)
        np.multiply(slope, slope, out=slope)
        np.divide(ddq, slope, out=ddq)
        np.divide(dq, slope, out=dq)
        return True

    def unbend(self, q: Floats) -> Floats:
        """Return the positions (n) [rad] that `apply` would turn into these, as far as it can."""
        offset = q - self._middle
        depth = np.clip((np.abs(offset) - self._knee) / self._band, 0.0, 0.95)
        bent = np.sign(offset) * (self._knee + self._band * depth / (1.0 - depth))
        unbent: Floats = np.where(depth > 0.0, self._middle + bent, q)
        return unbent
