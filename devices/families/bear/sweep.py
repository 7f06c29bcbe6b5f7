"""The normal rounds of all lines of actuators, built and parsed by one kernel each.

While a line is even, all its actuators are driven and answer correctly, and one pass over the bytes
of all lines builds their requests and parses their replies. A line with any other reply or any
other request serves itself (bear_line).
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from devices.compiled import compiled
from devices.families.bear.line import NEVER_S, BearLine
from devices.families.bear.readings import ERROR, HEARD, TOLD
from devices.families.bear.rounds import COLUMNS, EXTRA, GOALS, MOST, MOTION, TURNS, UNKEPT
from devices.families.bear.setup import BearPlan
from devices.families.bear.wire.bulk import BulkLayout, BulkRequest, Octets, Values, is_reply
from devices.families.bear.wire.packet import LONGEST
from devices.families.bear.wire.registers import TorqueEnable
from devices.interface import Floats

Numbers: TypeAlias = npt.NDArray[np.int64]

# Columns of the lines' parameters: row of the first actuator, number of actuators, offset of their
# entries in a request, bytes of their replies, turn of the newest round, rounds that were parsed,
# and the ids.
FIRST, COUNT, START, SIZE, TURN, TAKEN, IDS = range(7)
TURN_COUNT, GOAL_COUNT = len(TURNS), len(GOALS)
ADDRESSES = tuple(register.address for register in TURNS)
ON = int(TorqueEnable.ON)
DATA = 5  # offset of the data in a reply


@compiled
def make_rounds(lines: Numbers, which: int, goals: Octets, requests: Octets) -> None:
    """Build the next requests of some lines.

    Args:
        lines: parameters of the lines.
        which: lines to build for, one bit each.
        goals: set-points of all actuators, as bytes of the protocol (n, 12).
        requests: one for each line, complete except for turn, set-points and checksum.
    """
    width = goals.shape[1]
    for i in range(lines.shape[0]):
        if not which >> i & 1:
            continue
        line, packet = lines[i], requests[i]
        line[TURN] = (line[TURN] + 1) % TURN_COUNT
        at = line[START]
        packet[at - GOAL_COUNT - 1] = ADDRESSES[line[TURN]]  # the last register that is read
        for j in range(line[FIRST], line[FIRST] + line[COUNT]):
            for k in range(width):
                packet[at + 1 + k] = goals[j, k]  # after the actuator's id
            at += 1 + width
        total = 0
        for k in range(2, at):
            total += packet[k]
        packet[at] = 0xFF - (total & 0xFF)


@compiled
def take_rounds(
    data: Octets, lines: Numbers, which: int, sent_s: float, octets: Octets, table: Floats
) -> int:
    """Copy the valid replies of some lines to the readings; return those lines, one bit each.

    Where the torque's state was read, every actuator must have its torque.

    Args:
        data: received bytes, line after line, each as long as its replies.
        lines: parameters of the lines.
        which: lines that data came from, one bit each.
        sent_s: time at which the round was sent [s].
        octets: buffer for the data of one reply (16).
        table: readings (n, 10).
    """
    taken = 0
    step = DATA + octets.size + 1
    values = octets.view(np.float32)
    at = 0
    for i in range(lines.shape[0]):
        if not which >> i & 1:
            continue
        line, begin = lines[i], at
        column, before = COLUMNS[line[TURN]], COLUMNS[line[TURN] - 1]
        sound = True
        for j in range(line[COUNT]):
            sound = sound and is_reply(data, at, step, line[IDS + j])
            if column == UNKEPT:
                word = at + DATA + 4 * EXTRA
                sound = sound and data[word] == ON
                sound = sound and data[word + 1] == data[word + 2] == data[word + 3] == 0
            at += step
        if not sound:
            continue
        taken |= 1 << i
        line[TAKEN] += 1
        for j in range(line[COUNT]):
            reply, row = begin + j * step, table[line[FIRST] + j]
            for k in range(octets.size):
                octets[k] = data[reply + DATA + k]
            for k in range(EXTRA):
                row[k] = values[k]
            row[HEARD], row[ERROR] = sent_s, data[reply + DATA - 1]
            if column != UNKEPT:
                row[TOLD] = values[EXTRA]
            elif before != UNKEPT:  # confirms the register of the turn before
                row[before] = row[TOLD]
    return taken


class Sweep:
    """Serves all even lines at once; the other lines serve themselves.

    Attributes:
        goals: position [rad], velocity [rad/s] and current [A] of the actuators (n, 3).
        lines: lines of the actuators, in the order of the readings.
        served: lines that it serves, one bit each.
    """

    def __init__(self, plans: Sequence[Sequence[BearPlan]], table: Floats) -> None:
        """Build the requests; send nothing.

        Args:
            plans: actuators of each line.
            table: readings of all actuators (n, 10).
        """
        count = sum(map(len, plans))
        self.goals: Values = np.zeros((count, len(GOALS)), dtype="<f4")
        self.lines: tuple[BearLine, ...] = ()
        self.served = 0
        self._table = table
        self._octets: Octets = self.goals.view(np.uint8)
        self._parameters: Numbers = np.zeros((len(plans), IDS + MOST), dtype=np.int64)
        self._requests: Octets = np.zeros((len(plans), LONGEST), dtype=np.uint8)
        self._packets: list[memoryview] = []
        self._parts: list[Values] = []
        self._sizes: list[int] = []
        first = 0
        for parameters, packet, row in zip(self._parameters, self._requests, plans, strict=True):
            ids = tuple(plan.id for plan in row)
            layout = BulkLayout(ids, (*MOTION, TURNS[0]), GOALS)
            size = len(ids) * layout.reply_size
            parameters[:TURN] = first, len(ids), len(layout.prefix()), size
            parameters[IDS : IDS + len(ids)] = ids
            packet[: layout.request_size] = np.frombuffer(BulkRequest(layout).packet, np.uint8)
            self._packets.append(packet.data[: layout.request_size])
            self._parts.append(self.goals[first : first + len(ids)])
            self._sizes.append(size)
            first += len(ids)
        self._came: Octets = np.zeros(sum(self._sizes), dtype=np.uint8)
        self._room = self._came.data
        self._value: Octets = np.zeros(4 * len(MOTION) + 4, dtype=np.uint8)
        self._out = 0  # lines with outstanding replies, one bit each
        self._sent_s = NEVER_S
        # Compile the kernels of the tick before the first tick.
        self._take(b"", 0)
        make_rounds(self._parameters, 0, self._octets, self._requests)

    def fetch(self, now_s: float) -> list[BearLine]:
        """Process the bytes received by now [s]; return the lines that serve themselves.

        The caller fetches and concludes these lines.
        """
        out, which, came, sound = self._out, 0, [], []
        for i, line in enumerate(self.lines):
            data = line.port.read(now_s, out >> i & 1 == 1)
            came.append(data)
            if out >> i & 1 and len(data) == self._sizes[i]:
                which |= 1 << i
                sound.append(data)
        taken = self._take(b"".join(sound), which) if which else 0
        odd = []
        if taken.bit_count() < len(came):
            for i, line in enumerate(self.lines):
                if not taken >> i & 1:
                    self.release(i)
                    line.hear(came[i], now_s)
                    odd.append(line)
        self._out = 0
        return odd

    def drive(self, now_s: float) -> None:
        """Send every line its set-points."""
        for i, line in enumerate(self.lines):
            if self._out >> i & 1:  # two commands in one tick
                self.release(i)
            elif line.even and not self.served >> i & 1:
                self.served |= 1 << i
                self._parameters[i, TURN], self._parameters[i, TAKEN] = line.turn, 0
        served = self._out = self.served
        self._sent_s = now_s
        if served:
            make_rounds(self._parameters, served, self._octets, self._requests)
        for i, line in enumerate(self.lines):
            if not served >> i & 1:
                line.drive(self._parts[i], now_s)
            elif not line.port.write(self._packets[i]):
                self.release(i, asked=False)
                line.dismiss(now_s)

    def release(self, i: int, asked: bool = True) -> None:
        """Let a line serve itself; `asked` means that its newest round was sent."""
        bit = 1 << i
        if not self.served & bit:
            return
        out = self._out & bit != 0
        self.served &= ~bit
        self._out &= ~bit
        turn, taken = self._parameters[i, TURN : TAKEN + 1].tolist()
        answered = (turn - out) % TURN_COUNT
        self.lines[i].resume(turn, answered, taken, self._sent_s if out and asked else NEVER_S)

    def end(self) -> None:
        """Let every line serve itself."""
        for i in range(len(self.lines)):
            self.release(i)

    def _take(self, data: bytes, which: int) -> int:
        self._room[: len(data)] = data
        return take_rounds(
            self._came, self._parameters, which, self._sent_s, self._value, self._table
        )
