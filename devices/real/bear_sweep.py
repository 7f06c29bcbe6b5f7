"""The ordinary rounds of all lines of actuators, made and taken at once by machine code.

Mostly every line is even: all its actuators are driven and answer as they should. Then what they
are sent, and what they answer, takes one pass over the bytes of all lines. As soon as a line's
answer is anything else, or it is to do anything else, that is the line's own affair (bear_line).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from devices.compiled import compiled
from devices.interface import Floats
from devices.real.bear_line import NEVER_S, BearLine
from devices.real.bear_rounds import COLUMNS, EXTRA, GOALS, MOTION, TURNS, UNKEPT
from devices.real.bear_setup import BearPlan
from devices.real.readings import ERROR, HEARD, TOLD
from devices.wire.bear.bulk import BulkLayout, BulkRequest, Octets, Values, is_reply
from devices.wire.bear.packet import LONGEST
from devices.wire.bear.registers import TorqueEnable

Numbers = npt.NDArray[np.int64]

FIRST, COUNT, START, SIZE, TURN = range(5)  # columns of the lines' figures
TURN_COUNT = len(TURNS)
ON = int(TorqueEnable.ON)
DATA = 5  # place of the data in a reply


@compiled
def make_rounds(lines: Numbers, which: int, goals: Octets, requests: Octets) -> None:
    """Put goals and checksums into the requests of some lines.

    Args:
        lines: their figures.
        which: of them, a bit each.
        goals: of all actuators, as they go over the wire (n, 12).
        requests: one for each line and turn.
    """
    width = goals.shape[1]
    for i in range(lines.shape[0]):
        if not which >> i & 1:
            continue
        line = lines[i]
        packet = requests[i, line[TURN]]
        at = line[START]
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
    data: Octets,
    lines: Numbers,
    which: int,
    sent_s: float,
    ids: Octets,
    packets: Octets,
    values: Values,
    table: Floats,
    good: Numbers,
) -> int:
    """Put the replies of some lines into the readings, if they are sound; return of which.

    Each is a line's bit. Where the torque was asked for, every actuator must have it.

    Args:
        data: what came, line after line, each as long as its replies are.
        lines: their figures.
        which: of them data came from, a bit each.
        sent_s: when the round was sent [s].
        ids: of all actuators (n).
        packets: where their replies are put, one a row.
        values: what these hold, a view of them (n, 4).
        table: of the readings (n, 10).
        good: counts of replies by line and id.
    """
    taken = 0
    step = packets.shape[1]
    at = 0
    for i in range(lines.shape[0]):
        if not which >> i & 1:
            continue
        turn, first, stop = lines[i, TURN], lines[i, FIRST], lines[i, FIRST] + lines[i, COUNT]
        column = COLUMNS[turn]
        sound = True
        for j in range(first, stop):
            sound = sound and is_reply(data, at, step, ids[j])
            if column == UNKEPT:
                word = at + DATA + 4 * EXTRA
                sound = sound and data[word] == ON
                sound = sound and data[word + 1] == data[word + 2] == data[word + 3] == 0
            for k in range(step):
                packets[j, k] = data[at + k]
            at += step
        if not sound:
            continue
        taken |= 1 << i
        for j in range(first, stop):
            for k in range(EXTRA):
                table[j, k] = values[j, k]
            table[j, HEARD] = sent_s
            table[j, ERROR] = packets[j, DATA - 1]
            if column != UNKEPT:
                table[j, TOLD] = values[j, EXTRA]
            elif COLUMNS[turn - 1] != UNKEPT:  # what the turn before told is confirmed
                table[j, COLUMNS[turn - 1]] = table[j, TOLD]
            good[i, ids[j]] += 1
    return taken


class Sweep:
    """Serves every line that is even, all at once, and lets the others serve themselves.

    Attributes:
        good: counts of replies, for each line by id (lines, 256).
        goals: position [rad], velocity [rad/s] and current [A] of the actuators (n, 3).
        lines: of the actuators, in the order of the readings.
    """

    def __init__(self, plans: Sequence[Sequence[BearPlan]], table: Floats) -> None:
        """Make the requests; nothing is sent yet.

        Args:
            plans: actuators of each line.
            table: of the readings of all actuators (n, 10).
        """
        every = [plan.id for row in plans for plan in row]
        self.good: Numbers = np.zeros((len(plans), 256), dtype=np.int64)
        self.goals: Values = np.zeros((len(every), len(GOALS)), dtype="<f4")
        self.lines: tuple[BearLine, ...] = ()
        self._table = table
        self._octets: Octets = self.goals.view(np.uint8)
        self._ids: Octets = np.array(every, dtype=np.uint8)
        self._figures: Numbers = np.zeros((len(plans), 5), dtype=np.int64)
        self._requests: Octets = np.zeros((len(plans), TURN_COUNT, LONGEST), dtype=np.uint8)
        self._packets: list[list[memoryview]] = []
        self._parts: list[Values] = []
        first = 0
        for i, row in enumerate(plans):
            ids = tuple(plan.id for plan in row)
            layouts = [BulkLayout(ids, (*MOTION, extra), GOALS) for extra in TURNS]
            start, size = len(layouts[0].prefix()), layouts[0].request_size
            reply_size = len(ids) * layouts[0].reply_size
            self._figures[i, :TURN] = first, len(ids), start, reply_size
            for turn, layout in enumerate(layouts):
                self._requests[i, turn, :size] = np.frombuffer(BulkRequest(layout).packet, np.uint8)
            self._packets.append([memoryview(packet)[:size] for packet in self._requests[i]])
            self._parts.append(self.goals[first : first + len(ids)])
            first += len(ids)
        self._sizes: list[int] = self._figures[:, SIZE].tolist()
        step = BulkLayout((0,), (*MOTION, TURNS[0])).reply_size
        self._replies: Octets = np.zeros((len(every), step), dtype=np.uint8)
        shape, strides = (len(every), len(MOTION) + 1), (step, 4)
        self._values: Values = np.ndarray(shape, "<f4", self._replies.data, DATA, strides)
        self._sent_s = NEVER_S
        # What a tick calls is compiled now, before anybody waits for it.
        self._take(bytes(1), 0)
        make_rounds(self._figures, 0, self._octets, self._requests)

    def fetch(self, now_s: float) -> list[BearLine]:
        """Take in what came by now [s]; return the lines whose round is not taken by that.

        These are to be asked for more, and concluded.
        """
        came, which, bit = [], 0, 1
        for line, size in zip(self.lines, self._sizes, strict=True):
            swept = line.swept_s > NEVER_S
            data = line.port.read(now_s, swept)
            came.append(data)
            if swept and len(data) == size:
                which |= bit
            bit <<= 1
        if which == bit - 1:
            taken = self._take(b"".join(came), which)
        elif which:
            parts = [data for i, data in enumerate(came) if which >> i & 1]
            taken = self._take(b"".join(parts), which)
        else:
            taken = 0
        odd = []
        for line, data in zip(self.lines, came, strict=True):
            if taken & 1:
                line.settle()
            else:
                line.hear(data, now_s)
                odd.append(line)
            taken >>= 1
        return odd

    def drive(self, now_s: float) -> None:
        """Send every line its goals."""
        figures, which, bit = self._figures, 0, 1
        for i, line in enumerate(self.lines):
            if line.even and line.swept_s == NEVER_S:
                figures[i, TURN] = line.advance()
                which |= bit
            bit <<= 1
        if which:
            make_rounds(figures, which, self._octets, self._requests)
            self._sent_s = now_s
        for i, line in enumerate(self.lines):
            if which >> i & 1:
                line.launch(self._packets[i][figures[i, TURN]], now_s)
            else:
                line.drive(self._parts[i], now_s)

    def _take(self, data: bytes, which: int) -> int:
        return take_rounds(
            np.frombuffer(data, np.uint8),
            self._figures,
            which,
            self._sent_s,
            self._ids,
            self._replies,
            self._values,
            self._table,
            self.good,
        )
