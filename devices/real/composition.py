"""A robot's body and lines, made of settings, calibration and the profile's figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from devices.errors import DeviceError
from devices.families.bear.drives import Drives
from devices.families.bear.rounds import MOST
from devices.families.bear.setup import BearPlan
from devices.families.boards.boards import Boards
from devices.families.mip.imu import Imu
from devices.interface import Timekeeper
from devices.real.body import RealBody
from devices.real.calibration import Calibration
from devices.real.port import Port
from devices.real.settings import Hardware
from devices.real.stop_circuit import StopCircuit


@dataclass(frozen=True, kw_only=True, slots=True)
class JointFigures:
    """What the profile tells of the joints, in its order; all at the joint, behind its gears.

    Attributes:
        names: every joint (n).
        stall_torque: of its actuator (n) [N·m].
        torque_constant: torque by motor current (n) [N·m/A].
        kp: usual stiffness (n) [N·m/rad].
        kd: usual damping (n) [N·m·s/rad].
    """

    names: tuple[str, ...]
    stall_torque: tuple[float, ...]
    torque_constant: tuple[float, ...]
    kp: tuple[float, ...]
    kd: tuple[float, ...]


def bear_plans(
    hardware: Hardware, calibration: Calibration, figures: JointFigures
) -> dict[str, list[BearPlan]]:
    """Return every actuator by its line, in the order of the joints.

    Raises:
        DeviceError: settings, calibration and profile know different joints.
    """
    calibration.check(hardware)
    bears = hardware.bears
    rows = {row.joint: row for row in bears.rows}
    unknown = sorted(set(rows) - set(figures.names))
    if unknown:
        raise DeviceError(
            "hardware.toml", f"the profile has no joint {unknown[0]!r}; spell it as there"
        )
    plans: dict[str, list[BearPlan]] = {}
    for place, joint in enumerate(figures.names):
        row = rows.get(joint)
        if row is None:
            continue
        found = calibration.of(joint)
        constant = figures.torque_constant[place]
        plan = BearPlan(
            joint=joint,
            place=place,
            id=found.id,
            gear=row.gear,
            sign=found.sign,
            zero_rad=found.zero_rad,
            torque_constant=constant,
            current_a=bears.current_share * figures.stall_torque[place] / constant,
            kp=figures.kp[place],
            kd=figures.kd[place],
            watchdog=bears.watchdog,
            warm_c=bears.warm_c,
            hot_c=bears.hot_c,
        )
        plans.setdefault(row.line, []).append(plan)
    for line, found_there in plans.items():
        if len(found_there) > MOST:
            raise DeviceError(
                hardware.lines[line].device,
                f"{len(found_there)} actuators are more than one line can serve; give it {MOST}",
            )
    return plans


def ports_of(hardware: Hardware, folder: Path) -> dict[str, Port]:
    """Return every line by name, not open yet.

    Args:
        hardware: names them.
        folder: where each line's path is, under the line's name.
    """
    return {
        name: Port(line.device, folder / name, line.baud) for name, line in hardware.lines.items()
    }


def drives_of(
    hardware: Hardware,
    calibration: Calibration,
    figures: JointFigures,
    ports: Mapping[str, Port],
    timekeeper: Timekeeper,
) -> Drives:
    """Return the actuators on their lines; nothing is sent yet.

    Raises:
        DeviceError: settings, calibration and profile know different joints.
    """
    bears = hardware.bears
    return Drives(
        bear_plans(hardware, calibration, figures),
        ports,
        timekeeper,
        silent_s=bears.silent_s,
        patience_s=bears.patience_s,
        firmware=bears.firmware,
        gains_while_enabled=bears.gains_while_enabled,
    )


def body_of(
    hardware: Hardware,
    calibration: Calibration,
    figures: JointFigures,
    ports: Mapping[str, Port],
    timekeeper: Timekeeper,
) -> RealBody:
    """Return the whole robot; nothing is sent yet.

    Raises:
        DeviceError: settings, calibration and profile know different joints.
    """
    drives = drives_of(hardware, calibration, figures, ports, timekeeper)
    boards = Boards(hardware, ports, figures.names)
    imu = Imu(ports[hardware.imu.line], hardware.imu)
    circuit = StopCircuit.of(hardware, ports, boards.supervisor)
    return RealBody(len(figures.names), timekeeper, drives, [imu], [boards], circuit, boards.supply)
