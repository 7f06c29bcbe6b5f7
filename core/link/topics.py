"""The table of the link's topics: type, rate, bounds and place in the log."""

import re
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeVar, get_args

import msgspec

from core.link.envelope import Envelope, Heartbeat
from core.link.errors import LinkError
from core.link.event import Event
from core.link.figure import Figure
from core.link.hello import Hello
from core.link.partner import Human, PartnerOrder, PartnerReport, Posture, Reply
from core.link.playbill import Playbill
from core.link.pose import PoseQuestion, PoseVerdict
from core.link.report import Report
from core.link.requests import KeepHandsetMap, LoadRequest, ShowRefused
from core.link.scene import Scene
from core.link.sound import SoundReport, VoiceMessage
from core.link.status import Status
from core.link.take import (
    BackingRefused,
    BackingRequest,
    MicrophoneReport,
    MicrophoneWish,
    TakeOrder,
    TakeReport,
)
from core.link.torque import TorqueAnswer, TorqueQuestion

KEY_ROOT = "footlight"
T = TypeVar("T")
Lane: TypeAlias = Literal["urgent", "prompt", "normal", "bulk"]
_ROBOT = re.compile(r"\A[a-z0-9_]{1,48}\Z")


@dataclass(frozen=True, slots=True)
class Topic(Generic[T]):
    """One topic, whose messages are of type T.

    Attributes:
        name: name in the key space.
        type: type of the decoded message; `bytes` are passed through.
        rate_hz: rate of sending; 0: on demand.
        max_bytes: largest message; a longer one is dropped and counted.
        depth: number of messages that a listener keeps; a new one replaces the oldest.
        log_every: every n-th message is logged; 0 logs none.
        lane: priority when the link is busy.
        into_core: the core receives it by polling.
    """

    name: str
    type: Any
    rate_hz: float
    max_bytes: int
    depth: int
    log_every: int
    lane: Lane = "normal"
    into_core: bool = False


# Into the core.
COMMAND: Topic[Envelope] = Topic("command", Envelope, 0.0, 8192, 64, 0, "prompt", True)
STOP: Topic[Envelope] = Topic("stop", Envelope, 0.0, 8192, 16, 0, "urgent", True)
HEARTBEAT: Topic[Heartbeat] = Topic("heartbeat", Heartbeat, 10.0, 512, 128, 0, "prompt", True)
PREPARED: Topic[bytes] = Topic("prepared", bytes, 0.0, 64 * 2**20, 2, 0, "bulk", True)
REFUSED: Topic[ShowRefused] = Topic("refused", ShowRefused, 0.0, 32768, 8, 0, into_core=True)
TAKEN: Topic[TakeReport] = Topic("taken", TakeReport, 5.0, 8192, 16, 0, into_core=True)
BACKED: Topic[bytes] = Topic("backed", bytes, 0.0, 32 * 2**20, 2, 0, "bulk", True)
UNBACKED: Topic[BackingRefused] = Topic("unbacked", BackingRefused, 0.0, 8192, 4, 0, into_core=True)
SOUND: Topic[SoundReport] = Topic("sound", SoundReport, 5.0, 65536, 8, 0, into_core=True)
POSTURE: Topic[Posture] = Topic("posture", Posture, 33.0, 1024, 4, 0, "prompt", True)
REPLY: Topic[Reply] = Topic("reply", Reply, 0.0, 1024, 4, 1, "prompt", True)
PARTNER_REPORT: Topic[PartnerReport] = Topic(
    "partner_report", PartnerReport, 10.0, 65536, 4, 1, into_core=True
)

# Out of the core, or from one sibling to another.
HELLO: Topic[Hello] = Topic("hello", Hello, 1.0, 65536, 2, 0)
STATUS: Topic[Status] = Topic("status", Status, 50.0, 16384, 64, 1)
SCENE: Topic[Scene] = Topic("scene", Scene, 30.0, 16384, 4, 0)
FIGURE: Topic[Figure] = Topic("figure", Figure, 1.0, 2**20, 2, 0, "bulk")
PLAYBILL: Topic[Playbill] = Topic("playbill", Playbill, 1.0, 4 * 2**20, 2, 0, "prompt")
EVENT: Topic[Event] = Topic("event", Event, 0.0, 16384, 256, 1, "prompt")
REPORT: Topic[Report] = Topic("report", Report, 0.0, 16384, 2, 1, "prompt")
LOAD: Topic[LoadRequest] = Topic("load", LoadRequest, 0.0, 8192, 8, 0)
KEEP: Topic[KeepHandsetMap] = Topic("keep", KeepHandsetMap, 0.0, 8192, 8, 0)
TAKE: Topic[TakeOrder] = Topic("take", TakeOrder, 0.0, 65536, 64, 0, "prompt")
POSE_QUESTION: Topic[PoseQuestion] = Topic("pose_question", PoseQuestion, 0.0, 16384, 4, 0)
POSE_VERDICT: Topic[PoseVerdict] = Topic("pose_verdict", PoseVerdict, 0.0, 16384, 4, 0)
TORQUE_QUESTION: Topic[TorqueQuestion] = Topic("torque_question", TorqueQuestion, 0.0, 2**20, 2, 0)
TORQUE_ANSWER: Topic[TorqueAnswer] = Topic("torque_answer", TorqueAnswer, 0.0, 2**20, 2, 0, "bulk")
BACKING: Topic[BackingRequest] = Topic("backing", BackingRequest, 0.0, 8192, 4, 0)
PARTNER: Topic[PartnerOrder] = Topic("partner", PartnerOrder, 0.0, 8192, 16, 0)
HUMAN: Topic[Human] = Topic("human", Human, 30.0, 4096, 4, 1)
WISH: Topic[MicrophoneWish] = Topic("wish", MicrophoneWish, 1.0, 2048, 16, 0)
MICROPHONE: Topic[MicrophoneReport] = Topic("microphone", MicrophoneReport, 10.0, 65536, 16, 0)
VOICE: Topic[VoiceMessage] = Topic("voice", VoiceMessage, 0.0, 2**20, 64, 0, "prompt")
BATCH: Topic[bytes] = Topic("batch", bytes, 20.0, 2**20, 256, 1, "bulk")

TOPICS: tuple[Topic[Any], ...] = tuple(v for v in list(globals().values()) if isinstance(v, Topic))
"""Every topic of this table."""

_BY_TYPE: dict[type, Topic[Any]] = {
    kind: topic for topic in TOPICS for kind in (get_args(topic.type) or (topic.type,))
}


def topic_of(message: msgspec.Struct) -> Topic[Any]:
    """Return the topic of a message by its type; the sender chooses the topic of a command.

    Raises:
        LinkError: no row of the table has this type.
    """
    topic = _BY_TYPE.get(type(message))
    if topic is None:
        raise LinkError(f"no topic has messages of the type {type(message).__name__}")
    return topic


def key(robot: str, topic: Topic[Any], sender: str = "*") -> str:
    """Return the key of a topic; `*` matches every sender.

    Raises:
        LinkError: the robot's name has other characters than a-z, 0-9 and _.
    """
    if not _ROBOT.match(robot):
        raise LinkError(f"robot name {robot!r} must be 1 to 48 of the characters a-z 0-9 _")
    return f"{KEY_ROOT}/{robot}/{topic.name}/{sender}"
