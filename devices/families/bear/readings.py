"""Readings of the actuators in one table for the kernels."""

from typing import Self

import numpy as np

from devices.families.bear.wire.faults import HEALTHY
from devices.interface import Floats

HEARD, BELIEVED, WINDING, POWERSTAGE, INPUT, ERROR, TOLD = range(3, 10)  # columns
WIDTH = 10


class Readings:
    """Readings of the actuators at their outputs, one row for each actuator.

    Attributes:
        table: all readings; the other attributes are views of its columns (n, 10).
        motion: position [rad], velocity [rad/s] and current [A] (n, 3).
        heard_s: time of the request that each actuator answered last (n) [s].
        winding_c: temperature of the windings (n) [°C].
        powerstage_c: temperature of the power stages (n) [°C].
        input_v: supply voltage at the actuators (n) [V].
        errors: newest error bytes (n).
        told: the round's register besides the motion, until the next round confirms it (n).
    """

    def __init__(self, table: Floats) -> None:
        self.table = table
        self.motion: Floats = table[:, :3]
        self.heard_s: Floats = table[:, HEARD]
        self.winding_c: Floats = table[:, WINDING]
        self.powerstage_c: Floats = table[:, POWERSTAGE]
        self.input_v: Floats = table[:, INPUT]
        self.errors: Floats = table[:, ERROR]
        self.told: Floats = table[:, TOLD]

    @classmethod
    def unread(cls, count: int) -> Self:
        """Return the readings of cold actuators that never answered."""
        table = np.zeros((count, WIDTH))
        table[:, HEARD : BELIEVED + 1] = -np.inf
        table[:, WINDING] = 25.0
        table[:, POWERSTAGE : INPUT + 1] = np.nan
        table[:, ERROR] = HEALTHY
        return cls(table)

    def rows(self, part: slice) -> "Readings":
        """Return a view of some rows."""
        return Readings(self.table[part])
