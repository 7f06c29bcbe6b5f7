"""Creates the twin of a robot unit from its hardware file and its calibration."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from devices.errors import DeviceError
from devices.families.boards.twin.seats import (
    BatterySeat,
    ContactSeat,
    HandSeat,
    Motor,
    SupervisorSeat,
)
from devices.families.crsf.wire.channels import Layout
from devices.families.interface import Seat
from devices.families.registry import actuator_family
from devices.real.calibration import Calibration
from devices.real.settings import Hardware
from devices.sim.settings import SimSettings
from devices.twin.settings import (
    BOARDS,
    CRSF,
    MIP,
    NATIVE_HANDSET,
    SAFE_REMOTE,
    ActuatorSeats,
    LineSettings,
    TwinSettings,
)

Gains: TypeAlias = Mapping[str, tuple[float, float]]
KEY = bytes(range(32))  # of the native handset, if a test or a rehearsal gives no other


def settings_of(
    hardware: Hardware,
    calibration: Calibration,
    sim: SimSettings,
    gains: Gains,
    switches: Sequence[str],
    seed: int = 0,
    key: bytes = KEY,
) -> TwinSettings:
    """Return a twin with every device of a robot.

    Args:
        hardware: the devices and their lines.
        calibration: calibration of the unit.
        sim: the robot and the room; a plant's zeros become those of its actuators.
        gains: stiffness [N·m/rad] and damping [N·m·s/rad] by joint, to which the hand boards'
            position loops are tuned.
        switches: contact switches of the robot, in the order of `Sample.contacts`.
        seed: seed of all noise and faults.
        key: key of the native handset (32 bytes).

    Raises:
        DeviceError: hardware, calibration and robot have different joints or switches.
    """
    calibration.check(hardware)
    constants = dict(zip(sim.joint_names, sim.torque_constant, strict=True))
    # A plant's zeros are where its devices have them: the core's calibration does not know them.
    zeros = dict(zip(sim.joint_names, sim.deviation.zero_rad, strict=False))
    sim = replace(sim, deviation=sim.deviation.behind_lines())
    actuators = []
    for name, table in hardware.actuators.items():
        seats = []
        for row in table.rows:
            found = calibration.of(row.joint)
            seats.append(
                Seat(
                    joint=row.joint,
                    line=row.line,
                    id=found.id,
                    sign=found.sign,
                    zero_rad=found.zero_rad + found.sign * row.gear * zeros.get(row.joint, 0.0),
                    gear=row.gear,
                    torque_constant=constants.get(row.joint, 1.0),
                )
            )
        traits = actuator_family(name).traits(table)
        actuators.append(ActuatorSeats(family=name, seats=tuple(seats), traits=traits))
    supervisor, receiver = hardware.supervisor, hardware.receiver
    return TwinSettings(
        sim=sim,
        lines=_lines(hardware),
        actuators=tuple(actuators),
        seed=seed,
        contacts=_contacts(hardware, switches),
        hands=_hands(hardware, gains, zeros),
        batteries=_batteries(hardware),
        supervisor=None if supervisor is None else SupervisorSeat(line=supervisor.line),
        channels=Layout() if receiver is None else receiver.layout(),
        key=key,
    )


def _lines(hardware: Hardware) -> tuple[LineSettings, ...]:
    families = {row.line: name for name, table in hardware.actuators.items() for row in table.rows}
    for table, family in (
        (hardware.imu, MIP),
        (hardware.safe_remote, SAFE_REMOTE),
        (hardware.receiver, CRSF),
        (hardware.native_handset, NATIVE_HANDSET),
    ):
        if table is not None:
            families[table.line] = family
    return tuple(
        LineSettings(name=name, family=families.get(name, BOARDS), baud=line.baud)
        for name, line in hardware.lines.items()
    )


def _contacts(hardware: Hardware, switches: Sequence[str]) -> tuple[ContactSeat, ...]:
    for board in hardware.contacts:
        for switch in board.switches:
            if switch not in switches:
                raise DeviceError("hardware.toml", f"the profile has no contact switch {switch!r}")
    return tuple(
        ContactSeat(
            line=board.line,
            source=board.source,
            contacts=tuple(switches.index(switch) for switch in board.switches),
        )
        for board in hardware.contacts
    )


def _hands(hardware: Hardware, gains: Gains, zeros: Mapping[str, float]) -> tuple[HandSeat, ...]:
    return tuple(
        HandSeat(
            line=hand.line,
            source=hand.source,
            motors=tuple(
                Motor(
                    joint=motor.joint,
                    sign=motor.sign,
                    zero_rad=motor.zero_rad + motor.sign * zeros.get(motor.joint, 0.0),
                    torque_constant=motor.torque_constant,
                    stiffness=gains[motor.joint][0],
                    damping=gains[motor.joint][1],
                )
                for motor in hand.rows
            ),
        )
        for hand in hardware.hands
    )


def _batteries(hardware: Hardware) -> tuple[BatterySeat, ...]:
    batteries = hardware.batteries
    if batteries is None:
        return ()
    packs = len(batteries.packs)
    series = batteries.wiring == "series"
    return tuple(
        BatterySeat(line=pack.line, source=pack.source, pack=number, packs=packs, series=series)
        for number, pack in enumerate(batteries.packs)
    )
