"""Modes, faults, their details, and the conditions of a reset."""

from core.link.statement import Sentence

MODE_CHANGED = Sentence("mode_changed", "{before} -> {mode}")
MODE_FORCED = Sentence("mode_forced", "{before} -> {mode}: {cause}")
FAULT_BEGAN = Sentence("fault_began", "{action}: {fault:sentence} {fault:advice}", "warning")
FAULT_BEGAN_WITH = Sentence(
    "fault_began_with", "{action}: {fault} ({detail}). {fault:advice}", "warning"
)
FAULT_OVER = Sentence("fault_over", "over: {fault}")
DEVICE_REPORTED = Sentence("device_reported", "{text}", "warning")
DEVICE_RECOVERED = Sentence("device_recovered", "over: {text}")
NO_FOOT_LOADED = Sentence(
    "no_foot_loaded", "no foot carries weight: lower the robot until both feet stand", "warning"
)
HAND_LOADED = Sentence(
    "hand_loaded", "the {limb:name} carries a load; the balance takes it into account"
)
HAND_EMPTY = Sentence("hand_empty", "the {limb:name} is empty again")
LIMBS_HELD = Sentence("limbs_held", "held where it was left: {limbs:name}", "warning")
STANCE_DRIFTED = Sentence(
    "stance_drifted", "the feet have left their stance; a few steps correct it"
)
SWAY_NOT_CALM = Sentence(
    "sway_not_calm", "sway refused: the robot does not stand still; wait, then ask again", "warning"
)
SWAY_TOO_LARGE = Sentence(
    "sway_too_large",
    "sway refused: {amplitude_m:g} m, or its frequency, is beyond the robot's range",
    "warning",
)
SWAY_CUT = Sentence("sway_cut", "a step ended the sway", "warning")
RISE_TOO_LONG = Sentence("rise_too_long", "standing up took longer than {limit_s:g} s")
MOTORS_UNPOWERED = Sentence("motors_unpowered", "the motors have no supply")

# Details of a fault.
JOINT_AGE = Sentence("joint_age", "{joint}, {age_s:ms}")
JOINT_TEMPERATURE = Sentence("joint_temperature", "{joint}, {temperature_c:.0f} °C")
BATTERY_LEVEL = Sentence("battery_level", "{voltage_v:.1f} V, {charge:percent}")
AGE = Sentence("age", "{age_s:ms}")
CONTACTS_AGE = Sentence("contacts_age", "contacts of {contact:name}, {age_s:ms}")
PROCESSES = Sentence("processes", "the {names:and}")
DEVICES = Sentence("devices", "{names}")
DEVICE_TEXT = Sentence("device_text", "{device}: {text}")
SOUND_TEXT = Sentence("sound_text", "{text}")
VOICE_GONE = Sentence("voice_gone", "the voice process does not answer; the show has no sound")

# The conditions of a reset.
CHAIN_CLOSED = Sentence("chain_closed", "closed E-stop chain")
ROBOT_STILL = Sentence("robot_still", "robot still for {still_s:g} s")
ROBOT_UPRIGHT = Sentence("robot_upright", "robot upright")
INPUTS_NEUTRAL = Sentence("inputs_neutral", "every stick and button released")
FAULTS_OVER = Sentence("faults_over", "no fault persists")
THIS_FAULT_OVER = Sentence("this_fault_over", "fault over: {fault}")
