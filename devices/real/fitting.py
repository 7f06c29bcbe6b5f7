"""Fits actuators to the joints of a unit: who is on a line, which id, which way, where zero is.

Waits for replies, like what it is made of (commissioning); torque is never switched on. What is
found goes into a calibration; who asked keeps it, once all of it was found.
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

SETTLE_S = 0.5  # for a hand to hold still
LEAST_TURN_RAD = math.radians(10.0)  # of a joint, to tell its sign
MOST_TURN_RAD = math.radians(170.0)  # more may be another turn of the actuator


@dataclass(frozen=True, slots=True)
class Seen:
    """What a scan found at one id of a line, or did not.

    Attributes:
        device: what hangs on the line, as the technician calls it.
        id: that was asked.
        joint: whose it is by the calibration; empty if nobody's.
        versions: of firmware and hardware; empty if it is not there, or garbled.
        garbled: something answers, and nobody can read it.
    """

    device: str
    id: int
    joint: str
    versions: str
    garbled: bool

    @property
    def well(self) -> bool:
        """It is a joint's, and answers."""
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
    """The actuators of one unit, and its calibration as it becomes.

    Attributes:
        calibration: with all that was taken so far.
    """

    def __init__(
        self,
        hardware: Hardware,
        calibration: Calibration,
        ports: Mapping[str, Port],
        timekeeper: Timekeeper,
        today: datetime.date,
    ) -> None:
        """Ask nobody anything yet.

        Args:
            hardware: which actuators hang on which line.
            calibration: of the unit, wholly taken or not.
            ports: every line by name.
            timekeeper: the time.
            today: the date.
        """
        self.calibration = calibration
        self._today = today
        self._hardware = hardware
        self._rows = {row.joint: row for row in hardware.actuator_rows}
        self._ports, self._timekeeper = ports, timekeeper

    def lines(self, names: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the lines of these names, all that have actuators without any.

        Raises:
            DeviceError: one is none, or has no actuators.
        """
        there = tuple(dict.fromkeys(row.line for row in self._hardware.actuator_rows))
        for name in names:
            if name not in there:
                text = f"there is no line {name!r} with actuators; give one of {', '.join(there)}"
                raise DeviceError("hardware.toml", text)
        return tuple(names) or there

    def joints(self, names: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the joints of these names, a line's name for all on it; all without any.

        Raises:
            DeviceError: one is neither.
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
        """Return who answers on a line, at whatever id, and who should and does not.

        Raises:
            DeviceError: the line is gone, or somebody else's.
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
        """Give a joint's actuator its id; return which it had and which it has.

        Args:
            joint: it moves.
            old: id that it answers at; None if it is alone on its line.
            new: id that it shall have; None for that of the calibration.

        Raises:
            DeviceError: it is not alone, does not answer, or has not taken its id; or somebody
                else has that.
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
        """Return the position of a joint's actuator, which somebody holds still [rad].

        Raises:
            DeviceError: it does not answer, moves, or its line is gone.
        """
        bench = self._bench(self._rows[joint].line)
        try:
            return bench.position_rad(self.calibration.of(joint).id)
        except DeviceError as error:
            told = str(error).removeprefix(f"{error.device}: ")
            raise DeviceError(error.device, f"{joint}: {told}") from error

    def settle(self) -> None:
        """Wait until a hand that has just moved something holds it still."""
        self._timekeeper.wait_until(self._timekeeper.now_s() + SETTLE_S)

    def take_sign(self, joint: str, before_rad: float) -> int:
        """Take a joint's sign, now that it was turned in its positive direction; return it.

        Args:
            joint: that was turned.
            before_rad: position of its actuator before it was [rad].

        Raises:
            DeviceError: it was not turned far enough, or too far, or does not answer.
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
        """Take the zeros of joints that stand in a known posture; return by how much each moved.

        Nothing is taken unless all are.

        Args:
            joints: of the posture.
            posture: where each joint is [rad].

        Returns:
            How much farther each joint is, by the new zero, than by the one before; not a number
            where there was none [rad].

        Raises:
            DeviceError: one has no sign yet, does not answer, or moves; or a line is gone.
        """
        before = self.calibration
        # Who has no sign is refused before anybody is asked.
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
        """Return where a joint is by the calibration; not a number where that is not taken [rad].

        Raises:
            DeviceError: its actuator does not answer, moves, or its line is gone.
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
            text = "nobody answers; check the actuator's supply and its plugs"
            raise DeviceError(device, text)
        if len(found) > 1:
            ids = ", ".join(str(one.id) for one in found)
            text = f"ids {ids} answer; unplug all but one, or name the one with --from"
            raise DeviceError(device, text)
        return found[0].id
