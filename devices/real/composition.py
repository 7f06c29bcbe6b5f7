"""Creates a robot's body and lines from hardware file, calibration and the profile's values."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from devices.errors import DeviceError
from devices.families.boards.boards import Boards
from devices.families.interface import Actuators, FittedActuator
from devices.families.mip.imu import Imu
from devices.families.registry import actuator_family
from devices.interface import Timekeeper
from devices.real.body import RealBody
from devices.real.calibration import Calibration
from devices.real.port import Port
from devices.real.settings import Hardware
from devices.real.stop_circuit import StopCircuit


@dataclass(frozen=True, kw_only=True, slots=True)
class JointParameters:
    """The profile's values of the joints, in its order, all at the joint, behind its gears.

    Attributes:
        names: name of every joint (n).
        stall_torque: stall torque of its actuator (n) [N·m].
        torque_constant: torque by motor current (n) [N·m/A].
        kp: default stiffness (n) [N·m/rad].
        kd: default damping (n) [N·m·s/rad].
        switches: every contact switch, in the order of `Sample.contacts` (c).
    """

    names: tuple[str, ...]
    stall_torque: tuple[float, ...]
    torque_constant: tuple[float, ...]
    kp: tuple[float, ...]
    kd: tuple[float, ...]
    switches: tuple[str, ...] = ()


def fitted_actuators(
    hardware: Hardware, calibration: Calibration, parameters: JointParameters
) -> dict[str, list[FittedActuator]]:
    """Return the actuators of each family, in the order of the joints.

    Raises:
        DeviceError: hardware file, calibration and profile have different joints.
    """
    calibration.check(hardware)
    unknown = sorted({row.joint for row in hardware.actuator_rows} - set(parameters.names))
    if unknown:
        raise DeviceError(
            "hardware.toml", f"the profile has no joint {unknown[0]!r}; spell it as there"
        )
    found: dict[str, list[FittedActuator]] = {}
    for family, table in hardware.actuators.items():
        rows = {row.joint: row for row in table.rows}
        found[family] = []
        for place, joint in enumerate(parameters.names):
            row = rows.get(joint)
            if row is None:
                continue
            calibrated = calibration.of(joint)
            one = FittedActuator(
                joint=joint,
                place=place,
                line=row.line,
                id=calibrated.id,
                gear=row.gear,
                sign=calibrated.sign,
                zero_rad=calibrated.zero_rad,
                stall_torque=parameters.stall_torque[place],
                torque_constant=parameters.torque_constant[place],
                kp=parameters.kp[place],
                kd=parameters.kd[place],
            )
            found[family].append(one)
    return found


def ports_of(hardware: Hardware, folder: Path) -> dict[str, Port]:
    """Return every line by name, not open yet.

    Args:
        hardware: hardware file, which names the lines.
        folder: folder with each line's path, under the line's name.
    """
    return {
        name: Port(line.device, folder / name, line.baud) for name, line in hardware.lines.items()
    }


def actuators_of(
    hardware: Hardware,
    calibration: Calibration,
    parameters: JointParameters,
    ports: Mapping[str, Port],
    timekeeper: Timekeeper,
) -> tuple[Actuators, ...]:
    """Return the drivers of the actuators, one for each family; send nothing.

    Raises:
        DeviceError: hardware file, calibration and profile have different joints, or a line has
            more actuators than it can serve.
    """
    fitted = fitted_actuators(hardware, calibration, parameters)
    return tuple(
        actuator_family(name).open(table, fitted[name], ports, timekeeper)
        for name, table in hardware.actuators.items()
    )


def body_of(
    hardware: Hardware,
    calibration: Calibration,
    parameters: JointParameters,
    ports: Mapping[str, Port],
    timekeeper: Timekeeper,
) -> RealBody:
    """Return the whole robot; send nothing.

    Raises:
        DeviceError: hardware file, calibration and profile have different joints or switches.
    """
    actuators = actuators_of(hardware, calibration, parameters, ports, timekeeper)
    boards = Boards(hardware, ports, parameters.names, parameters.switches)
    imu = hardware.imu
    sensors = [] if imu is None else [Imu(ports[imu.line], imu)]
    circuit = StopCircuit.of(hardware, ports, boards.supervisor)
    size = (len(parameters.names), len(parameters.switches))
    return RealBody(size, timekeeper, actuators, sensors, [boards], circuit, boards.supply)
