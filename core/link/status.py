"""The status of the robot, with its alarms and the conditions of a reset."""

from core.link.handset import HandsetStatus
from core.link.message import Outbound, Vector3
from core.link.partner import FollowStatus
from core.link.statement import Statement
from core.link.take import TakeStatus
from shows.limbs import LimbFeel, LimbFreedom


class TickStats(Outbound, frozen=True):
    """CPU times of recent ticks [µs], and the number of late ticks since the start."""

    median_us: float = 0.0
    p99_us: float = 0.0
    worst_us: float = 0.0
    overruns: int = 0


class Alarm(Outbound, frozen=True):
    """A fault on which the failsafe acts; the catalogue has its sentence and advice.

    Attributes:
        flag: name of the health flag.
        action: name of the failsafe's action.
        detail: the joint or value behind the fault; None if the fault needs no detail.
        over: the fault has ended; its action lasts until the operator makes a new request or
            resets.
    """

    flag: str
    action: str
    detail: Statement | None = None
    over: bool = False


class Channel(Outbound, frozen=True):
    """One channel of the hardware E-stop chain as measured."""

    name: str
    closed: bool


class ResetStep(Outbound, frozen=True):
    """One condition of a reset, and whether it is met."""

    condition: Statement
    done: bool


class Answer(Outbound, frozen=True):
    """The time at which the body took the first command that a GO or a STOP changed.

    Both times are on the host's monotonic clock, which all processes of a machine share; their
    difference is the latency of link, loop and body. The body has taken a command when the call
    that writes it returns; a simulated body computes one step within that call.

    A STOP is answered by the first command that damps the body or removes its torque. A GO is
    answered by the first command of a tick in which the show moves limbs, head or legs; a
    pre-wait, or a clip that starts later, delays the answer. A refused GO is never answered. Of
    several in one tick the last GO and the first STOP count.

    Attributes:
        sender: sender of the command.
        sequence: sequence number of the command.
        sent_s: time of sending [s].
        done_s: time at which the body had taken the command [s].
        stopped: the command was STOP.
    """

    sender: str
    sequence: int
    sent_s: float
    done_s: float
    stopped: bool = False


class Status(Outbound, frozen=True):
    """The status of the robot, 50 times a second.

    Attributes:
        stamp_s: time on the core's clock [s]; simulated time in a rehearsal.
        host_stamp_s: time on the host's monotonic clock [s].
        started_s: start of the core, as in its hello [s].
        sequence: increases by one with every status.
        mode: name of the mode.
        action: name of the failsafe's action.
        flags: names of the raised health flags.
        motion_states: name of each limb's motion state.
        show: name of the loaded show, or empty.
        show_path: path of its folder or zip, or empty.
        show_stamp_s: time of loading on the host's monotonic clock, which identifies this load;
            the playbill with this stamp lists its cues [s].
        standby_cue: number of the cue that GO starts, or empty.
        next_cue: number of the cue that is on standby after that GO, or empty.
        running_cue: number of the running cue, or empty.
        cue_name: name of the running cue, or empty.
        cue_elapsed_s: time since its start [s].
        cue_length_s: its length [s].
        show_s: time of the show clock [s].
        position_s: position in the list: all cues before, and the elapsed time of the current one;
            that of the cue on standby where none runs [s].
        show_length_s: length of the loaded show, or of an autopilot's walk; 0 if not known [s].
        base_position: position of the torso in the world frame [m].
        base_rpy: roll, pitch, yaw of the torso [rad].
        base_velocity: velocity of the torso in the world frame [m/s].
        velocity_command: vx [m/s], vy [m/s], yaw rate [rad/s] in the heading frame.
        battery_charge: state of charge of the battery, 0 to 1.
        battery_v: its voltage [V].
        hottest_joint: name of the joint with the warmest winding.
        hottest_c: that winding's temperature [°C].
        worst_load_joint: name of the joint nearest to its stall torque.
        worst_load: its torque as a fraction of stall.
        tick: times of the ticks.
        falls: number of falls.
        distance_m: distance walked [m].
        cues_played: number of cues that ended.
        paused: the show clock is paused.
        running_cues: numbers of the newest 64 cues that run or wait to start, oldest first.
        gestures: name of the gesture that each limb plays or moves to, empty without one.
        alarms: active faults, the most severe first.
        latched: reasons for which the robot is stopped until a reset.
        reset_steps: conditions of a reset; empty if there is nothing to reset.
        estop_channels: channels of the hardware E-stop chain.
        answered: the newest GO or STOP that has reached the body; None before the first.
        handset: state of the handset; None if none is fitted.
        freedoms: freedom of each limb: driven, held, floating or limp.
        feel: resistance of the floating limbs.
        sways: the body sways, or returns from a sway.
        body_led: a stick leads the body.
        jumps: a jump is requested that the robot has not finished.
        place: middle between the soles in the world frame, x, y [m], and their heading [rad].
        stage: origin of the stage's frame in the world frame: x, y [m] and heading [rad].
        place_known: the robot's place on the stage is known.
        mark: name of the mark to which the robot walks, or "the place"; empty without one.
        look: point of the stage at which the robot looks by hand [m]; None without one.
        follow: how the robot follows a person.
        take: the newest take; None before the first.
        idles: idle life is on; None for a robot that has none.
    """

    stamp_s: float
    host_stamp_s: float = 0.0
    started_s: float = 0.0
    sequence: int = 0
    mode: str = "OFF"
    action: str = "NONE"
    flags: tuple[str, ...] = ()
    motion_states: tuple[str, ...] = ()
    show: str = ""
    show_path: str = ""
    show_stamp_s: float = 0.0
    standby_cue: str = ""
    next_cue: str = ""
    running_cue: str = ""
    cue_name: str = ""
    cue_elapsed_s: float = 0.0
    cue_length_s: float = 0.0
    show_s: float = 0.0
    position_s: float = 0.0
    show_length_s: float = 0.0
    base_position: Vector3 = (0.0, 0.0, 0.0)
    base_rpy: Vector3 = (0.0, 0.0, 0.0)
    base_velocity: Vector3 = (0.0, 0.0, 0.0)
    velocity_command: Vector3 = (0.0, 0.0, 0.0)
    battery_charge: float = 0.0
    battery_v: float = 0.0
    hottest_joint: str = ""
    hottest_c: float = 0.0
    worst_load_joint: str = ""
    worst_load: float = 0.0
    tick: TickStats = TickStats()
    falls: int = 0
    distance_m: float = 0.0
    cues_played: int = 0
    paused: bool = False
    running_cues: tuple[str, ...] = ()
    gestures: tuple[str, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    latched: tuple[Statement, ...] = ()
    reset_steps: tuple[ResetStep, ...] = ()
    estop_channels: tuple[Channel, ...] = ()
    answered: Answer | None = None
    handset: HandsetStatus | None = None
    freedoms: tuple[LimbFreedom, ...] = ()
    feel: LimbFeel = "normal"
    sways: bool = False
    body_led: bool = False
    jumps: bool = False
    place: Vector3 = (0.0, 0.0, 0.0)
    stage: Vector3 = (0.0, 0.0, 0.0)
    place_known: bool = True
    mark: str = ""
    look: Vector3 | None = None
    follow: FollowStatus = FollowStatus()
    take: TakeStatus | None = None
    idles: bool | None = None
