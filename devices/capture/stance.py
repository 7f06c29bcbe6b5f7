"""Where a person stands whom a camera sees about the hips only: on the foot that is lower."""

from typing import Final

import numpy as np

from devices.capture.skeleton import INDEX, SIDES
from devices.interface import Floats

LIFTED_M: Final = 0.06
"""Height above the other foot from which a foot bears nothing."""
_FEET: Final = [[INDEX[f"{side}_{part}"] for part in ("foot", "toe")] for side in SIDES]


class Stance:
    """Places postures in a world in which the foot that stands keeps its place.

    A picture tells badly how far away somebody is. The lower foot is on the floor and does not
    slide; of two on the floor neither does. Each step adds the error of its length.
    """

    def __init__(self) -> None:
        self._feet: Floats | None = None  # where they were (2, 2)

    def placed(self, joints: Floats) -> Floats:
        """Return the joints in that world (22, 3) [m].

        Args:
            joints: of a posture, the hips at any place (22, 3) [m].
        """
        soles = joints[_FEET]
        heights = soles[..., 2].min(axis=1)
        feet = soles[..., :2].mean(axis=1)
        before = feet if self._feet is None else self._feet
        bears = np.maximum(0.0, 1.0 - (heights - heights.min()) / LIFTED_M)
        way = bears @ (before - feet) / bears.sum()
        self._feet = feet + way
        placed: Floats = joints + [*way, -heights.min()]
        return placed
