"""The devices of a robot and their lines: `hardware.toml` beside its profile."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from devices.errors import DeviceError
from devices.families.boards.battery import BatterySettings
from devices.families.boards.contacts import ContactBoardSettings
from devices.families.boards.hand import HandSettings, Motor
from devices.families.boards.supervisor import SupervisorSettings
from devices.families.crsf.settings import Receiver
from devices.families.interface import COLUMNS, ActuatorRow, ActuatorTable
from devices.families.mip.setup import ImuSettings
from devices.families.native_handset.settings import NativeHandset
from devices.families.registry import actuator_family
from devices.families.safe_remote.remote import SafeRemoteSettings
from devices.real.stop_chain import StopChainSettings
from devices.real.tables import Name, Table, convert, read_table

_ALONE = ("imu", "safe_remote", "receiver", "native_handset")  # no board shares their line

Baud: TypeAlias = Annotated[int, Meta(ge=1200, le=12_000_000)]


class Line(Table, frozen=True):
    """A serial line; its path is the folder of the ports and its name.

    Attributes:
        device: the technician's name of the device on it.
        baud: speed of the line.
    """

    device: str
    baud: Baud


class Hardware(Table, frozen=True):
    """Every device of a robot. A device that a robot does not have is left out.

    Attributes:
        schema: version of this file.
        lines: serial lines by name.
        actuators: actuators of the joints on buses, by the name of their family.
        imu: see its class; likewise for the other devices.
        contacts: boards that read contact switches.
        hands: boards that move hands.
    """

    schema: Annotated[int, Meta(ge=2, le=2)]
    lines: dict[Name, Line]
    actuators: dict[Name, ActuatorTable] = {}
    imu: ImuSettings | None = None
    contacts: tuple[ContactBoardSettings, ...] = ()
    hands: tuple[HandSettings, ...] = ()
    batteries: BatterySettings | None = None
    supervisor: SupervisorSettings | None = None
    safe_remote: SafeRemoteSettings | None = None
    stop_chain: StopChainSettings = StopChainSettings()
    receiver: Receiver | None = None
    native_handset: NativeHandset | None = None

    def __post_init__(self) -> None:
        """Refuse combinations of values that are inconsistent."""
        for _, board in self._boards():
            if board.line not in self.lines:
                raise ValueError(
                    f"{board.device} is on line {board.line!r}, which is not among the lines"
                )
        self._check_actuators()
        self._check_sources()
        self._check_lines()

    @property
    def actuator_rows(self) -> tuple[ActuatorRow, ...]:
        """Every actuator of every family."""
        return tuple(row for table in self.actuators.values() for row in table.rows)

    def family_of(self, line: str) -> str:
        """Return the family of the actuators of a line; empty if it has none."""
        for name, table in self.actuators.items():
            if any(row.line == line for row in table.rows):
                return name
        return ""

    def _boards(self) -> Iterator[tuple[str, Any]]:
        """Return each board with a name of its own, and the table that lists it."""
        yield from (("contacts", board) for board in self.contacts)
        yield from (("hands", board) for board in self.hands)
        if self.batteries is not None:
            yield from (("batteries", pack) for pack in self.batteries.packs)

    def _check_actuators(self) -> None:
        joints: set[str] = set()
        addresses: set[tuple[str, int]] = set()
        family: dict[str, str] = {}
        for name, table in self.actuators.items():
            for row in table.rows:
                if row.line not in self.lines:
                    raise ValueError(f"{row.joint} is on line {row.line!r}, which is not listed")
                if family.setdefault(row.line, name) != name:
                    raise ValueError(f"line {row.line!r} has actuators of two families; split them")
                if row.joint in joints:
                    raise ValueError(f"joint {row.joint!r} has two actuators; keep one")
                if (row.line, row.id) in addresses:
                    raise ValueError(f"id {row.id} is on line {row.line!r} twice; change one")
                if row.sign == 0:
                    raise ValueError(f"the sign of {row.joint} is 1 or -1, not 0")
                ids = actuator_family(name).ids
                if row.id not in ids:
                    raise ValueError(f"id {row.id} of {row.joint} is not {ids[0]} to {ids[-1]}")
                joints.add(row.joint)
                addresses.add((row.line, row.id))
        for hand in self.hands:
            for motor in hand.rows:
                if motor.joint in joints:
                    raise ValueError(f"joint {motor.joint!r} has two motors; keep one")
                joints.add(motor.joint)

    def _check_sources(self) -> None:
        boards = [(board.source, board.device) for _, board in self._boards()]
        if self.supervisor is not None:
            boards.append((self.supervisor.source, "the supervisor"))
        for what, values in (
            ("source", [f"{source:#04x}" for source, _ in boards]),
            ("device name", [device for _, device in boards]),
            ("switch", [switch for board in self.contacts for switch in board.switches]),
        ):
            doubled = [value for value, count in Counter(values).items() if count > 1]
            if doubled:
                raise ValueError(f"{what} {doubled[0]!r} is used twice; change one")

    def _check_lines(self) -> None:
        actuated = {row.line for row in self.actuator_rows}
        used = [(name, board.line) for name, board in self._boards()]
        for name in (*_ALONE, "supervisor"):
            table = getattr(self, name)
            if table is not None:
                used.append((name, table.line))
        owner: dict[str, str] = {}
        for name, line in used:
            if line not in self.lines:
                raise ValueError(f"{name}.line is {line!r}, which is not among the lines")
            if line in actuated:
                raise ValueError(f"{name}.line is {line!r}, which has actuators")
            if (name in _ALONE or owner.get(line) in _ALONE) and line in owner:
                raise ValueError(
                    f"{name}.line is {line!r}, which {owner[line]} uses; only boards share a line"
                )
            owner[line] = name


def load_hardware(path: Path) -> Hardware:
    """Read and check a robot's hardware file.

    Raises:
        DeviceError: it cannot be read, names an unknown family, has unknown or missing keys, or
            contradicts itself.
    """
    try:
        raw = read_table(path)
    except DeviceError as error:
        if not isinstance(error.__cause__, FileNotFoundError):
            raise
        text = "there is no such file: this robot exists in simulation only (--body sim)"
        raise DeviceError(path.name, text) from error
    groups = raw.pop("actuators", {})
    hardware = convert(raw, Hardware, Motor.__struct_fields__, path.name)
    groups = convert(groups, dict[Name, dict[str, Any]], COLUMNS, path.name, "actuators")
    actuators: dict[str, ActuatorTable] = {
        name: convert(group, actuator_family(name).table, COLUMNS, path.name, f"actuators.{name}")
        for name, group in groups.items()
    }
    try:
        return msgspec.structs.replace(hardware, actuators=actuators)
    except ValueError as error:
        raise DeviceError(path.name, f"{error}; correct it") from error
