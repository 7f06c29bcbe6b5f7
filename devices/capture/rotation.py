"""Quaternions of sources as rotations, and back."""

import numpy as np

from devices.capture.errors import CaptureError, Refusal
from devices.interface import Floats

MOST_M = 1000.0
"""Largest size of a coordinate: a stage is smaller."""
_OFF_UNIT = 0.01  # by which the length of a unit quaternion may miss 1, in single precision


def checked_points(points: Floats) -> Floats:
    """Return positions (n, 3) [m] whose coordinates are possible.

    Raises:
        CaptureError: a coordinate is not finite, or larger than a stage.
    """
    if not (np.abs(points) <= MOST_M).all():  # NaN is not
        raise CaptureError(Refusal.NUMBERS, f"a position is not within {MOST_M:g} m")
    return points


def rotations(quaternions: Floats) -> Floats:
    """Return the rotations (n, 3, 3) of unit quaternions (n, 4), w first.

    Raises:
        CaptureError: one has not the length 1, or is not finite.
    """
    # Before they are squared: a square of a large number is infinite.
    if not (np.abs(quaternions) <= 2.0).all():
        raise CaptureError(Refusal.NUMBERS, "a quaternion has not the length 1")
    lengths = np.sqrt((quaternions * quaternions).sum(axis=1))
    if not (np.abs(lengths - 1.0) <= _OFF_UNIT).all():
        raise CaptureError(Refusal.NUMBERS, "a quaternion has not the length 1")
    w, x, y, z = (quaternions / lengths[:, None]).T
    turns = np.empty((len(quaternions), 3, 3))
    turns[:, 0, 0] = 1.0 - 2.0 * (y * y + z * z)
    turns[:, 0, 1] = 2.0 * (x * y - w * z)
    turns[:, 0, 2] = 2.0 * (x * z + w * y)
    turns[:, 1, 0] = 2.0 * (x * y + w * z)
    turns[:, 1, 1] = 1.0 - 2.0 * (x * x + z * z)
    turns[:, 1, 2] = 2.0 * (y * z - w * x)
    turns[:, 2, 0] = 2.0 * (x * z - w * y)
    turns[:, 2, 1] = 2.0 * (y * z + w * x)
    turns[:, 2, 2] = 1.0 - 2.0 * (x * x + y * y)
    return turns


def quaternions(turns: Floats) -> Floats:
    """Return the unit quaternions (n, 4), w first and not negative, of rotations (n, 3, 3)."""
    diagonal = np.diagonal(turns, axis1=1, axis2=2)
    trace = diagonal.sum(axis=1, keepdims=True)
    # Four times the square of each component; the largest is computed by its root, the others
    # from the products with it.
    squares = np.concatenate((1.0 + trace, 1.0 + 2.0 * diagonal - trace), axis=1)
    r = turns
    products = np.empty((len(turns), 4, 4))
    products[:, range(4), range(4)] = squares
    for i, (j, k) in enumerate(((1, 2), (2, 0), (0, 1)), start=1):
        products[:, 0, i] = products[:, i, 0] = r[:, k, j] - r[:, j, k]
        products[:, j + 1, k + 1] = products[:, k + 1, j + 1] = r[:, j, k] + r[:, k, j]
    rows = products[np.arange(len(turns)), squares.argmax(axis=1)]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    found: Floats = np.where(rows[:, :1] < 0.0, -rows, rows)
    return found
