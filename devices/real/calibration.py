"""Calibration of one robot unit: id, sign and zero of every actuator, in a file."""

import contextlib
import datetime
import math
import os
import tempfile
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Annotated, Self

import msgspec
from msgspec import Meta

from devices.errors import DeviceError
from devices.real.settings import Hardware
from devices.real.tables import Name, Table, load_table

CALIBRATIONS = Path("/var/lib/footlight/calibration")  # on the robot's computer
MOST_NAMED = 4  # joints in one sentence
_FURTHEST = 2.0 * math.pi * 100.0  # largest position of an actuator: this many turns [rad]


class Calibrated(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """One actuator of the unit.

    Attributes:
        joint: joint that it moves.
        id: address on its line.
        sign: 1, or -1 if the joint turns against the actuator; 0 before its calibration.
        zero_rad: position of the actuator at which the joint's position is 0; NaN before its
            calibration [rad].
    """

    joint: Name
    id: Annotated[int, Meta(ge=0, le=255)]
    sign: Annotated[int, Meta(ge=-1, le=1)]
    zero_rad: float


class Calibration(Table, frozen=True):
    """The calibration of one robot unit.

    Attributes:
        schema: version of this file.
        robot: name of the robot model.
        unit: name of the unit.
        date: date of the newest change.
        columns: names of the columns of the rows.
        rows: one actuator each.
    """

    schema: Annotated[int, Meta(ge=1, le=1)]
    robot: Name
    unit: Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9_-]*$")]
    date: datetime.date
    columns: tuple[str, ...]
    rows: tuple[Calibrated, ...]

    def __post_init__(self) -> None:
        """Refuse combinations of values that are inconsistent."""
        if self.columns != Calibrated.__struct_fields__:
            raise ValueError(f"the columns are {', '.join(Calibrated.__struct_fields__)}")
        joints = [row.joint for row in self.rows]
        doubled = {joint for joint in joints if joints.count(joint) > 1}
        if doubled:
            raise ValueError(f"joint {min(doubled)!r} is listed twice; keep one")
        for row in self.rows:
            if abs(row.zero_rad) > _FURTHEST:
                raise ValueError(
                    f"the zero of {row.joint} is {row.zero_rad:g}, too many turns away"
                )

    @classmethod
    def begun(cls, hardware: Hardware, robot: str, unit: str, date: datetime.date) -> Self:
        """Return the calibration of a new unit: ids as in the hardware file, no signs or zeros."""
        found = cls.assumed(hardware, robot, unit, date)
        rows = tuple(Calibrated(row.joint, row.id, 0, math.nan) for row in found.rows)
        return msgspec.structs.replace(found, rows=rows)

    @classmethod
    def assumed(cls, hardware: Hardware, robot: str, unit: str, date: datetime.date) -> Self:
        """Return a calibration with the hardware file's ids and signs, and zeros at 0."""
        rows = tuple(Calibrated(b.joint, b.id, b.sign, 0.0) for b in hardware.actuator_rows)
        columns = Calibrated.__struct_fields__
        return cls(schema=1, robot=robot, unit=unit, date=date, columns=columns, rows=rows)

    def of(self, joint: str) -> Calibrated:
        """Return a joint's row.

        Raises:
            DeviceError: there is none.
        """
        for row in self.rows:
            if row.joint == joint:
                return row
        raise DeviceError("calibration", f"there is no joint {joint!r}; calibrate it")

    def check(self, hardware: Hardware) -> None:
        """Refuse a calibration that does not match this robot.

        Raises:
            DeviceError: a joint is missing, unknown or not fully calibrated, or two actuators of a
                line share an id.
        """
        wanted = {row.joint: row.line for row in hardware.actuator_rows}
        found = {row.joint for row in self.rows}
        missing = sorted(set(wanted) - found)
        if missing:
            raise DeviceError(
                "calibration",
                f"unit {self.unit} lacks {', '.join(missing)}; calibrate these joints",
            )
        unknown = sorted(found - set(wanted))
        if unknown:
            raise DeviceError(
                "calibration",
                f"unit {self.unit} has {', '.join(unknown)}, which the robot lacks;"
                " take the file of the right robot",
            )
        addresses = [(wanted[row.joint], row.id) for row in self.rows]
        for line, actuator_id in addresses:
            if addresses.count((line, actuator_id)) > 1:
                raise DeviceError(
                    "calibration", f"id {actuator_id} is on line {line!r} twice; change one"
                )
        for what, untaken in (
            ("sign", [row.joint for row in self.rows if row.sign == 0]),
            ("zero", [row.joint for row in self.rows if math.isnan(row.zero_rad)]),
        ):
            if untaken:
                some = ", ".join(untaken[:MOST_NAMED]) + ", …" * (len(untaken) > MOST_NAMED)
                raise DeviceError(
                    "calibration",
                    f"unit {self.unit} has no {what} of {some} yet; measure it with"
                    f" footlight commission {what}",
                )

    def changed(self, rows: Sequence[Calibrated], date: datetime.date) -> Self:
        """Return this calibration with some rows replaced."""
        new = {row.joint: row for row in rows}
        kept = tuple(new.pop(row.joint, row) for row in self.rows)
        return msgspec.structs.replace(self, rows=(*kept, *new.values()), date=date)

    def numbered(self, joint: str, actuator_id: int, date: datetime.date) -> Self:
        """Return this calibration with another id of a joint's actuator.

        Raises:
            DeviceError: the joint is unknown.
        """
        row = msgspec.structs.replace(self.of(joint), id=actuator_id)
        return self.changed([row], date)

    def signed(self, joint: str, sign: int, date: datetime.date) -> Self:
        """Return this calibration with the sign of a joint; a change of sign clears its zero.

        Raises:
            DeviceError: the joint is unknown.
        """
        row = self.of(joint)
        zero_rad = row.zero_rad if row.sign == sign else math.nan
        return self.changed([Calibrated(joint, row.id, sign, zero_rad)], date)

    def zeroed(
        self,
        positions: Mapping[str, float],
        posture: Mapping[str, float],
        gears: Mapping[str, float],
        date: datetime.date,
    ) -> Self:
        """Return this calibration with the zeros of joints that stand in a known posture.

        Args:
            positions: positions of their actuators [rad].
            posture: positions of the joints [rad].
            gears: turns of the actuator per turn of the joint.
            date: today's date.

        Raises:
            DeviceError: a joint is unknown or has no sign yet, or a number is not finite.
        """
        rows = []
        for joint, position in positions.items():
            row = self.of(joint)
            if row.sign == 0:
                raise DeviceError(
                    "calibration",
                    f"{joint} has no sign yet; measure it (footlight commission sign {joint})",
                )
            zero_rad = position - row.sign * gears[joint] * posture[joint]
            if not abs(zero_rad) <= _FURTHEST:
                raise DeviceError("calibration", f"the position of {joint} is not finite")
            rows.append(Calibrated(joint, row.id, row.sign, zero_rad))
        return self.changed(rows, date)


def calibration_path(folder: Path, robot: str, unit: str) -> Path:
    """Return the path of a unit's calibration file."""
    return folder / f"{robot}-{unit}.toml"


def is_absent(path: Path) -> bool:
    """Return whether a file certainly does not exist; without access to it that is unknown."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def find_calibration(folder: Path, robot: str) -> Path:
    """Return the path of the only calibration of a robot model.

    Raises:
        DeviceError: there is none, there are several, or the folder cannot be read.
    """
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        names = []
    except OSError as error:
        raise DeviceError(
            "calibration",
            f"{folder} cannot be read ({error.strerror}); let this user join the group footlight",
        ) from error
    found = [folder / name for name in names if fnmatch(name, f"{robot}-*.toml")]
    if not found:
        raise DeviceError(
            "calibration",
            f"there is none of a {robot} in {folder}; calibrate the robot"
            " (footlight commission, with --unit to begin one)",
        )
    if len(found) > 1:
        several = ", ".join(path.name for path in found)
        raise DeviceError("calibration", f"several units: {several}; name the file of one")
    return found[0]


def load_calibration(path: Path, robot: str) -> Calibration:
    """Read and check the calibration of a unit of a robot model.

    Raises:
        DeviceError: it cannot be read, has unknown or missing keys, contradicts itself, or is
            another model's.
    """
    found = load_table(path, Calibration, Calibrated.__struct_fields__)
    if found.robot != robot:
        text = f"is of a {found.robot}, not of a {robot}; take the file of the right robot"
        raise DeviceError(path.name, text)
    return found


def save_calibration(calibration: Calibration, path: Path) -> None:
    """Replace a calibration file atomically: a crash leaves the old file or the new one.

    Raises:
        DeviceError: it cannot be written.
    """
    rows = "".join(
        f'    ["{row.joint}", {row.id}, {row.sign}, {float(row.zero_rad)!r}],\n'
        for row in calibration.rows
    )
    columns = ", ".join(f'"{name}"' for name in calibration.columns)
    text = (
        "# Written by the calibration. Positions are the actuators' [rad].\n"
        f"schema = {calibration.schema}\n"
        f'robot = "{calibration.robot}"\n'
        f'unit = "{calibration.unit}"\n'
        f"date = {calibration.date.isoformat()}\n"
        f"columns = [{columns}]\n"
        f"rows = [\n{rows}]\n"
    )
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".calibration-")
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fchmod(stream.fileno(), 0o644)  # readable for the core's user, whoever writes it
            os.fsync(stream.fileno())
        os.replace(temporary, path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise DeviceError(path.name, f"cannot be written ({error.strerror})") from error
