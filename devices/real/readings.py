"""What actuators tell of themselves, in one table that kernels read."""

from typing import Self

import numpy as np

from devices.interface import Floats

HEARD, BELIEVED, WINDING = 3, 4, 5  # columns


class Readings:
    """What actuators tell of themselves, at their outputs. Row by row in the same order.

    Attributes:
        table: all of it; the others are views of its columns (n, 8).
        motion: position [rad], velocity [rad/s] and current [A] (n, 3).
        heard_s: when the request was sent that each answered last (n) [s].
        winding_c: temperature of the windings (n) [°C].
        powerstage_c: temperature of the power stages (n) [°C].
        input_v: supply voltage at the actuators (n) [V].
    """

    def __init__(self, table: Floats) -> None:
        self.table = table
        self.motion: Floats = table[:, :3]
        self.heard_s: Floats = table[:, HEARD]
        self.winding_c: Floats = table[:, WINDING]
        self.powerstage_c: Floats = table[:, 6]
        self.input_v: Floats = table[:, 7]

    @classmethod
    def unread(cls, count: int) -> Self:
        """Return those of cold actuators that were never heard."""
        table = np.zeros((count, 8))
        table[:, HEARD : BELIEVED + 1] = -np.inf
        table[:, WINDING] = 25.0
        table[:, WINDING + 1 :] = np.nan
        return cls(table)

    def rows(self, part: slice) -> "Readings":
        """Return a view of some rows."""
        return Readings(self.table[part])
