"""Checks of the robot: pure functions from facts to findings."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.service.doctor.facts import Battery, CalibrationFacts, Robot
from core.service.doctor.finding import Finding, State, told
from devices.interface import ActuatorFacts, HandsetSample, LineFacts, StopChannel, Trouble

OLD_DAYS = 180  # age from which a calibration should be verified
QUIET_S = 0.5  # least frequency of a handset's frames
POOR_QUALITY = 0.7  # fraction of frames
WARM_C = 60.0  # of a winding before the show
VOLTS_APART = 1.0  # between actuators of one supply
NEUTRAL = 0.1  # fraction of a stick's travel
_SHUT, _MEND = "its line could not be opened", "repair that line, then run the doctor again"
_AGREEMENT = "agreement"  # state of the channels, not a contact
_LOOK_AGAIN = "end that program and look again"


def check_robot(robot: Robot) -> list[Finding]:
    """Return the findings about the robot."""
    return [
        check_calibration(robot.calibration),
        *(finding for line in robot.lines for finding in check_line(line)),
        *check_actuators(robot.actuators, robot.tried_firmware, robot.motors_on),
        *check_devices(robot.troubles, robot.plates),
        *check_stop_chain(robot.channels, heard=robot.motors_on is not None),
        *([] if robot.battery is None else [check_battery(robot.battery)]),
        *([] if robot.handset is None else check_handset(robot.handset)),
        *(Finding(what, State.UNSEEN, _SHUT, _MEND) for what in robot.unseen),
    ]


def check_calibration(calibration: CalibrationFacts) -> Finding:
    """Check the calibration: it fits this robot, and its age."""
    what = "calibration"
    if calibration.problem or calibration.date is None:
        problem = calibration.problem or "it has no date; calibrate the robot"
        return told(what, State.WRONG, problem)
    days = (calibration.today - calibration.date).days
    found = f"unit {calibration.unit}, {calibration.date}, {days} days old"
    if days < 0:
        found = (
            f"unit {calibration.unit} was calibrated on {calibration.date}, which is in the future"
        )
        return Finding(what, State.WRONG, found, "set the computer's date; if it is right, redo it")
    if days > OLD_DAYS:
        return Finding(what, State.NOTE, found, "look at the zeros in the jig, or redo it")
    return Finding(what, State.WELL, found)


def check_line(line: LineFacts) -> list[Finding]:
    """Check one serial line."""
    if line.held_by_core:
        found = f"{line.holder} has it"
        todo = "read the console; to look from here, end the core first"
        return [Finding(line.device, State.UNSEEN, found, todo)]
    if line.holder:
        return [Finding(line.device, State.WRONG, f"{line.holder} has {line.path}", _LOOK_AGAIN)]
    if line.troubles:
        state = State.NOTE if line.spare else State.WRONG
        return [told(line.device, state, text) for text in line.troubles]
    timer = f", latency timer {line.timer_ms} ms" if line.timer_ms else ""
    return [Finding(line.device, State.WELL, f"{line.path}, {line.baud} baud{timer}")]


def check_actuators(
    actuators: Sequence[ActuatorFacts], tried: Sequence[str], motors_on: bool | None
) -> list[Finding]:
    """Check the actuators: those of a line together if all is well, else each by name.

    Args:
        actuators: all actuators whose line could be opened.
        tried: tested firmware versions.
        motors_on: the motors have their supply; None if no device reports it.
    """
    if actuators and motors_on is False and not any(one.versions for one in actuators):
        found = "the contactor is open, which is normal without a core: no actuator was asked"
        todo = "when a core has closed it, the console names actuators that do not answer"
        return [Finding("actuators", State.NOTE, found, todo)]
    findings = []
    unsupplied = [one for one in actuators if one.unsupplied]
    if motors_on is False and unsupplied:
        found = f"{len(unsupplied)} report no supply, which is normal while the contactor is open"
        todo = "when a core has closed it, the console names those that still do"
        findings.append(Finding("actuators", State.NOTE, found, todo))
        actuators = [
            replace(one, faults=one.faults[1:]) if one.unsupplied else one for one in actuators
        ]
    for device in dict.fromkeys(one.device for one in actuators):
        row = [one for one in actuators if one.device == device]
        findings += _check_row(device, row)
    return findings + _check_firmware(actuators, tried)


def _check_row(device: str, row: Sequence[ActuatorFacts]) -> list[Finding]:
    what = f"{device}: actuators"
    heard = [one for one in row if one.versions]
    if not heard and not any(one.faults for one in row):
        found = f"none of {len(row)} answers"
        return [Finding(what, State.WRONG, found, "check the motors' supply, then the bus cable")]
    findings = []
    for one in row:
        name = f"{one.joint} (id {one.id})"
        if not one.versions and not one.faults:
            found, todo = "does not answer", "check its supply and plugs, and its id"
            findings.append(Finding(name, State.WRONG, found, todo))
        findings += [told(name, State.WRONG, fault) for fault in one.faults]
        if one.winding_c > WARM_C:
            found = f"its winding has {one.winding_c:.0f} °C"
            findings.append(Finding(name, State.NOTE, found, "let it cool before the show"))
    volts = [one.input_v for one in heard if math.isfinite(one.input_v)]
    if volts and max(volts) - min(volts) > VOLTS_APART:
        worst = min(heard, key=lambda one: one.input_v)
        found = f"{min(volts):.1f} V at {worst.joint}, {max(volts):.1f} V elsewhere"
        findings.append(Finding(what, State.WRONG, found, "look for a loose plug in its supply"))
    if findings:
        return findings
    warmth = [one.winding_c for one in heard if math.isfinite(one.winding_c)]
    said = [f"all {len(row)} answer"]
    if volts:
        said.append(f"{min(volts):.1f} V at least")
    if warmth:
        said.append(f"{max(warmth):.0f} °C at most")
    return [Finding(what, State.WELL, ", ".join(said))]


def _check_firmware(actuators: Iterable[ActuatorFacts], tried: Sequence[str]) -> list[Finding]:
    by_version: dict[str, list[str]] = {}
    for one in actuators:
        if one.versions:
            by_version.setdefault(one.versions, []).append(one.joint)
    findings = []
    for version, joints in by_version.items():
        found = f"{version} on {len(joints)}"
        if version in tried:
            findings.append(Finding("actuators' firmware", State.WELL, found))
            continue
        todo = "answer the bench's questions for it, then list it in hardware.toml"
        state = State.WRONG if tried else State.NOTE
        reason = f"{found} ({', '.join(joints)}), which was not tested on the bench"
        findings.append(Finding("actuators' firmware", state, reason, todo))
    return findings


def check_devices(troubles: Sequence[Trouble], plates: Sequence[tuple[str, str]]) -> list[Finding]:
    """Report the faults and identities of devices with a driver of their own."""
    findings = [
        told(trouble.device, State.WRONG if trouble.grave else State.NOTE, trouble.text)
        for trouble in troubles
    ]
    return findings + [Finding(device, State.WELL, text) for device, text in plates]


def check_stop_chain(channels: Sequence[StopChannel], heard: bool) -> list[Finding]:
    """Check the E-stop chain, channel by channel.

    Args:
        channels: channels of the chain; empty if no device reads it.
        heard: the supervisor, which reads it, sends.
    """
    if not channels:
        found = "no device reads it: it counts as open"
        todo = "check the supervisor's line; without it no robot stands up"
        return [Finding("E-stop chain", State.UNSEEN, found, todo)]
    findings = []
    for channel in channels:
        what = f"E-stop: {channel.name}"
        alike = channel.name == _AGREEMENT
        if not heard:
            found = "not heard, so it counts as open"
            todo = "repair the supervisor's line and its supply, then run the doctor again"
            findings.append(Finding(what, State.UNSEEN, found, todo))
        elif channel.closed:
            findings.append(Finding(what, State.WELL, "they agree" if alike else "closed"))
        elif alike:
            todo = (
                "check contacts and wires of the stops; press one and release it once that is done"
            )
            findings.append(Finding(what, State.WRONG, "the channels differ", todo))
        else:
            todo = "release it if no stop is needed; if it stays open, check its plug and its radio"
            findings.append(Finding(what, State.WRONG, "open", todo))
    return findings


def check_battery(battery: Battery) -> Finding:
    """Check the robot's battery."""
    volts, charge = battery.voltage_v, battery.charge
    if not volts > 0.0:
        found = "is not measured"
        return Finding("battery", State.WRONG, found, "check the monitor's plug and its pack")
    found = f"{volts:.1f} V, {100.0 * charge:.0f} %"
    if not (volts >= battery.low_v and charge >= battery.low_charge):
        return Finding("battery", State.WRONG, found, "charge or change it before the show")
    return Finding("battery", State.WELL, found)


def check_handset(handset: HandsetSample) -> list[Finding]:
    """Check the operator's handset, which must lie untouched."""
    what = "handset"
    if not handset.age_s <= QUIET_S:
        found = "is not heard"
        return [Finding(what, State.WRONG, found, "switch it on; if it is on, bind it anew")]
    findings = []
    held = ["the dead-man"] if handset.dead_man else []
    held += [f"button {i + 1}" for i, down in enumerate(handset.buttons.tolist()) if down]
    held += [] if (abs(handset.sticks) <= NEUTRAL).all() else ["a stick"]
    if held:
        found = f"it holds {', '.join(held)}"
        todo = "release it; if no control is held, calibrate the handset"
        findings.append(Finding(what, State.WRONG, found, todo))
    if not handset.quality >= POOR_QUALITY:
        found = f"{100.0 * handset.quality:.0f} % of its frames arrive"
        todo = "look at both antennas; keep nearer to the robot"
        findings.append(Finding(what, State.WRONG, found, todo))
    if findings:
        return findings
    found = f"{100.0 * handset.quality:.0f} % of its frames arrive"
    if math.isfinite(handset.battery_v):
        found += f", its battery has {handset.battery_v:.1f} V"
    return [Finding(what, State.WELL, found)]
