"""Everything that crosses the link: frozen structs, SI units, unknown keys refused.

What comes in (commands, heartbeats) is bounded and finite or it is not decoded at all; what
the core sends out may hold a NaN where the core itself does not know better.
"""

import math
from typing import Annotated, Literal, TypeAlias

import msgspec

from core.link.handset import HandsetMap, HandsetStatus
from core.link.statement import Severity, Statement, Value
from shows.document import Ducking

Group: TypeAlias = Literal["head", "left_arm", "right_arm", "left_hand", "right_hand"]
Groups: TypeAlias = Annotated[tuple[Group, ...], msgspec.Meta(max_length=5)]
Vector3: TypeAlias = tuple[float, float, float]

Name: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9_]{1,64}\Z")]
CueNumber: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
PathText: TypeAlias = Annotated[str, msgspec.Meta(max_length=4096)]
Sender: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9_-]{1,48}\Z")]
Sequence: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]
Stamp: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=1e10)]
Speed: TypeAlias = Annotated[float, msgspec.Meta(ge=-2.0, le=2.0)]
YawRate: TypeAlias = Annotated[float, msgspec.Meta(ge=-3.0, le=3.0)]
Angle: TypeAlias = Annotated[float, msgspec.Meta(ge=-3.2, le=3.2)]
Force: TypeAlias = Annotated[float, msgspec.Meta(ge=-2000.0, le=2000.0)]
PlaybackSpeed: TypeAlias = Annotated[float, msgspec.Meta(ge=0.1, le=3.0)]
PushTime: TypeAlias = Annotated[float, msgspec.Meta(gt=0.0, le=10.0)]
Level: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
DeviceName: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]


class Inbound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message that the core accepts from others: every number in it is finite."""

    def __post_init__(self) -> None:
        """Refuse NaN and infinity, which the bounds of msgspec let through.

        Raises:
            ValueError: a number is not finite.
        """
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(f"{name} is {value}, which is not a number to act upon")


class StandUp(Inbound, tag=True, frozen=True):
    """Stand up from DAMPED and balance."""


class Settle(Inbound, tag=True, frozen=True):
    """Crouch under control, then go limp with damping."""


class Stop(Inbound, tag=True, frozen=True):
    """Software STOP: damp every joint now and latch. Needs no lease and is never refused."""


class Reset(Inbound, tag=True, frozen=True):
    """Release a latched stop or fault; leads to DAMPED only."""


class Hold(Inbound, tag=True, frozen=True):
    """Stand still and keep balancing."""


class Walk(Inbound, tag=True, frozen=True):
    """Walk at a velocity; `step` steps in place even at zero velocity.

    Attributes:
        vx: forward velocity in the heading frame [m/s].
        vy: velocity to its left in the heading frame [m/s].
        yaw_rate: turning rate, positive to its left [rad/s].
        step: keep stepping when the velocity is zero.
    """

    vx: Speed = 0.0
    vy: Speed = 0.0
    yaw_rate: YawRate = 0.0
    step: bool = False


class Gesture(Inbound, tag=True, frozen=True):
    """Play a gesture of the loaded show or of the library.

    Attributes:
        name: of the gesture; where both have one of that name, the show's is meant.
        groups: limbs that it may have; None gives it every limb that it moves.
        speed: 1 is as authored.
        loop: play until cancelled.
        mirror: swap the sides.
    """

    name: Name
    groups: Groups | None = None
    speed: PlaybackSpeed = 1.0
    loop: bool = False
    mirror: bool = False


class Cancel(Inbound, tag=True, frozen=True):
    """End the gesture on these limbs and go back to rest."""

    groups: Groups | None = None


class Freeze(Inbound, tag=True, frozen=True):
    """Stop these limbs in the middle of a motion (the photo pose)."""

    groups: Groups | None = None


class Unfreeze(Inbound, tag=True, frozen=True):
    """Resume a frozen motion from exactly where it stopped."""

    groups: Groups | None = None


class Head(Inbound, tag=True, frozen=True):
    """Turn the head by hand: yaw positive to its left, pitch positive downward [rad]."""

    yaw: Angle
    pitch: Angle


class ReleaseHead(Inbound, tag=True, frozen=True):
    """Give the head back to the show."""


class Go(Inbound, tag=True, frozen=True):
    """Start a cue, or the standby cue, and move the playhead."""

    cue: CueNumber | None = None


class PauseShow(Inbound, tag=True, frozen=True):
    """Hold the show's clock."""


class ResumeShow(Inbound, tag=True, frozen=True):
    """Let the show's clock run on."""


class GoTo(Inbound, tag=True, frozen=True):
    """Put a cue on standby without starting it."""

    cue: CueNumber


class ResetShow(Inbound, tag=True, frozen=True):
    """End every cue and put the first on standby."""


class LoadShow(Inbound, tag=True, frozen=True):
    """Load a show: the stagehand reads and checks it, the loaded one stays until it is ready.

    Refused while a cue runs, and then nothing changes.

    Attributes:
        path: of its folder or zip; empty unloads the show, and the library's gestures stay.
        keep_standby: it is another version of the show that is loaded: the cue on standby stays,
            or the next one behind it that this version has. Else the first is on standby.
    """

    path: PathText
    keep_standby: bool = False


class Push(Inbound, tag=True, frozen=True):
    """Push the simulated torso with a constant force in the world frame [N] for a time [s].

    A sender's push ends the one before, so that a hand which pulls may be streamed.
    """

    fx: Force
    fy: Force
    fz: Force
    duration_s: PushTime


class SetHandsetMap(Inbound, tag=True, frozen=True):
    """Give the handset's controls another layout, and keep it for this robot.

    Refused unless the robot is OFF or DAMPED.

    Attributes:
        map: what the controls do from now on; None: what the robot's profile says.
    """

    map: HandsetMap | None = None


class Volume(Inbound, tag=True, frozen=True):
    """Set the volume of everything that sounds, 0 to 1; it may be streamed."""

    level: Level


class Mute(Inbound, tag=True, frozen=True):
    """Let everything go on unheard, or be heard again at the volume that is set."""

    on: bool = True


class UseSound(Inbound, tag=True, frozen=True):
    """Play through the sound device of this name; empty is the one that the core began with."""

    device: DeviceName = ""


class Shutdown(Inbound, tag=True, frozen=True):
    """End the core: settle if it stands, close the log, leave."""


Command: TypeAlias = (
    StandUp
    | Settle
    | Stop
    | Reset
    | Hold
    | Walk
    | Gesture
    | Cancel
    | Freeze
    | Unfreeze
    | Head
    | ReleaseHead
    | Go
    | PauseShow
    | ResumeShow
    | GoTo
    | ResetShow
    | LoadShow
    | Push
    | SetHandsetMap
    | Volume
    | Mute
    | UseSound
    | Shutdown
)


class Envelope(Inbound, frozen=True):
    """A command with who sent it.

    Attributes:
        sender: name of the sending process, unique to its life.
        sequence: increases by one with every message of this sender.
        stamp_s: when it was sent, on the host's monotonic clock [s].
        command: what is asked.
    """

    sender: Sender
    sequence: Sequence
    stamp_s: Stamp
    command: Command


class Heartbeat(Inbound, frozen=True):
    """A process says that it lives, every 100 ms.

    Attributes:
        sender: name of the sending process, unique to its life.
        sequence: increases by one with every message of this sender.
        stamp_s: when it was sent, on the host's monotonic clock [s].
        operator: a person stands behind it, whose absence holds the robot.
    """

    sender: Sender
    sequence: Sequence
    stamp_s: Stamp
    operator: bool = False


class ShowRefused(Inbound, frozen=True):
    """The stagehand could not prepare a show: one sentence says what, where and why."""

    path: PathText
    reason: Annotated[str, msgspec.Meta(max_length=4000)]


class SoundReport(Inbound, frozen=True):
    """The voice says how it is, some times a second.

    Attributes:
        life: name of the sending process, unique to its life.
        device: name of the chosen sound device; empty is the system's usual one.
        chosen: an operator has chosen it.
        devices: names of those that were there when sound was last opened.
        trouble: why there is no sound, one sentence; empty while there is.
        lost: the trouble is one that somebody should mend: a device was chosen, or had worked.
        volume: as an operator has set it, 0 to 1; None, which is full, while none has.
        muted: nothing is heard.
    """

    life: Sender
    device: DeviceName = ""
    chosen: bool = False
    devices: Annotated[tuple[DeviceName, ...], msgspec.Meta(max_length=64)] = ()
    trouble: Annotated[str, msgspec.Meta(max_length=500)] = ""
    lost: bool = False
    volume: Level | None = None
    muted: bool = False


class Outbound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message that the core, or a sibling, sends to whoever listens."""


class Hello(Outbound, frozen=True):
    """What a listener must know of the core, repeated every second.

    Attributes:
        robot: name of the robot's profile.
        body: real, twin or sim.
        support: seated, gantry or floor.
        pace: real or max.
        seed: seed of the simulated noise.
        simulated: the record holds the truth beside the estimates.
        joint_names: in the order of every joint array (n).
        group_names: in the order of the motion states.
        lower: joint limits (n) [rad].
        upper: joint limits (n) [rad].
        stall_torque: what each joint can hold (n) [N·m].
        mode_names: name of each mode by its number.
        motion_state_names: name of each motion state by its number.
        qp_status_names: name of each solver status by its number.
        joint_groups: limb group of each joint, the legs' too (n).
        velocity_limit: largest speed of each joint (n) [rad/s].
        winding_limit_c: where a winding is too hot, 0 if not known [°C].
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
    joint_groups: tuple[str, ...] = ()
    velocity_limit: tuple[float, ...] = ()
    winding_limit_c: float = 0.0


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


class Scene(Outbound, frozen=True):
    """What a picture of the robot needs, 30 times a second; world frame.

    Attributes:
        stamp_s: time on the core's clock [s].
        q: joint positions as measured (n) [rad].
        q_reference: joint positions as commanded, the legs' too; as measured where no position
            is commanded, as in a joint that only damps (n) [rad].
        base_position: torso, as estimated [m].
        base_rpy: roll, pitch, yaw of the torso [rad].
        com: centre of mass [m].
        com_velocity: its velocity [m/s].
        capture_point: where the robot would come to rest by stepping there, x and y [m].
        soles: origin of the left and the right sole [m].
        sole_yaws: heading of each [rad].
        contact: each foot carries weight.
        contact_forces: planned force of the ground on left heel, left toe, right heel, right
            toe; zero while nothing is planned [N].
        support: corners of the support polygon, counter-clockwise: of both feet four or fewer, of
            one foot the two ends of its line, of none none [m].
        footstep: where the swing foot shall land, None while none swings [m].
        footstep_yaw: its heading there [rad].
        swing_side: 0 left, 1 right, -1 none.
        velocity: measured velocity of the torso in its heading frame, forward and left [m/s],
            and yaw rate [rad/s].
        external_force: force of every push on a simulated robot [N].
    """

    stamp_s: float
    q: tuple[float, ...] = ()
    q_reference: tuple[float, ...] = ()
    base_position: Vector3 = (0.0, 0.0, 0.0)
    base_rpy: Vector3 = (0.0, 0.0, 0.0)
    com: Vector3 = (0.0, 0.0, 0.0)
    com_velocity: Vector3 = (0.0, 0.0, 0.0)
    capture_point: tuple[float, float] = (0.0, 0.0)
    soles: tuple[Vector3, ...] = ()
    sole_yaws: tuple[float, ...] = ()
    contact: tuple[bool, ...] = ()
    contact_forces: tuple[Vector3, ...] = ()
    support: tuple[Vector3, ...] = ()
    footstep: Vector3 | None = None
    footstep_yaw: float = 0.0
    swing_side: int = -1
    velocity: Vector3 = (0.0, 0.0, 0.0)
    external_force: Vector3 = (0.0, 0.0, 0.0)


class Event(Outbound, frozen=True):
    """Who did what, when: one line of the event log; the catalogue has its sentence.

    Attributes:
        stamp_s: time on the core's clock [s]; None from a sibling, which does not know it.
        actor: who.
        code: names the sentence in the catalogue.
        fields: values of the sentence's template.
        severity: info, warning or error.
    """

    stamp_s: float | None
    actor: str
    code: str
    fields: dict[str, Value] = {}
    severity: Severity = "info"


class Report(Outbound, frozen=True):
    """The end of a run in figures, sent once by the core before it leaves.

    Attributes:
        completed: what was asked was done, without a fall.
        reason: how the run ended.
        duration_s: length on the core's clock [s].
        wall_s: length on the host's clock [s].
        cues_played: how many cues ended.
        distance_m: distance walked [m].
        falls: how often it fell.
        worst_tracking_rad: largest joint position error [rad].
        worst_tracking_joint: the joint that had it.
        worst_load: largest joint torque as a fraction of stall.
        worst_load_joint: the joint that had it.
        tick_median_us: median time of a tick [µs].
        tick_p99_us: 99th percentile [µs].
        tick_p99_9_us: 99.9th percentile [µs].
        overruns: ticks that ended after their deadline.
    """

    completed: bool
    reason: Statement
    duration_s: float = 0.0
    wall_s: float = 0.0
    cues_played: int = 0
    distance_m: float = 0.0
    falls: int = 0
    worst_tracking_rad: float = 0.0
    worst_tracking_joint: str = ""
    worst_load: float = 0.0
    worst_load_joint: str = ""
    tick_median_us: float = 0.0
    tick_p99_us: float = 0.0
    tick_p99_9_us: float = 0.0
    overruns: int = 0


class LoadRequest(Outbound, frozen=True):
    """The core asks the stagehand to read, check and prepare a show; see `LoadShow`.

    `sender` is who asked the core, empty where it loads by itself.
    """

    path: str
    keep_standby: bool = False
    sender: str = ""


class KeepHandsetMap(Outbound, frozen=True):
    """The core asks the stagehand to keep a layout of the handset; None: to forget it."""

    map: HandsetMap | None


class VoiceCue(Outbound, tag=True, frozen=True):
    """Say a phrase, or play music, at an exact time.

    Attributes:
        phrase: name of the phrase (the stem of its audio file).
        start_stamp_s: when its first sample shall sound, on the host's monotonic clock [s].
        volume: 0 to 1.
        music: it makes room for what is none.
        again: it has begun already, and is joined where it would be by now.
    """

    phrase: str
    start_stamp_s: float
    volume: float = 1.0
    music: bool = False
    again: bool = False


class VoiceStop(Outbound, tag=True, frozen=True):
    """Fade out whatever sounds."""


class VoiceLibrary(Outbound, tag=True, frozen=True):
    """The phrases of the loaded show.

    Attributes:
        stamp_s: when it was loaded, which tells this library from every other.
        paths: phrase to path of its audio file.
        ducking: how music makes room for phrases.
    """

    stamp_s: float
    paths: dict[str, str]
    ducking: Ducking = Ducking()


class VoiceMix(Outbound, tag=True, frozen=True):
    """What operators have set of the sound.

    Attributes:
        volume: of everything, 0 to 1; None, which is full, while none was set.
        muted: nothing is heard.
        device: name of the sound device; empty is the one that the core began with.
    """

    volume: float | None = None
    muted: bool = False
    device: str = ""


VoiceMessage: TypeAlias = VoiceCue | VoiceStop | VoiceLibrary | VoiceMix
