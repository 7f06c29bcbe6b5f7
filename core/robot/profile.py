"""A robot's profile: structure, actuation, thresholds and tuning, as immutable structs."""

import math
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Meta

from core.behave.idle_settings import Idle
from core.behave.settings import FloatingSettings, LookSettings, MotionSettings
from core.errors import ProfileError
from core.link.handset import HandsetMap
from core.plants.biped.settings import Biped, Estimator
from core.plants.fixed.settings import Fixed
from core.plants.pace import Pace
from core.plants.runner.settings import Runner
from core.robot import bounds
from core.robot.folders import robot_folder
from core.robot.thresholds import Battery, HealthSettings
from shows.body_limb import BodyLimb
from shows.fields import HandPose, Name
from shows.folders import LIBRARY
from shows.gaits import GaitRange
from shows.joints import Gaze
from shows.limbs import Limb

REST = "rest"
"""The posture that every robot has."""

ContactKind: TypeAlias = Annotated[str, Meta(pattern=r"\A(line|sole)\Z")]
Point: TypeAlias = tuple[bounds.Length, bounds.Length, bounds.Length]


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A TOML table without unknown keys."""


class Supply(Table, frozen=True):
    """The supply of the motors.

    Attributes:
        nominal_v: voltage of the actuators' speed constants [V].
    """

    nominal_v: bounds.Volts


class Actuator(Table, frozen=True):
    """One actuator type, at the joint side of its gear.

    Attributes:
        stall_torque: stall torque [N·m].
        torque_constant: torque by motor current [N·m/A].
        speed_constant_rpm_per_v: no-load speed by voltage [rpm/V].
        friction_coulomb: dry friction [N·m].
        friction_viscous: viscous friction [N·m·s/rad].
        control: `torque`: it adds a given torque to its own servo law; `position`: it does not.
        movable: a person can move the joint against its gear.
    """

    stall_torque: bounds.Torque
    torque_constant: bounds.TorqueConstant
    speed_constant_rpm_per_v: bounds.SpeedConstant
    friction_coulomb: bounds.CoulombFriction
    friction_viscous: bounds.ViscousFriction
    control: Literal["torque", "position"] = "torque"
    movable: bool = True

    def no_load_speed(self, supply_v: float) -> float:
        """Return the speed at which the torque-speed line reaches zero [rad/s]."""
        return self.speed_constant_rpm_per_v * supply_v * 2.0 * math.pi / 60.0


class Joint(Table, frozen=True, array_like=True):
    """One joint: its limb, its role in the limb, its actuator and its gains.

    Joints of mirrored limbs that have the same role mirror each other; equal angles are then
    mirrored postures.
    """

    name: str
    limb: str
    role: str
    actuator: str
    kp: bounds.JointStiffness
    kd: bounds.JointDamping


class Joints(Table, frozen=True):
    """The joint table, in the order of every joint array."""

    columns: list[str]
    rows: Annotated[list[Joint], Meta(min_length=1)]


class Transmission(Table, frozen=True):
    """How a motor turns the hinges of a coupled joint.

    Attributes:
        joint: the independent joint that it drives.
        hinges: angle of the motor by angle of each hinge: of the joint itself and of those that
            follow it.
    """

    joint: str
    hinges: dict[str, bounds.MotorRatio]


class Contact(Table, frozen=True, kw_only=True):
    """A part of the robot that stands on the ground: a line foot or a sole.

    Lengths are x coordinates in the frame of the sole [m].

    Attributes:
        name: name of the contact.
        limb: the leg that ends in it.
        frame: site of the model at the middle of the sole.
        kind: `line`: heel and toe carry; `sole`: four corners carry.
        heel: rear end of the sole.
        toe: front end of the sole.
        ankle: position of the ankle's axis.
        half_width: half of a sole's width [m]; 0 for a line.
        switches: geoms of the model that close the contact switches, from heel to toe.
    """

    name: str
    limb: str
    frame: str
    kind: ContactKind
    heel: bounds.SoleLength
    toe: bounds.SoleLength
    ankle: bounds.SoleLength
    half_width: bounds.Margin = 0.0
    switches: tuple[str, ...]


class Grip(Table, frozen=True):
    """The point at which a limb holds a load.

    Attributes:
        limb: the limb that holds it.
        body: body of the model.
        offset: position of the load in the frame of that body (3) [m].
    """

    limb: str
    body: str
    offset: Point


class Imu(Table, frozen=True):
    """The inertial measurement unit.

    Attributes:
        frame: site of the model.
    """

    frame: str


class Collisions(Table, frozen=True):
    """Pairs of bodies that preflight keeps apart.

    Attributes:
        pairs: pairs of names of bodies of the model.
        may_touch: pairs that may touch, as two hands that clap.
    """

    pairs: tuple[tuple[str, str], ...]
    may_touch: tuple[tuple[str, str], ...] = ()


class Handset(Table, frozen=True):
    """The operator's handset: its largest velocities and the layout of its controls."""

    forward: bounds.Speed
    backward: bounds.Speed
    sideways: bounds.Speed
    turning: bounds.YawRate
    map: HandsetMap


class Inertia(Table, frozen=True, kw_only=True):
    """The poses in which `footlight inertia` compares the robot's centroidal inertia.

    One end of a limb swings to each point of a grid, along an arc. The lengths are those of the
    comparison, before `scale`.

    Attributes:
        posture: the reference posture, from which each swing begins.
        swing: site or body of the model that swings, and keeps its attitude.
        stance: site or body that stays on the ground, while the base moves to the middle between
            it and the end of the swing; empty: the base does not move.
        forward: first and last end point of the swing, from its start along x [m].
        sideways: the same along y [m].
        lift: height of the arc in its middle [m].
        swing_s: duration of a swing [s].
        scale: of all lengths: size of the robot by that for which they are meant.
    """

    posture: str
    swing: str
    stance: str = ""
    forward: tuple[bounds.Length, bounds.Length]
    sideways: tuple[bounds.Length, bounds.Length]
    lift: bounds.Apex
    swing_s: bounds.StepTime
    scale: bounds.Scale = 1.0


class Variant(Table, frozen=True):
    """Another distribution of the robot's mass.

    Attributes:
        masses: masses of links that differ from the model's [kg]. The centre of mass of such a
            link and its inertia about it are as in the model.
    """

    masses: Annotated[dict[str, bounds.Mass], Meta(min_length=1)]


class Profile(Table, frozen=True, kw_only=True):
    """The parameters of one robot that its model does not contain.

    Attributes:
        schema: version of the file format.
        name: name of the robot's folder.
        title: the robot's name on screen.
        default: a command without a robot's name uses this robot.
        show: name of its sample show in the library; empty without one.
        paper: group of experiments that are made with this robot only; empty without one.
        model: file name of the MJCF model.
        tick_s: period of the control loop [s].
        supports: possible supports of the robot (see `devices.interface.Support`), each with the
            initial posture; the first is the default.
        limbs: the robot's limbs, in the order of every limb array.
        supply: voltage of the motors.
        battery: None for a robot on mains.
        actuators: actuator types by name.
        joints: the joint table.
        transmissions: motors that turn several hinges, or turn faster than their joint.
        postures: posture by name, limb by limb [deg].
        contacts: the parts that stand on the ground.
        grips: points at which limbs hold loads.
        imu: None if the robot has none.
        gaze: None if no joints turn a gaze.
        body: the body as a limb that behaviour moves over standing feet; None: it has none.
        motion: transitions of the limbs between motions.
        look: the look at a point of the room, by head and torso.
        floating: resistance of the limbs that a person moves.
        idle: idle motion; None if the robot stands still while it waits.
        hand_poses: poses of the hands by name, that every show may use.
        collisions: pairs of bodies that preflight keeps apart.
        health: thresholds of the health flags.
        handset: None if the robot has none.
        inertia: poses of the comparison of centroidal inertias; None: it cannot be compared.
        variants: other distributions of the mass by name.
        biped: settings of a torque-controlled biped; exactly one of `biped`, `runner` and `fixed`
            chooses the plant.
        runner: settings of a biped with position servos that walks, runs and jumps.
        fixed: settings of a robot whose base does not move.
    """

    schema: Annotated[int, Meta(ge=2, le=2)]
    name: str
    title: str
    default: bool = False
    show: Annotated[str, Meta(pattern=r"\A[a-z0-9_]{0,48}\Z")] = ""
    paper: Annotated[str, Meta(pattern=r"\A[a-z0-9_]{0,48}\Z")] = ""
    model: str
    tick_s: bounds.Tick
    supports: Annotated[dict[str, str], Meta(min_length=1)]
    limbs: Annotated[tuple[Limb, ...], Meta(min_length=1, max_length=16)]
    supply: Supply
    battery: Battery | None = None
    actuators: dict[str, Actuator]
    joints: Joints
    transmissions: tuple[Transmission, ...] = ()
    postures: dict[str, dict[str, tuple[bounds.Degrees, ...]]]
    contacts: tuple[Contact, ...] = ()
    grips: tuple[Grip, ...] = ()
    imu: Imu | None = None
    gaze: Gaze | None = None
    body: BodyLimb | None = None
    motion: MotionSettings = MotionSettings()
    look: LookSettings = LookSettings()
    floating: FloatingSettings = FloatingSettings()
    idle: Idle | None = None
    hand_poses: dict[Name, HandPose] = {}
    collisions: Collisions | None = None
    health: HealthSettings = HealthSettings()
    handset: Handset | None = None
    inertia: Inertia | None = None
    variants: dict[Name, Variant] = {}
    biped: Biped | None = None
    runner: Runner | None = None
    fixed: Fixed | None = None

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Every joint, in the order of every joint array."""
        return tuple(joint.name for joint in self.joints.rows)

    def joints_of(self, limb: str) -> tuple[str, ...]:
        """Return the joints of a limb, in the order of every joint array."""
        return tuple(joint.name for joint in self.joints.rows if joint.limb == limb)

    @property
    def behaviour_joints(self) -> tuple[int, ...]:
        """Indices of the joints that behaviour moves, limb by limb: all but the legs'."""
        legs = {limb.name for limb in self.limbs if limb.kind == "leg"}
        rows = enumerate(self.joints.rows)
        return tuple(index for index, joint in rows if joint.limb not in legs)

    @property
    def leg_joints(self) -> tuple[int, ...]:
        """Indices of the joints of the legs."""
        others = set(self.behaviour_joints)
        return tuple(index for index in range(len(self.joints.rows)) if index not in others)

    def chosen_support(self, asked: str | None) -> str:
        """Return the requested support, or the robot's default one.

        Raises:
            ProfileError: the robot has no such support.
        """
        if asked is None:
            return next(iter(self.supports))
        if asked not in self.supports:
            known = ", ".join(self.supports)
            reason = f"{self.title} has no support {str(asked)!r}; choose from {known}"
            raise ProfileError("profile.toml", "supports", reason)
        return asked

    def posture_on(self, support: str) -> npt.NDArray[np.float64]:
        """Return the initial posture on a support (n) [rad].

        Raises:
            ProfileError: the robot has no such support.
        """
        return self.posture(self.supports[self.chosen_support(support)])

    @property
    def light_joints(self) -> tuple[str, ...]:
        """The joints of hands, which the dynamics model locks."""
        hands = {limb.name for limb in self.limbs if limb.kind == "hand"}
        return tuple(joint.name for joint in self.joints.rows if joint.limb in hands)

    @property
    def model_path(self) -> Path:
        """The robot's MJCF file."""
        return robot_folder(self.name) / self.model

    @property
    def sample_show(self) -> Path | None:
        """The robot's sample show; None if it has none."""
        return LIBRARY / self.show if self.show else None

    @property
    def as_biped(self) -> Biped:
        """The settings of a biped.

        Raises:
            ProfileError: the robot is not a biped.
        """
        if self.biped is None:
            raise ProfileError("profile.toml", "biped", f"{self.name} is not a biped: add [biped]")
        return self.biped

    @property
    def as_runner(self) -> Runner:
        """The settings of a running biped.

        Raises:
            ProfileError: the robot is none.
        """
        if self.runner is None:
            raise ProfileError("profile.toml", "runner", f"{self.name} cannot run: add [runner]")
        return self.runner

    @property
    def estimator(self) -> Estimator:
        """Noise that the state estimator of a robot with feet expects."""
        return self.as_biped.estimator if self.runner is None else self.runner.estimator

    @property
    def pace(self) -> Pace | None:
        """The largest velocities and accelerations of walking; None: it does not walk."""
        if self.runner is not None:
            return self.runner.pace
        if self.biped is None:
            return None
        gait = self.biped.gait
        return Pace(
            gait.max_speed_forward,
            gait.max_speed_sideways,
            gait.max_yaw_rate,
            gait.acceleration,
            gait.yaw_acceleration,
        )

    @property
    def step_width(self) -> float:
        """Distance of the soles of a robot that stands [m]; 0: it has no feet."""
        if self.runner is not None:
            return self.runner.strides.feet.step_width
        return 0.0 if self.biped is None else self.biped.gait.step_width

    @property
    def gaits(self) -> GaitRange:
        """The runs and jumps of the robot; a jump's push takes as long as the plant's."""
        if self.runner is not None:
            return _pushing(self.runner.gaits, self.runner.strides.times.push_s)
        if self.biped is None:
            return GaitRange()
        hopping = self.biped.hopping
        return self.biped.gaits if hopping is None else _pushing(self.biped.gaits, hopping.push_s)

    @property
    def holds_base(self) -> bool:
        """Whether the height of the base is controlled, instead of that of the CoM."""
        return self.biped is not None and self.biped.balance.height_of == "base"

    def column(self, field: str) -> npt.NDArray[np.float64]:
        """Return one numeric column of the joint table (n)."""
        return np.array([getattr(joint, field) for joint in self.joints.rows], dtype=np.float64)

    def posture(self, name: str) -> npt.NDArray[np.float64]:
        """Return a named posture (n) [rad].

        Raises:
            KeyError: the robot has no posture of that name.
        """
        limbs = self.postures[name]
        left = {limb: list(angles) for limb, angles in limbs.items()}
        return np.deg2rad([left[joint.limb].pop(0) for joint in self.joints.rows])

    def actuator_column(self, field: str) -> npt.NDArray[np.float64]:
        """Return one parameter of every joint's actuator (n)."""
        kinds = self.actuators
        return np.array(
            [getattr(kinds[joint.actuator], field) for joint in self.joints.rows],
            dtype=np.float64,
        )

    @property
    def position_servos(self) -> tuple[bool, ...]:
        """Whether each joint's actuator is a position servo (n)."""
        return tuple(self.actuators[row.actuator].control == "position" for row in self.joints.rows)

    @property
    def movable_joints(self) -> tuple[bool, ...]:
        """Whether a person can move each joint against its gear (n)."""
        return tuple(self.actuators[row.actuator].movable for row in self.joints.rows)

    def no_load_speed(self) -> npt.NDArray[np.float64]:
        """Return every joint's no-load speed at the nominal supply (n) [rad/s]."""
        volts = self.supply.nominal_v
        return np.array(
            [self.actuators[joint.actuator].no_load_speed(volts) for joint in self.joints.rows]
        )


def _pushing(gaits: GaitRange, push_s: float) -> GaitRange:
    """Return gaits whose jumps lift off so long after their request [s]."""
    if gaits.jump is None:
        return gaits
    jump = msgspec.structs.replace(gaits.jump, push_s=push_s)
    return msgspec.structs.replace(gaits, jump=jump)
