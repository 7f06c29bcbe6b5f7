"""What each health flag leads to: the one table for the core, the tests and the operator."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from core.safety.flags import Flag


class Action(IntEnum):
    """What the robot does about a fault; the larger value wins."""

    NONE = 0
    WARN = 1  # tell the operator
    HOLD = 2  # stand still and balance; a show ends at its next safe point
    SETTLE = 3  # crouch under control, then damp
    DAMP = 4  # joints resist motion, nothing else
    CUT = 5  # no torque


class Clears(StrEnum):
    """When an action ends; never before its flag is down."""

    WHEN_HEALTHY = "when healthy"
    BY_OPERATOR = "when the operator asks for something anew"
    ON_RESET = "on reset"


@dataclass(frozen=True, slots=True)
class Rule:
    """One flag's consequence. A flag with several rules grows worse with time.

    Attributes:
        flag: the condition.
        action: what it leads to.
        after_s: once it has been raised this long without a break [s].
        clears: when the action ends.
        text: what the operator reads.
        advice: what the operator shall do.
    """

    flag: Flag
    action: Action
    after_s: float
    clears: Clears
    text: str
    advice: str


_HEALTHY, _OPERATOR, _RESET = Clears.WHEN_HEALTHY, Clears.BY_OPERATOR, Clears.ON_RESET
_RESET_ADVICE = "Make sure that nobody touches the robot, then RESET."

RULES: tuple[Rule, ...] = (
    Rule(
        Flag.ESTOP_OPEN,
        Action.CUT,
        0.0,
        _RESET,
        "The E-stop chain is open.",
        "Find who pressed it and why, release it, then RESET.",
    ),
    Rule(Flag.STOP_PRESSED, Action.DAMP, 0.0, _RESET, "STOP was pressed.", _RESET_ADVICE),
    Rule(
        Flag.FALLEN,
        Action.DAMP,
        0.0,
        _RESET,
        "The robot has fallen.",
        "Look for damage, lift it into the gantry, then RESET.",
    ),
    Rule(
        Flag.STATE_INVALID,
        Action.DAMP,
        0.0,
        _RESET,
        "A sensor or the estimator delivers what is no number.",
        "Check the cables, restart the core if it stays, then RESET.",
    ),
    Rule(
        Flag.COMMAND_INVALID,
        Action.DAMP,
        0.0,
        _RESET,
        "The controller computed a command that is no number.",
        "Keep the record of this run, then RESET.",
    ),
    Rule(
        Flag.QP_UNSOLVED,
        Action.WARN,
        0.0,
        _HEALTHY,
        "The controller repeats its last command.",
        "Nothing, unless it comes often.",
    ),
    Rule(
        Flag.QP_FAILED,
        Action.DAMP,
        0.0,
        _RESET,
        "The controller found no solution for several ticks.",
        "Keep the record of this run, then RESET.",
    ),
    Rule(
        Flag.ESTIMATOR_DIVERGED,
        Action.HOLD,
        0.05,
        _OPERATOR,
        "The robot is not sure where its body is.",
        "Let it stand; go on with HOLD once the flag is gone.",
    ),
    Rule(
        Flag.ESTIMATOR_DIVERGED,
        Action.SETTLE,
        0.2,
        _OPERATOR,
        "The robot has lost track of its body and settles.",
        "Support it, then STAND UP again.",
    ),
    Rule(
        Flag.IMU_LATE,
        Action.WARN,
        0.0,
        _HEALTHY,
        "The IMU is late; its values are predicted.",
        "Check the IMU's cable if it stays.",
    ),
    Rule(
        Flag.IMU_LOST,
        Action.SETTLE,
        0.0,
        _OPERATOR,
        "The IMU is silent.",
        "Check the IMU's cable, then STAND UP again.",
    ),
    Rule(
        Flag.IMU_LOST_STEPPING,
        Action.DAMP,
        0.0,
        _RESET,
        "The IMU fell silent during a step.",
        "Check the IMU's cable, then RESET.",
    ),
    Rule(
        Flag.JOINT_SILENT,
        Action.SETTLE,
        0.0,
        _OPERATOR,
        "An actuator does not answer.",
        "Check its cable and its bus, then STAND UP again.",
    ),
    Rule(
        Flag.LEG_SILENT,
        Action.DAMP,
        0.0,
        _RESET,
        "A leg's actuator does not answer.",
        "Check its cable and its bus, then RESET.",
    ),
    Rule(
        Flag.MINOR_JOINT_SILENT,
        Action.WARN,
        0.0,
        _HEALTHY,
        "A joint that carries no weight does not answer.",
        "The show can go on; check its cable afterwards.",
    ),
    Rule(
        Flag.WINDING_WARM,
        Action.WARN,
        0.0,
        _HEALTHY,
        "An actuator is warm and gives less torque.",
        "Plan a rest.",
    ),
    Rule(
        Flag.LEG_WARM,
        Action.HOLD,
        0.0,
        _OPERATOR,
        "A leg is too warm to walk on; the robot stands still.",
        "Let it stand until it has cooled; then HOLD or GO.",
    ),
    Rule(
        Flag.WINDING_HOT,
        Action.SETTLE,
        0.0,
        _OPERATOR,
        "An actuator is hot; the robot settles.",
        "Let it cool, then STAND UP again.",
    ),
    Rule(
        Flag.WINDING_OVERHEATED,
        Action.CUT,
        0.0,
        _RESET,
        "An actuator is too hot; its power is cut.",
        "Let it cool, then RESET.",
    ),
    Rule(
        Flag.BATTERY_LOW,
        Action.WARN,
        1.0,
        _HEALTHY,
        "The battery is low.",
        "Change it at the next break.",
    ),
    Rule(
        Flag.BATTERY_CRITICAL,
        Action.SETTLE,
        1.0,
        _OPERATOR,
        "The battery is nearly empty; the robot settles.",
        "Change it, then STAND UP again.",
    ),
    Rule(
        Flag.BATTERY_FLAT,
        Action.CUT,
        0.5,
        _RESET,
        "The battery is empty; power is cut.",
        "Change it, then RESET.",
    ),
    Rule(
        Flag.TICK_LATE,
        Action.HOLD,
        0.0,
        _OPERATOR,
        "The control loop is late.",
        "Stop other programs on this computer, then HOLD to go on.",
    ),
    Rule(
        Flag.TICK_STALLED,
        Action.DAMP,
        0.0,
        _RESET,
        "The control loop stood still.",
        "Stop other programs on this computer, then RESET.",
    ),
    # The flag is raised after HealthSettings.link_silent_s: 0.25 s + 0.25 s until HOLD.
    Rule(
        Flag.OPERATOR_SILENT,
        Action.WARN,
        0.0,
        _HEALTHY,
        "No operator's console answers.",
        "Check the console and the network.",
    ),
    Rule(
        Flag.OPERATOR_SILENT,
        Action.HOLD,
        0.25,
        _OPERATOR,
        "Every operator's link is lost; the show ends at its next safe point.",
        "Check the console; once it is back, HOLD or GO.",
    ),
    Rule(
        Flag.OPERATOR_SILENT,
        Action.SETTLE,
        29.75,
        _OPERATOR,
        "No operator came back; the robot settles.",
        "Check the console, then STAND UP again.",
    ),
    Rule(
        Flag.HANDSET_SILENT,
        Action.WARN,
        0.0,
        _HEALTHY,
        "The handset is silent.",
        "Go nearer; check its battery.",
    ),
    Rule(
        Flag.HANDSET_SILENT,
        Action.HOLD,
        0.25,
        _OPERATOR,
        "The handset is lost; the robot stands still.",
        "Go nearer; check its battery; then HOLD or GO.",
    ),
    Rule(
        Flag.HANDSET_SILENT,
        Action.SETTLE,
        2.75,
        _OPERATOR,
        "The handset stays lost; the robot settles.",
        "Check its battery, then STAND UP again.",
    ),
    Rule(
        Flag.HANDSET_SILENT,
        Action.CUT,
        7.75,
        _RESET,
        "The handset stays lost; power is cut.",
        "Check its battery, then RESET.",
    ),
    Rule(
        Flag.WATCHDOG_LOST,
        Action.HOLD,
        0.0,
        _OPERATOR,
        "The watchdog process is gone: nothing cuts power if the core dies.",
        "SETTLE, then restart the core.",
    ),
    Rule(
        Flag.SIBLING_LOST,
        Action.WARN,
        0.0,
        _HEALTHY,
        "A process that serves the core is gone.",
        "The robot goes on; if it stays away, restart the core after the show.",
    ),
    Rule(
        Flag.SOUND_LOST,
        Action.WARN,
        0.0,
        _HEALTHY,
        "There is no sound.",
        "The show goes on; check the loudspeaker's plug and its power.",
    ),
    Rule(
        Flag.DEVICE_TROUBLED,
        Action.WARN,
        0.0,
        _HEALTHY,
        "A device is not as it should be.",
        "The show can go on; see to it afterwards.",
    ),
    Rule(
        Flag.DEVICE_LOST,
        Action.HOLD,
        0.0,
        _OPERATOR,
        "A device that the robot needs is not there.",
        "Mend it; then HOLD or GO.",
    ),
)
