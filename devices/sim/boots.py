"""The soft shells of the boots on the ground."""

from typing import Any

from devices.interface import Floats
from devices.sim.settings import SimSettings
from devices.sim.world import World


class Boots:
    """Springs at points of the feet, pressed by the ground along its normal."""

    def __init__(self, settings: SimSettings, world: World, data: Any) -> None:
        """Find the shells' points in the model's state."""
        self._sites = world.boot_sites
        self._positions: Floats = data.site_xpos
        self._coms: Floats = data.xipos
        self._bodies = [int(b) for b in world.model.site_bodyid[self._sites]]
        self._stiffness = [shell.stiffness for shell in settings.boot_shells]
        self._normal = world.normal
        self._normal_list: list[float] = world.normal.tolist()

    def press(self, wrenches: Floats) -> bool:
        """Add the shells' forces to the bodies' wrenches (nbody, 6); return whether any acts."""
        points = self._positions[self._sites]
        heights = points.dot(self._normal).tolist()
        if not heights or min(heights) >= 0.0:
            return False
        nx, ny, nz = self._normal_list
        for index, height in enumerate(heights):
            if height >= 0.0:
                continue
            body = self._bodies[index]
            size = -height * self._stiffness[index]
            x, y, z = points[index].tolist()
            cx, cy, cz = self._coms[body].tolist()
            x, y, z = x - cx, y - cy, z - cz
            fx, fy, fz = size * nx, size * ny, size * nz
            # One assignment of six numbers costs less than any vector algebra on three.
            wrenches[body] += (fx, fy, fz, y * fz - z * fy, z * fx - x * fz, x * fy - y * fx)
        return True
