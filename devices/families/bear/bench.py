"""Bench tool for the actuators of one line, used while the core does not run.

These functions wait for replies; the tick calls none of them. They never switch torque on.
"""

import statistics
from collections.abc import Callable, Iterable

from devices.errors import DeviceError
from devices.families.bear.setup import CLEAR_S
from devices.families.bear.wire.faults import HARDWARE, faults
from devices.families.bear.wire.packet import (
    LAST_ID,
    PING_DATA,
    Reply,
    check_id,
    ping,
    read,
    save_config,
    write,
)
from devices.families.bear.wire.registers import (
    CONFIG,
    IC_TEMPERATURE,
    INPUT_VOLTAGE,
    PRESENT_POSITION,
    TORQUE_ENABLE,
    WINDING_TEMPERATURE,
    TorqueEnable,
)
from devices.families.bear.wire.stream import ReplyStream
from devices.families.interface import Condition, Found
from devices.interface import Timekeeper
from devices.real.port import Port

REPLY_S = 0.005  # longest time to a reply, the adapter's delay included
TRIES = 3
SAVE_S = 0.1  # time in which an actuator saves its settings
SAMPLES = 20
STILL_RAD = 0.01  # largest movement of a joint while its zero is taken
EVERY_ID = range(LAST_ID + 1)  # 0xFD belongs to another protocol on the maker's adapter
_ID = CONFIG[0]
_CONDITION = (WINDING_TEMPERATURE, INPUT_VOLTAGE)
_OWN = (PRESENT_POSITION, INPUT_VOLTAGE, WINDING_TEMPERATURE, IC_TEMPERATURE)


class BearBench:
    """Questions the actuators of one line, one at a time.

    Attributes:
        garbled: the last answer to `condition` was unreadable.

    Args:
        port: the line.
        timekeeper: the clock.
    """

    def __init__(self, port: Port, timekeeper: Timekeeper) -> None:
        self._port, self._timekeeper = port, timekeeper
        self._stream = ReplyStream()
        self.garbled = False
        self._came = False  # bytes received after the last request

    def discover(
        self, ids: Iterable[int] = EVERY_ID, progress: Callable[[int], None] | None = None
    ) -> tuple[Found, ...]:
        """Return the actuators that answer.

        Args:
            ids: ids to try.
            progress: called with each id before it is tried.

        Raises:
            DeviceError: the line is lost.
        """
        found = []
        for actuator_id in ids:
            if progress is not None:
                progress(actuator_id)
            for _ in range(TRIES):
                reply = self._ask(ping(actuator_id), actuator_id, PING_DATA)
                if reply is not None or not self._came:
                    break
            if reply is not None:
                found.append(Found(actuator_id, reply.data.hex() * self._alone(actuator_id)))
            elif self._came:
                found.append(Found(actuator_id, ""))
        return tuple(found)

    def condition(self, actuator_id: int) -> Condition | None:
        """Return the state of an actuator, or None if it does not answer; changes nothing.

        Raises:
            DeviceError: the line is lost.
        """
        found = None
        self.garbled = False
        for _ in range(TRIES):
            reply = self._ask(ping(actuator_id), actuator_id, PING_DATA)
            self.garbled = self.garbled or (reply is None and self._came)
            if reply is None:
                continue
            versions = reply.data.hex()
            found = Condition(versions, *_faults(reply.error))
            told = self._ask(read(actuator_id, _CONDITION), actuator_id, 4 * len(_CONDITION))
            if told is not None:
                winding_c, input_v = map(float, told.values(_CONDITION))
                return Condition(versions, *_faults(told.error), winding_c, input_v)
        return found

    def change_id(self, old: int, new: int) -> None:
        """Give an actuator another id and save it.

        Raises:
            DeviceError: the new id is in use, no or more than one actuator has the old one, the
                actuator did not accept the new id, or the line is lost.
        """
        check_id(new)
        if self._sounds(new):
            self._refuse(f"something answers at id {new} already; choose another id")
        before = self._port.bytes_in
        if not self._alone(old):
            if self._port.bytes_in > before:
                self._refuse(f"id {old} answers garbled; perhaps two actuators have it: unplug one")
            self._refuse(f"nothing answers at id {old}; check its supply and plugs")
        self._send(write(old, [(TORQUE_ENABLE, TorqueEnable.OFF)]))
        self._wait(CLEAR_S)
        doubt = f"ids {old} and {new} are in doubt; scan the line again"
        try:
            self._send(write(old, [(_ID, new)]))
            if not self._found(new):
                text = f"the actuator did not take id {new}; switch its supply off and on again"
                self._refuse(text)
            self._send(save_config(new))
            self._wait(SAVE_S)
            if not self._found(new) or self._sounds(old):
                self._refuse(doubt)
        except DeviceError as error:
            if self._port.descriptor >= 0:
                raise
            raise DeviceError(error.device, f"was lost meanwhile: {doubt}") from error

    def position_rad(self, actuator_id: int) -> float:
        """Return the position of an actuator that stands still with its torque off [rad].

        Raises:
            DeviceError: it does not answer, moves, or the line is lost.
        """
        self._send(write(actuator_id, [(TORQUE_ENABLE, TorqueEnable.OFF)]))
        positions = []
        for _ in range(SAMPLES):
            reply = self._ask(read(actuator_id, [PRESENT_POSITION]), actuator_id, 4)
            if reply is not None:
                positions.append(float(reply.values([PRESENT_POSITION])[0]))
        if len(positions) < SAMPLES // 2:
            self._refuse(f"id {actuator_id} does not answer; check its supply and plugs")
        if not max(positions) - min(positions) <= STILL_RAD:
            self._refuse(f"id {actuator_id} moves; hold its joint still in its jig and try again")
        return statistics.median(positions)

    def _alone(self, actuator_id: int) -> bool:
        """Return whether the answers of an id are whole, including values that differ by actuator.

        Two actuators with one id answer at once and garble exactly these values.
        """
        question, size = read(actuator_id, _OWN), 4 * len(_OWN)
        return all(self._ask(question, actuator_id, size) for _ in range(TRIES))

    def _sounds(self, actuator_id: int) -> bool:
        """Return whether any byte is received from an id."""
        for _ in range(TRIES):
            self._ask(ping(actuator_id), actuator_id, PING_DATA)
            if self._came:
                return True
        return False

    def _found(self, actuator_id: int) -> bool:
        return any(self._ask(ping(actuator_id), actuator_id, PING_DATA) for _ in range(TRIES))

    def _ask(self, request: bytes, actuator_id: int, size: int) -> Reply | None:
        """Send a request on an empty line and wait for its reply."""
        keeper, port = self._timekeeper, self._port
        while port.read(keeper.now_s()):
            pass
        before = port.bytes_in
        self._came = False
        self._stream.begin({actuator_id: size})
        self._send(request)
        until_s = keeper.now_s() + REPLY_S
        while (now_s := keeper.now_s()) < until_s:
            if not keeper.wait_readable([port.descriptor], until_s):
                break
            replies = self._stream.feed(port.read(now_s))
            self._came = port.bytes_in > before
            if replies:
                return replies[0]
            self._check_open()
        replies = self._stream.end()
        return replies[0] if replies else None

    def _send(self, request: bytes) -> None:
        if self._port.descriptor < 0:
            self._port.read(self._timekeeper.now_s())
        self._check_open()
        self._port.write(request)

    def _wait(self, time_s: float) -> None:
        self._timekeeper.wait_until(self._timekeeper.now_s() + time_s)

    def _check_open(self) -> None:
        if self._port.descriptor < 0:
            troubles = self._port.troubles()
            self._refuse(troubles[0].text if troubles else "it is closed")

    def _refuse(self, reason: str) -> None:
        raise DeviceError(self._port.device, reason)


def _faults(error: int) -> tuple[tuple[str, ...], bool]:
    """Return the faults in an error byte, supply first, and whether a supply fault is reported."""
    reported = sorted(faults(error), key=lambda fault: fault.mask != HARDWARE)
    texts = tuple(f"reports {fault.name}; {fault.advice}" for fault in reported)
    return texts, bool(error & HARDWARE)
