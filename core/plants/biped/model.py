"""Dynamics and kinematics of a biped, at one state."""

import math

import numpy as np
import pinocchio as pin

from core.compiled import compiled
from core.errors import ProfileError
from core.robot.frames import Frames
from core.robot.model import load_pinocchio
from core.robot.profile import Grip, Profile
from core.robot.state import State
from devices.interface import Floats

LEFT, RIGHT = 0, 1
SIDES = ("left", "right")
_FILE = "profile.toml"
_WORLD = pin.Convention.WORLD


def _add_grip(model: pin.Model, grip: Grip) -> int:
    """Add the frame in which a limb holds a load."""
    body = model.frames[model.getFrameId(grip.body)]
    placement = body.placement * pin.SE3(np.eye(3), np.array(grip.offset))
    kind = pin.FrameType.OP_FRAME
    return int(model.addFrame(pin.Frame(f"grip of {grip.limb}", body.parentJoint, placement, kind)))


@compiled
def write_configuration(
    position: Floats,
    rotation: Floats,
    velocity: Floats,
    angular_velocity: Floats,
    joint_q: Floats,
    joint_dq: Floats,
    q: Floats,
    v: Floats,
) -> None:
    """Write Pinocchio's q and v: quaternion x, y, z, w and velocities in the base frame."""
    r = rotation
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
        q[7 + i], v[6 + i] = joint_q[i], joint_dq[i]


@compiled
def write_momentum(
    mass_matrix: Floats,
    bias: Floats,
    gravity: Floats,
    rotation: Floats,
    position: Floats,
    v: Floats,
    soles: Floats,
    jacobians: Floats,
    matrix: Floats,
    motion: Floats,
    twists: Floats,
) -> tuple[float, float, float, float, bool]:
    """Write CoM, centroidal momentum with its matrix and drift, and the soles' velocities.

    `motion` is the CoM (3), its velocity (3), the momentum (6) and the momentum's drift (6).
    Returns the heights of the soles and the CoM [m], the CoM's rate [m/s], and whether every
    number of the CoM and its velocity is one.

    The base rows of M and of the bias are the momentum and the wrench about the base's origin
    in base axes; moved to the CoM and turned into world axes they are the centroidal ones
    (Wensing and Orin, "Improved computation of the humanoid centroidal dynamics").
    """
    nv, mass, r = v.size, mass_matrix[0, 0], rotation
    com, com_velocity, momentum, drift = motion[:3], motion[3:6], motion[6:12], motion[12:]
    x, y, z = mass_matrix[1, 5] / mass, mass_matrix[2, 3] / mass, mass_matrix[0, 4] / mass
    for i in range(3):
        com[i] = position[i] + r[i, 0] * x + r[i, 1] * y + r[i, 2] * z
    for i in range(6):
        momentum[i] = 0.0
    for j in range(nv + 1):  # the bias is turned like a column
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
    for side in range(2):
        for i in range(6):
            total = 0.0
            for j in range(nv):
                total += jacobians[side, i, j] * v[j]
            twists[side, i] = total
    total = 0.0
    for i in range(3):
        total += com[i] + com_velocity[i]
    return soles[0, 2], soles[1, 2], com[2], com_velocity[2], math.isfinite(total)


class RobotModel:
    """Dynamics and kinematics at one state; `update` computes them once a tick.

    Generalised velocities are [linear and angular velocity of the base in the base frame,
    joint velocities], n_v = 6 + 18 for Kid Cosmo. Other quantities are in world axes.

    Attributes:
        mass: total mass, with what the hands carry [kg].
        joint_count: joints that the controller drives; the first of the profile's order.
        mass_matrix: M(q) (n_v, n_v), armature included.
        bias: Coriolis, centrifugal and gravity forces (n_v) [N, N·m].
        com, com_velocity: centre of mass (3) [m], [m/s].
        com_height, com_rise: their z, as plain numbers [m], [m/s].
        finite: every number of them is one.
        left_sole_height, right_sole_height: z of the soles [m].
        momentum_matrix: centroidal momentum matrix, linear then angular (6, n_v).
        momentum: centroidal momentum (6) [N·s, N·m·s].
        momentum_drift: its rate of change at zero acceleration (6).
        soles: positions of the left and right sole frames (2, 3) [m].
        sole_rotations: their axes in the world (2, 3, 3).
        sole_jacobians: frame Jacobians, linear then angular (2, 6, n_v).
        sole_velocities: linear then angular (2, 6).
        sole_drifts: linear (classical) then angular acceleration at zero q̈ (2, 6).
    """

    def __init__(self, profile: Profile) -> None:
        self.pin_model = load_pinocchio(profile)
        grips = [_add_grip(self.pin_model, grip) for grip in profile.grips]
        self.data = self.pin_model.createData()
        nv = self.pin_model.nv
        self.joint_count = nv - 6
        names = list(self.pin_model.names)[2:]
        if tuple(names) != profile.joint_names[: self.joint_count]:
            reason = f"the limbs are not in the order of {profile.model}; list them as it does"
            raise ProfileError(_FILE, "joints.rows", reason)
        self.mass = float(sum(inertia.mass for inertia in self.pin_model.inertias))
        self._levers = [self.pin_model.frames[grip].placement.translation.copy() for grip in grips]
        self._arms = [self.pin_model.frames[grip].parentJoint for grip in grips]
        self._bare_arms = [self.pin_model.inertias[arm].copy() for arm in self._arms]
        self._bare_mass = self.mass
        self.lower = self.pin_model.lowerPositionLimit[7:].copy()
        self.upper = self.pin_model.upperPositionLimit[7:].copy()
        soles = [contact.frame for contact in profile.contacts]
        self._soles = Frames(self.pin_model, self.data, soles)
        names = [self.pin_model.frames[grip].name for grip in grips]
        self._grips = Frames(self.pin_model, self.data, names)
        assert profile.imu is not None
        imu = self.pin_model.frames[self.pin_model.getFrameId(profile.imu.frame)]
        self.imu_in_base: Floats = imu.placement.translation.copy()
        legs = {contact.limb for contact in profile.contacts}
        leg_joints = [i for i, joint in enumerate(profile.joints.rows) if joint.limb in legs]
        self.first_leg_joint = leg_joints[0]
        self.q = pin.neutral(self.pin_model)
        self.v = np.zeros(nv)
        self._gravity: Floats = self.pin_model.gravity.linear.copy()
        self.mass_matrix: Floats = np.zeros((nv, nv))
        self.bias: Floats = np.zeros(nv)
        self._motion: Floats = np.zeros(18)
        self.com, self.com_velocity = self._motion[:3], self._motion[3:6]
        self.momentum, self.momentum_drift = self._motion[6:12], self._motion[12:]
        self.momentum_matrix: Floats = np.zeros((6, nv))
        self.com_height = self.com_rise = 0.0
        self.finite = True
        self.left_sole_height = self.right_sole_height = 0.0
        self.soles, self.sole_rotations = self._soles.positions, self._soles.rotations
        self.sole_jacobians, self.sole_drifts = self._soles.jacobians, self._soles.drifts
        self.sole_velocities: Floats = np.zeros((2, 6))

    def carry(self, left_kg: float, right_kg: float) -> None:
        """Let the hands carry point masses from the next update on [kg]."""
        self.mass = self._bare_mass + left_kg + right_kg
        for side, kg in enumerate((left_kg, right_kg)):
            arm, lever = self._bare_arms[side], self._levers[side]
            load = pin.Inertia(kg, lever, np.zeros((3, 3)))
            self.pin_model.inertias[self._arms[side]] = arm + load if kg > 0.0 else arm

    def arm_torque(self, ddq: Floats) -> tuple[Floats, Floats]:
        """Return what gravity and motion ask of the joints above the legs, the base unaccelerated.

        Args:
            ddq: accelerations of these joints (k) [rad/s²].

        Returns:
            The torques, known loads included (k) [N·m], and what a kilogram in the left and in
            the right hand asks (2, k) [N·m/kg].
        """
        upper = slice(6, 6 + self.first_leg_joint)
        torque: Floats = self.mass_matrix[upper, upper] @ ddq + self.bias[upper]
        per_kg = np.empty((2, self.first_leg_joint))
        grips = self._grips
        grips.update(self.v)
        for side in (LEFT, RIGHT):
            jacobian = np.asfortranarray(grips.jacobians[side, :3, upper])
            drift = grips.drifts[side, :3]
            per_kg[side] = (drift + jacobian @ ddq - self._gravity) @ jacobian
        return torque, per_kg

    def update(self, state: State) -> None:
        """Compute everything at a state."""
        q, v = self.q, self.v
        write_configuration(
            state.position_base_in_world,
            state.rotation_base_to_world,
            state.velocity_base_in_world,
            state.angular_velocity_base_in_base,
            state.q,
            state.dq,
            q,
            v,
        )
        model, data = self.pin_model, self.data
        # Together they leave in `data` all that the frames need.
        self.mass_matrix = pin.crba(model, data, q, _WORLD)
        self.bias = pin.nonLinearEffects(model, data, q, v)
        self._soles.update(v)
        (
            self.left_sole_height,
            self.right_sole_height,
            self.com_height,
            self.com_rise,
            self.finite,
        ) = write_momentum(
            self.mass_matrix,
            self.bias,
            self._gravity,
            state.rotation_base_to_world,
            state.position_base_in_world,
            v,
            self.soles,
            self.sole_jacobians,
            self.momentum_matrix,
            self._motion,
            self.sole_velocities,
        )
