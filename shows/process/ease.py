"""The weight that a fade follows."""

import numpy as np

from shows.joints import Floats


def ease(share: Floats) -> Floats:
    """Return weights that go from 0 to 1 as the share of a fade goes from 0 to 1.

    The weight is 6 s⁵ - 15 s⁴ + 10 s³: its first and second derivatives are zero at both ends.
    Shares outside 0 to 1 give 0 and 1.
    """
    s = np.clip(share, 0.0, 1.0)
    weight: Floats = s * s * s * (s * (6.0 * s - 15.0) + 10.0)
    return weight
