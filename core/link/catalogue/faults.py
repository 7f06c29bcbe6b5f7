"""The fault of each health flag and action, with advice.

A fault's code is the flag's name and the action's name in lower case.
"""

from core.link.statement import Sentence

_RESET = "Make sure that nobody touches the robot, then RESET."

ESTOP_OPEN_CUT = Sentence(
    "estop_open_cut",
    "the E-stop chain is open",
    advice="Find out who pressed the E-stop and why, release it, then RESET.",
)
STOP_PRESSED_DAMP = Sentence("stop_pressed_damp", "STOP was pressed", advice=_RESET)
FALLEN_DAMP = Sentence(
    "fallen_damp",
    "the robot has fallen",
    advice="Look for damage, lift it into the gantry, then RESET.",
)
STATE_INVALID_DAMP = Sentence(
    "state_invalid_damp",
    "a sensor or the estimator returned NaN or infinity",
    advice="Check the cables; restart the core if it persists; then RESET.",
)
COMMAND_INVALID_DAMP = Sentence(
    "command_invalid_damp",
    "the controller computed a command with NaN or infinity",
    advice="Keep the record of this run, then RESET.",
)
QP_UNSOLVED_WARN = Sentence(
    "qp_unsolved_warn",
    "the controller found no solution and repeats its last command",
    advice="No action, unless it occurs often.",
)
QP_FAILED_DAMP = Sentence(
    "qp_failed_damp",
    "the controller found no solution for several ticks",
    advice="Keep the record of this run, then RESET.",
)
ESTIMATOR_DIVERGED_HOLD = Sentence(
    "estimator_diverged_hold",
    "the estimate of the robot's pose is not reliable",
    advice="Let it stand; continue with HOLD once the fault is over.",
)
ESTIMATOR_DIVERGED_SETTLE = Sentence(
    "estimator_diverged_settle",
    "the estimate of the robot's pose is lost; the robot settles",
    advice="Support it, then STAND UP again.",
)
IMU_LATE_WARN = Sentence(
    "imu_late_warn",
    "the IMU is late; its values are predicted",
    advice="Check the IMU's cable if it persists.",
)
IMU_LOST_SETTLE = Sentence(
    "imu_lost_settle",
    "the IMU does not answer",
    advice="Check the IMU's cable, then STAND UP again.",
)
IMU_LOST_STEPPING_DAMP = Sentence(
    "imu_lost_stepping_damp",
    "the IMU stopped answering during a step",
    advice="Check the IMU's cable, then RESET.",
)
JOINT_SILENT_SETTLE = Sentence(
    "joint_silent_settle",
    "an actuator does not answer",
    advice="Check its cable and its bus, then STAND UP again.",
)
LEG_SILENT_DAMP = Sentence(
    "leg_silent_damp",
    "a leg's actuator does not answer",
    advice="Check its cable and its bus, then RESET.",
)
MINOR_JOINT_SILENT_WARN = Sentence(
    "minor_joint_silent_warn",
    "a joint that carries no weight does not answer",
    advice="The show can continue; check the joint's cable afterwards.",
)
WINDING_WARM_WARN = Sentence(
    "winding_warm_warn",
    "an actuator is warm and gives less torque",
    advice="Plan a rest.",
)
LEG_WARM_HOLD = Sentence(
    "leg_warm_hold",
    "a leg is too warm to walk; the robot stands still",
    advice="Let it stand until it has cooled; then HOLD or GO.",
)
WINDING_HOT_SETTLE = Sentence(
    "winding_hot_settle",
    "an actuator is hot; the robot settles",
    advice="Let it cool, then STAND UP again.",
)
WINDING_OVERHEATED_CUT = Sentence(
    "winding_overheated_cut",
    "an actuator is too hot; all torque is off",
    advice="Let it cool, then RESET.",
)
BATTERY_LOW_WARN = Sentence(
    "battery_low_warn", "the battery is low", advice="Change it at the next break."
)
BATTERY_CRITICAL_SETTLE = Sentence(
    "battery_critical_settle",
    "the battery is nearly empty; the robot settles",
    advice="Change it, then STAND UP again.",
)
BATTERY_FLAT_CUT = Sentence(
    "battery_flat_cut",
    "the battery is empty; all torque is off",
    advice="Change it, then RESET.",
)
TICK_LATE_HOLD = Sentence(
    "tick_late_hold",
    "the control loop is late",
    advice="End other programs on this computer, then HOLD to continue.",
)
TICK_STALLED_DAMP = Sentence(
    "tick_stalled_damp",
    "the control loop stalled",
    advice="End other programs on this computer, then RESET.",
)
OPERATOR_SILENT_WARN = Sentence(
    "operator_silent_warn",
    "no operator's console answers",
    advice="Check the console and the network.",
)
OPERATOR_SILENT_HOLD = Sentence(
    "operator_silent_hold",
    "every operator's link is lost; the show ends at its next safe point",
    advice="Check the console; once it is back, HOLD or GO.",
)
OPERATOR_SILENT_SETTLE = Sentence(
    "operator_silent_settle",
    "no operator came back; the robot settles",
    advice="Check the console, then STAND UP again.",
)
HANDSET_SILENT_WARN = Sentence(
    "handset_silent_warn",
    "the handset does not answer",
    advice="Go nearer; check its battery.",
)
HANDSET_SILENT_HOLD = Sentence(
    "handset_silent_hold",
    "the handset is lost; the robot stands still",
    advice="Go nearer; check its battery; then HOLD or GO.",
)
HANDSET_SILENT_SETTLE = Sentence(
    "handset_silent_settle",
    "the handset is still lost; the robot settles",
    advice="Check its battery, then STAND UP again.",
)
HANDSET_SILENT_CUT = Sentence(
    "handset_silent_cut",
    "the handset is still lost; all torque is off",
    advice="Check its battery, then RESET.",
)
WATCHDOG_LOST_HOLD = Sentence(
    "watchdog_lost_hold",
    "the watchdog process has ended: nothing stops the robot if the core hangs",
    advice="SETTLE, then restart the core.",
)
SIBLING_LOST_WARN = Sentence(
    "sibling_lost_warn",
    "a process that serves the core does not answer",
    advice="The robot continues; if the process stays away, restart the core after the show.",
)
SOUND_LOST_WARN = Sentence(
    "sound_lost_warn",
    "there is no sound",
    advice="The show continues; check the loudspeaker's plug and its power.",
)
DEVICE_TROUBLED_WARN = Sentence(
    "device_troubled_warn",
    "a device reports a problem",
    advice="The show can continue; repair the device afterwards.",
)
DEVICE_LOST_HOLD = Sentence(
    "device_lost_hold",
    "a device that the robot needs is missing",
    advice="Repair it; then HOLD or GO.",
)
