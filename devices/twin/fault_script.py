"""Fault injection in a twin: orders carried out at once, or at the times of a script."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from devices.errors import DeviceError
from devices.families.boards.twin.contact_board import ContactBoard
from devices.families.boards.wire.identity import Start
from devices.twin import orders
from devices.twin.clockwork import Clockwork
from devices.twin.faults import NONE, Faults
from devices.twin.line import Line
from devices.twin.operator import STICKS
from devices.twin.orders import Order

_FAULTS = ("drop", "lose", "corrupt", "invent", "noise_hz", "delay_ms", "jitter_ms")


class TimedOrder(NamedTuple):
    """An order and its time [µs]."""

    at_us: int
    order: Order


def read_script(text: str) -> tuple[TimedOrder, ...]:
    """Return the orders of a fault script: a time [s] and an order on each line, `#` for remarks.

    Raises:
        DeviceError: a line is invalid; the error names it.
    """
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#", 1)[0].strip()
        if not words:
            continue
        time, _, rest = words.partition(" ")
        try:
            at_s = float(time)
            if not 0.0 <= at_s <= 1e6:
                raise ValueError
        except ValueError:
            text = f"line {number} of the script does not begin with a time: {words!r}"
            raise DeviceError("twin", text) from None
        try:
            found.append(TimedOrder(round(1e6 * at_s), orders.parse(rest)))
        except DeviceError as error:
            raise DeviceError("twin", f"line {number} of the script: {error}") from None
    return tuple(sorted(found, key=lambda timed: timed.at_us))


class FaultInjector:
    """Executes orders.

    Attributes:
        alone: no core is connected, so that orders may advance the time.
    """

    def __init__(self, clockwork: Clockwork, script: Sequence[TimedOrder] = ()) -> None:
        """Initialise.

        Args:
            clockwork: clockwork of the twin.
            script: orders with their times.
        """
        self.alone = True
        self._clockwork = clockwork
        self._robot = clockwork.robot
        self._script = sorted(script, key=lambda timed: timed.at_us)
        self._next = 0

    def tick(self, now_us: int) -> None:
        """Execute the script's orders for a time [µs].

        Raises:
            DeviceError: an order of the script cannot be executed.
        """
        script = self._script
        while self._next < len(script) and script[self._next].at_us <= now_us:
            self._next += 1
            self.carry_out(script[self._next - 1].order)

    def answer(self, line: str) -> str:
        """Execute an order; return "ok", the requested data, or the reason of a refusal."""
        try:
            told = self.carry_out(orders.parse(line))
        except DeviceError as error:
            return f"refused {error}"
        return "ok" if told is None else f"ok {msgspec.json.encode(told).decode()}"

    def carry_out(self, order: Order) -> dict[str, Any] | None:
        """Execute an order now; return the requested data.

        Raises:
            DeviceError: it cannot be executed.
        """
        clockwork, robot = self._clockwork, self._robot
        match order:
            case orders.Fault():
                self._spoil(order)
            case orders.Heal():
                lines = [self._line(order.line)] if order.line else clockwork.lines.values()
                for line in lines:
                    line.up.faults = line.down.faults = NONE
            case orders.Unplug():
                self._line(order.line)
                clockwork.unplug(order.line)
            case orders.Plug():
                if self._line(order.line).descriptor < 0:
                    clockwork.plug(order.line)
            case orders.Heat():
                joint = self._joint(order.joint)
                robot.body.actuators.power.winding_c[joint] = order.celsius
            case orders.Actuator():
                self._joint(order.joint)
                robot.inject(order.joint, order.what, order.mask)
            case orders.Number():
                self._joint(order.joint)
                robot.inject(order.joint, "number", order.id)
            case orders.Turn():
                robot.turn(self._joint(order.joint), order.degrees)
            case orders.Battery():
                self._charge(order)
            case orders.Open() | orders.Close():
                closed = isinstance(order, orders.Close)
                name = "wireless" if order.channel == "wireless" else f"channel_{order.channel}"
                setattr(robot.chain, name, closed)
            case orders.Contact():
                self._contact(order)
            case orders.Board():
                self._board(order)
            case orders.Imu():
                robot.imu.stuck = order.what == "stuck"
                if order.what == "restart":
                    robot.imu.restart(clockwork.now_us)
            case orders.Push():
                force = np.array((order.fx, order.fy, order.fz))
                robot.body.push(force, order.duration_s, order.hand)
            case orders.Advance():
                if not self.alone:
                    raise DeviceError(
                        "twin", "a core is connected and controls the time; end it first"
                    )
                clockwork.go(clockwork.now_us + round(1e6 * order.seconds))
            case orders.Tell():
                return self._tell(order.what)
            case _:
                self._handle(order)
        return None

    def _handle(self, order: Order) -> None:
        """Execute an order about the operator's controls."""
        operator = self._robot.operator
        match order:
            case orders.Press():
                operator.buttons |= 1 << order.button - 1
            case orders.Release():
                operator.buttons &= ~(1 << order.button - 1)
            case orders.Stick():
                operator.sticks[STICKS.index(order.axis)] = order.value
            case orders.Hold():
                operator.dead_man = True
            case orders.LetGo():
                operator.dead_man = False
            case orders.LayDown():
                operator.lay_down()
            case orders.Grip():
                raise DeviceError("twin", "grip needs a client that stays connected; remove it")
            case orders.Handset():
                operator.present = order.power == "on"
                operator.link_quality = order.quality
                operator.battery_v = order.battery_v
            case orders.RemoteStop():
                operator.stop = order.pressed == "on"
                operator.remote = order.power == "on"

    def _line(self, name: str) -> Line:
        line = self._clockwork.lines.get(name)
        if line is None:
            known = ", ".join(self._clockwork.lines)
            raise DeviceError("twin", f"there is no line {name!r}; give one of {known}")
        return line

    def _joint(self, name: str) -> int:
        names = self._robot.settings.sim.joint_names
        if name not in names:
            raise DeviceError("twin", f"there is no joint {name!r}; give one of {', '.join(names)}")
        return names.index(name)

    def _spoil(self, order: orders.Fault) -> None:
        line = self._line(order.line)
        shares = {name: getattr(order, name) for name in _FAULTS}
        faults = Faults(freeze=order.freeze == "on", **shares)
        if order.way != "down":
            line.up.faults = faults
        if order.way != "up":
            line.down.faults = faults

    def _charge(self, order: orders.Battery) -> None:
        if (order.charge is None) == (order.voltage is None):
            raise DeviceError("twin", "battery takes a charge or a voltage, and one of them")
        power = self._robot.body.actuators.power
        if order.voltage is not None:
            power.set_unloaded_voltage(order.voltage)
        elif order.charge is not None:
            power.charge = order.charge

    def _contact(self, order: orders.Contact) -> None:
        board = self._robot.boards.get(order.source)
        if not isinstance(board, ContactBoard) or order.sensor >= board.sensors:
            raise DeviceError("twin", f"board {order.source} has no sensor {order.sensor}")
        board.unhealthy &= ~(1 << order.sensor)
        board.forced.pop(order.sensor, None)
        if order.what == "broken":
            board.unhealthy |= 1 << order.sensor
        elif order.what != "well":
            board.forced[order.sensor] = order.what == "on"

    def _board(self, order: orders.Board) -> None:
        board = self._robot.boards.get(order.source)
        if board is None:
            known = ", ".join(map(str, self._robot.boards))
            raise DeviceError("twin", f"there is no board {order.source}; give one of {known}")
        board.mute = order.what == "mute"
        if order.what == "restart":
            board.restart(Start.WATCHDOG, self._clockwork.now_us)

    def _tell(self, what: str) -> dict[str, Any]:
        robot, clockwork = self._robot, self._clockwork
        if what == "truth":
            truth = robot.body.truth()
            names = type(truth).__slots__
            told: dict[str, Any] = {name: getattr(truth, name).tolist() for name in names}
            return {"t_s": 1e-6 * clockwork.felt_us, **told}
        if what == "hands":
            chain = msgspec.to_builtins(robot.chain)
            return {"t_s": 1e-6 * clockwork.now_us, **msgspec.to_builtins(robot.operator), **chain}
        if what == "screens":
            shown = {"receiver": robot.receiver, "native": robot.native, "remote": robot.remote}
            return {
                name: msgspec.to_builtins(device.screen)
                for name, device in shown.items()
                if device is not None
            }
        if what == "lines":
            return {
                name: {
                    "plugged": line.descriptor >= 0,
                    "lost_up": line.up.lost_bytes,
                    "lost_down": line.down.lost_bytes,
                }
                for name, line in clockwork.lines.items()
            }
        if what == "actuators":
            return robot.received()
        supervisor = robot.supervisor
        return {
            "power": "" if supervisor is None else supervisor.state.name,
            "cause": "" if supervisor is None else supervisor.cause.name,
            "refused": {str(source): board.refused for source, board in robot.boards.items()},
            "torque": {
                joint: word
                for group in robot.actuators.values()
                for joint, word in group.torque().items()
            },
        }
