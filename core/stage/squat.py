"""The legs of a standing robot at a height: whether they reach it, and the torque that holds it."""

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from core.constants import GRAVITY
from core.plants.biped.settings import Biped
from core.robot.profile import REST, Profile
from devices.interface import Floats

STEP_RAD = 1e-6  # of the central differences
ROUNDS = 25
CLOSE = 1e-6  # of each row of the error [m, rad]


@dataclass(frozen=True, slots=True, eq=False)
class Crouch:
    """The legs at a height, the soles flat on the ground and equally loaded.

    Attributes:
        beyond: distance of each joint from the middle of its range, as a share of half of it (n).
        torque: static torque of each joint as a share of its stall torque (n).
    """

    beyond: Floats
    torque: Floats


class Squat:
    """Static postures of two legs under an upright torso, the upper body at rest.

    Args:
        model: the model of all joints.
        profile: the robot's profile; it has two contacts.
        biped: its settings.

    Attributes:
        names: the joints of the legs (n).
    """

    def __init__(self, model: pin.Model, profile: Profile, biped: Biped) -> None:
        limbs = {limb.name for limb in profile.limbs if limb.kind == "leg"}
        rows = [(i, row) for i, row in enumerate(profile.joints.rows) if row.limb in limbs]
        self.names = tuple(row.name for _, row in rows)
        picked = [i for i, _ in rows]
        self._model, self._data = model, model.createData()
        joints = [model.joints[model.getJointId(name)] for name in self.names]
        self._q_at, self._v_at = [j.idx_q for j in joints], [j.idx_v for j in joints]
        self._lower = model.lowerPositionLimit[self._q_at]
        self._upper = model.upperPositionLimit[self._q_at]
        self._stall = profile.actuator_column("stall_torque")[picked]
        self._soles = [model.getFrameId(contact.frame) for contact in profile.contacts]
        self._rest = pin.neutral(model)
        for name, angle in zip(profile.joint_names, profile.posture(REST), strict=True):
            self._rest[model.joints[model.getJointId(name)].idx_q] = angle
        self._stand_m, self._of = biped.balance.stand_height, biped.balance.height_of
        self._mass = pin.computeTotalMass(model)
        com, soles = self._look(self._rest[self._q_at])
        self._turned = [sole.rotation.T for sole in soles]
        self._apart = soles[1].translation - soles[0].translation
        self._ahead = (com - self._middle(soles))[:2]

    def at(self, rise_m: float, acceleration: float = 0.0) -> Crouch | None:
        """Return the legs of a robot that stands higher or lower; None if they do not reach it.

        Args:
            rise_m: height above that of standing [m].
            acceleration: upward acceleration of the robot [m/s²].
        """
        q = self._rest[self._q_at].copy()
        for _ in range(ROUNDS):
            error = self._error(q, rise_m)
            if np.abs(error).max() < CLOSE:
                middle, reach = 0.5 * (self._upper + self._lower), 0.5 * (self._upper - self._lower)
                torque = self._torque(q, self._mass * (GRAVITY + acceleration))
                return Crouch(np.abs(q - middle) / reach, np.abs(torque) / self._stall)
            slopes = [self._error(q + d, rise_m) - self._error(q - d, rise_m) for d in self._steps]
            jacobian = np.array(slopes).T / (2.0 * STEP_RAD)
            q -= np.clip(np.linalg.lstsq(jacobian, error, rcond=None)[0], -0.3, 0.3)
        return None

    @property
    def _steps(self) -> Floats:
        return STEP_RAD * np.eye(len(self.names))

    def _look(self, q: Floats) -> tuple[Floats, list[pin.SE3]]:
        """Return the centre of mass and the soles (2) in the frame of the base."""
        whole = self._rest.copy()
        whole[self._q_at] = q
        com = pin.centerOfMass(self._model, self._data, whole).copy()
        pin.framesForwardKinematics(self._model, self._data, whole)
        return com, [self._data.oMf[sole].copy() for sole in self._soles]

    @staticmethod
    def _middle(soles: list[pin.SE3]) -> Floats:
        middle: Floats = 0.5 * (soles[0].translation + soles[1].translation)
        return middle

    def _error(self, q: Floats, rise_m: float) -> Floats:
        com, soles = self._look(q)
        middle = self._middle(soles)
        height = (com[2] if self._of == "com" else 0.0) - middle[2]
        turned = [pin.log3(r @ s.rotation) for r, s in zip(self._turned, soles, strict=True)]
        apart = soles[1].translation - soles[0].translation - self._apart
        ahead = (com - middle)[:2] - self._ahead
        return np.concatenate([*turned, apart, ahead, [height - self._stand_m - rise_m]])

    def _torque(self, q: Floats, weight: float) -> Floats:
        """Return the torques of legs that carry half of a weight [N] each, below the CoM [N·m]."""
        com, soles = self._look(q)
        offsets = [s.actInv(np.array([com[0], *s.translation[1:]])) for s in soles]

        def height(angles: Floats) -> float:
            _, moved = self._look(angles)
            return sum(float(s.act(o)[2]) for s, o in zip(moved, offsets, strict=True))

        lifts = np.array([height(q + d) - height(q - d) for d in self._steps]) / (2.0 * STEP_RAD)
        whole = self._rest.copy()
        whole[self._q_at] = q
        zero = np.zeros(self._model.nv)
        share = weight / (self._mass * GRAVITY)
        own = pin.rnea(self._model, self._data, whole, zero, zero)[self._v_at]
        torque: Floats = share * own - 0.5 * weight * lifts
        return torque
