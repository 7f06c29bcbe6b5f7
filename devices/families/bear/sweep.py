"""The ordinary rounds of all lines of actuators, made and taken at once by machine code.

Mostly every line is even: all its actuators are driven and answer as they should. Then what they
are sent, and what they answer, takes one pass over the bytes of all lines. As soon as a line's
answer is anything else, or it is to do anything else, that is the line's own affair (bear_line).
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

# Columns of the lines' figures: row of the first actuator, their count, place of their entries in
# a request, bytes of their replies, turn of the newest round, rounds that were taken, and the ids.
FIRST, COUNT, START, SIZE, TURN, TAKEN, IDS = range(7)
TURN_COUNT, GOAL_COUNT = len(TURNS), len(GOALS)
ADDRESSES = tuple(register.address for register in TURNS)
ON = int(TorqueEnable.ON)
DATA = 5  # place of the data in a reply


@compiled
def make_rounds(lines: Numbers, which: int, goals: Octets, requests: Octets) -> None:
    """Make the next requests of some lines.

    Args:
        lines: their figures.
        which: of them, a bit each.
        goals: of all actuators, as they go over the wire (n, 12).
        requests: one for each line, whole but for turn, goals and checksum.
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
    """Put the replies of some lines into the readings, if they are sound; return of which.

    Each is a line's bit. Where the torque was asked for, every actuator must have it.

    Args:
        data: what came, line after line, each as long as its replies are.
        lines: their figures.
        which: of them data came from, a bit each.
        sent_s: when the round was sent [s].
        octets: room for the data of one reply (16).
        table: of the readings (n, 10).
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
            elif before != UNKEPT:  # what the turn before told is confirmed
                row[before] = row[TOLD]
    return taken


class Sweep:
    """Serves every line that is even, all at once, and lets the others serve themselves.

    Attributes:
        goals: position [rad], velocity [rad/s] and current [A] of the actuators (n, 3).
        lines: of the actuators, in the order of the readings.
        served: lines that it serves, a bit each.
    """

    def __init__(self, plans: Sequence[Sequence[BearPlan]], table: Floats) -> None:
        """Make the requests; nothing is sent yet.

        Args:
            plans: actuators of each line.
            table: of the readings of all actuators (n, 10).
        """
        count = sum(map(len, plans))
        self.goals: Values = np.zeros((count, len(GOALS)), dtype="<f4")
        self.lines: tuple[BearLine, ...] = ()
        self.served = 0
        self._table = table
        self._octets: Octets = self.goals.view(np.uint8)
        self._figures: Numbers = np.zeros((len(plans), IDS + MOST), dtype=np.int64)
        self._requests: Octets = np.zeros((len(plans), LONGEST), dtype=np.uint8)
        self._packets: list[memoryview] = []
        self._parts: list[Values] = []
        self._sizes: list[int] = []
        first = 0
        for figures, packet, row in zip(self._figures, self._requests, plans, strict=True):
            ids = tuple(plan.id for plan in row)
            layout = BulkLayout(ids, (*MOTION, TURNS[0]), GOALS)
            size = len(ids) * layout.reply_size
            figures[:TURN] = first, len(ids), len(layout.prefix()), size
            figures[IDS : IDS + len(ids)] = ids
            packet[: layout.request_size] = np.frombuffer(BulkRequest(layout).packet, np.uint8)
            self._packets.append(packet.data[: layout.request_size])
            self._parts.append(self.goals[first : first + len(ids)])
            self._sizes.append(size)
            first += len(ids)
        self._came: Octets = np.zeros(sum(self._sizes), dtype=np.uint8)
        self._room = self._came.data
        self._value: Octets = np.zeros(4 * len(MOTION) + 4, dtype=np.uint8)
        self._out = 0  # lines whose round is out, a bit each
        self._sent_s = NEVER_S
        # What a tick calls is compiled now, before anybody waits for it.
        self._take(b"", 0)
        make_rounds(self._figures, 0, self._octets, self._requests)

    def fetch(self, now_s: float) -> list[BearLine]:
        """Take in what came by now [s]; return the lines that serve themselves.

        These are to be asked for more, and concluded.
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
        """Send every line its goals."""
        for i, line in enumerate(self.lines):
            if self._out >> i & 1:  # two commands in one tick
                self.release(i)
            elif line.even and not self.served >> i & 1:
                self.served |= 1 << i
                self._figures[i, TURN], self._figures[i, TAKEN] = line.turn, 0
        served = self._out = self.served
        self._sent_s = now_s
        if served:
            make_rounds(self._figures, served, self._octets, self._requests)
        for i, line in enumerate(self.lines):
            if not served >> i & 1:
                line.drive(self._parts[i], now_s)
            elif not line.port.write(self._packets[i]):
                self.release(i, asked=False)
                line.dismiss(now_s)

    def release(self, i: int, asked: bool = True) -> None:
        """Let a line serve itself from now on; `asked` tells whether its newest round was sent."""
        bit = 1 << i
        if not self.served & bit:
            return
        out = self._out & bit != 0
        self.served &= ~bit
        self._out &= ~bit
        turn, taken = self._figures[i, TURN : TAKEN + 1].tolist()
        answered = (turn - out) % TURN_COUNT
        self.lines[i].resume(turn, answered, taken, self._sent_s if out and asked else NEVER_S)

    def end(self) -> None:
        """Let every line serve itself from now on."""
        for i in range(len(self.lines)):
            self.release(i)

    def _take(self, data: bytes, which: int) -> int:
        self._room[: len(data)] = data
        return take_rounds(self._came, self._figures, which, self._sent_s, self._value, self._table)
