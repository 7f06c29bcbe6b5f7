"""The output of the player in one tick."""

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

from core.link.approach import Goal
from core.link.partner import Follow
from core.link.statement import Statement
from core.plants.interface import Stepping, Sway
from core.stage.timeline import Freeze, GestureEnd, GestureStart, Unfreeze
from devices.interface import Floats
from shows.gaits import Jump

LimbMoment: TypeAlias = GestureStart | GestureEnd | Freeze | Unfreeze


class Phrase(NamedTuple):
    """A phrase that starts at an exact time.

    Attributes:
        phrase: name of the audio file without its extension.
        start_stamp_s: time of its first sample on the core's clock [s]; playback of a past time
            joins at the present position.
        volume: 0 to 1.
        music: it is music, which is ducked under phrases.
        again: it was announced before and was interrupted.
        offset_s: time of the file that sounds first [s].
        length_s: how long it sounds [s].
    """

    phrase: str
    start_stamp_s: float
    volume: float
    music: bool = False
    again: bool = False
    offset_s: float = 0.0
    length_s: float = 0.0


@dataclass(slots=True)
class StageOutput:
    """One tick of the show. The player owns it and overwrites it at its next update.

    Attributes:
        velocity: commanded vx, vy, yaw rate in the heading frame (3) [m/s, m/s, rad/s].
        walking: the show requests steps, also at zero velocity.
        body: lowering of the centre of mass [m], and roll, pitch and yaw of the body that the show
            requests (4) [rad].
        posed: the show requests a posture of the body.
        sway: sway that the show requests; None: none.
        stepping: how the show requests the robot to step at the velocity.
        jump: jumps that the show requests; None: none.
        goal: place to which the show requests the robot to walk; None: none.
        head: yaw and pitch that the show requests of the head (2) [rad].
        look: point in the room that the head holds instead, frame of the stage (3) [m], or None.
        head_held: the show holds the head; it follows `head`.
        head_released: the show released the head in this tick.
        live: how the show requests the robot to follow a person; None: nobody. Each start of a live
            clip gives another object, also after a pause.
        happened: one of the lists below is not empty, or a flag below is set.
        limbs: starts, ends, freezes and unfreezes, in the order of execution.
        voices: phrases to announce.
        voice_stopped: all playing and announced phrases stop, before `voices`.
        signals: texts for lights and the network.
        started: numbers of cues that began.
        finished: numbers of cues that played to their end.
        stopped: numbers of cues that ended early.
        notes: statements for the event log.
        done: the last cue has ended and nothing plays.
    """

    velocity: Floats = field(default_factory=lambda: np.zeros(3))
    walking: bool = False
    body: Floats = field(default_factory=lambda: np.zeros(4))
    posed: bool = False
    sway: Sway | None = None
    stepping: Stepping = Stepping()
    jump: Jump | None = None
    goal: Goal | None = None
    head: Floats = field(default_factory=lambda: np.zeros(2))
    look: tuple[float, float, float] | None = None
    head_held: bool = False
    head_released: bool = False
    live: Follow | None = None
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
        """Clear the moments of the last tick; velocity, body, sway, head, live and done stay."""
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
