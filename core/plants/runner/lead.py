"""The body of a standing robot as its limb leads it, beside the plan of the feet."""

import math
from typing import Any

import numpy as np

from core.compiled import bind, compiled
from core.plants.biped.walk.body import FADE, FORWARD, LEFT, STILL, UPRIGHT
from core.records import Record, make_record
from devices.interface import Floats
from shows.body_limb import ROLES

POSED, SHIFTED = 0, 1  # shares: of angles and height, and of the shift


@compiled
def lead_body(memory: Record, motion: Floats, dt: float, acts: bool) -> None:
    """Advance the share to which the limb is followed by one tick, and write the motion.

    Args:
        memory: reference of the `limb` (3, 6), and the `share` to which its angles and height, and
            its shift, are followed, each with its rate (2, 2).
        motion: output: position, velocity and acceleration of each coordinate (3, 6).
        dt: of the tick [s].
        acts: the limb shall be followed.
    """
    given: Any = memory[0]
    for part in range(2):
        share = given.share[part]
        curve = FADE * (FADE * ((1.0 if acts else 0.0) - share[0]) - 2.0 * share[1])
        share[1] += dt * curve
        share[0] += dt * share[1]
        s, rate = share[0], share[1]
        for i in range(motion.shape[1]):
            if (i in (LEFT, FORWARD)) != (part == SHIFTED):
                continue
            q, dq, ddq = given.limb[0, i], given.limb[1, i], given.limb[2, i]
            motion[0, i] = s * q
            motion[1, i] = rate * q + s * dq
            motion[2, i] = curve * q + 2.0 * rate * dq + s * ddq


class BodyLead:
    """Owns the motion of the body beside the plan.

    It is followed exactly while the robot stands, and fades where it steps. The shift of the
    centre of mass does not fade there: the plan of the steps takes it over.

    Args:
        tick_s: period of the tick [s].

    Attributes:
        active: the body moves beside the plan, or is about to.
        motion: position, velocity and acceleration, in the order of `ROLES` (3, 6) [rad, m].
    """

    def __init__(self, tick_s: float) -> None:
        self._memory = make_record(limb=(3, len(ROLES)), share=(2, 2))
        self._limb: Floats = self._memory["limb"][0]
        self._share: Floats = self._memory["share"][0]
        self.motion: Floats = np.zeros((3, len(ROLES)))
        self._tick_s = tick_s
        self.active = False
        self._lead = bind(lead_body, self._memory, self.motion)

    def reset(self) -> None:
        """Be upright at once."""
        self._memory.fill(0)
        self.motion.fill(0.0)
        self.active = False

    def follow(self, limb: Floats | None) -> None:
        """Advance by one tick.

        Args:
            limb: reference of the limb (3, 6); None: what it was last fades out.
        """
        if limb is None and not self.active:
            return
        self.active = True
        if limb is not None:
            self._limb[:] = limb
        self._lead(self._tick_s, limb is not None)
        share, rate = np.abs(self._share).max(axis=0).tolist()
        still = share < UPRIGHT and rate < STILL
        if limb is None and still:
            self.reset()

    def give_shift(self, heading: float) -> Floats:
        """Return the shift as it is, world frame (3, 2) [m], and begin again without one."""
        shift = shift_in_world(self.motion, heading)
        self._share[SHIFTED] = 0.0
        self.motion[:, (FORWARD, LEFT)] = 0.0
        return shift


def shift_in_world(motion: Floats, heading: float) -> Floats:
    """Return position, velocity and acceleration of a motion's shift in the world (3, 2).

    Args:
        motion: see `BodyLead`.
        heading: of the soles [rad].
    """
    c, s = math.cos(heading), math.sin(heading)
    forward, left = motion[:, FORWARD], motion[:, LEFT]
    return np.stack((c * forward - s * left, s * forward + c * left), axis=1)
