"""Dynamics and kinematics of a biped, at one state."""

import math
from typing import Any

import numpy as np
import pinocchio as pin

from core.compiled import bind, compiled
from core.errors import ProfileError
from core.records import Indices, Record, make_record
from core.robot.frames import BASE, Frames
from core.robot.grips import Grips
from core.robot.model import load_pinocchio
from core.robot.profile import Contact, Profile
from core.robot.state import State
from devices.interface import Floats

LEFT, RIGHT = 0, 1
WRENCH_ROWS = {"line": (0, 1, 2, 4, 5), "sole": (0, 1, 2, 3, 4, 5)}
"""Rows of a contact's wrench that its leg can exert: a line foot has no ankle roll."""
_FILE = "profile.toml"
_WORLD = pin.Convention.WORLD


@compiled
def write_configuration(base: Floats, joints: Floats, q: Floats, v: Floats) -> None:
    """Write Pinocchio's q and v: quaternion x, y, z, w and velocities in the base frame.

    Args:
        base: see `State` (7, 3).
        joints: see `State`; the driven joints come first (3, n).
        q: configuration (7 + m).
        v: generalised velocity (6 + m).
    """
    r, position, velocity, angular_velocity = base[:3], base[3], base[4], base[5]
    # Of the four ways to take a quaternion from a matrix, the one with the largest divisor.
    squares = (
        1.0 + r[0, 0] - r[1, 1] - r[2, 2],
        1.0 - r[0, 0] + r[1, 1] - r[2, 2],
        1.0 - r[0, 0] - r[1, 1] + r[2, 2],
        1.0 + r[0, 0] + r[1, 1] + r[2, 2],
    )
    best = 3
    for k in range(3):
        if squares[k] > squares[best]:
            best = k
    if best == 3:
        x, y, z, w = r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], squares[3]
    elif best == 0:
        x, y, z, w = squares[0], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0], r[2, 1] - r[1, 2]
    elif best == 1:
        x, y, z, w = r[0, 1] + r[1, 0], squares[1], r[1, 2] + r[2, 1], r[0, 2] - r[2, 0]
    else:
        x, y, z, w = r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], squares[2], r[1, 0] - r[0, 1]
    scale = 1.0 / math.sqrt(x * x + y * y + z * z + w * w)
    q[3], q[4], q[5], q[6] = x * scale, y * scale, z * scale, w * scale
    for i in range(3):
        q[i] = position[i]
        v[i] = r[0, i] * velocity[0] + r[1, i] * velocity[1] + r[2, i] * velocity[2]
        v[3 + i] = angular_velocity[i]
    for i in range(v.size - 6):
        q[7 + i], v[6 + i] = joints[0, i], joints[1, i]


@compiled
def write_momentum(
    mass_matrix: Floats,
    bias: Floats,
    gravity: Floats,
    base: Floats,
    v: Floats,
    feet: Record,
    body: Record,
) -> tuple[float, float, float, float, bool]:
    """Write CoM and centroidal momentum with its matrix and drift into `RobotModel.body`.

    Returns the heights of both soles and the CoM [m], the CoM's rate [m/s], and whether CoM and
    velocity are finite.

    The base rows of M and of the bias are the momentum and the wrench about the base's origin
    in base axes; moved to the CoM and rotated into world axes they are the centroidal ones
    (Wensing and Orin, "Improved computation of the humanoid centroidal dynamics").
    """
    nv, mass, r, position = v.size, mass_matrix[0, 0], base[:3], base[3]
    centroid: Any = body[0]
    com, com_velocity = centroid.com, centroid.com_velocity
    momentum, drift, matrix = centroid.momentum, centroid.momentum_drift, centroid.momentum_matrix
    x, y, z = mass_matrix[1, 5] / mass, mass_matrix[2, 3] / mass, mass_matrix[0, 4] / mass
    for i in range(3):
        com[i] = position[i] + r[i, 0] * x + r[i, 1] * y + r[i, 2] * z
    for i in range(6):
        momentum[i] = 0.0
    for j in range(nv + 1):  # the bias is rotated like a column
        if j < nv:
            a, b, c = mass_matrix[0, j], mass_matrix[1, j], mass_matrix[2, j]
            d, e, f = mass_matrix[3, j], mass_matrix[4, j], mass_matrix[5, j]
        else:
            a, b, c, d, e, f = bias[0], bias[1], bias[2], bias[3], bias[4], bias[5]
        d, e, f = d - (y * c - z * b), e - (z * a - x * c), f - (x * b - y * a)
        for i in range(3):
            linear = r[i, 0] * a + r[i, 1] * b + r[i, 2] * c
            angular = r[i, 0] * d + r[i, 1] * e + r[i, 2] * f
            if j < nv:
                matrix[i, j], matrix[3 + i, j] = linear, angular
                momentum[i] += linear * v[j]
                momentum[3 + i] += angular * v[j]
            else:
                drift[i], drift[3 + i] = linear + mass * gravity[i], angular
    for i in range(3):
        com_velocity[i] = momentum[i] / mass
    total = 0.0
    for i in range(3):
        total += com[i] + com_velocity[i]
    soles = feet[0].positions
    return soles[0, 2], soles[1, 2], com[2], com_velocity[2], math.isfinite(total)


class RobotModel:
    """Dynamics and kinematics at one state; `update` computes them once a tick.

    Generalised velocities are [linear and angular velocity of the base in the base frame,
    velocities of the driven joints], n_v = 6 + n. Other quantities are in world axes. Every
    array stays where it is in memory and is overwritten.

    Raises:
        ProfileError: the model cannot be read, the profile does not fit it, or its legs do not
            end in their contacts.

    Attributes:
        mass: total mass, with the loads at the grips [kg].
        joint_count: joints that the controller drives (n); the first of the profile's order.
        leg_joints: indices of the joints of each leg, from the base to the contact (2, k).
        wrench_rows: rows of a contact's wrench that a leg can exert (k).
        upper_joints: indices of the driven joints that belong to no leg (m).
        lower, upper: position limits of the driven joints (n) [rad].
        mass_matrix: M(q) (n_v, n_v), armature included.
        bias: Coriolis, centrifugal and gravity forces (n_v) [N, N·m].
        body: record of the CoM and the centroidal momentum, whose fields follow.
        com, com_velocity: centre of mass (3) [m], [m/s].
        momentum_matrix: centroidal momentum matrix, linear then angular (6, n_v).
        momentum: centroidal momentum (6) [N·s, N·m·s].
        momentum_drift: its rate of change at zero acceleration (6).
        com_height, com_rise: z of the CoM and of its velocity [m], [m/s].
        height, rise: the same, of the CoM or of the base: of the one whose height is controlled.
        finite: CoM and velocity are finite.
        feet: record of the contact frames, see `Frames.record`; its fields follow.
        soles: positions of the left and right sole frames (2, 3) [m].
        sole_rotations: their axes in the world (2, 3, 3).
        sole_jacobians: frame Jacobians, linear then angular (2, 6, n_v).
        sole_velocities: linear then angular (2, 6).
        sole_drifts: linear (classical) then angular acceleration at zero q̈ (2, 6).
        left_sole_height, right_sole_height: z of the soles [m].
    """

    def __init__(self, profile: Profile) -> None:
        self.pin_model = load_pinocchio(profile)
        self._loads = Grips(self.pin_model, profile.grips)
        self.data = self.pin_model.createData()
        nv = self.pin_model.nv
        self.joint_count = nv - 6
        joints = zip(self.pin_model.names, self.pin_model.joints, strict=True)
        names = tuple(name for name, joint in list(joints)[BASE + 1 :] if joint.nq == 1)
        if names != profile.joint_names[: self.joint_count]:
            reason = f"the limbs are not in the order of {profile.model}; list them as it does"
            raise ProfileError(_FILE, "joints.rows", reason)
        self.leg_joints: Indices = np.array(
            [_chain(self.pin_model, contact) for contact in profile.contacts]
        )
        self.wrench_rows: Indices = np.array(WRENCH_ROWS[profile.contacts[0].kind])
        legs = set(self.leg_joints.flat)
        self.upper_joints: Indices = np.array([i for i in range(self.joint_count) if i not in legs])
        self.mass = float(sum(inertia.mass for inertia in self.pin_model.inertias))
        self._bare_mass = self.mass
        self.lower = self.pin_model.lowerPositionLimit[7:].copy()
        self.upper = self.pin_model.upperPositionLimit[7:].copy()
        soles = [contact.frame for contact in profile.contacts]
        assert profile.imu is not None  # the profile's reader refuses a biped without
        imu = self.pin_model.frames[self.pin_model.getFrameId(profile.imu.frame)]
        self.imu_in_base: Floats = imu.placement.translation.copy()
        self.q = pin.neutral(self.pin_model)
        self.v = np.zeros(nv)
        self._soles = Frames(self.pin_model, self.data, soles, self.v)
        self._grips = Frames(self.pin_model, self.data, self._loads.frames, self.v)
        self._gravity: Floats = self.pin_model.gravity.linear.copy()
        self.mass_matrix: Floats = self.data.M.T  # symmetric: its rows lie one after the other
        self.bias: Floats = self.data.nle
        self.body = make_record(
            com=3, com_velocity=3, momentum=6, momentum_drift=6, momentum_matrix=(6, nv)
        )
        self.com: Floats = self.body["com"][0]
        self.com_velocity: Floats = self.body["com_velocity"][0]
        self.momentum: Floats = self.body["momentum"][0]
        self.momentum_drift: Floats = self.body["momentum_drift"][0]
        self.momentum_matrix: Floats = self.body["momentum_matrix"][0]
        self.com_height = self.com_rise = self.height = self.rise = 0.0
        self._holds_base = profile.holds_base
        self.finite = True
        self.left_sole_height = self.right_sole_height = 0.0
        self.feet = self._soles.record
        self.soles, self.sole_rotations = self._soles.positions, self._soles.rotations
        self.sole_jacobians, self.sole_drifts = self._soles.jacobians, self._soles.drifts
        self.sole_velocities = self._soles.velocities
        self._attach(State.upright(len(profile.joint_names)))

    def carry(self, loads_kg: tuple[float, ...]) -> None:
        """Let each grip hold a point mass from the next update on [kg]."""
        self.mass = self._bare_mass + self._loads.carry(loads_kg)

    def upper_torque(self, ddq: Floats) -> tuple[Floats, Floats]:
        """Return the torques of gravity and motion above the legs, without base acceleration.

        Args:
            ddq: accelerations of these joints (m) [rad/s²].

        Returns:
            The torques, known loads included (m) [N·m], and the torque of a kilogram at each grip
            (grips, m) [N·m/kg].
        """
        columns = 6 + self.upper_joints
        torque: Floats = self.mass_matrix[np.ix_(columns, columns)] @ ddq + self.bias[columns]
        grips = self._grips
        grips.update()
        per_kg = np.empty((len(self._loads.frames), ddq.size))
        for index, drift in enumerate(grips.drifts):
            jacobian = np.asfortranarray(grips.jacobians[index, :3, columns].T)
            per_kg[index] = (drift[:3] + jacobian @ ddq - self._gravity) @ jacobian
        return torque, per_kg

    def update(self, state: State) -> None:
        """Compute everything at a state."""
        q, v, model, data = self.q, self.v, self.pin_model, self.data
        if state is not self._state:
            self._attach(state)
        self._write_configuration()
        # Together they leave in `data` all that the frames need.
        pin.crba(model, data, q, _WORLD)
        pin.nonLinearEffects(model, data, q, v)
        self._soles.update()
        (
            self.left_sole_height,
            self.right_sole_height,
            self.com_height,
            self.com_rise,
            self.finite,
        ) = self._write_momentum()
        if self._holds_base:
            self.height, self.rise = state.base[3:5, 2].tolist()
        else:
            self.height, self.rise = self.com_height, self.com_rise

    def _attach(self, state: State) -> None:
        """Bind the kernels to the arrays of a state."""
        self._state, base = state, state.base
        self._write_configuration = bind(write_configuration, base, state.joints, self.q, self.v)
        self._write_momentum = bind(
            write_momentum,
            self.mass_matrix,
            self.bias,
            self._gravity,
            base,
            self.v,
            self.feet,
            self.body,
        )


def _chain(model: pin.Model, contact: Contact) -> list[int]:
    """Return the indices of the joints between the base and a contact.

    Raises:
        ProfileError: they are not as many as the contact's kind commands.
    """
    frame = model.frames[model.getFrameId(contact.frame)]
    chain = [
        model.joints[joint].idx_v - 6
        for joint in model.supports[frame.parentJoint]
        if joint > BASE and model.joints[joint].nq == 1
    ]
    needed = len(WRENCH_ROWS[contact.kind])
    if len(chain) != needed:
        reason = f"a {contact.kind} contact needs a leg of {needed} joints, not {len(chain)}"
        raise ProfileError(_FILE, f"contacts, {contact.name}", f"{reason}; choose another kind")
    return chain
