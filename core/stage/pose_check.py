"""Whether a robot could take a pose: links that touch, and torque against gravity."""

from collections.abc import Mapping

import numpy as np

from core.stage.body import PreflightBody
from devices.interface import Floats

TOUCH_M = 0.0  # deeper than at rest counts as touching
LEAST_LOAD = 0.02  # smaller shares of the stall torque are left out


def judge(
    angles: Mapping[str, float], body: PreflightBody
) -> tuple[tuple[tuple[str, str], ...], dict[str, float]]:
    """Return pairs of links that touch, and each joint's share of its stall torque.

    Args:
        angles: joint angles by name; other joints are at rest, unknown ones are ignored [rad].
        body: the robot.
    """
    upper = body.upper
    q: Floats = body.rest_q[list(upper.table_index)].copy()
    for name, angle in angles.items():
        if name in upper.index:
            q[upper.index[name]] = angle
    still = np.zeros_like(q)
    torque = np.abs(body.dynamics.torque(q, still, still)) / body.stall_torque
    loads = {
        name: round(float(share), 4)
        for name, share in zip(upper.names, torque, strict=True)
        if share > LEAST_LOAD
    }
    if body.collision is None:
        return (), loads
    contacts = body.collision.deepest([body.dynamics.placements(q)])
    touching = (c for c in contacts if c.depth_m > TOUCH_M and not c.may_touch)
    return tuple(contact.bodies for contact in touching), loads
