"""Examines a robot's devices while no core uses them; changes nothing, switches no torque."""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from devices.errors import DeviceError
from devices.families.boards.boards import Boards
from devices.families.boards.hand import AWAY
from devices.families.boards.supervisor import HOLDS_OPEN
from devices.families.boards.wire.identity import Identity
from devices.families.mip.imu import Imu
from devices.families.registry import actuator_family
from devices.interface import (
    ActuatorFacts,
    Handset,
    HandsetSample,
    LineFacts,
    Sample,
    StopChannel,
    Timekeeper,
    Trouble,
)
from devices.real.body import Sensor
from devices.real.port import SYSFS, Port
from devices.real.settings import Hardware
from devices.real.stop_circuit import StopCircuit
from devices.real.tty import latency_timer_ms

_GARBLED = (
    "answers garbled; scan its line (footlight commission scan): two may have its id, or the cable"
    " is bad"
)
PROC = Path("/proc")
LISTEN_S = 1.5  # an Identity comes once a second
PERIOD_S = 0.005
_LOOP = b"core\0loop\0"  # in the command line of a core's loop


def examine_line(
    port: Port, now_s: float, spare: bool = False, proc: Path = PROC, sysfs: Path = SYSFS
) -> LineFacts:
    """Open a line and return its state; it stays open.

    Args:
        port: the line.
        now_s: the time [s].
        spare: the robot can run without it.
        proc: folder with the system's processes and locks.
        sysfs: folder that describes every terminal.
    """
    port.read(now_s)
    name, is_core = ("", False) if port.descriptor >= 0 else holder(port.path, proc)
    return LineFacts(
        device=port.device,
        path=str(port.path),
        baud=port.baud,
        troubles=tuple(trouble.text for trouble in port.troubles()),
        holder=name,
        held_by_core=is_core,
        timer_ms=latency_timer_ms(port.path, sysfs),
        spare=spare,
    )


def holder(path: Path, proc: Path = PROC) -> tuple[str, bool]:
    """Return a description of the process that locks a line, and whether it is a core.

    The description is empty if the process is unknown.

    Args:
        path: path of the line.
        proc: folder with the system's processes and locks.
    """
    try:
        facts = path.stat()
        locks = (proc / "locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return "", False
    for lock in locks:
        cells = lock.split()
        if len(cells) < 6 or cells[1] != "FLOCK":
            continue
        major, minor, inode = cells[5].split(":")
        place = os.makedev(int(major, 16), int(minor, 16)), int(inode)
        if place != (facts.st_dev, facts.st_ino):
            continue
        process = proc / cells[4]
        try:
            command = (process / "cmdline").read_bytes()
            name = (process / "comm").read_text(encoding="utf-8").strip()
        except OSError:
            return f"another program (process {cells[4]})", False
        if _LOOP in command:
            return f"a core (process {cells[4]})", True
        return f"{name} (process {cells[4]})", False
    return "", False


def examine_actuators(
    hardware: Hardware,
    ids: Mapping[str, int],
    ports: Mapping[str, Port],
    timekeeper: Timekeeper,
) -> tuple[ActuatorFacts, ...]:
    """Examine every actuator whose line is open.

    Args:
        hardware: actuators and their lines.
        ids: ids of this robot unit, by joint.
        ports: lines by name; those that could be opened are.
        timekeeper: the clock.
    """
    found = []
    there = {name for name, port in ports.items() if port.descriptor >= 0}
    for row in hardware.actuator_rows:
        port = ports[row.line]
        if row.line not in there:
            continue
        number = ids[row.joint]
        bench = actuator_family(hardware.family_of(row.line)).bench(port, timekeeper)
        try:
            condition = bench.condition(number)
        except DeviceError:  # unplugged meanwhile: no actuator answers
            condition = None
        if condition is None:
            garbled = (_GARBLED,) if bench.garbled else ()
            found.append(ActuatorFacts(row.joint, port.device, number, "", garbled))
            continue
        texts = condition.faults
        texts += (_GARBLED,) if math.isnan(condition.input_v) else ()
        found.append(
            ActuatorFacts(
                joint=row.joint,
                device=port.device,
                id=number,
                versions=condition.versions,
                faults=texts,
                winding_c=condition.winding_c,
                input_v=condition.input_v,
                unsupplied=condition.unsupplied,
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Heard:
    """State of the devices other than actuators.

    Attributes:
        troubles: faults of the devices, besides those of their lines.
        plates: names of the devices and their identities, as far as received.
        channels: channels of the E-stop chain.
        sample: readings of the sensors.
        motors_on: the motors have their supply; None if no device reports it.
        handset: reading of the handset; None if its line could not be opened.
    """

    troubles: tuple[Trouble, ...]
    plates: tuple[tuple[str, str], ...]
    channels: tuple[StopChannel, ...]
    sample: Sample
    motors_on: bool | None
    handset: HandsetSample | None


def examine_devices(
    hardware: Hardware,
    ports: Mapping[str, Port],
    handset: Handset | None,
    joint_names: Sequence[str],
    switches: Sequence[str],
    timekeeper: Timekeeper,
    duration_s: float = LISTEN_S,
) -> Heard:
    """Let the drivers of sensors, boards and handset receive; then return their state.

    As with a core, the IMU is configured to stream and the wireless stop's receiver is answered.
    The
    supervisor gets no heartbeat, so the motors get no supply.

    Args:
        hardware: the devices.
        ports: every line by name.
        handset: handset of the robot.
        joint_names: every joint in the profile's order.
        switches: every contact switch in the profile's order.
        timekeeper: the clock.
        duration_s: time of reception [s].

    Raises:
        DeviceError: the hardware file names a joint or a switch that the profile lacks.
    """
    imu = None if hardware.imu is None else Imu(ports[hardware.imu.line], hardware.imu)
    boards = Boards(hardware, ports, joint_names, switches)
    circuit = StopCircuit.of(hardware, ports, boards.supervisor)
    sensors: tuple[Sensor, ...] = (boards, circuit) if imu is None else (imu, boards, circuit)
    sample = Sample.zeros(len(joint_names), len(switches))
    said = None
    now_s = timekeeper.now_s()
    until_s = now_s + duration_s
    while now_s < until_s:
        for sensor in sensors:
            sensor.read_into(sample, now_s)
        if handset is not None:
            said = handset.read(now_s)
        timekeeper.wait_until(now_s + PERIOD_S)
        now_s = timekeeper.now_s()
    troubles = [trouble for sensor in sensors for trouble in sensor.troubles()]
    troubles += () if handset is None else handset.troubles()
    of_lines = {(t.device, t.text) for port in ports.values() for t in port.troubles()}
    told = [t for t in troubles if (t.device, t.text) not in of_lines]
    # A hand is limp without a core, which is normal.
    ours = [_without_core(t) for t in told if not t.text.startswith(AWAY)]
    plates = [(device, _plate(identity)) for device, identity in boards.plates()]
    if imu is not None and imu.setup.info is not None:
        info = imu.setup.info
        plates.insert(0, ("IMU", f"{info.model_name}, firmware {info.firmware}, streams"))
    supervisor = boards.supervisor
    return Heard(
        troubles=tuple(dict.fromkeys(ours)),
        plates=tuple(plates),
        channels=circuit.channels(),
        sample=sample,
        motors_on=supervisor.powered if supervisor and supervisor.supply(now_s) else None,
        handset=said,
    )


def _plate(identity: Identity) -> str:
    version = ".".join(map(str, identity.firmware))
    return f"firmware {version}, number {identity.serial}"


def _without_core(trouble: Trouble) -> Trouble:
    """Return a trouble, no longer grave if its only cause is that no core runs."""
    expected = trouble.text.startswith(HOLDS_OPEN)
    return Trouble(trouble.device, trouble.text) if expected else trouble
