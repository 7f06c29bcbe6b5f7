"""The room that arms and head of a robot keep from its body and from each other."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.behave.joints import UpperJoints
from core.robot.collision import CollisionModel, read_shapes
from core.robot.dynamics import PinocchioDynamics
from core.robot.joint_table import joint_table
from core.robot.model import load_whole
from core.robot.profile import REST, Profile
from devices.interface import Floats
from shows.body_limb import without_body

MARGIN_M = 0.015  # the limbs follow what is told, and do not meet it exactly
APPROACH_S = 0.12  # time constant with which bodies come near
FAR_M = 0.1  # beyond the margin, from which on nothing is held back
SHARE = 0.5  # of a smaller distance at rest, which is kept instead
HALVINGS = 3  # of the way that a limb may still go
LEAST_RAD = 1e-3  # of a joint's way, below which it is not tried alone


class Clearance:
    """Holds back what would come too near to another body of the robot.

    Bodies that are nearer than the margin may part, and come no nearer. Others approach each other
    at most at the distance that is left, divided by APPROACH_S: a limb is late, and would overshoot
    a sudden stop.

    Args:
        bodies: placements by the joints of the upper body.
        collisions: the pairs of bodies to keep apart.
        limbs: the joints of each limb that moves, indices in upper order.
        rest: posture in upper order, without the body (u) [rad].
    """

    def __init__(
        self,
        bodies: PinocchioDynamics,
        collisions: CollisionModel,
        limbs: Sequence[npt.NDArray[np.intp]],
        rest: Floats,
    ) -> None:
        self._bodies, self._collisions, self._limbs = bodies, collisions, limbs
        self._kept = np.maximum(SHARE * np.minimum(self.depths(rest), 0.0), -MARGIN_M)

    def step(self, before: Floats, wanted: Floats, duration_s: float) -> Floats:
        """Return the positions nearest to those that are wanted, limb by limb and joint by joint.

        Args:
            before: positions in upper order, without the body (u) [rad].
            wanted: likewise (u) [rad].
            duration_s: from those to these; infinite: it does not matter [s].
        """
        if self._clear(wanted, self._kept - FAR_M):
            return wanted
        depths = self.depths(before)
        share = -math.expm1(-duration_s / APPROACH_S)
        left = np.minimum(np.maximum(self._kept - depths, 0.0), FAR_M)
        allowed = np.maximum(depths, self._kept - FAR_M) + share * left
        if self._clear(wanted, allowed):
            return wanted
        q = before.copy()
        for limb in self._limbs:
            self._advance(q, wanted, limb, allowed)
            for joint in limb[np.abs(wanted[limb] - q[limb]) > LEAST_RAD]:
                self._advance(q, wanted, np.array([joint]), allowed)
        return q

    def depths(self, q: Floats) -> Floats:
        """Return how deep the bodies of each pair are in each other; negative: apart [m]."""
        return self._collisions.depths(self._bodies.placements(q))

    def _clear(self, q: Floats, allowed: Floats) -> bool:
        return self._collisions.clear(self._bodies.placements(q), allowed)

    def _advance(
        self, q: Floats, wanted: Floats, joints: npt.NDArray[np.intp], allowed: Floats
    ) -> None:
        """Move joints toward what is wanted, as far as it is clear."""
        begin, way = q[joints], wanted[joints] - q[joints]
        if not way.any():
            return
        trial, share = q.copy(), 1.0
        trial[joints] = wanted[joints]
        if not self._clear(trial, allowed):
            share, reach = 0.0, 0.5
            for _ in range(HALVINGS):
                trial[joints] = begin + (share + reach) * way
                if self._clear(trial, allowed):
                    share += reach
                reach *= 0.5
        q[joints] = begin + share * way


def clearance_of(profile: Profile) -> Clearance | None:
    """Return the clearance of a robot's upper body, or None without bodies to keep apart.

    Raises:
        ProfileError: the pairs do not fit the model.
    """
    if profile.collisions is None:
        return None
    joints = UpperJoints.from_table(without_body(joint_table(profile)))
    model = load_whole(profile)
    bodies = PinocchioDynamics(model, profile, joints.names)
    rest = profile.posture(REST)[list(joints.table_index)]
    shapes = read_shapes(profile, model)
    collisions = CollisionModel(shapes, profile.collisions, bodies.placements(rest))
    limbs = [np.arange(part.start, part.stop) for part in joints.columns]
    return Clearance(bodies, collisions, limbs, rest)
