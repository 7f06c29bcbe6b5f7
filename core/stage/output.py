"""What the player asks of the rest of the core in one tick."""

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

from core.link.statement import Statement
from core.stage.timeline import Freeze, GestureEnd, GestureStart, Unfreeze
from devices.interface import Floats

LimbMoment: TypeAlias = GestureStart | GestureEnd | Freeze | Unfreeze


class Phrase(NamedTuple):
    """A phrase to sound at an exact time.

    Attributes:
        phrase: name of the audio file without its ending.
        start_stamp_s: when its first sample sounds, on the core's clock [s]; a time in the past
            joins the phrase where it would be by now.
        volume: 0 to 1.
        music: it makes room for phrases.
        again: it was announced before, and fell silent meanwhile.
    """

    phrase: str
    start_stamp_s: float
    volume: float
    music: bool = False
    again: bool = False


@dataclass(slots=True)
class StageOutput:
    """One tick of the show. The player owns it and overwrites it at its next update.

    Attributes:
        velocity: commanded vx, vy, yaw rate in the heading frame (3) [m/s, m/s, rad/s].
        walking: the show wants the robot to step, even where the velocity is zero.
        head: yaw and pitch that the show wants the head to have (2) [rad].
        head_held: the show holds the head; it is to follow `head`.
        head_released: the show let go of the head in this tick.
        happened: one of the lists below is not empty, or a flag below is set.
        limbs: starts, ends, freezes and unfreezes, in the order in which they shall be done.
        voices: phrases to announce.
        voice_stopped: every phrase that sounds or is announced falls silent, before `voices`.
        signals: texts for lights and the network.
        started, finished, stopped: numbers of cues that began, that played to their end, and
            that ended early.
        notes: what the event log tells the operator.
        done: the last cue has ended and nothing plays.
    """

    velocity: Floats = field(default_factory=lambda: np.zeros(3))
    walking: bool = False
    head: Floats = field(default_factory=lambda: np.zeros(2))
    head_held: bool = False
    head_released: bool = False
    happened: bool = False
    limbs: list[LimbMoment] = field(default_factory=list)
    voices: list[Phrase] = field(default_factory=list)
    voice_stopped: bool = False
    signals: list[str] = field(default_factory=list)
    started: list[str] = field(default_factory=list)
    finished: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    notes: list[Statement] = field(default_factory=list)
    done: bool = False

    def clear(self) -> None:
        """Forget what happened; what lasts (velocity, head, done) stays."""
        self.happened = False
        self.head_released = False
        self.voice_stopped = False
        self.limbs.clear()
        self.voices.clear()
        self.signals.clear()
        self.started.clear()
        self.finished.clear()
        self.stopped.clear()
        self.notes.clear()
