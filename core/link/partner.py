"""Messages of the live partner: a person's posture into the core, orders, report and picture.

The console orders the partner's process; that process sends postures and replies to the core. Only
`Follow`, by an operator or a cue, lets them move the robot.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec

from core.link.message import (
    Angle,
    DeviceName,
    Groups,
    Inbound,
    JointAngle,
    Name,
    Outbound,
    PathText,
    Sequence,
    Stamp,
    Vector3,
)
from core.link.statement import Statement

PortProtocol: TypeAlias = Literal["vmc", "mvn", "natnet"]
Protocol: TypeAlias = PortProtocol | Literal["camera"]
"""How a person's motion comes: to an UDP port, or through a camera."""
FollowMode: TypeAlias = Literal["mirror", "answer"]
Presence: TypeAlias = Literal["away", "followed", "held"]
CalibrationState: TypeAlias = Literal["none", "holding", "done", "failed"]
Way: TypeAlias = Annotated[float, msgspec.Meta(ge=-20.0, le=20.0)]
Pace: TypeAlias = Annotated[float, msgspec.Meta(ge=-50.0, le=50.0)]
Jolt: TypeAlias = Annotated[float, msgspec.Meta(ge=-500.0, le=500.0)]
Place: TypeAlias = tuple[Way, Way, Way]
Quaternion: TypeAlias = tuple[float, float, float, float]
Port: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=65535)]
Host: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]
RepertoireName: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A([a-z0-9_]{1,64})?\Z")]


class Follow(Inbound, tag=True, frozen=True):
    """Let a person whose motion is captured move the robot, until `EndFollow`.

    Refused where a gesture is, and while no posture arrives. STOP, HOLD, `Freeze`, `Cancel` of all
    limbs and the loss of the input end it; nothing resumes by itself.

    Attributes:
        mode: mirror: the robot does what the person does; answer: it answers with its own clips.
        limbs: limbs that follow the person; empty: all that can.
        legs: the robot steps where the person steps; otherwise it keeps its feet.
        mirror_sides: the robot's left follows the person's right.
        repertoire: name of the repertoire whose answers it gives.
    """

    mode: FollowMode = "mirror"
    limbs: Groups = ()
    legs: bool = False
    mirror_sides: bool = True
    repertoire: RepertoireName = ""


class EndFollow(Inbound, tag=True, frozen=True):
    """Let the limbs that follow a person go to rest; the body stands."""


class Posture(Inbound, frozen=True):
    """A person's posture as the robot shall take it, 33 times a second while it follows.

    Attributes:
        number: of the order to follow, from the core's status; another one's postures are dropped.
        stamp_s: when the person was so, host's monotonic clock [s].
        joints: positions in upper order, without the body (n) [rad].
        com: of the person, robot's scale, from where it was when following began [m].
        com_velocity: [m/s].
        com_acceleration: [m/s²].
        trunk: roll, pitch and yaw of the trunk [rad].
        feet: of the left and the right foot, likewise from where following began [m].
        on: whether each foot stands.
        support: number that changes where a foot lands or lifts.
        steps: the source sees the feet so well that the robot may step with them.
    """

    number: Sequence
    stamp_s: Stamp
    joints: Annotated[tuple[JointAngle, ...], msgspec.Meta(max_length=64)]
    com: Place
    com_velocity: tuple[Pace, Pace, Pace]
    com_acceleration: tuple[Jolt, Jolt, Jolt]
    trunk: tuple[Angle, Angle, Angle]
    feet: Annotated[tuple[Place, ...], msgspec.Meta(min_length=2, max_length=2)]
    on: tuple[bool, bool]
    support: Sequence = 0
    steps: bool = True

    def __post_init__(self) -> None:
        """Refuse numbers that are not finite, in the feet too.

        Raises:
            ValueError: a number is not finite.
        """
        super().__post_init__()
        if any(abs(value) > 1e3 or value != value for foot in self.feet for value in foot):
            raise ValueError("feet hold a number that is not finite")


class Reply(Inbound, frozen=True):
    """The robot shall answer with a clip now.

    Attributes:
        number: of the order to follow; another one's replies are dropped.
        stamp_s: when the person's motion was recognised, host's monotonic clock [s].
        motion: name of the clip, which the loaded show or the library has.
        heard: name of the person's motion, for messages.
    """

    number: Sequence
    stamp_s: Stamp
    motion: Name
    heard: Name


class FollowStatus(Outbound, frozen=True):
    """How the robot follows a person; part of the core's status.

    Attributes:
        number: of the newest order to follow; it increases with each.
        order: the order that is in force; None: nobody is followed.
        presence: away: nobody is followed; held: the input is late, and the posture is held.
        age_s: age of the newest posture; None without one [s].
        latency_s: from the newest stamp that was planned to the body's reference [s].
        outside_m: how far the end of the present plan lies outside what the support allows [m].
        answer: clip of the newest answer; empty without one.
    """

    number: int = 0
    order: Follow | None = None
    presence: Presence = "away"
    age_s: float | None = None
    latency_s: float = 0.0
    outside_m: float = 0.0
    answer: str = ""


class UseSource(Outbound, tag=True, frozen=True):
    """Listen on a port, to nobody before `PairSource`; empty protocol: close it.

    A camera is paired with the order to open it.

    Attributes:
        protocol: of the sender, or camera.
        port: UDP port; 0: the protocol's usual one.
        group: address of a multicast group to join; empty: none.
        camera: number of a camera of the partner's computer, or path of a video file.
    """

    protocol: Protocol | Literal[""] = "vmc"
    port: Port = 0
    group: Host = ""
    camera: PathText = "0"


class PairSource(Outbound, tag=True, frozen=True):
    """Listen to one sender; port 0: of its first datagram. An empty host listens to nobody."""

    host: Host
    port: Port = 0


class Calibrate(Outbound, tag=True, frozen=True):
    """Take the T-pose of the person in the next two seconds."""


class UseRepertoire(Outbound, tag=True, frozen=True):
    """Load the repertoire of a folder, or begin one there; an empty path unloads it."""

    path: PathText


class Teach(Outbound, tag=True, frozen=True):
    """Begin to teach a motion of the person, and the robot's answer to it.

    Attributes:
        name: of the motion; an existing one gets more takes.
        answer: clip with which the robot answers; empty: it does not answer.
        idle: it is what the person does between the motions.
    """

    name: Name
    answer: RepertoireName = ""
    idle: bool = False


class RecordTake(Outbound, tag=True, frozen=True):
    """Begin a take of the motion that is taught, or end it."""

    on: bool


class DropTake(Outbound, tag=True, frozen=True):
    """Forget the newest take of the motion that is taught."""


class EndTeach(Outbound, tag=True, frozen=True):
    """Learn the motion that was taught and save it with its takes, or forget it."""

    keep: bool = True


PartnerOrder: TypeAlias = (
    UseSource | PairSource | Calibrate | UseRepertoire | Teach | RecordTake | DropTake | EndTeach
)


class SourceReport(Outbound, frozen=True):
    """The state of the source.

    Attributes:
        protocol: of the sender; empty: no port is open.
        port: the open UDP port; 0 of a camera.
        paired: host and port of the sender; an empty host: none; port 0: none heard yet. A camera
            has its name for a host.
        stranger: host and port of the newest sender that is not paired; an empty host: none.
        age_s: age of the newest frame, infinite without one [s].
        rate_hz: frames a second.
        jitter_s: spread of the arrivals about the stamps [s].
        refused: number of refused datagrams and frames, by reason.
        trouble: reason why nothing is heard, one sentence; empty if there is none.
        cameras: names of the cameras of the partner's computer, by number.
    """

    protocol: str = ""
    port: int = 0
    paired: tuple[str, int] = ("", 0)
    stranger: tuple[str, int] = ("", 0)
    age_s: float = float("inf")
    rate_hz: float = 0.0
    jitter_s: float = 0.0
    refused: dict[str, int] = {}
    trouble: str = ""
    cameras: dict[int, str] = {}


class CalibrationReport(Outbound, frozen=True):
    """The state of the calibration.

    Attributes:
        state: none, holding (the T-pose is being taken), done or failed.
        held_s: how long the T-pose has been taken [s].
        scale: height of the robot by that of the person.
        reason: why it failed; None without a failure.
    """

    state: CalibrationState = "none"
    held_s: float = 0.0
    scale: float = 1.0
    reason: Statement | None = None


class Symbol(Outbound, frozen=True):
    """One motion of the repertoire.

    Attributes:
        name: of the motion.
        takes: number of its takes.
        answer: clip that answers it; empty: none, or the dialogues choose.
        place: in the proto-symbol space (3).
        score: share of the present motion that it explains, 0 to 1.
    """

    name: str
    takes: int
    answer: str = ""
    place: Vector3 = (0.0, 0.0, 0.0)
    score: float = 0.0


class TeachReport(Outbound, frozen=True):
    """The motion that is taught.

    Attributes:
        name: of the motion; empty: none is taught.
        answer: clip with which the robot answers.
        takes: number of takes so far.
        needed: number of takes that it needs.
        recording_s: length of the take that is recorded [s]; None: none is.
        trouble: reason why the newest order could not be carried out, one sentence.
    """

    name: str = ""
    answer: str = ""
    takes: int = 0
    needed: int = 4
    recording_s: float | None = None
    trouble: str = ""


class PartnerReport(Outbound, frozen=True):
    """The state of the partner's process, ten times a second.

    Attributes:
        stamp_s: host's monotonic clock [s].
        source: the source.
        calibration: the calibration.
        repertoire: path of the loaded repertoire; empty: none.
        repertoire_trouble: reason why a repertoire could not be loaded, one sentence.
        symbols: its motions.
        here: place of the present motion in the proto-symbol space (3); None while unknown.
        heard: newest motion that was recognised; empty: none.
        heard_s: how long ago [s].
        error_deg: how far the robot's limbs are from the person's, by limb [deg].
        teach: the motion that is taught.
    """

    stamp_s: float
    source: SourceReport = SourceReport()
    calibration: CalibrationReport = CalibrationReport()
    repertoire: str = ""
    repertoire_trouble: str = ""
    symbols: tuple[Symbol, ...] = ()
    here: Vector3 | None = None
    heard: str = ""
    heard_s: float = float("inf")
    error_deg: dict[DeviceName, float] = {}
    teach: TeachReport = TeachReport()


class Human(Outbound, frozen=True):
    """The posture of the person for a picture and the log, 30 times a second.

    Attributes:
        stamp_s: when the person was so, host's monotonic clock [s].
        positions: of the joints of shows/human.py; where the person was calibrated is the origin
            on the floor, x is where it faced (22, 3) [m].
        orientations: of the bones as in shows/human.py, unit quaternions, w first (22, 4).
    """

    stamp_s: float
    positions: tuple[Vector3, ...]
    orientations: tuple[Quaternion, ...] = ()
