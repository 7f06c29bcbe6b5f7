"""The soft shells of the boots on the ground."""

from typing import Any

import numpy as np

from devices.interface import Floats
from devices.sim.settings import SimSettings
from devices.sim.world import World


class Boots:
    """Springs at points of the feet, pressed by the ground along its normal."""

    def __init__(self, settings: SimSettings, world: World, data: Any) -> None:
        """Find the shells' points in the model's state."""
        first, end = world.boot_sites
        self._points: Floats = data.site_xpos[first:end]
        self._coms: Floats = data.xipos
        self._bodies = [int(b) for b in world.model.site_bodyid[first:end]]
        self._stiffness = [shell.stiffness for shell in settings.boot_shells]
        self._normal = world.normal
        self._normal_list: list[float] = world.normal.tolist()
        self._height = np.zeros(end - first)

    def press(self, wrenches: Floats) -> bool:
        """Add the shells' forces to the bodies' wrenches (nbody, 6); return whether any acts."""
        np.dot(self._points, self._normal, out=self._height)
        heights = self._height.tolist()
        if not heights or min(heights) >= 0.0:
            return False
        nx, ny, nz = self._normal_list
        for index, height in enumerate(heights):
            if height >= 0.0:
                continue
            body = self._bodies[index]
            size = -height * self._stiffness[index]
            x, y, z = self._points[index].tolist()
            cx, cy, cz = self._coms[body].tolist()
            x, y, z = x - cx, y - cy, z - cz
            fx, fy, fz = size * nx, size * ny, size * nz
            # One assignment of six numbers costs less than any vector algebra on three.
            wrenches[body] += (fx, fy, fz, y * fz - z * fy, z * fx - x * fz, x * fy - y * fx)
        return True
