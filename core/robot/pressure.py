"""How far a joint that accelerates moves the pressure under standing feet."""

import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np
import pinocchio as pin

from core.robot.model import load_pinocchio
from core.robot.profile import REST, Profile
from devices.interface import Floats
from shows.body_limb import ROLES

_DRAWN: Final = 64  # postures of a limb, besides those of which each joint is at an end
_MOST_JOINTS: Final = 6  # of a limb of which all combinations of ends are tried
_TURNS: Final = ("roll", "pitch")
_ANGULAR: Final = slice(3, 6)


class PressureLevers:
    """The pressure that a standing robot needs to move a joint.

    Feet, attitude of the base and centre of mass stay where they are, and the other joints of the
    upper body are at rest. The rate of the angular momentum then moves the pressure by its
    horizontal part divided by the weight.

    Args:
        profile: of a robot with contacts and legs.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        model = self._model = load_pinocchio(profile)
        self._data = model.createData()
        self._q = pin.neutral(model)
        for name, angle in zip(profile.joint_names, profile.posture(REST), strict=True):
            if model.existJointName(name):
                self._q[model.joints[model.getJointId(name)].idx_q] = angle
        legs = {contact.limb for contact in profile.contacts}
        rows = [row for row in profile.joints.rows if model.existJointName(row.name)]
        self._columns = {row.name: model.joints[model.getJointId(row.name)].idx_v for row in rows}
        self._upper = [self._columns[row.name] for row in rows if row.limb not in legs]
        self._weight = pin.computeTotalMass(model) * float(np.linalg.norm(model.gravity.linear))

    def of_joints(self, joints: Sequence[str]) -> Floats:
        """Return the levers of the joints of a limb, the largest at many postures (n) [m·s²/rad].

        Args:
            joints: names of the joints of the limb.
        """
        model, q = self._model, self._q.copy()
        moved = [name for name in joints if name in self._columns]
        index = [model.joints[model.getJointId(name)].idx_q for name in moved]
        lower, upper = model.lowerPositionLimit[index], model.upperPositionLimit[index]
        shares = np.random.default_rng(0).random((_DRAWN, len(moved)))
        if len(moved) <= _MOST_JOINTS:
            ends = list(itertools.product((0.0, 1.0), repeat=len(moved)))
            shares = np.vstack((shares, ends))
        found = np.zeros(len(joints))
        places = [joints.index(name) for name in moved]
        wanted = [self._upper.index(self._columns[name]) for name in moved]
        for share in shares:
            q[index] = lower + share * (upper - lower)
            levers = self._levers(q)[3:][wanted]
            found[places] = np.maximum(found[places], levers)
        return found

    def of_body(self) -> Floats:
        """Return those of roll and pitch among the body's coordinates, else 0 (6) [m·s²/rad]."""
        levers = self._levers(self._q)
        return np.array([levers[_TURNS.index(role)] if role in _TURNS else 0.0 for role in ROLES])

    def _levers(self, q: Floats) -> Floats:
        """Return the levers of roll, pitch and yaw of the base and of each upper joint."""
        model, data = self._model, self._data
        matrix = pin.computeCentroidalMap(model, data, q)
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        rows = [matrix[:3]]
        for contact in self._profile.contacts:
            frame = model.getFrameId(contact.frame)
            jacobian = pin.getFrameJacobian(model, data, frame, pin.LOCAL)
            rows.append(np.delete(jacobian, 3, axis=0) if contact.kind == "line" else jacobian)
        held = np.vstack(rows)
        given = np.eye(model.nv)[[*range(3, 6), *self._upper]]
        wanted = np.vstack((np.zeros((len(held), len(given))), np.eye(len(given))))
        # As many rows as unknowns, unless the legs have joints to spare: then the smallest motion.
        motion = np.linalg.lstsq(np.vstack((held, given)), wanted, rcond=None)[0]
        momentum = matrix[_ANGULAR] @ motion
        levers: Floats = np.hypot(momentum[0], momentum[1]) / self._weight
        return levers
