"""A plane projection of the proto-symbol space, in which the symbols lie widest apart."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.link.message import Vector3

Floats = npt.NDArray[np.float64]
LEAST = 1e-9  # extent below which there is no direction


@dataclass(frozen=True, slots=True, eq=False)
class Projection:
    """A plane through the middle of the symbols.

    Attributes:
        middle: of the symbols (3).
        axes: right and up in the plane, in rows (2, 3), of length 1.
    """

    middle: Floats
    axes: Floats

    def flat(self, places: Sequence[Vector3]) -> Floats:
        """Return where places (k, 3) lie in the plane (k, 2)."""
        found: Floats = (np.reshape(places, (-1, 3)) - self.middle) @ self.axes.T
        return found


def projection_of(places: Sequence[Vector3]) -> Projection:
    """Return the plane of the two principal axes of places (k, 3).

    The axes point to the side where their largest component is positive, so that the same
    symbols are always seen from the same side. Few or equal places take the remaining axes of
    the space.
    """
    if not places:
        return Projection(np.zeros(3), np.eye(3)[:2])
    found = np.array(places, dtype=np.float64)
    middle = found.mean(axis=0)
    _, extents, rows = np.linalg.svd(found - middle, full_matrices=True)
    if extents[0] < LEAST:
        return Projection(middle, np.eye(3)[:2])
    axes = rows[:2]
    largest = np.abs(axes).argmax(axis=1)
    return Projection(middle, axes * np.sign(axes[np.arange(2), largest])[:, None])
