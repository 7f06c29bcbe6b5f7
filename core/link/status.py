"""The robot at a glance, with its alarms and the conditions of a reset."""

from core.link.handset import HandsetStatus
from core.link.message import Outbound, Vector3
from core.link.statement import Statement


class TickStats(Outbound, frozen=True):
    """How long the loop's ticks took lately [µs], and how many came late since the start."""

    median_us: float = 0.0
    p99_us: float = 0.0
    worst_us: float = 0.0
    overruns: int = 0


class Alarm(Outbound, frozen=True):
    """A fault that the failsafe acts upon; the catalogue has its sentence and the advice.

    Attributes:
        flag: name of the health flag.
        action: name of the failsafe's action.
        detail: how much, or which joint; None where the flag says everything.
        over: the fault itself is over; its action lasts until an operator asks for something
            anew, or resets.
    """

    flag: str
    action: str
    detail: Statement | None = None
    over: bool = False


class Channel(Outbound, frozen=True):
    """One channel of the hardware E-stop chain, as it is read."""

    name: str
    closed: bool


class ResetStep(Outbound, frozen=True):
    """One condition of a reset, and whether it holds."""

    condition: Statement
    done: bool


class Answer(Outbound, frozen=True):
    """When the body took the first command that a GO or a STOP changed.

    Both times are on the host's monotonic clock, which all processes of a machine share; their
    difference is what link, loop and body took. The body has taken a command when the call that
    hands it over returns; a simulated body computes one step within that call.

    A STOP is answered by the first command that damps the body or takes its torque. A GO is
    answered by the first command of a tick in which the show asks something of limbs, head or
    legs; with a pre-wait, or a clip that starts later, that is so much later. A GO that is
    refused is never answered. Of several in one tick the last GO and the first STOP count.

    Attributes:
        sender: who asked.
        sequence: number of its message.
        sent_s: when it was sent, as the sender says [s].
        done_s: when the body had taken the command [s].
        stopped: it was a STOP.
    """

    sender: str
    sequence: int
    sent_s: float
    done_s: float
    stopped: bool = False


class Status(Outbound, frozen=True):
    """The robot at a glance, 50 times a second.

    Attributes:
        stamp_s: time on the core's clock [s]; simulated time in a rehearsal.
        host_stamp_s: time on the host's monotonic clock [s].
        sequence: increases by one with every status.
        mode: name of the mode.
        action: name of the failsafe's action.
        flags: names of the raised health flags.
        motion_states: name of each limb group's motion state.
        show: name of the loaded show, or empty.
        show_path: where it was read, or empty.
        show_stamp_s: when it was loaded, on the host's monotonic clock, which tells this load
            from every other; its cues are in the playbill of that stamp [s].
        standby_cue: number of the cue that GO starts, or empty.
        next_cue: number of the cue that is on standby after that GO, or empty.
        running_cue: number of the cue that runs, or empty.
        cue_name: name of the cue that runs, or empty.
        cue_elapsed_s: time since its start [s].
        cue_length_s: its length [s].
        show_s: the show clock [s].
        show_length_s: length of the loaded show, or of an autopilot's walk; 0 if not known [s].
        base_position: torso in the world frame [m].
        base_rpy: roll, pitch, yaw of the torso [rad].
        base_velocity: torso in the world frame [m/s].
        velocity_command: vx [m/s], vy [m/s], yaw rate [rad/s] in the heading frame.
        battery_charge: what is left of the battery, 0 to 1.
        battery_v: its voltage [V].
        hottest_joint: name of the joint with the warmest winding.
        hottest_c: that winding's temperature [°C].
        worst_load_joint: name of the joint nearest to its stall torque.
        worst_load: its torque as a fraction of stall.
        tick: how long the ticks take.
        falls: how often the robot fell.
        distance_m: how far it has walked [m].
        cues_played: how many cues ended.
        paused: the show clock is held.
        running_cues: numbers of the newest 64 cues that run or wait to start, oldest first.
        gestures: name of the gesture that each limb group plays or is on its way to, empty
            where there is none.
        alarms: active faults, the worst first.
        latched: why the robot is stopped until somebody resets it.
        reset_steps: conditions of a reset; empty where there is nothing to reset.
        estop_channels: the hardware E-stop chain, channel by channel.
        answered: the newest GO or STOP that has reached the body; None before the first.
        handset: the operator's handset; None if none is fitted.
    """

    stamp_s: float
    host_stamp_s: float = 0.0
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
