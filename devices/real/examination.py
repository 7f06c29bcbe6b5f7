"""Looks at a robot's devices while no core has them. Changes nothing; no torque is switched."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from devices.errors import DeviceError
from devices.interface import ActuatorFacts, Handset, HandsetSample, LineFacts, Sample, Timekeeper
from devices.real.body import Sensor
from devices.real.commissioning import Bench
from devices.real.port import SYSFS, Port
from devices.real.settings import Hardware
from devices.real.tty import latency_timer_ms
from devices.wire.bear.faults import faults

PROC = Path("/proc")
LISTEN_S = 1.5  # an Identity comes once a second
PERIOD_S = 0.005
_LOOP = b"core\0loop\0"  # in the command line of a core's loop


def examine_line(port: Port, now_s: float, proc: Path = PROC, sysfs: Path = SYSFS) -> LineFacts:
    """Open a line and return how it was found; it stays open.

    Args:
        port: the line.
        now_s: the time [s].
        proc: where the system tells of processes and locks.
        sysfs: the folder that describes every terminal.
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
    )


def holder(path: Path, proc: Path = PROC) -> tuple[str, bool]:
    """Return who has locked a line, in words, and whether that is a core; empty if nobody is known.

    Args:
        path: of the line.
        proc: where the system tells of processes and locks.
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
    """Ask every actuator whose line is open how it is.

    Args:
        hardware: which actuators hang on which line.
        ids: of this robot piece, by joint.
        ports: lines by name; those that could be opened are.
        timekeeper: the time.
    """
    found = []
    there = {name for name, port in ports.items() if port.descriptor >= 0}
    for bear in hardware.bears.rows:
        port = ports[bear.line]
        if bear.line not in there:
            continue
        number = ids[bear.joint]
        try:
            condition = Bench(port, timekeeper).condition(number)
        except DeviceError:  # unplugged meanwhile: nobody answers there
            condition = None
        if condition is None:
            found.append(ActuatorFacts(bear.joint, port.device, number, ""))
            continue
        texts = tuple(f"reports {fault.name}; {fault.advice}" for fault in faults(condition.error))
        found.append(
            ActuatorFacts(
                joint=bear.joint,
                device=port.device,
                id=number,
                versions=condition.versions,
                faults=texts,
                winding_c=condition.winding_c,
                input_v=condition.input_v,
            )
        )
    return tuple(found)


def listen(
    sensors: Sequence[Sensor],
    handset: Handset | None,
    sample: Sample,
    timekeeper: Timekeeper,
    duration_s: float = LISTEN_S,
) -> HandsetSample | None:
    """Let the drivers of other devices hear what there is to hear; afterwards ask them.

    Args:
        sensors: take part; what they know goes to the sample.
        handset: takes part as well.
        sample: to be filled.
        timekeeper: the time.
        duration_s: for how long [s].

    Returns:
        What the handset says.
    """
    said = None
    until_s = timekeeper.now_s() + duration_s
    while (now_s := timekeeper.now_s()) < until_s:
        for sensor in sensors:
            sensor.read_into(sample, now_s)
        if handset is not None:
            said = handset.read(now_s)
        timekeeper.wait_until(now_s + PERIOD_S)
    return said
