"""An operator who presses every control at any time, and whose commands may be lost."""

import random
from collections.abc import Sequence

from core.link.catalogue.run import FELL_AT, WENT_TO_AT
from core.link.commands import (
    Cancel,
    Command,
    Freeze,
    Gesture,
    Go,
    GoTo,
    Head,
    Hold,
    PauseShow,
    ReleaseHead,
    ResetShow,
    ResumeShow,
    Settle,
    StandUp,
    Unfreeze,
    Walk,
)
from core.run.autopilot import Autopilot, Facts
from core.safety.modes import Mode

PRESS_S = 0.5  # between two ideas, on the average
STICK_S = 0.05  # between two velocities of a held stick
HELD_S = (0.1, 0.3, 0.8, 2.0, 5.0)  # how long a stick may be held
SILENT_S = (0.3, 0.6, 1.2, 2.0)  # how long the console may hang
HANGS_S = 8.0  # between two such times, on the average
AT_ONCE_S = 0.1  # a second press of the same key comes within this time
SPEEDS = ((-0.35, 0.35), (-0.15, 0.15), (-0.4, 0.4))  # [m/s], [m/s], [rad/s]
LIMP = (0.0, 0.0, 0.05, 0.3, 1.0)  # how long the robot may be limp [s]
IDEAS = {
    "go": 10,
    "go twice": 6,
    "go to": 12,
    "again": 8,
    "cancel": 6,
    "hold": 5,
    "pause": 5,
    "gesture": 12,
    "stick": 16,
    "settle": 4,
    "freeze": 4,
    "joystick": 5,
}


class Impatient(Autopilot):
    """Operates one run; everything is drawn from a seed. STOP alone is left out: it drops a robot.

    Args:
        seed: of its moods.
        end_s: when it has had enough [s].
        cues: numbers of the show's cues.
        gestures: names of gestures.

    Attributes:
        pressed: commands that it gave, but for a stick's.
        fell_s: when the robot fell, or the core gave up [s]; None if neither did.
    """

    def __init__(
        self, seed: int, end_s: float, cues: Sequence[str], gestures: Sequence[str]
    ) -> None:
        super().__init__()
        self._random = random.Random(seed)
        self._end_s, self._cues, self._gestures = end_s, tuple(cues), tuple(gestures)
        self._next_s = 2.0
        self._due: list[tuple[float, Command]] = []
        self._stick = Walk()
        self._stick_until_s = self._stick_next_s = 0.0
        self._rise_s: float | None = 0.0
        self._silent = (0.0, 0.0)
        self._hangs_s = 4.0 + self._random.expovariate(1.0 / HANGS_S)
        self.pressed: list[Command] = []
        self.fell_s: float | None = None

    def silence_s(self, now_s: float) -> float:
        """Return the age of its heartbeat at a time [s]."""
        if now_s >= self._hangs_s:
            self._silent = (now_s, now_s + self._random.choice(SILENT_S))
            self._hangs_s = self._silent[1] + self._random.expovariate(1.0 / HANGS_S)
        since_s, until_s = self._silent
        return now_s - since_s if now_s < until_s else 0.0

    def update(self, now_s: float, facts: Facts) -> list[Command]:
        """Return what to command at a time [s]."""
        if facts.falls or facts.mode in (Mode.FAULT, Mode.ESTOP):
            self.fell_s, self.finished = now_s, True
            fell = FELL_AT(stamp_s=now_s)
            went = WENT_TO_AT(mode=facts.mode.name, stamp_s=now_s)
            self.failure = fell if facts.falls else went
            return []
        self.finished = now_s >= self._end_s
        if now_s < self._silent[1]:
            return []
        commands = self._rise(now_s, facts.mode)
        commands += [command for due_s, command in self._due if due_s <= now_s]
        self._due = [pair for pair in self._due if pair[0] > now_s]
        if now_s >= self._next_s:
            self._next_s = now_s + self._random.expovariate(1.0 / PRESS_S)
            (idea,) = self._random.choices(list(IDEAS), list(IDEAS.values()))
            commands += self._have(idea, now_s)
        self.pressed += commands
        if self._stick_next_s <= now_s < self._stick_until_s:
            self._stick_next_s = now_s + STICK_S
            commands.append(self._stick)
        return commands

    def _rise(self, now_s: float, mode: Mode) -> list[Command]:
        """Stand a limp robot up, at once more often than not."""
        if mode is not Mode.DAMPED:
            self._rise_s = None if mode is not Mode.OFF else self._rise_s
            return []
        if self._rise_s is None:
            self._rise_s = now_s + self._random.choice(LIMP)
        return [StandUp()] if now_s >= self._rise_s else []

    def _have(self, idea: str, now_s: float) -> list[Command]:
        """Return the commands of an idea that are due now, and remember those that are due soon."""
        soon_s = now_s + self._random.uniform(0.01, AT_ONCE_S)
        later_s = now_s + self._random.uniform(0.02, 2.0)
        gesture, cue = self._random.choice(self._gestures), self._random.choice(self._cues)
        coin, loop = self._random.random() < 0.4, self._random.random() < 0.2
        if idea == "go twice":
            self._due.append((soon_s, Go()))
        elif idea == "again":
            self._due.append((now_s + 0.35, Go(cue)))
            return [Cancel(), ResetShow()]
        elif idea == "cancel":
            self._due.append((later_s, Hold() if coin else Cancel()))
        elif idea == "pause":
            self._due.append((later_s, ResumeShow()))
            return [PauseShow()]
        elif idea == "freeze":
            self._due.append((later_s, Unfreeze()))
            return [Freeze()]
        elif idea == "joystick":
            self._due.append((later_s, ReleaseHead()))
            yaw, pitch = self._random.uniform(-1.2, 1.2), self._random.uniform(-0.5, 0.5)
            return [Head(yaw, pitch)]
        elif idea == "stick":
            vx, vy, yaw = (self._random.choice((0.0, self._random.uniform(*s))) for s in SPEEDS)
            self._stick = Walk(vx, vy, yaw, loop)
            self._stick_until_s = now_s + self._random.choice(HELD_S)
            if coin:  # let go, where else it is only heard no more
                self._due.append((self._stick_until_s, Walk()))
            return []
        simple: dict[str, list[Command]] = {
            "go": [Go()],
            "go twice": [Go()],
            "go to": [GoTo(cue), Go()],
            "cancel": [Cancel()],
            "hold": [Hold()],
            "settle": [Settle()],
            "gesture": [Gesture(gesture, loop=loop, mirror=coin)],
        }
        return simple[idea]
