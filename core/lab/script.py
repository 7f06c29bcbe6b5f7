"""An operator with a script: stands the robot up, then sends each command at its time."""

from collections.abc import Sequence

from core.link.catalogue.run import FELL_AT, NO_SUPPLY, WENT_TO_AT
from core.link.commands import Command, Reset, ResetShow, Settle, StandUp
from core.run.autopilot import RESET_EVERY_S, STAND_UP_AT_S, Autopilot, Facts
from core.run.launch import WalkOrder
from core.run.walk_sequence import WalkSequence
from core.safety.modes import Mode

START_S = 3.0  # the robot stands after 1.8 s; then its handlers have let go
DOWN = (Mode.OFF, Mode.DAMPED, Mode.STANDING_UP, Mode.SETTLE)  # no place for an experiment
WAKE_S = 10.0  # for every device to answer, and for the motors' supply
AFTER_FALL_S = 0.3  # of record after a fall


class Script(Autopilot):
    """Operates one run of an experiment.

    Args:
        length_s: how long the run lasts after its start [s].
        walk: walks, runs and jumps one after the other, from the start on.
        commands: times since the start [s] and commands.

    Attributes:
        fell_s: when the robot fell, or the core gave up [s]; None if neither did.
    """

    def __init__(
        self,
        length_s: float,
        walk: Sequence[WalkOrder] = (),
        commands: Sequence[tuple[float, Command]] = (),
    ) -> None:
        super().__init__()
        self._end_s = START_S + length_s
        self._orders = WalkSequence(walk, zeros=True)
        self._due = sorted(commands, key=lambda pair: pair[0])
        self._done = 0
        self._risen = False
        self.fell_s: float | None = None

    def update(self, now_s: float, facts: Facts) -> list[Command]:
        """Return what to command at a time [s]."""
        down = now_s >= START_S and facts.mode in DOWN
        if facts.falls or down or facts.mode in (Mode.FAULT, Mode.ESTOP):
            self.fell_s = now_s if self.fell_s is None else self.fell_s
            fell = FELL_AT(stamp_s=self.fell_s)
            went = WENT_TO_AT(mode=facts.mode.name, stamp_s=self.fell_s)
            self.failure = fell if facts.falls else went
            self.finished = now_s - self.fell_s >= AFTER_FALL_S
            return []
        if not self._risen:
            if facts.mode is not Mode.DAMPED or now_s < STAND_UP_AT_S:
                return []
            self._risen = True
            return [StandUp()]
        self.finished = now_s >= self._end_s
        commands: list[Command] = []
        since_s = now_s - START_S
        while self._done < len(self._due) and since_s >= self._due[self._done][0]:
            commands.append(self._due[self._done][1])
            self._done += 1
        return commands + self._orders.update(now_s, since_s)


class Encore(Autopilot):
    """Plays the loaded show again and again, and is over at a time, wherever the show is then.

    Args:
        end_s: when it is over [s].

    Attributes:
        rounds: how often the show has been played to its end.
    """

    def __init__(self, end_s: float) -> None:
        super().__init__()
        self._end_s = end_s
        self.rounds = 0

    def update(self, now_s: float, facts: Facts) -> list[Command]:
        """Return what to command at a time [s]."""
        commands = super().update(now_s, facts)
        if now_s >= self._end_s:
            self.finished = True
            return []
        if Settle() in commands:  # the show is over: from the top
            self.rounds += 1
            self._asked_down, self._asked_cue = False, ""
            return [ResetShow()]
        return commands


class Woken(Autopilot):
    """Gives the motors their supply, and then lets another operate as if that were the start.

    Args:
        operator: operates after that.

    Attributes:
        late_s: by how much later all of it happens [s].
    """

    def __init__(self, operator: Autopilot) -> None:
        super().__init__()
        self.late_s = 0.0
        self._operator = operator
        self._awake = False

    @property
    def length_s(self) -> float:
        """When the last velocity ends, by the operator's clock [s]."""
        return self._operator.length_s

    def update(self, now_s: float, facts: Facts) -> list[Command]:
        """Return what to command at a time [s]."""
        if not self._awake:
            self._awake = facts.powered and facts.mode is Mode.DAMPED
            self.late_s = now_s
        if not self._awake:
            if now_s > WAKE_S:
                self.finished, self.failure = True, NO_SUPPLY()
            elif now_s >= self._next_reset_s:
                self._next_reset_s = now_s + RESET_EVERY_S
                return [Reset()]
            return []
        commands = self._operator.update(now_s - self.late_s, facts)
        self.finished, self.failure = self._operator.finished, self._operator.failure
        return commands
