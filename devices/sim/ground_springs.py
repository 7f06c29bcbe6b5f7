"""The soft shells of the boots on the ground."""

from typing import Any

import numpy as np

from devices.compiled import compiled
from devices.interface import Floats
from devices.sim.settings import SimSettings
from devices.sim.world import Indices, World


@compiled
def press_shells(
    sites: Floats, coms: Floats, shells: Indices, stiffness: Floats, normal: Floats, out: Floats
) -> bool:
    """Add the force at each shell's point below the floor to its body's wrench.

    Args:
        sites: the model's points (nsite, 3) [m].
        coms: the bodies' centres of mass (nbody, 3) [m].
        shells: site and body of each shell (2, k).
        stiffness: of each shell (k) [N/m].
        normal: of the floor (3).
        out: forces and torques at the centres of mass (nbody, 6) [N, N·m].

    Returns:
        Whether any acts.
    """
    acts = False
    for shell in range(len(stiffness)):
        site, body = shells[0, shell], shells[1, shell]
        x, y, z = sites[site, 0], sites[site, 1], sites[site, 2]
        height = x * normal[0] + y * normal[1] + z * normal[2]
        if height >= 0.0:
            continue
        acts = True
        size = -height * stiffness[shell]
        fx, fy, fz = size * normal[0], size * normal[1], size * normal[2]
        x, y, z = x - coms[body, 0], y - coms[body, 1], z - coms[body, 2]
        out[body, 0] += fx
        out[body, 1] += fy
        out[body, 2] += fz
        out[body, 3] += y * fz - z * fy
        out[body, 4] += z * fx - x * fz
        out[body, 5] += x * fy - y * fx
    return acts


class Boots:
    """Springs at points of the feet, pressed by the ground along its normal."""

    def __init__(self, settings: SimSettings, world: World, data: Any) -> None:
        """Find the shells' points in the model's state."""
        sites = world.boot_sites
        self._positions: Floats = data.site_xpos
        self._coms: Floats = data.xipos
        self._shells = np.array([sites, world.model.site_bodyid[sites]], dtype=np.intp)
        self._stiffness = np.array([shell.stiffness for shell in settings.boot_shells])
        self._normal = world.normal

    def press(self, wrenches: Floats) -> bool:
        """Add the shells' forces to the bodies' wrenches (nbody, 6); return whether any acts."""
        return press_shells(
            self._positions, self._coms, self._shells, self._stiffness, self._normal, wrenches
        )
