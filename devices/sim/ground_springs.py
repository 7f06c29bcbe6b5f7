"""Points of soft shells that the floor presses."""

from typing import Any

import numpy as np

from devices.compiled import compiled
from devices.interface import Floats
from devices.sim.settings import SimSettings
from devices.sim.world import Indices, World


@compiled
def add_spring_forces(
    sites: Floats, coms: Floats, springs: Indices, stiffness: Floats, normal: Floats, out: Floats
) -> bool:
    """Add the force at each spring's point below the floor to its body's wrench.

    Args:
        sites: positions of the model's sites (nsite, 3) [m].
        coms: centres of mass of the bodies (nbody, 3) [m].
        springs: site and body of each spring (2, k).
        stiffness: of each spring (k) [N/m].
        normal: of the floor (3).
        out: forces and torques at the centres of mass (nbody, 6) [N, N·m].

    Returns:
        Whether any spring acts.
    """
    acts = False
    for spring in range(len(stiffness)):
        site, body = springs[0, spring], springs[1, spring]
        x, y, z = sites[site, 0], sites[site, 1], sites[site, 2]
        height = x * normal[0] + y * normal[1] + z * normal[2]
        if height >= 0.0:
            continue
        acts = True
        size = -height * stiffness[spring]
        fx, fy, fz = size * normal[0], size * normal[1], size * normal[2]
        x, y, z = x - coms[body, 0], y - coms[body, 1], z - coms[body, 2]
        out[body, 0] += fx
        out[body, 1] += fy
        out[body, 2] += fz
        out[body, 3] += y * fz - z * fy
        out[body, 4] += z * fx - x * fz
        out[body, 5] += x * fy - y * fx
    return acts


class GroundSprings:
    """Springs at points of the robot that the floor presses along its normal."""

    def __init__(self, settings: SimSettings, world: World, data: Any) -> None:
        """Find the springs' points in the model's state."""
        sites = world.spring_sites
        self._positions: Floats = data.site_xpos
        self._coms: Floats = data.xipos
        self._springs = np.array([sites, world.model.site_bodyid[sites]], dtype=np.intp)
        self._stiffness = np.array([spring.stiffness for spring in settings.body.ground_springs])
        self._normal = world.normal

    def add_forces(self, wrenches: Floats) -> bool:
        """Add the springs' forces to the bodies' wrenches (nbody, 6); return whether any acts."""
        return add_spring_forces(
            self._positions, self._coms, self._springs, self._stiffness, self._normal, wrenches
        )
