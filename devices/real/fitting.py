"""Assigns actuators to the joints of a unit: finds them, sets ids, measures signs and zeros.

The functions wait for replies (commissioning) and never switch torque on. Results go into a
calibration, which the caller saves when all are known.
"""

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from devices.errors import DeviceError
from devices.families.interface import Bench
from devices.families.registry import actuator_family
from devices.interface import Timekeeper
from devices.real.calibration import Calibration
from devices.real.port import Port
from devices.real.settings import Hardware

SETTLE_S = 0.5  # time in which a hand comes to rest
LEAST_TURN_RAD = math.radians(10.0)  # turn of a joint that determines its sign
MOST_TURN_RAD = math.radians(170.0)  # more may be another turn of the actuator


@dataclass(frozen=True, slots=True)
class Seen:
    """Result of a scan at one id of a line.

    Attributes:
        device: the technician's name of the device on the line.
        id: id that was scanned.
        joint: joint of this id by the calibration; empty if none.
        versions: versions of firmware and hardware; empty if it is missing, or garbled.
        garbled: the answer is unreadable.
    """

    device: str
    id: int
    joint: str
    versions: str
    garbled: bool

    @property
    def well(self) -> bool:
        """Whether it belongs to a joint and answers."""
        return bool(self.joint and self.versions)

    def __str__(self) -> str:
        """Return it as a line of a table."""
        whose = self.joint or "no joint's"
        if self.garbled:
            text = "answers garbled: perhaps two actuators have this id; unplug one"
        elif not self.versions:
            text = "does not answer; check its supply and plugs, and its id"
        else:
            text = f"answers, firmware and hardware {self.versions}"
            text += "" if self.joint else "; give it the id of its joint"
        return f"{self.device:<14}  id {self.id:>3}  {whose:<20}  {text}"


class Fitting:
    """The actuators of one unit, and its calibration in progress.

    Attributes:
        calibration: calibration with all results so far.
    """

    def __init__(
        self,
        hardware: Hardware,
        calibration: Calibration,
        ports: Mapping[str, Port],
        timekeeper: Timekeeper,
        today: datetime.date,
    ) -> None:
        """Initialise; send nothing.

        Args:
            hardware: actuators and their lines.
            calibration: calibration of the unit, complete or not.
            ports: every line by name.
            timekeeper: the clock.
            today: the date.
        """
        self.calibration = calibration
        self._today = today
        self._hardware = hardware
        self._rows = {row.joint: row for row in hardware.actuator_rows}
        self._ports, self._timekeeper = ports, timekeeper

    def lines(self, names: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the lines of these names, or all lines with actuators if there are no names.

        Raises:
            DeviceError: a name is no line, or the line has no actuators.
        """
        there = tuple(dict.fromkeys(row.line for row in self._hardware.actuator_rows))
        for name in names:
            if name not in there:
                text = f"there is no line {name!r} with actuators; give one of {', '.join(there)}"
                raise DeviceError("hardware.toml", text)
        return tuple(names) or there

    def joints(self, names: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the joints of these names, where a line's name means all its joints; all if empty.

        Raises:
            DeviceError: a name is neither a joint nor a line.
        """
        found: list[str] = []
        for name in names or self.lines():
            here = [name] if name in self._rows else self._on(name)
            if not here:
                known = ", ".join((*self.lines(), *self._rows))
                text = f"there is no joint or line {name!r}; give one of {known}"
                raise DeviceError("hardware.toml", text)
            found += here
        return tuple(dict.fromkeys(found))

    def scan(self, line: str) -> tuple[Seen, ...]:
        """List the actuators on a line at any id, and the missing ones of the calibration.

        Raises:
            DeviceError: the line is lost, or in use by another program.
        """
        port = self._ports[line]
        whose = {self.calibration.of(joint).id: joint for joint in self._on(line)}
        found = {one.id: one for one in self._bench(line).discover(self._ids(line))}
        seen = []
        for number in sorted({*found, *whose}):
            one = found.get(number)
            versions = "" if one is None else one.versions
            garbled = one is not None and not one.versions
            seen.append(Seen(port.device, number, whose.get(number, ""), versions, garbled))
        return tuple(seen)

    def give_id(self, joint: str, old: int | None, new: int | None) -> tuple[int, int]:
        """Give a joint's actuator its id; return its old and its new one.

        Args:
            joint: joint that it moves.
            old: present id; None if it is alone on its line.
            new: new id; None for that of the calibration.

        Raises:
            DeviceError: it is not alone, does not answer, or did not accept its id; or the new id
                is in use.
        """
        row = self._rows[joint]
        number = self.calibration.of(joint).id if new is None else new
        ids = self._ids(row.line)
        for asked in (number, ids[0] if old is None else old):
            if asked not in ids:
                text = f"id {asked} is not {ids[0]} to {ids[-1]}; choose another one"
                raise DeviceError(self._ports[row.line].device, text)
        calibration = self.calibration.numbered(joint, number, self._today)
        for other in self._on(row.line):
            if other != joint and calibration.of(other).id == number:
                text = f"id {number} is {other}'s; choose another one"
                raise DeviceError(self._ports[row.line].device, text)
        bench = self._bench(row.line)
        before = self._only_one(row.line, bench) if old is None else old
        if before != number:
            bench.change_id(before, number)
        self.calibration = calibration
        return before, number

    def position_rad(self, joint: str) -> float:
        """Return the position of a joint's actuator, which is held still [rad].

        Raises:
            DeviceError: it does not answer, moves, or its line is lost.
        """
        bench = self._bench(self._rows[joint].line)
        try:
            return bench.position_rad(self.calibration.of(joint).id)
        except DeviceError as error:
            told = str(error).removeprefix(f"{error.device}: ")
            raise DeviceError(error.device, f"{joint}: {told}") from error

    def settle(self) -> None:
        """Wait until a hand that has just moved a joint holds it still."""
        self._timekeeper.wait_until(self._timekeeper.now_s() + SETTLE_S)

    def take_sign(self, joint: str, before_rad: float) -> int:
        """Measure a joint's sign after it was turned in its positive direction; return it.

        Args:
            joint: joint that was turned.
            before_rad: position of its actuator before the turn [rad].

        Raises:
            DeviceError: the turn was too small or too large, or the actuator does not answer.
        """
        turned = (self.position_rad(joint) - before_rad) / self._rows[joint].gear
        device = self._ports[self._rows[joint].line].device
        if not LEAST_TURN_RAD <= abs(turned) <= MOST_TURN_RAD:
            least, most = math.degrees(LEAST_TURN_RAD), math.degrees(MOST_TURN_RAD)
            text = (
                f"{joint} was turned by {abs(math.degrees(turned)):.1f}°; turn that joint, by"
                f" {least:.0f} to {most:.0f}°, and try again"
            )
            raise DeviceError(device, text)
        sign = 1 if turned > 0.0 else -1
        self.calibration = self.calibration.signed(joint, sign, self._today)
        return sign

    def take_zeros(self, joints: Sequence[str], posture: Mapping[str, float]) -> dict[str, float]:
        """Measure the zeros of joints in a known posture; return the change of each joint.

        Either all zeros are measured or none.

        Args:
            joints: joints of the posture.
            posture: position of each joint [rad].

        Returns:
            Increase of each joint's position by the new zero; NaN if it had no zero [rad].

        Raises:
            DeviceError: a joint has no sign yet, does not answer, or moves; or a line is lost.
        """
        before = self.calibration
        # Refuse joints without a sign before any request is sent.
        before.zeroed(dict.fromkeys(joints, 0.0), posture, self._gears, self._today)
        positions = {joint: self.position_rad(joint) for joint in joints}
        after = before.zeroed(positions, posture, self._gears, self._today)
        self.calibration = after
        return {
            joint: (before.of(joint).zero_rad - after.of(joint).zero_rad)
            * before.of(joint).sign
            / self._rows[joint].gear
            for joint in joints
        }

    def angle_rad(self, joint: str) -> float:
        """Return a joint's position by the calibration; NaN if it is not calibrated [rad].

        Raises:
            DeviceError: its actuator does not answer, moves, or its line is lost.
        """
        row = self.calibration.of(joint)
        position = self.position_rad(joint)
        if row.sign == 0:
            return math.nan
        return row.sign * (position - row.zero_rad) / self._rows[joint].gear

    @property
    def _gears(self) -> dict[str, float]:
        return {joint: row.gear for joint, row in self._rows.items()}

    def _on(self, line: str) -> list[str]:
        return [joint for joint, row in self._rows.items() if row.line == line]

    def _bench(self, line: str) -> Bench:
        family = actuator_family(self._hardware.family_of(line))
        return family.bench(self._ports[line], self._timekeeper)

    def _ids(self, line: str) -> range:
        return actuator_family(self._hardware.family_of(line)).ids

    def _only_one(self, line: str, bench: Bench) -> int:
        found = bench.discover(self._ids(line))
        device = self._ports[line].device
        if not found:
            text = "no actuator answers; check its supply and its plugs"
            raise DeviceError(device, text)
        if len(found) > 1:
            ids = ", ".join(str(one.id) for one in found)
            text = f"ids {ids} answer; unplug all but one, or name the one with --from"
            raise DeviceError(device, text)
        return found[0].id
