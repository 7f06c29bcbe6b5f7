"""All of Footlight's boards as one device of the body."""

from collections.abc import Mapping, Sequence

import numpy as np

from devices.errors import DeviceError
from devices.families.boards.battery import Batteries, BatteryMonitor
from devices.families.boards.contacts import ContactBoard
from devices.families.boards.hand import HandBoard
from devices.families.boards.line import BoardDriver, BoardLine
from devices.families.boards.supervisor import Supervisor
from devices.families.boards.supply import Supply
from devices.families.boards.wire.identity import Identity
from devices.interface import JointCommand, Sample, Trouble
from devices.real.port import Port
from devices.real.settings import Hardware

_BATTERY_S = 0.1  # period of reading the batteries


class Boards:
    """Reads the boards' lines in a tick and writes to hands and supervisor.

    Attributes:
        supervisor: supervisor of the motors' supply; None if the robot has none.
        supply: switches the motors' supply on request; None without a supervisor.
    """

    def __init__(
        self,
        hardware: Hardware,
        ports: Mapping[str, Port],
        joint_names: Sequence[str],
        switches: Sequence[str],
    ) -> None:
        """Create the boards in the hardware file; send nothing.

        Args:
            hardware: the boards and their lines.
            ports: every line by name.
            joint_names: every joint in the profile's order (n).
            switches: every contact switch in the profile's order (c).

        Raises:
            DeviceError: the profile lacks the joint of a hand's motor or the switch of a board.
        """
        on_line: dict[str, list[BoardDriver]] = {}
        self._contacts: list[_Contacts] = []
        for settings in hardware.contacts:
            contacts = ContactBoard(settings)
            self._contacts.append(_Contacts(contacts, switches))
            on_line.setdefault(settings.line, []).append(contacts)
        hands: list[tuple[str, HandBoard]] = []
        for number, hand in enumerate(hardware.hands):
            hands.append((hand.line, HandBoard(hand, number / len(hardware.hands))))
            on_line.setdefault(hand.line, []).append(hands[-1][1])
        self._batteries: Batteries | None = None
        if hardware.batteries:
            monitors = []
            for number, pack in enumerate(hardware.batteries.packs):
                monitors.append(BatteryMonitor(number, pack, hardware.batteries.silent_s))
                on_line.setdefault(pack.line, []).append(monitors[-1])
            self._batteries = Batteries(monitors, hardware.batteries.wiring)
        self.supervisor: Supervisor | None = None
        if hardware.supervisor:
            self.supervisor = Supervisor(hardware.supervisor)
            on_line.setdefault(hardware.supervisor.line, []).append(self.supervisor)
        self.supply = None if self.supervisor is None else Supply(self.supervisor)
        lines = {name: BoardLine(ports[name], drivers) for name, drivers in on_line.items()}
        self._lines = tuple(lines.values())
        self._hands = [_Hand(hand, lines[name], joint_names) for name, hand in hands]
        supply = hardware.supervisor
        self._supply_line = lines[supply.line] if supply else None
        self._battery_due_s = 0.0
        self._now_s = 0.0

    def read_into(self, sample: Sample, now_s: float) -> None:
        """Process the bytes received by now [s]; write the newest values and ages to the sample."""
        self._now_s = now_s
        powered = self.supply is None or self.supply.closed
        for hand in self._hands:
            hand.board.powered = powered
        for line in self._lines:
            line.receive(now_s)
        for contacts in self._contacts:
            contacts.read_into(sample, now_s)
        for hand in self._hands:
            hand.read_into(sample, now_s)
        if self._batteries and now_s >= self._battery_due_s:
            self._battery_due_s = now_s + _BATTERY_S
            supervisor = self.supervisor
            self._batteries.update(now_s, supervisor.supply(now_s) if supervisor else None)
            sample.battery_v = self._batteries.voltage_v
            sample.battery_a = self._batteries.current_a
            sample.battery_charge = self._batteries.charge

    def write(self, command: JointCommand, now_s: float) -> None:
        """Send the hands' part of a command, which is finite."""
        self._keep_alive(now_s)
        for hand in self._hands:
            hand.write(command, now_s)

    def damp(self, now_s: float) -> None:
        """Let the hands only resist motion."""
        self._keep_alive(now_s)
        for hand in self._hands:
            hand.board.damp(hand.line, now_s)

    def stop(self, now_s: float) -> None:
        """Switch the hands' current off; the motors' supply is not changed."""
        self._keep_alive(now_s)
        for hand in self._hands:
            hand.board.stop(hand.line, now_s)

    def troubles(self) -> tuple[Trouble, ...]:
        """Return the faults of the lines and their boards."""
        told = tuple(told for line in self._lines for told in line.troubles(self._now_s))
        return told if self.supply is None else told + self.supply.troubles()

    def plates(self) -> tuple[tuple[str, Identity], ...]:
        """Return each board that has sent its identity, with the identity."""
        return tuple(plate for line in self._lines for plate in line.plates())

    def close(self) -> None:
        """Release the lines; the supervisor then receives nothing and opens the contactor."""
        for line in self._lines:
            line.port.close()

    def _keep_alive(self, now_s: float) -> None:
        """Feed the supervisor's watchdog; only the core's tick calls this."""
        if self.supervisor is not None and self.supply is not None and self._supply_line:
            self.supply.proceed(now_s)
            self.supervisor.keep_alive(self._supply_line, now_s)


class _Contacts:
    """A board's contact switches and their indices in the sample."""

    def __init__(self, board: ContactBoard, switches: Sequence[str]) -> None:
        for switch in board.switches:
            if switch not in switches:
                text = f"the profile has no contact switch {switch!r}; spell it as there"
                raise DeviceError("hardware.toml", text)
        self._board = board
        self._indices = tuple(switches.index(switch) for switch in board.switches)
        self._taken = 0

    def read_into(self, sample: Sample, now_s: float) -> None:
        board, contacts, ages = self._board, sample.contacts, sample.contact_age_s
        if board.taken != self._taken:
            self._taken = board.taken
            for place, touching in zip(self._indices, board.touching, strict=True):
                contacts[place] = touching
        age_s = board.age_s(now_s)
        for place in self._indices:  # faster than NumPy for a short array
            ages[place] = age_s


class _Hand:
    """A hand and the indices of its joints in the profile."""

    def __init__(self, board: HandBoard, line: BoardLine, joint_names: Sequence[str]) -> None:
        self.board = board
        self.line = line
        for motor in board.motors:
            if motor.joint not in joint_names:
                raise DeviceError(
                    "hardware.toml", f"the profile has no joint {motor.joint!r}; spell it as there"
                )
        indices = [joint_names.index(motor.joint) for motor in board.motors]
        self._indices = np.array(indices, dtype=np.intp)
        self._stamps: list[tuple[int, float]] = []  # index and time of each joint
        self._taken = -1

    def read_into(self, sample: Sample, now_s: float) -> None:
        board, indices = self.board, self._indices
        if board.taken != self._taken:
            self._taken = board.taken
            sample.q[indices] = board.q
            sample.dq[indices] = board.dq
            sample.tau[indices] = board.tau
            sample.winding_c[indices] = board.winding_c
            self._stamps = list(zip(indices.tolist(), board.stamp_s.tolist(), strict=True))
        ages = sample.joint_age_s
        for place, stamp_s in self._stamps:
            ages[place] = now_s - stamp_s

    def write(self, command: JointCommand, now_s: float) -> None:
        indices = self._indices
        if self.board.due(now_s):
            q, dq, kp, kd = command.q, command.dq, command.kp, command.kd
            self.board.hold(self.line, q[indices], dq[indices], kp[indices], kd[indices], now_s)
