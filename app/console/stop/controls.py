"""The stop ladder and the controls that lead back from it, with effects and permitted modes."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.link.commands import Cancel, Command, Hold, PutBack, Reset, Settle, StandUp, Stop
from core.link.status import Status
from core.link.wording import text

LATCHED = frozenset({"FAULT", "ESTOP"})
STANDING = frozenset({"READY", "PERFORM", "WALK", "RECORD"})
AGAIN_S = 3.0  # a second Esc within this time goes one rung further


@dataclass(frozen=True, slots=True)
class Control:
    """One rung of the ladder, or one step back.

    Attributes:
        name: label of its button.
        command: that it sends to the core.
        key: shortcut, as an operator reads it.
        modes: names of the modes in which it may be used; None for all, known or not.
        posture: effect on the robot.
        risks: risk of a fall by support; `floor` stands for the others.
        mounted: effect on a robot that is mounted and cannot fall.
    """

    name: str
    command: Command
    key: str
    modes: frozenset[str] | None
    posture: str
    risks: Mapping[str, str]
    mounted: str

    def effect(self, support: str) -> str:
        """Return the effect and the risk of a fall with this support."""
        if support == "mounted":
            return self.mounted
        return f"{self.posture} {self.risks.get(support, self.risks['floor'])}"


CANCEL = Control(
    "Cancel clip",
    Cancel(),
    "Esc",
    STANDING,
    "Limbs go back to rest.",
    {"floor": "No fall.", "seated": "No fall."},
    "Limbs go back to rest.",
)
HOLD = Control(
    "Hold",
    Hold(),
    "Esc again",
    STANDING | {"STANDING_UP"},
    "Stands still and balances.",
    {"floor": "Fall unlikely.", "seated": "No fall."},
    "Holds its posture.",
)
SETTLE = Control(
    "Settle",
    Settle(),
    "F8",
    STANDING | {"STANDING_UP"},
    "Crouches, then limp.",
    {"floor": "Fall unlikely.", "seated": "No fall."},
    "Goes to rest, then limp.",
)
STOP = Control(
    "STOP",
    Stop(),
    "F12",
    None,
    "Limp and damped at once.",
    {
        "floor": "Standing free, it FALLS.",
        "gantry": "It sinks into the gantry.",
        "seated": "It slumps in its seat.",
    },
    "Limp and damped; it sinks.",
)
RESET = Control(
    "Reset",
    Reset(),
    "Ctrl+F9",
    LATCHED,
    "Stays limp (DAMPED).",
    {"floor": "Does not move."},
    "Stays limp (DAMPED).",
)
STAND_UP = Control(
    "Stand up",
    StandUp(),
    "Ctrl+F7",
    frozenset({"DAMPED"}),
    "Rises to stand.",
    {
        "floor": "Keep clear: may fall.",
        "gantry": "Keep clear of it.",
        "seated": "Keep clear of its arms.",
    },
    "Moves to ready. Keep clear.",
)
PUT_BACK = Control(
    "Put back",
    PutBack(),
    "F9",
    LATCHED | {"DAMPED"},
    "Rehearsal:",
    {"floor": "on its feet, at the start."},
    "Rehearsal: back at its start.",
)
LESSER = (CANCEL, HOLD, SETTLE)
BACK = (RESET, STAND_UP, PUT_BACK)
CONTROLS = (*LESSER, STOP, *BACK)


def obstacle(control: Control, status: Status | None, connected: bool) -> str:
    """Return why a control cannot be used now, as one sentence; empty where it can."""
    if control.modes is None:
        return ""
    if status is None or not connected:
        return "The core is not there: nothing can be asked of it."
    if status.mode not in control.modes:
        where = ", ".join(sorted(control.modes))
        return f"{control.name} is for {where}; the robot is in {status.mode}."
    if control is RESET:
        for step in status.reset_steps:
            if not step.done:
                return f"Waiting: {text(step.condition)}."
    return ""


def latched(status: Status) -> bool:
    """Tell whether something keeps the robot stopped until somebody resets it."""
    return bool(status.latched) or status.mode in LATCHED


class EscapeLadder:
    """The request of each press of Esc: first the clip's end, soon after that a hold."""

    def __init__(self) -> None:
        self._pressed_s = float("-inf")

    def next(self, now_s: float) -> Control:
        """Return the command of a press at a time."""
        return HOLD if now_s - self._pressed_s <= AGAIN_S else CANCEL

    def press(self, now_s: float) -> Control:
        """Return the command of a press at a time, and remember it."""
        asked = self.next(now_s)
        self._pressed_s = now_s
        return asked
