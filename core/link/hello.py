"""The description of a core: its robot, its body, and the names in its record."""

from core.link.message import Outbound
from shows.body_limb import BodyLimb
from shows.fields import HandPose
from shows.gaits import GaitRange
from shows.joints import BodyRange, Gaze, SwayRange
from shows.limbs import Limb


class Foot(Outbound, frozen=True):
    """A part of the robot that stands on the ground.

    Attributes:
        name: name of the contact.
        limb: the leg that ends in it.
        kind: line or sole.
        heel: x of its rear end in the frame of the sole [m].
        toe: x of its front end [m].
        half_width: half of a sole's width, 0 for a line [m].
        points: contact points with a switch.
    """

    name: str
    limb: str
    kind: str
    heel: float
    toe: float
    half_width: float = 0.0
    points: int = 2


class WalkRange(Outbound, frozen=True):
    """The largest walking velocities of a robot.

    Attributes:
        forward: forward and backward [m/s].
        sideways: to either side [m/s].
        turning: yaw rate [rad/s].
    """

    forward: float
    sideways: float
    turning: float


class BatteryRange(Outbound, frozen=True):
    """The voltages of the battery [V].

    Attributes:
        nominal_v: nominal voltage of the supply.
        low_v: the robot warns below it.
        critical_v: the robot settles below it.
        flat_v: the core removes the torque below it.
    """

    nominal_v: float
    low_v: float
    critical_v: float
    flat_v: float


class Hello(Outbound, frozen=True):
    """The description of the core, repeated every second.

    Attributes:
        robot: name of the robot's profile.
        body: real, twin or sim.
        support: seated, gantry or floor.
        pace: real or max.
        seed: seed of the simulated noise.
        simulated: the record holds the true state beside the estimates.
        joint_names: names in the order of every joint array (n).
        group_names: names of the limbs that behaviour moves, in the order of the motion states.
        lower: lower joint limits (n) [rad].
        upper: upper joint limits (n) [rad].
        stall_torque: stall torque of each joint (n) [N·m].
        mode_names: name of each mode by its number.
        motion_state_names: name of each motion state by its number.
        qp_status_names: name of each solver status by its number.
        limbs: every limb, in the profile's order.
        joint_limbs: name of each joint's limb (n).
        joint_roles: role of each joint in its limb (n).
        gaze: the joints that turn the gaze; None if the robot has none.
        hand_poses: poses of the hands by name.
        velocity_limit: largest speed of each joint (n) [rad/s].
        winding_limit_c: largest winding temperature, 0 if not known [°C].
        title: the robot's name on screen.
        tick_s: period of the control loop [s].
        feet: the parts that stand on the ground, in the order of the scene's soles.
        walk: the largest velocities; None for a robot that does not walk.
        body_range: range of the body over standing feet; None for a robot that does not stand.
        body_limb: the body as a limb, of `limbs`; None for a robot without one.
        sway_range: range of a sway over standing feet; None for a robot that does not sway.
        gaits: its runs and jumps.
        chooses_foot: a walk to a place can end with a chosen foot.
        battery: voltages of the battery; None for a robot on mains.
        has_imu: the robot has an inertial measurement unit.
        has_handset: a handset is fitted.
        movable_limbs: names of the limbs of which a person can move some joint by hand.
        grips: names of the limbs whose load can be entered.
        rest: rest posture (n) [rad].
        started_s: start of the core on the host's monotonic clock, which identifies this core [s].
    """

    robot: str
    body: str
    support: str
    pace: str
    seed: int
    simulated: bool
    joint_names: tuple[str, ...]
    group_names: tuple[str, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    stall_torque: tuple[float, ...]
    mode_names: tuple[str, ...]
    motion_state_names: tuple[str, ...]
    qp_status_names: tuple[str, ...] = ()
    limbs: tuple[Limb, ...] = ()
    joint_limbs: tuple[str, ...] = ()
    joint_roles: tuple[str, ...] = ()
    gaze: Gaze | None = None
    hand_poses: dict[str, HandPose] = {}
    velocity_limit: tuple[float, ...] = ()
    winding_limit_c: float = 0.0
    title: str = ""
    tick_s: float = 0.001
    feet: tuple[Foot, ...] = ()
    body_range: BodyRange | None = None
    body_limb: BodyLimb | None = None
    sway_range: SwayRange | None = None
    walk: WalkRange | None = None
    gaits: GaitRange = GaitRange()
    chooses_foot: bool = False
    battery: BatteryRange | None = None
    has_imu: bool = True
    has_handset: bool = True
    movable_limbs: tuple[str, ...] = ()
    grips: tuple[str, ...] = ()
    rest: tuple[float, ...] = ()
    started_s: float = 0.0
