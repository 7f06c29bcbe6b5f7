"""All BEAR actuators of the twin, line by line."""

from devices.errors import DeviceError
from devices.families.bear.twin.actuators import Bears
from devices.families.bear.twin.line import BearLine
from devices.families.bear.wire.packet import LAST_ID
from devices.families.interface import Device, Seat
from devices.interface import Floats, Sample


class BearGroup:
    """BEAR actuators and their lines.

    Attributes:
        bears: registers of all actuators.
    """

    def __init__(self, bears: Bears, seats: tuple[Seat, ...]) -> None:
        """Create the lines.

        Args:
            bears: registers of all actuators, one row each.
            seats: mounting of the same actuators, ordered by line.
        """
        self.bears = bears
        self._seats = seats
        self._rows = {seat.joint: row for row, seat in enumerate(seats)}

    def device(self, line: str) -> Device:
        """Return the actuators of one line as a device."""
        rows = [row for row, seat in enumerate(self._seats) if seat.line == line]
        return BearLine(self.bears, range(rows[0], rows[-1] + 1) if rows else range(0))

    def pull(self, q: Floats, dq: Floats, tau: Floats) -> bool:
        """Write the torque of each actuator; return whether an actuator of a leg is driven."""
        return self.bears.pull(q, dq, tau)

    def supply(self, powered: bool) -> None:
        """Switch the motors' supply on or off."""
        self.bears.supply(powered)

    def feel(self, sample: Sample, motor_v: float, now_us: int) -> None:
        """Update each actuator's measurements at a time [µs]."""
        self.bears.feel(sample, motor_v, now_us)

    def torque(self) -> dict[str, int]:
        """Return each joint's torque switch: 0 is off."""
        words = self.bears.torque.tolist()
        return {seat.joint: words[row] for row, seat in enumerate(self._seats)}

    def received(self) -> dict[str, dict[str, float]]:
        """Return torque switch, control mode, set-points and force gains of each joint."""
        return {seat.joint: self.bears.received(row) for row, seat in enumerate(self._seats)}

    def inject(self, joint: str, what: str, value: int) -> None:
        """Cause a fault of a joint's actuator.

        Raises:
            DeviceError: BEAR actuators have no such fault.
        """
        bears, row = self.bears, self._rows[joint]
        match what:
            case "fault":
                bears.latch(row, value)
            case "restart":
                bears.restart(row)
            case "dead":
                bears.kill(row)
            case "alive":
                bears.revive(row)
            case "number" if value <= LAST_ID:
                bears.number(row, value)
            case _:
                raise DeviceError("twin", f"no BEAR takes {what} {value}; its ids end at {LAST_ID}")
