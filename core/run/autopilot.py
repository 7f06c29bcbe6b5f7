"""The operator of a rehearsal: stands the robot up, plays cues or walks, and settles it.

It runs in the core, on the core's clock, so that a rehearsal depends on its seed alone. Pure:
from time and facts it computes the commands that an operator would give.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.link.catalogue import run as ending
from core.link.commands import (
    Command,
    Gesture,
    Go,
    Push,
    Reset,
    Settle,
    StandUp,
    StartSway,
)
from core.link.statement import Statement
from core.run.launch import PushOrder, SwayOrder, WalkOrder
from core.run.walk_sequence import WalkSequence
from core.safety.modes import LATCHED, Mode

WALK_STARTS_S = 5.0  # until then the robot stands up and comes to rest
READY_PAUSE_S = 1.0  # time in READY before the first GO, and before SETTLE at the end
GESTURE_PAUSE_S = 1.5
END_PAUSE_S = 0.5
AFTER_FALL_S = 1.0  # length of the record after a fall
STAND_UP_AT_S = 0.2
RESET_EVERY_S = 0.5  # period of RESET until the motors have their supply
CALIBRATED_S = 30.0  # longest wait in READY for the calibration of the person who is followed
PATIENCE_S = 20.0  # longest time to a standstill after the last velocity


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of the core for the autopilot.

    Attributes:
        mode: mode of the robot.
        running: a cue runs.
        standby: number of the cue that GO starts, or empty.
        gesturing: an arm plays a gesture.
        falls: number of falls.
        powered: the motors have their supply.
        calibrated: the person whom the show follows is calibrated, or it follows nobody.
    """

    mode: Mode
    running: bool
    standby: str
    gesturing: bool
    falls: int
    powered: bool = True
    calibrated: bool = True


class Autopilot:
    """Operates one run.

    Args:
        walk: walks, runs and jumps in sequence; empty plays the loaded show.
        gestures: names of gestures that play in turn while the robot walks.
        pushes: pushes on the simulated torso.
        sways: sways of a robot that stands.

    Attributes:
        finished: the run is over.
        failure: reason why the task was not completed; None on success.
    """

    def __init__(
        self,
        walk: Sequence[WalkOrder] = (),
        gestures: Sequence[str] = (),
        pushes: Sequence[PushOrder] = (),
        sways: Sequence[SwayOrder] = (),
    ) -> None:
        self._walk = WalkSequence(walk) if walk else None
        self._gestures = tuple(gestures)
        due: list[tuple[float, Command]] = []
        due += [(p.t, Push(p.fx, p.fy, p.fz, p.dur)) for p in pushes]
        due += [(s.t, StartSway(s.direction, s.amplitude, s.frequency, s.cycles)) for s in sways]
        self._due = sorted(due, key=lambda pair: pair[0])
        self._done = 0
        self._played = 0
        self._length_s = 0.0 if self._walk is None else WALK_STARTS_S + self._walk.length_s
        self._asked_up = self._asked_down = False
        self._asked_cue = ""
        self._next_reset_s = -math.inf
        self._quiet_since_s: float | None = None
        self._idle_arms_s = 0.0
        self._fallen_s: float | None = None
        self.finished = False
        self.failure: Statement | None = None

    @property
    def length_s(self) -> float:
        """Time at which the last velocity ends [s]; zero for a show."""
        return self._length_s

    def update(self, now_s: float, facts: Facts) -> list[Command]:
        """Return the commands at a time [s]."""
        commands: list[Command] = []
        if self.finished:
            return commands
        while self._done < len(self._due) and now_s >= self._due[self._done][0]:
            commands.append(self._due[self._done][1])
            self._done += 1
        if self._begins(now_s, facts):
            if now_s >= self._next_reset_s:
                self._next_reset_s = now_s + RESET_EVERY_S
                commands.append(Reset())
            return commands
        if self._over(now_s, facts):
            return commands
        if not self._asked_up:
            if facts.mode is Mode.DAMPED and now_s >= STAND_UP_AT_S:
                self._asked_up = True
                commands.append(StandUp())
            elif now_s > WALK_STARTS_S:
                self.finished, self.failure = True, ending.STAYED(mode=facts.mode.name)
        elif not self._asked_down:
            done = not facts.running
            if self._walk is not None:
                done = self._drive(now_s, self._walk, facts, commands)
            if self._quiet(now_s, done and facts.mode is Mode.READY):
                if not self._walk and facts.standby and not facts.calibrated:
                    if self._quiet(now_s, True, CALIBRATED_S):
                        self.finished = True
                        self.failure = ending.NOT_CALIBRATED(waited_s=CALIBRATED_S)
                elif not self._walk and facts.standby:
                    if facts.standby == self._asked_cue:
                        self.finished = True
                        self.failure = ending.GO_FAILED(cue=facts.standby)
                    self._asked_cue = facts.standby
                    commands.append(Go())
                    self._quiet_since_s = None
                else:
                    commands.append(Settle())
                    self._asked_down = True
                    self._quiet_since_s = None
        return commands

    def _begins(self, now_s: float, facts: Facts) -> bool:
        """Return whether a body with a contactor still waits for its first RESET."""
        early = not self._asked_up and now_s < WALK_STARTS_S
        return early and not facts.powered and facts.mode in (Mode.DAMPED, Mode.ESTOP)

    def _over(self, now_s: float, facts: Facts) -> bool:
        """Return whether the run is over, and note the reason."""
        if facts.falls and self._fallen_s is None:
            self._fallen_s = now_s
        if self._fallen_s is not None:
            if now_s - self._fallen_s >= AFTER_FALL_S:
                self.finished, self.failure = True, ending.FELL_AT(stamp_s=self._fallen_s)
            return True
        if facts.mode in LATCHED:
            self.failure = ending.WENT_TO(mode=facts.mode.name)
            self.finished = self._quiet(now_s, True, AFTER_FALL_S)
            return True
        down = facts.mode is Mode.DAMPED
        if self._asked_up and facts.mode is Mode.OFF:
            self.finished, self.failure = True, ending.SHUT_DOWN()
        elif self._walk and not self._asked_down and now_s > self._length_s + PATIENCE_S:
            self.finished, self.failure = True, ending.STILL_WALKS()
        if self._asked_down and down and self._quiet(now_s, True, END_PAUSE_S):
            self.finished = True
        elif self._asked_up and not self._asked_down and down and now_s > WALK_STARTS_S:
            self.finished, self.failure = True, ending.WENT_DOWN()
        return self.finished

    def _quiet(self, now_s: float, quiet: bool, pause_s: float = READY_PAUSE_S) -> bool:
        if not quiet:
            self._quiet_since_s = None
        elif self._quiet_since_s is None:
            self._quiet_since_s = now_s
        return self._quiet_since_s is not None and now_s - self._quiet_since_s >= pause_s

    def _drive(
        self, now_s: float, walk: WalkSequence, facts: Facts, commands: list[Command]
    ) -> bool:
        """Walk and play gestures; return whether the walk is complete."""
        if now_s < WALK_STARTS_S:
            return False
        if now_s >= self._length_s:
            return True
        commands += walk.update(now_s, now_s - WALK_STARTS_S)
        if facts.gesturing:
            self._idle_arms_s = now_s
        if self._gestures and now_s - self._idle_arms_s >= GESTURE_PAUSE_S:
            name = self._gestures[self._played % len(self._gestures)]
            commands.append(Gesture(name))
            self._played += 1
            self._idle_arms_s = now_s
        return False
