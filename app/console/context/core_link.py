"""The console's only connection to the core: its messages as Qt signals, and the commands to it."""

import math
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeAlias, TypeVar

import msgspec
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.console.context.pulse import Pulse
from app.console.toolkit.presses import Presses
from core.link import topics
from core.link.body import LeadBody
from core.link.client import Client
from core.link.commands import (
    BackDrive,
    Command,
    EndBackDrive,
    Gesture,
    Go,
    GoToPose,
    Head,
    Pull,
    Push,
    PutBack,
    Reset,
    ResumeShow,
    StandUp,
    StartJump,
    StartSway,
    StartTake,
    Stop,
    ToggleTake,
    Unfreeze,
    Walk,
)
from core.link.errors import LinkError
from core.link.figure import Figure
from core.link.hello import Hello
from core.link.improvised import PoseHands
from core.link.partner import Follow, Human, PartnerOrder, PartnerReport
from core.link.place import HoldPoint, LookAt, ShiftPoint, WalkTo
from core.link.playbill import Playbill
from core.link.pose import PoseQuestion, PoseVerdict
from core.link.scene import Scene
from core.link.sound import SoundReport
from core.link.status import Status
from core.link.take import MicrophoneWish
from core.link.topics import Topic
from core.link.torque import TorqueAnswer, TorqueQuestion

T = TypeVar("T")
Answer: TypeAlias = PoseVerdict | TorqueAnswer
"""An answer of the stagehand."""

POLL_MS = 10
SHOWN_S = 0.1  # between two displays of values that change all the time
LOST_S = 0.2  # without a status the core counts as lost; seen, with the poll, within 250 ms
RETRY_S = 0.5
PARTNER_LOST_S = 1.0  # without a report the partner's process counts as silent
MOVING: dict[type[Command], str] = {  # commands that may start motion, or lead to more
    StandUp: "Stand up",
    Reset: "Reset",
    PutBack: "Put back",
    Go: "GO",
    ResumeShow: "Resume",
    Gesture: "the gesture",
    Unfreeze: "Resume",
    Head: "the head's direction",
    LeadBody: "the lead of the body",
    Walk: "the walk",
    Push: "the pull",
    Pull: "the pull",
    BackDrive: "the release of limbs",
    EndBackDrive: "the end of RECORD",
    GoToPose: "the pose",
    StartJump: "the jump",
    WalkTo: "the walk",
    LookAt: "the look",
    HoldPoint: "the look",
    ShiftPoint: "the shift of the point",
    PoseHands: "the pose of the hands",
    StartSway: "the sway",
    StartTake: "the take",
    ToggleTake: "the take",
    Follow: "the order to follow the person",
}
_STILL: tuple[Command, ...] = (Walk(), ShiftPoint())  # they end a motion


class CoreLink(QObject):
    """Owns the connection; lives in the thread of the windows.

    The heartbeat has a thread of its own, which a console that hangs silences.

    Attributes:
        hello: the core's newest hello, kept when the core is lost; None before the first.
        foreign: a core answers, but its messages cannot be read: it is of another version.
        status: its newest status; None before the first.
        playbill: the show that it has said last to have loaded; None before the first. It is that
            of the status only where the stamps are equal.
        scene: its newest picture; None before the first.
        sound: the voice's newest report; None before the first.
        partner: the newest report of the partner's process; None before the first.
        human: the newest picture of the person; None before the first.
        connected: statuses come in, of a core that has introduced itself;
            commands are sent only then.
        presses: the age of the press that the program handles.

    Signals:
        hello_changed: a core, or another one, has introduced itself.
        status_changed: a status came.
        figure_changed: the figure of the robot came, or that of another one.
        playbill_changed: the core has loaded a show.
        scene_changed: a picture came.
        shown: panels show status and picture now: at once when a word of the status changes, else
            ten times a second, because nobody reads numbers faster.
        sound_changed: a report of the voice came.
        partner_changed: a report of the partner's process came.
        human_changed: a picture of the person came.
        events_arrived: a list of events came.
        connected_changed: the core was lost or found.
        refused: a command was not sent, with the reason.
    """

    hello_changed = Signal(object)
    status_changed = Signal(object)
    figure_changed = Signal(object)
    playbill_changed = Signal(object)
    scene_changed = Signal(object)
    shown = Signal()
    sound_changed = Signal(object)
    partner_changed = Signal(object)
    human_changed = Signal(object)
    events_arrived = Signal(list)
    connected_changed = Signal(bool)
    refused = Signal(str)

    def __init__(
        self, endpoint: str, robot: str, parent: QObject | None = None, lost_s: float = LOST_S
    ) -> None:
        """Wait for `start`.

        Args:
            endpoint: where the core listens.
            robot: its name in the key space.
            parent: parent object.
            lost_s: time without a status after which the core counts as lost [s].
        """
        super().__init__(parent)
        self._lost_s = lost_s
        self.hello: Hello | None = None
        self.figure: Figure | None = None
        self.status: Status | None = None
        self.playbill: Playbill | None = None
        self.scene: Scene | None = None
        self.sound: SoundReport | None = None
        self.partner: PartnerReport | None = None
        self.human: Human | None = None
        self.connected = False
        self.foreign = False
        self.presses = Presses(self)
        self._unread = 0  # messages on this connection that are none of ours
        self._endpoint, self._robot = endpoint, robot
        self._client: Client | None = None
        self._opening: Future[Client] | None = None
        self._pulse = Pulse()
        self._pool = ThreadPoolExecutor(1)  # a connection attempt may wait for the network
        self._retry_s = 0.0
        self._heard_s = self._opened_s = self._shown_s = 0.0
        self._partner_s = self._human_s = -math.inf
        self._words: tuple[object, ...] = ()
        self._takers: dict[str, tuple[Topic[Any], list[Callable[[list[Any]], None]]]] = {}
        self.listen(topics.HELLO, self._take_hellos)
        self.listen(topics.FIGURE, self._take_figures)
        self.listen(topics.EVENT, self.events_arrived.emit)
        self.listen(topics.PLAYBILL, self._take_playbills)
        self.listen(topics.STATUS, self._take_statuses)
        self.listen(topics.SCENE, self._take_scenes)
        self.listen(topics.SOUND, self._take_sounds)
        self.listen(topics.PARTNER_REPORT, self._take_partner)
        self.listen(topics.HUMAN, self._take_humans)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self.poll)

    @property
    def _introduced(self) -> bool:
        """Whether the newest status is of the core that has introduced itself last."""
        hello, status = self.hello, self.status
        return hello is not None and status is not None and hello.started_s == status.started_s

    @property
    def age_s(self) -> float:
        """Time since the last status came [s]."""
        return time.monotonic() - self._heard_s

    @property
    def partner_answers(self) -> bool:
        """Whether the partner's process reports; its last report may be an old one."""
        return self.connected and time.monotonic() - self._partner_s < PARTNER_LOST_S

    @property
    def human_age_s(self) -> float:
        """Time since a new picture of the person came, infinite before the first [s]."""
        return time.monotonic() - self._human_s

    def start(self) -> None:
        """Begin to look for the core."""
        self._timer.start()

    def send(self, command: Command) -> bool:
        """Send a command and tell whether it was sent; STOP is tried in any case.

        A command that may start motion is not sent on a press that waited too long in this program.
        """
        if self._client is None or not (self.connected or isinstance(command, Stop)):
            self.refused.emit("the core is not there: nothing was sent")
            return False
        moving = MOVING.get(type(command))
        if moving is not None and command not in _STILL and not self.may_start(moving):
            return False
        self._client.send(command)
        return True

    def wish_microphone(self, device: str | None) -> None:
        """Let the recorder listen to a microphone for some seconds, or list what there is.

        Args:
            device: its name; empty: the system's default; None: only list the microphones.
        """
        if self._client is not None and self.connected:
            self._client.publish(MicrophoneWish(device))

    def order(self, order: PartnerOrder) -> bool:
        """Send an order to the partner's process, which moves no robot; tell whether it was sent.

        An order that nobody would hear is not sent, and it is said.
        """
        if self._client is None or not self.partner_answers:
            self.refused.emit("the partner's process does not answer: nothing was sent")
            return False
        self._client.publish(order)
        return True

    def ask_pose(self, number: int, angles: Mapping[str, float]) -> bool:
        """Ask the stagehand whether the robot could take a pose; tell whether it was asked.

        Args:
            number: of the question; a larger one replaces those before.
            angles: joint angles by name [rad].
        """
        if self._client is None or not self.connected:
            return False
        self._client.publish(PoseQuestion(self._client.sender, number, dict(angles)))
        return True

    def ask_torque(self, number: int, question: TorqueQuestion) -> bool:
        """Ask the stagehand about the torques of a motion; tell whether it was asked.

        Args:
            number: of the question; a larger one replaces those before.
            question: about the motion; its sender and number are replaced.
        """
        if self._client is None or not self.connected:
            return False
        sender = self._client.sender
        self._client.publish(msgspec.structs.replace(question, sender=sender, number=number))
        return True

    def asked(self, answer: Answer) -> bool:
        """Tell whether an answer is one to a question of this console."""
        return self._client is not None and answer.sender == self._client.sender

    def may_start(self, what: str) -> bool:
        """Tell whether the press that is acted upon may start motion; else say why not."""
        late = self.presses.late
        if late:
            self.refused.emit(f"{what} was not sent: {late}")
        return not late

    def poll(self) -> None:
        """Keep the heartbeat up, and take the messages that came."""
        now_s = time.monotonic()
        quiet_s = now_s - max(self._heard_s, self._opened_s)
        if self._opening is not None or quiet_s > self._lost_s + RETRY_S:
            self._look(now_s)
        client = self._client
        self._pulse.give_sign(client)
        if client is None:
            return
        for topic, takers in tuple(self._takers.values()):
            found = client.subscribe(topic).poll()
            for take in takers if found else ():
                take(found)
        if now_s - self._heard_s > self._lost_s:
            self._set_connected(False)
        self._judge(client)

    def listen(self, topic: Topic[T], take: Callable[[list[T]], None]) -> None:
        """Pass each message of a topic to a function, the oldest first."""
        self._takers.setdefault(topic.name, (topic, []))[1].append(take)

    def close(self) -> None:
        """Leave the link; the core continues."""
        self._timer.stop()
        if self._opening is not None and not self._opening.cancel():
            try:
                self._opening.result().close()
            except LinkError:
                pass  # there was no core to leave
        self._pool.shutdown()
        self._pulse.close()
        if self._client is not None:
            self._client.close()
            self._client = None

    def _take_hellos(self, hellos: list[Hello]) -> None:
        if hellos[-1] != self.hello:
            self.hello = hellos[-1]
            self.hello_changed.emit(self.hello)

    def _take_figures(self, figures: list[Figure]) -> None:
        if figures[-1] != self.figure:
            self.figure = figures[-1]
            self.figure_changed.emit(self.figure)

    def _take_playbills(self, playbills: list[Playbill]) -> None:
        if playbills[-1] != self.playbill:
            self.playbill = playbills[-1]
            self.playbill_changed.emit(self.playbill)

    def _take_statuses(self, statuses: list[Status]) -> None:
        self._heard_s, self.status = time.monotonic(), statuses[-1]
        if self._introduced:
            self._set_connected(True)
            self.status_changed.emit(self.status)
            self._show(self.status)

    def _show(self, status: Status) -> None:
        words = _words(status)
        if words != self._words or self._heard_s - self._shown_s >= SHOWN_S:
            self._words, self._shown_s = words, self._heard_s
            self.shown.emit()

    def _take_scenes(self, scenes: list[Scene]) -> None:
        if self._introduced:
            self.scene = scenes[-1]
            self.scene_changed.emit(self.scene)

    def _take_sounds(self, sounds: list[SoundReport]) -> None:
        if self.connected:
            self.sound = sounds[-1]
            self.sound_changed.emit(self.sound)

    def _take_partner(self, reports: list[PartnerReport]) -> None:
        self._partner_s, self.partner = time.monotonic(), reports[-1]
        self.partner_changed.emit(self.partner)

    def _take_humans(self, humans: list[Human]) -> None:
        newest = humans[-1]
        if self.human is None or newest.stamp_s != self.human.stamp_s:
            self._human_s, self.human = time.monotonic(), newest
            self.human_changed.emit(newest)

    def _look(self, now_s: float) -> None:
        """Look for the core; until it is found, the old connection stays, for STOP."""
        if self._opening is None:
            if now_s >= self._retry_s:
                self._opening = self._pool.submit(self._open)
            return
        if not self._opening.done():
            return
        opening, self._opening = self._opening, None
        try:
            found = opening.result()
        except LinkError:
            self._retry_s = now_s + RETRY_S
            self.foreign = False
            return
        if self.connected:
            found.close()  # the old one has come back meanwhile
            return
        if self._client is not None:
            self._pulse.leave()
            self._client.close()
        self._client, self._opened_s = found, now_s
        self._unread = 0

    def _judge(self, client: Client) -> None:
        """Detect a core of another version."""
        unread = client.subscribe(topics.HELLO).dropped + client.subscribe(topics.STATUS).dropped
        if self.connected:
            self.foreign = False
        elif unread > self._unread:
            self.foreign = True
        self._unread = unread

    def _open(self) -> Client:
        client = Client(self._endpoint, self._robot, "console", operator=True, timeout_s=0.0)
        for topic, _ in tuple(self._takers.values()):
            client.subscribe(topic)
        return client

    def _set_connected(self, connected: bool) -> None:
        if connected != self.connected:
            self.connected = connected
            self.connected_changed.emit(connected)


def _words(status: Status) -> tuple[object, ...]:
    """Return the part of a status that changes by events."""
    return (
        status.mode,
        status.action,
        status.flags,
        status.motion_states,
        status.show_stamp_s,
        status.standby_cue,
        status.next_cue,
        status.paused,
        status.running_cues,
        status.gestures,
        status.alarms,
        status.latched,
        status.reset_steps,
        status.estop_channels,
    )
