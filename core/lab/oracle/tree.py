"""The whole kinematic tree of a robot, whose coupled hinges are not eliminated."""

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from core.errors import ProfileError
from core.plants.biped.whole_body.contacts import middle_of, points_of
from core.robot.couplings import Coupling, read_couplings
from core.robot.grips import Grips
from core.robot.profile import Contact, Profile
from core.robot.state import State
from devices.interface import Floats

BASE_SIZE = 6
_LOCAL = pin.ReferenceFrame.LOCAL
_ALIGNED = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


@dataclass(frozen=True, slots=True)
class TreeState:
    """The tree at one state: the terms of equation 3 of the paper.

    n are the velocities of the tree, u those of production (both with 6 of the base), k the forces
    of the contacts as production orders them, c the couplings, and m = u - 6 the motors.

    Attributes:
        velocity: q̇ of the tree; base in the base frame (n).
        mass_matrix: A, armature included (n, n).
        bias: b + g (n).
        contact_jacobian: J_c, along the forces (k, n).
        contact_drift: J̇_c q̇ (k).
        internal_jacobian: J_int, of the couplings (c, n).
        internal_drift: J̇_int q̇; zero for couplings of constant ratio (c).
        expansion: G, velocities of the tree by those of production; J_int G = 0 (n, u).
        transmission: T, speeds of the motors by velocities of the tree (m, n).
    """

    velocity: Floats
    mass_matrix: Floats
    bias: Floats
    contact_jacobian: Floats
    contact_drift: Floats
    internal_jacobian: Floats
    internal_drift: Floats
    expansion: Floats
    transmission: Floats


class Tree:
    """The model of all hinges; hands are locked at zero, as in production.

    Args:
        profile: of a biped.

    Raises:
        ProfileError: the model cannot be read, or does not fit the profile.

    Attributes:
        model: Pinocchio model of n velocities.
        couplings: of its hinges (c).
        joint_names: independent joints in production's order (m).
        expansion, transmission, internal_jacobian: see `TreeState`; constant.
    """

    def __init__(self, profile: Profile) -> None:
        found = read_couplings(profile.model_path)
        self.model = _tree_model(profile, found)
        self._loads = Grips(self.model, profile.grips)
        self._contacts = profile.contacts
        locked = set(profile.light_joints)
        self.couplings = tuple(one for one in found if one.primary not in locked)
        self.joint_names = tuple(name for name in profile.joint_names if name not in locked)
        self.expansion = self._expansion()
        self.internal_jacobian = self._internal_jacobian()
        self.transmission = self._transmission(profile)
        self.data = self.model.createData()

    def carry(self, loads_kg: tuple[float, ...]) -> None:
        """Let each grip hold a point mass [kg]."""
        self._loads.carry(loads_kg)

    def at(self, state: State) -> TreeState:
        """Return the tree at a state of production."""
        model, data = self.model, self.data
        q, v = self.configuration(state), self.velocity(state)
        mass_matrix: Floats = np.array(pin.crba(model, data, q))
        mass_matrix = np.triu(mass_matrix) + np.triu(mass_matrix, 1).T
        bias: Floats = np.array(pin.nonLinearEffects(model, data, q, v))
        pin.computeJointJacobians(model, data, q)
        pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
        pin.updateFramePlacements(model, data)
        parts = [self._contact(contact) for contact in self._contacts]
        return TreeState(
            velocity=v,
            mass_matrix=mass_matrix,
            bias=bias,
            contact_jacobian=np.vstack([jacobian for jacobian, _ in parts]),
            contact_drift=np.concatenate([drift for _, drift in parts]),
            internal_jacobian=self.internal_jacobian,
            internal_drift=np.zeros(len(self.couplings)),
            expansion=self.expansion,
            transmission=self.transmission,
        )

    def configuration(self, state: State) -> Floats:
        """Return Pinocchio's q of the tree: position, quaternion x, y, z, w, hinges (n + 1)."""
        q: Floats = pin.neutral(self.model)
        q[:3] = state.position_base_in_world
        q[3:7] = pin.Quaternion(state.rotation_base_to_world).normalized().coeffs()
        q[7:] = self.expansion[BASE_SIZE:, BASE_SIZE:] @ state.q[: len(self.joint_names)]
        return q

    def velocity(self, state: State) -> Floats:
        """Return the velocity of the tree, base in the base frame (n)."""
        independent = np.concatenate(
            (
                state.rotation_base_to_world.T @ state.velocity_base_in_world,
                state.angular_velocity_base_in_base,
                state.dq[: len(self.joint_names)],
            )
        )
        v: Floats = self.expansion @ independent
        return v

    def column(self, joint: str) -> int:
        """Return the place of a hinge among the velocities of the tree."""
        return int(self.model.joints[self.model.getJointId(joint)].idx_v)

    def _expansion(self) -> Floats:
        expansion = np.zeros((self.model.nv, BASE_SIZE + len(self.joint_names)))
        expansion[:BASE_SIZE, :BASE_SIZE] = np.eye(BASE_SIZE)
        for place, name in enumerate(self.joint_names, BASE_SIZE):
            expansion[self.column(name), place] = 1.0
        for one in self.couplings:
            place = BASE_SIZE + self.joint_names.index(one.primary)
            expansion[self.column(one.follower), place] = one.ratio
        return expansion

    def _internal_jacobian(self) -> Floats:
        """Return the paper's J_int: q̇_primary - q̇_follower / ratio of each coupling."""
        jacobian = np.zeros((len(self.couplings), self.model.nv))
        for row, one in zip(jacobian, self.couplings, strict=True):
            row[self.column(one.primary)] = 1.0
            row[self.column(one.follower)] = -1.0 / one.ratio
        return jacobian

    def _transmission(self, profile: Profile) -> Floats:
        motors = {motor.joint: motor.hinges for motor in profile.transmissions}
        transmission = np.zeros((len(self.joint_names), self.model.nv))
        for row, name in zip(transmission, self.joint_names, strict=True):
            for hinge, turns in motors.get(name, {name: 1.0}).items():
                if not self.model.existJointName(hinge):
                    place = f"transmissions, {name}"
                    reason = f"{profile.model} has no hinge {hinge!r}; spell it as it is there"
                    raise ProfileError("profile.toml", place, reason)
                row[self.column(hinge)] = turns
        return transmission

    def _contact(self, contact: Contact) -> tuple[Floats, Floats]:
        """Return Jacobian and drift along the forces of a contact, at the tree's last state.

        A sole has a wrench at its middle, force then moment, in its own axes. A line has a force
        at each of its points, in world axes.
        """
        model, data = self.model, self.data
        frame = model.getFrameId(contact.frame)
        joint, placement = model.frames[frame].parentJoint, model.frames[frame].placement
        if contact.kind == "sole":
            point = placement * pin.SE3(np.eye(3), middle_of(contact))
            jacobian = pin.getFrameJacobian(model, data, joint, point, _LOCAL)
            drift = pin.getFrameClassicalAcceleration(model, data, joint, point, _LOCAL).vector
            return jacobian, drift
        jacobians, drifts = [], []
        for offset in points_of(contact):
            point = placement * pin.SE3(np.eye(3), offset)
            jacobians.append(pin.getFrameJacobian(model, data, joint, point, _ALIGNED)[:3])
            drift = pin.getFrameClassicalAcceleration(model, data, joint, point, _ALIGNED)
            drifts.append(drift.linear)
        return np.vstack(jacobians), np.concatenate(drifts)


def _tree_model(profile: Profile, couplings: tuple[Coupling, ...]) -> pin.Model:
    """Return the model of every hinge but the hands'.

    Raises:
        ProfileError: the model cannot be read, or has no such joint.
    """
    try:
        whole = pin.buildModelFromMJCF(str(profile.model_path))
    except (RuntimeError, ValueError) as error:
        reason = f"is not a valid model ({error}); correct it"
        raise ProfileError(profile.model, "file", reason) from error
    locked = set(profile.light_joints)
    locked |= {one.follower for one in couplings if one.primary in locked}
    known = set(whole.names)
    for name in (*profile.joint_names, *(one.follower for one in couplings)):
        if name not in known:
            raise ProfileError(profile.model, name, "there is no such joint; add it to the model")
    return pin.buildReducedModel(
        whole, [whole.getJointId(name) for name in sorted(locked)], pin.neutral(whole)
    )
