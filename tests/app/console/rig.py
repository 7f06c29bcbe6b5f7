"""A core that is nothing but its end of the link: real sockets, real messages, no robot."""

import threading
import time
from types import TracebackType
from typing import Any, Self

import msgspec

from core.link.commands import Command
from core.link.envelope import Envelope
from core.link.event import Event
from core.link.figure import Figure
from core.link.handset import HandsetMap, HandsetStatus
from core.link.hello import BatteryRange, Foot, Hello, WalkRange
from core.link.playbill import Entry, Playbill
from core.link.scene import Scene
from core.link.server import Server
from core.link.session import free_endpoint
from core.link.status import Channel, Status
from shows.document import Show
from shows.joints import Gaze
from shows.limbs import Limb, LimbKind, LimbSide

ROBOT = "kid_cosmo"
LIMBS: tuple[tuple[LimbKind, LimbSide], ...] = (
    ("arm", "left"),
    ("arm", "right"),
    ("leg", "left"),
    ("leg", "right"),
    ("hand", "left"),
    ("hand", "right"),
)
JOINTS: tuple[tuple[str, str, float, float, float], ...] = (  # name, group, limits, stall
    ("head_pitch", "head", -0.52, 0.52, 8.0),
    ("head_yaw", "head", -1.57, 1.57, 8.0),
    *(
        (f"{side}_{name}", f"{side}_arm", low, high, 8.0)
        for side in ("left", "right")
        for name, low, high in (
            ("shoulder_pitch", -3.31, 1.57),
            ("shoulder_roll", -1.48, 0.61),
            ("elbow", -0.43, 2.0),
        )
    ),
    *(
        (f"{side}_{name}", f"{side}_leg", -2.2, 0.9, stall)
        for side in ("left", "right")
        for name, stall in (
            ("hip_1", 8.0),
            ("hip_2", 8.0),
            ("hip_pitch", 26.5),
            ("knee", 71.5),
            ("ankle", 8.0),
        )
    ),
    *(
        (f"{side}_{name}", f"{side}_hand", -3.1, 3.1, 0.32)
        for side in ("left", "right")
        for name in ("wrist", "thumb", "index", "middle", "ring")
    ),
)
HELLO = Hello(
    robot=ROBOT,
    body="sim",
    support="floor",
    pace="real",
    seed=0,
    simulated=True,
    joint_names=tuple(joint[0] for joint in JOINTS),
    group_names=("head", "left_arm", "right_arm", "left_hand", "right_hand"),
    lower=tuple(joint[2] for joint in JOINTS),
    upper=tuple(joint[3] for joint in JOINTS),
    stall_torque=tuple(joint[4] for joint in JOINTS),
    mode_names=(
        "OFF",
        "DAMPED",
        "STANDING_UP",
        "READY",
        "PERFORM",
        "WALK",
        "RECORD",
        "SETTLE",
        "FAULT",
        "ESTOP",
    ),
    motion_state_names=("REST", "ACTION", "TRANSITION", "STOP", "JOYSTICK"),
    movable_limbs=("head", "left_arm", "right_arm"),
    grips=("left_hand", "right_hand"),
    limbs=(
        Limb(name="head", title="Head", kind="head"),
        *(
            Limb(name=f"{side}_{kind}", title=f"{side[0].upper()} {kind}", kind=kind, side=side)
            for kind, side in LIMBS
        ),
    ),
    joint_limbs=tuple(joint[1] for joint in JOINTS),
    joint_roles=tuple(joint[0].partition("_")[2] for joint in JOINTS),
    gaze=Gaze("head_yaw", "head_pitch"),
    hand_poses={"fist": {"wrist": 0.0, "thumb": 1.4, "index": 1.5, "middle": 1.5, "ring": 1.5}},
    velocity_limit=tuple(20.0 for _ in JOINTS),
    feet=tuple(
        Foot(f"{side}_foot", f"{side}_leg", "line", -0.1, 0.1) for side in ("left", "right")
    ),
    walk=WalkRange(0.5, 0.2, 1.0),
    battery=BatteryRange(22.2, 20.4, 19.2, 17.4),
)
READY = Status(
    stamp_s=0.0,
    mode="READY",
    motion_states=("REST",) * 5,
    gestures=("",) * 5,
    base_position=(0.0, 0.0, 0.78),
    battery_charge=0.8,
    battery_v=25.0,
    hottest_joint="left_knee",
    hottest_c=41.0,
    estop_channels=(Channel("mushroom", True), Channel("radio", True)),
)
HANDSET = HandsetStatus(
    heard=True,
    needed=True,
    ready=True,
    age_s=0.01,
    dead_man=False,
    buttons=(False,) * 10,
    sticks=(0.0,) * 4,
    battery_v=3.9,
    quality=0.98,
    authenticated=True,
    note=None,
    troubles=(),
    map=HandsetMap(buttons=("stop", "hold", "gesture:wave", *("none",) * 7)),
)
STANDING = Scene(
    stamp_s=0.0,
    q=tuple(0.0 for _ in JOINTS),
    q_reference=tuple(0.0 for _ in JOINTS),
    base_position=(0.0, 0.0, 0.78),
    com=(0.0, 0.0, 0.7),
    soles=((0.0, 0.12, 0.0), (0.0, -0.12, 0.0)),
    sole_yaws=(0.0, 0.0),
    contact=(True, True),
    contact_forces=((0.0, 0.0, 61.0),) * 4,
    support=((0.1, 0.12, 0.0), (-0.1, 0.12, 0.0), (-0.1, -0.12, 0.0), (0.1, -0.12, 0.0)),
)


class LineCore:
    """Publishes a status and a picture 50 times a second, and keeps what it is asked.

    Attributes:
        endpoint: where it listens.
        hello: how it introduces itself; None as one that has not yet.
        figure: what the picture is made of; None sends none.
        status: what it says of the robot; `set` changes it.
        scene: the picture.
        playbill: what it says to have loaded; `load` changes it.
        envelopes: what operators asked, in order.
    """

    def __init__(self, endpoint: str | None = None) -> None:
        self.endpoint = free_endpoint() if endpoint is None else endpoint
        self.hello: Hello | None = HELLO
        self.figure: Figure | None = None
        self.status, self.scene = READY, STANDING
        self.playbill = Playbill(0.0)
        self.envelopes: list[Envelope] = []
        self.batches: list[bytes] = []  # of ticks, sent one after the other
        self._events: list[Event] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)

    @property
    def commands(self) -> list[Command]:
        """What operators asked, in order."""
        return [envelope.command for envelope in self.envelopes]

    def set(self, **fields: Any) -> None:
        """Change the status."""
        self.status = msgspec.structs.replace(self.status, **fields)

    def load(self, show: Show, path: str = "/stage/1", sender: str = "", **refusals: str) -> None:
        """Have loaded a show for somebody; refusals are by `cue_` and number."""
        cues = tuple(
            Entry(cue.number, cue.name, refusals.get(f"cue_{cue.number}", "")) for cue in show.cues
        )
        self.playbill = Playbill(time.monotonic(), show.name, path, cues, sender)
        self.set(show=show.name, show_path=path, show_stamp_s=self.playbill.stamp_s)

    def say(self, event: Event) -> None:
        """Send an event."""
        self._events.append(event)

    def _run(self) -> None:
        with Server(self.endpoint, ROBOT) as server:
            tick = 0
            told: Playbill | None = None
            while not self._ended.wait(0.02):
                now_s = time.monotonic()
                if tick % 25 == 0 and self.hello is not None:
                    server.publish(self.hello)
                if tick % 25 == 0 and self.figure is not None:
                    server.publish(self.figure)
                if tick % 25 == 0 or told is not self.playbill:
                    told = self.playbill
                    server.publish(told)
                tick += 1
                server.publish(
                    msgspec.structs.replace(
                        self.status, stamp_s=tick * 0.02, host_stamp_s=now_s, sequence=tick
                    )
                )
                server.publish(msgspec.structs.replace(self.scene, stamp_s=tick * 0.02))
                while self._events:
                    server.publish(self._events.pop(0))
                if self.batches:
                    server.publish_batch(self.batches.pop(0))
                server.poll_heartbeats(now_s)
                self.envelopes += server.commands()

    def start(self) -> None:
        """Appear on the link."""
        self._thread.start()

    def stop(self) -> None:
        """Vanish from the link."""
        self._ended.set()
        self._thread.join()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
