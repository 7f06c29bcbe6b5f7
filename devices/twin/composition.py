"""The twin of a robot unit: what its hardware file and its calibration say."""

from collections.abc import Mapping
from typing import TypeAlias

from devices.families.boards.battery import FIRST_PACK, SECOND_PACK
from devices.families.boards.contacts import LEFT_FOOT, RIGHT_FOOT, SENSORS
from devices.families.boards.hand import LEFT_HAND, RIGHT_HAND
from devices.families.crsf.wire.channels import Layout
from devices.real.calibration import Calibration
from devices.real.settings import Hardware
from devices.sim.settings import SimSettings
from devices.twin.settings import (
    BatterySeat,
    BearTraits,
    ContactSeat,
    Family,
    HandSeat,
    LineSettings,
    Motor,
    Seat,
    SupervisorSeat,
    TwinSettings,
)

PACKS = 2
Gains: TypeAlias = Mapping[str, tuple[float, float]]
KEY = bytes(range(32))  # of the native handset, where a test or a rehearsal gives no other


def settings_of(
    hardware: Hardware,
    calibration: Calibration,
    sim: SimSettings,
    gains: Gains,
    seed: int = 0,
    key: bytes = KEY,
) -> TwinSettings:
    """Return a twin with every device that a robot has.

    Args:
        hardware: what hangs on which line.
        calibration: of the unit.
        sim: the robot and the room.
        gains: stiffness [N·m/rad] and damping [N·m·s/rad] by joint, to which a technician tunes
            the hand boards' own loops.
        seed: of all noise and faults.
        key: of the native handset (32 bytes).

    Raises:
        DeviceError: hardware, calibration and robot know different joints.
    """
    calibration.check(hardware)
    constants = dict(zip(sim.joint_names, sim.torque_constant, strict=True))
    seats = []
    for bear in hardware.bears.rows:
        found = calibration.of(bear.joint)
        seats.append(
            Seat(
                joint=bear.joint,
                line=bear.line,
                id=found.id,
                sign=found.sign,
                zero_rad=found.zero_rad,
                gear=bear.gear,
                torque_constant=constants.get(bear.joint, 1.0),
            )
        )
    supervisor, receiver = hardware.supervisor, hardware.receiver
    return TwinSettings(
        sim=sim,
        lines=_lines(hardware),
        seats=tuple(seats),
        seed=seed,
        traits=BearTraits(config_while_enabled=hardware.bears.gains_while_enabled),
        contacts=_contacts(hardware),
        hands=_hands(hardware, gains),
        batteries=_batteries(hardware),
        supervisor=None if supervisor is None else SupervisorSeat(line=supervisor.line),
        channels=Layout() if receiver is None else receiver.layout(),
        key=key,
    )


def _lines(hardware: Hardware) -> tuple[LineSettings, ...]:
    families = {bear.line: Family.BEARS for bear in hardware.bears.rows}
    families[hardware.imu.line] = Family.IMU
    for table, family in (
        (hardware.safe_remote, Family.SAFE_REMOTE),
        (hardware.receiver, Family.RECEIVER),
        (hardware.native_handset, Family.NATIVE_HANDSET),
    ):
        if table is not None:
            families[table.line] = family
    return tuple(
        LineSettings(name=name, family=families.get(name, Family.BOARDS), baud=line.baud)
        for name, line in hardware.lines.items()
    )


def _contacts(hardware: Hardware) -> tuple[ContactSeat, ...]:
    feet = hardware.contacts
    if feet is None:
        return ()
    count = len(SENSORS)
    left, right = tuple(range(count)), tuple(range(count, 2 * count))
    return (
        ContactSeat(line=feet.left_line, source=LEFT_FOOT, contacts=left),
        ContactSeat(line=feet.right_line, source=RIGHT_FOOT, contacts=right),
    )


def _hands(hardware: Hardware, gains: Gains) -> tuple[HandSeat, ...]:
    hands = hardware.hands
    if hands is None:
        return ()
    sides = (
        (hands.left_line, LEFT_HAND, hands.left),
        (hands.right_line, RIGHT_HAND, hands.right),
    )
    return tuple(
        HandSeat(
            line=line,
            source=source,
            motors=tuple(
                Motor(
                    joint=motor.joint,
                    sign=motor.sign,
                    zero_rad=motor.zero_rad,
                    torque_constant=motor.torque_constant,
                    stiffness=gains[motor.joint][0],
                    damping=gains[motor.joint][1],
                )
                for motor in motors
            ),
        )
        for line, source, motors in sides
    )


def _batteries(hardware: Hardware) -> tuple[BatterySeat, ...]:
    batteries = hardware.batteries
    if batteries is None:
        return ()
    series = batteries.wiring == "series"
    places = ((batteries.first_line, FIRST_PACK), (batteries.second_line, SECOND_PACK))
    return tuple(
        BatterySeat(line=line, source=source, pack=pack, packs=PACKS, series=series)
        for pack, (line, source) in enumerate(places)
    )
