"""A whole rehearsal inside one process, without a link: for evaluation and for tests."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from core.lab.true_state import know_truth
from core.link.envelope import Envelope
from core.link.event import Event
from core.link.report import Report
from core.link.sound import VoiceMessage
from core.link.status import Status
from core.link.topics import Topic
from core.plants.build import build_plant
from core.record.tape import Tape, read_block
from core.report.telemetry import Telemetry
from core.robot.profile import Profile
from core.run.autopilot import Autopilot
from core.stage.prepared import PreparedShow
from core.tick.loop import FIRST_ROWS, Loop
from core.tick.performer import Performer
from devices.interface import Body, Simulated, Support

T = TypeVar("T")
Rows: TypeAlias = npt.NDArray[np.void]


@dataclass(slots=True)
class Listener:
    """A link without another end; it keeps the messages of a run.

    Attributes:
        events: the event log.
        voices: sounds that were due.
        statuses: the robot at a glance.
        commands_due: commands of an operator at the next poll.
        keep: keep statuses; half an hour of them is a lot.
    """

    events: list[Event] = field(default_factory=list)
    voices: list[VoiceMessage] = field(default_factory=list)
    statuses: list[Status] = field(default_factory=list)
    commands_due: list[Envelope] = field(default_factory=list)
    keep: bool = True

    def commands(self) -> list[Envelope]:
        """Return the commands that are due, once."""
        due, self.commands_due = self.commands_due, []
        return due

    def operator_age_s(self) -> float:
        """An operator who is always present."""
        return 0.0

    def silent(self, roles: tuple[str, ...], longest_s: float) -> tuple[str, ...]:
        """Nobody is missed."""
        return ()

    def poll(self, topic: Topic[T]) -> T | None:
        """No sibling sends anything."""
        return None

    def publish(self, message: msgspec.Struct) -> None:
        """Keep events, sounds and, if requested, statuses."""
        if isinstance(message, Event):
            self.events.append(message)
        elif isinstance(message, VoiceMessage):
            self.voices.append(message)
        elif isinstance(message, Status) and self.keep:
            self.statuses.append(message)


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """The result of a rehearsal.

    Attributes:
        report: its figures.
        rows: the record, one row a tick; empty where it was not kept.
        listener: its messages.
    """

    report: Report
    rows: Rows
    listener: Listener

    @property
    def failed(self) -> bool:
        """The robot fell, or went down for another cause, before the end."""
        return not self.report.completed


def rehearse(
    profile: Profile,
    body: Body,
    autopilot: Autopilot,
    support: Support = Support.FLOOR,
    seed: int = 0,
    show: PreparedShow | None = None,
    stepping: bool = True,
    keep: bool = True,
    thin: int = 1,
    true_state: bool = False,
    watch: Callable[[Performer], None] | None = None,
) -> Rehearsed:
    """Run the autopilot to its end.

    Args:
        profile: the robot's.
        body: simulated, at maximal pace.
        autopilot: operates the run.
        support: the support of the robot besides its feet.
        seed: of idle life.
        show: what to play, or whose gestures to use.
        stepping: False balances standing and never steps.
        keep: keep the record and the statuses.
        thin: of the record, keep one tick in so many.
        true_state: feed the truth to the control instead of an estimate.
        watch: called before every tick, with the performer as the last tick left it.

    Raises:
        ValueError: true state was requested of a body that has none.
    """
    performer = Performer(profile, build_plant(profile, support), seed)
    performer.plant.can_step = stepping
    if true_state:
        if not isinstance(body, Simulated):
            raise ValueError("only a simulated body knows its true state; leave true_state out")
        know_truth(performer.plant, body, profile)
    dtype = Telemetry.dtype(performer, isinstance(body, Simulated))
    blocks: list[npt.NDArray[Any]] = []

    def take(block: bytes) -> None:
        if keep:
            rows = read_block(block, dtype).rows
            blocks.append(rows if thin == 1 else rows[::thin].copy())

    listener = Listener(keep=keep)
    tape = Tape(dtype, take, first_rows=FIRST_ROWS)
    loop = Loop(body, performer, listener, tape, autopilot)
    if show is not None:
        loop.load(show)

    def look() -> bool:
        if watch is not None:
            watch(performer)
        return False

    report = loop.run(look)
    rows = np.concatenate(blocks) if blocks else np.empty(0, dtype=dtype)
    return Rehearsed(report, rows, listener)
