"""The table of rules, from health flag to action; core, tests and manual use it."""

from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum

from core.link.statement import Statement
from core.link.wording import fault
from core.safety.flags import Flag


class Action(IntEnum):
    """The robot's reaction to a fault; the larger value wins."""

    NONE = 0
    WARN = 1  # inform the operator
    HOLD = 2  # stand still and balance; a show ends at its next safe point
    SETTLE = 3  # crouch under control, then damp
    DAMP = 4  # joints only damp
    CUT = 5  # no torque


class Clears(StrEnum):
    """When an action ends; never before its flag is cleared."""

    WHEN_HEALTHY = "when healthy"
    BY_OPERATOR = "when the operator makes a new request"
    ON_RESET = "on reset"


@dataclass(frozen=True, slots=True)
class Rule:
    """The action of one flag. Several rules of a flag escalate with time.

    Attributes:
        flag: the condition.
        action: the action.
        after_s: time for which the flag must be raised without interruption [s].
        clears: when the action ends.
        fault: the fault as a statement; the catalogue has its sentence and advice.
    """

    flag: Flag
    action: Action
    after_s: float
    clears: Clears
    fault: Statement = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Build the statement once, because the tick reads it often."""
        object.__setattr__(self, "fault", fault(self.flag.name, self.action.name))


_HEALTHY, _OPERATOR, _RESET = Clears.WHEN_HEALTHY, Clears.BY_OPERATOR, Clears.ON_RESET

RULES: tuple[Rule, ...] = (
    Rule(Flag.ESTOP_OPEN, Action.CUT, 0.0, _RESET),
    Rule(Flag.STOP_PRESSED, Action.DAMP, 0.0, _RESET),
    Rule(Flag.FALLEN, Action.DAMP, 0.0, _RESET),
    Rule(Flag.STATE_INVALID, Action.DAMP, 0.0, _RESET),
    Rule(Flag.COMMAND_INVALID, Action.DAMP, 0.0, _RESET),
    Rule(Flag.QP_UNSOLVED, Action.WARN, 0.0, _HEALTHY),
    Rule(Flag.QP_FAILED, Action.DAMP, 0.0, _RESET),
    Rule(Flag.ESTIMATOR_DIVERGED, Action.HOLD, 0.05, _OPERATOR),
    Rule(Flag.ESTIMATOR_DIVERGED, Action.SETTLE, 0.2, _OPERATOR),
    Rule(Flag.IMU_LATE, Action.WARN, 0.0, _HEALTHY),
    Rule(Flag.IMU_LOST, Action.SETTLE, 0.0, _OPERATOR),
    Rule(Flag.IMU_LOST_STEPPING, Action.DAMP, 0.0, _RESET),
    Rule(Flag.JOINT_SILENT, Action.SETTLE, 0.0, _OPERATOR),
    Rule(Flag.LEG_SILENT, Action.DAMP, 0.0, _RESET),
    Rule(Flag.MINOR_JOINT_SILENT, Action.WARN, 0.0, _HEALTHY),
    Rule(Flag.WINDING_WARM, Action.WARN, 0.0, _HEALTHY),
    Rule(Flag.LEG_WARM, Action.HOLD, 0.0, _OPERATOR),
    Rule(Flag.WINDING_HOT, Action.SETTLE, 0.0, _OPERATOR),
    Rule(Flag.WINDING_OVERHEATED, Action.CUT, 0.0, _RESET),
    Rule(Flag.BATTERY_LOW, Action.WARN, 1.0, _HEALTHY),
    Rule(Flag.BATTERY_CRITICAL, Action.SETTLE, 1.0, _OPERATOR),
    Rule(Flag.BATTERY_FLAT, Action.CUT, 0.5, _RESET),
    Rule(Flag.TICK_LATE, Action.HOLD, 0.0, _OPERATOR),
    Rule(Flag.TICK_STALLED, Action.DAMP, 0.0, _RESET),
    # The flag is raised after HealthSettings.link_silent_s: 0.25 s + 0.25 s until HOLD.
    Rule(Flag.OPERATOR_SILENT, Action.WARN, 0.0, _HEALTHY),
    Rule(Flag.OPERATOR_SILENT, Action.HOLD, 0.25, _OPERATOR),
    Rule(Flag.OPERATOR_SILENT, Action.SETTLE, 29.75, _OPERATOR),
    Rule(Flag.HANDSET_SILENT, Action.WARN, 0.0, _HEALTHY),
    Rule(Flag.HANDSET_SILENT, Action.HOLD, 0.25, _OPERATOR),
    Rule(Flag.HANDSET_SILENT, Action.SETTLE, 2.75, _OPERATOR),
    Rule(Flag.HANDSET_SILENT, Action.CUT, 7.75, _RESET),
    Rule(Flag.WATCHDOG_LOST, Action.HOLD, 0.0, _OPERATOR),
    Rule(Flag.SIBLING_LOST, Action.WARN, 0.0, _HEALTHY),
    Rule(Flag.SOUND_LOST, Action.WARN, 0.0, _HEALTHY),
    Rule(Flag.DEVICE_TROUBLED, Action.WARN, 0.0, _HEALTHY),
    Rule(Flag.DEVICE_LOST, Action.HOLD, 0.0, _OPERATOR),
)


def rehearsal_rules() -> tuple[Rule, ...]:
    """Return the rules of a simulated robot.

    A hold that only a late console caused ends by itself: nobody stands beside the robot, and a
    busy computer must not end a rehearsal.
    """
    return tuple(
        replace(rule, clears=Clears.WHEN_HEALTHY)
        if rule.flag is Flag.OPERATOR_SILENT and rule.action is Action.HOLD
        else rule
        for rule in RULES
    )
