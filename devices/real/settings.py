"""Which devices a robot has, on which lines: `hardware.toml` beside its profile."""

import re
import tomllib
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from devices.errors import DeviceError
from devices.families.bear.wire.packet import LAST_ID
from devices.families.boards.battery import BatterySettings
from devices.families.boards.contacts import ContactSettings
from devices.families.boards.hand import HandSettings
from devices.families.boards.supervisor import SupervisorSettings
from devices.families.crsf.settings import NativeHandset, Receiver
from devices.families.mip.setup import ImuSettings
from devices.families.safe_remote.remote import SafeRemoteSettings
from devices.real.stop_chain import StopChainSettings

MOST_BYTES = 1_000_000
_ALONE = ("imu", "safe_remote", "receiver", "native_handset")  # no board's line is theirs
_CELL = re.compile(r"\[(\d+)\]\[(\d+)\]")  # of a table with columns
Kind = TypeVar("Kind")

Baud: TypeAlias = Annotated[int, Meta(ge=1200, le=12_000_000)]
BearId: TypeAlias = Annotated[int, Meta(ge=0, le=LAST_ID)]
Gear: TypeAlias = Annotated[float, Meta(ge=0.1, le=100.0)]
Name: TypeAlias = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$")]
Seconds: TypeAlias = Annotated[float, Meta(gt=0.0, le=10.0)]
Celsius: TypeAlias = Annotated[float, Meta(ge=20.0, le=150.0)]
Share: TypeAlias = Annotated[float, Meta(gt=0.0, le=1.0)]


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A TOML table whose keys are all known."""


class Line(Table, frozen=True):
    """A serial line; its path is the folder of the ports and its name.

    Attributes:
        device: what hangs on it, as the technician calls it.
        baud: its speed.
    """

    device: str
    baud: Baud


class Bear(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """One BEAR actuator.

    Attributes:
        joint: it moves.
        line: it hangs on.
        id: on that line.
        gear: turns of the actuator for one of the joint.
        sign: 1, or -1 if the joint turns against the actuator.
    """

    joint: Name
    line: Name
    id: BearId
    gear: Gear
    sign: Annotated[int, Meta(ge=-1, le=1)]


class Bears(Table, frozen=True):
    """Every BEAR actuator, and how they are driven.

    Attributes:
        columns: of the rows.
        rows: one actuator each.
        firmware: versions that were tried on the bench, as hexadecimal digits of the answer
            to a ping; others are told.
        patience_s: how long a tick waits for replies that are missing [s].
        gains_while_enabled: force gains may be written with the torque on; otherwise what a
            command wants beside the profile's is added as torque.
        watchdog: value of the actuators' own watchdog, in the firmware's unit; 0 is off.
        silent_s: an actuator that was silent so long is not driven until it was damped [s].
        current_share: of the stall current that an actuator may draw.
        warm_c: winding temperature at which an actuator begins to limit its current [°C].
        hot_c: at which it takes its torque away [°C].
    """

    columns: tuple[str, ...]
    rows: Annotated[tuple[Bear, ...], Meta(min_length=1)]
    firmware: tuple[str, ...]
    patience_s: Annotated[float, Meta(ge=0.0, le=0.002)]
    gains_while_enabled: bool
    watchdog: Annotated[int, Meta(ge=0, le=100_000)]
    silent_s: Seconds
    current_share: Share
    warm_c: Celsius
    hot_c: Celsius


class Hardware(Table, frozen=True):
    """Every device of a robot.

    Attributes:
        schema: version of this file.
        lines: serial lines by name.
        bears: the actuators of the joints that the whole-body controller drives.
        imu: as the class says; so are the others. What a robot has none of is left out.
    """

    schema: Annotated[int, Meta(ge=1, le=1)]
    lines: dict[Name, Line]
    bears: Bears
    imu: ImuSettings
    contacts: ContactSettings | None = None
    hands: HandSettings | None = None
    batteries: BatterySettings | None = None
    supervisor: SupervisorSettings | None = None
    safe_remote: SafeRemoteSettings | None = None
    stop_chain: StopChainSettings = StopChainSettings()
    receiver: Receiver | None = None
    native_handset: NativeHandset | None = None

    def __post_init__(self) -> None:
        """Refuse what single values cannot tell."""
        if self.bears.columns != Bear.__struct_fields__:
            raise ValueError(f"the columns of bears are {', '.join(Bear.__struct_fields__)}")
        joints: set[str] = set()
        places: set[tuple[str, int]] = set()
        for bear in self.bears.rows:
            if bear.line not in self.lines:
                raise ValueError(f"{bear.joint} is on line {bear.line!r}, which is not listed")
            if bear.joint in joints:
                raise ValueError(f"joint {bear.joint!r} has two actuators; keep one")
            if (bear.line, bear.id) in places:
                raise ValueError(f"id {bear.id} is on line {bear.line!r} twice; change one")
            if bear.sign == 0:
                raise ValueError(f"the sign of {bear.joint} is 1 or -1, not 0")
            joints.add(bear.joint)
            places.add((bear.line, bear.id))
        if self.bears.warm_c >= self.bears.hot_c:
            raise ValueError("bears.warm_c must be below bears.hot_c")
        actuated = {bear.line for bear in self.bears.rows}
        owner: dict[str, str] = {}
        for name in self.__struct_fields__[3:]:
            table = getattr(self, name)
            for field in () if table is None else table.__struct_fields__:
                if field != "line" and not field.endswith("_line"):
                    continue
                line = getattr(table, field)
                if line not in self.lines:
                    raise ValueError(f"{name}.{field} is {line!r}, which is not among the lines")
                if line in actuated:
                    raise ValueError(f"{name}.{field} is {line!r}, which is the actuators' own")
                if (name in _ALONE or owner.get(line) in _ALONE) and line in owner:
                    raise ValueError(
                        f"{name}.{field} is {line!r}, which {owner[line]} has already; only boards"
                        " share a line"
                    )
                owner[line] = name


def load_hardware(path: Path) -> Hardware:
    """Read and check a robot's hardware file.

    Raises:
        DeviceError: it cannot be read, has unknown or missing keys, or contradicts itself.
    """
    return load_table(path, Hardware, Bear.__struct_fields__)


def load_table(path: Path, kind: type[Kind], columns: tuple[str, ...]) -> Kind:
    """Read and check a TOML file.

    Args:
        path: of it.
        kind: what it is to be.
        columns: of the rows in it, to name a wrong one by.

    Raises:
        DeviceError: it cannot be read, or is not of that kind.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise DeviceError(path.name, "is larger than any such file; put the right one there")
        return msgspec.convert(tomllib.loads(raw.decode("utf-8")), kind)
    except FileNotFoundError as error:
        raise DeviceError(path.name, "there is no such file; put it there") from error
    except OSError as error:
        raise DeviceError(path.name, f"cannot be read ({error.strerror}); mend that") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DeviceError(path.name, f"is not valid TOML ({error}); mend it") from error
    except msgspec.ValidationError as error:
        reason, _, place = " ".join(str(error).split()).partition(" - at ")
        where = _CELL.sub(lambda cell: f" {cell[1]} ({columns[int(cell[2])]})", place.strip("`$."))
        raise DeviceError(
            path.name, f"{where + ': ' if where else ''}{reason}; correct it"
        ) from error
