"""The BEAR actuators of one line of the twin: parses requests, sends replies."""

import struct

import numpy as np

from devices.families.bear.twin.actuators import Bears, Indices, known
from devices.families.bear.wire import packet as wire
from devices.families.bear.wire.bulk import BulkLayout, BulkReplies, BulkRequest
from devices.families.bear.wire.packet import LONGEST, OVERHEAD, Instruction, Reply, Request
from devices.families.bear.wire.registers import TORQUE_ENABLE, Register, Table
from devices.families.bear.wire.stream import RequestStream
from devices.wire.errors import WireError

IDLE_US = 500  # silence after which a packet is discarded
MOST_LAYOUTS = 32
MOST_QUESTIONS = 64
MOST_READ = (LONGEST - OVERHEAD) // 4  # largest number of registers in a reply
_TABLES = {
    Instruction.READ_STATUS: Table.STATUS,
    Instruction.READ_CONFIG: Table.CONFIG,
    Instruction.WRITE_STATUS: Table.STATUS,
    Instruction.WRITE_CONFIG: Table.CONFIG,
}
_UNKNOWN = 0x01  # communication bit of the error byte
_PAIR = struct.Struct("<ff")


class _Round:
    """A bulk request of one layout, and the indices of its values in the register arrays."""

    def __init__(self, layout: BulkLayout, rows: dict[int, int]) -> None:
        self.request = BulkRequest(layout)
        self.replies = BulkReplies(layout) if layout.reads else None
        self.rows = [rows.get(actuator_id, -1) for actuator_id in layout.ids]
        self.known = np.array(self.rows) >= 0
        self.index = np.array(self.rows)
        self.reads = _places(self.index, layout.reads)
        self.step = layout.reply_size
        plain = [r for r in layout.writes if r is not TORQUE_ENABLE]
        self.writes = _places(self.index, tuple(plain)) if plain else None
        self.columns = [i for i, r in enumerate(layout.writes) if r is not TORQUE_ENABLE]
        self.all_plain = len(plain) == len(layout.writes)
        self.torque = -1 if self.all_plain else layout.writes.index(TORQUE_ENABLE)


def _at_once(one: bytes, other: bytes) -> bytes:
    """Return the bytes received when two replies are sent at once: a low level wins."""
    return bytes(a & b for a, b in zip(one, other, strict=True))


def _places(rows: Indices, registers: tuple[Register, ...]) -> tuple[Indices, Indices]:
    """Return rows and columns of registers in the arrays of all actuators."""
    return rows[:, None], np.array([[register.address for register in registers]], dtype=np.intp)


class BearLine:
    """Parses and answers the requests to the actuators of a line.

    Attributes:
        stream: stream that finds the requests.
        ignored: requests to ids that are not on this line, and invalid requests.
    """

    def __init__(self, bears: Bears, rows: range) -> None:
        """Connect the actuators to the line.

        Args:
            bears: all actuators.
            rows: rows of the actuators on this line.
        """
        self.stream = RequestStream()
        self.ignored = 0
        self._bears = bears
        self._mine = rows
        self._rounds: dict[bytes, _Round] = {}
        self._last: _Round | None = None
        self._questions: list[_Round | Request] = []
        self._heard_us = 0
        self._find_ids()

    def _find_ids(self) -> None:
        ids = self._bears.ids
        self._restarts = self._bears.restarts
        self._rows = {int(ids[row]): row for row in self._mine}
        # Actuators with the same id execute the same request and answer at once.
        twice = [row for row in self._mine if self._rows[int(ids[row])] != row]
        self._others = {int(ids[row]): row for row in twice}
        self._rounds.clear()
        self._last = None

    @property
    def asked(self) -> bool:
        """Whether a request waits for its reply."""
        return bool(self._questions)

    def take(self, data: bytes, now_us: int) -> None:
        """Execute the requests received at a time [µs]; keep those that need a reply."""
        if self._restarts != self._bears.restarts:
            self._find_ids()
        if now_us - self._heard_us >= IDLE_US:
            for packet in self.stream.end():
                self._obey(packet, now_us)
        self._heard_us = now_us
        if self._last is not None and self._last.request.load(data):
            self.stream.good += 1
            self._obey_bulk(self._last, now_us)
            return
        for packet in self.stream.feed(data):
            self._obey(packet, now_us)

    def answer(self) -> bytes:
        """Return the replies to all requests, with the newest measurements."""
        if not self._questions:
            return b""
        questions, self._questions = self._questions, []
        if len(questions) == 1 and isinstance(questions[0], _Round):
            return self._answer_bulk(questions[0])
        return b"".join(
            self._answer_bulk(question)
            if isinstance(question, _Round)
            else self._answer_one(question)
            for question in questions
        )

    def tell(self, now_us: int) -> bytes:
        """Return the unsolicited bytes: none."""
        del now_us
        return b""

    def _obey(self, packet: bytes, now_us: int) -> None:
        try:
            if packet[4] == Instruction.BULK:
                found = self._round(packet)
                if found.request.load(packet):
                    self._last = found
                    self._obey_bulk(found, now_us)
                return
            request = wire.decode_request(packet)
        except WireError:
            self.ignored += 1
            return
        row = self._rows.get(request.id)
        if row is None or not self._bears.alive[row]:
            self.ignored += 1
            return
        asked = len(self._questions)
        other = self._others.get(request.id)
        self._obey_one(request, row, now_us)
        # a write; both actuators execute it
        if other is not None and len(self._questions) == asked:
            self._obey_one(request, other, now_us)

    def _obey_one(self, request: Request, row: int, now_us: int) -> None:
        bears, instruction = self._bears, request.instruction
        if instruction in (Instruction.WRITE_STATUS, Instruction.WRITE_CONFIG):
            bears.feed(row, now_us)
            try:
                writes = wire.decode_writes(request)
            except WireError:
                self.ignored += 1
                return
            for address, data in writes:
                word = int.from_bytes(data, "little")
                bears.set(row, _TABLES[instruction], address, word, now_us)
            if instruction is Instruction.WRITE_CONFIG:
                self._find_ids()
        elif instruction is Instruction.SAVE_CONFIG:
            bears.save(row)
        elif instruction is Instruction.SET_POSITION:
            position_rad = _PAIR.unpack(request.parameters)[0]
            if position_rad - position_rad == 0.0:
                bears.call_position(row, position_rad)
        elif len(self._questions) < MOST_QUESTIONS and len(request.parameters) <= MOST_READ:
            self._questions.append(request)

    def _round(self, packet: bytes) -> _Round:
        writes = packet[6] & 0x0F
        entries = 7 + (packet[6] >> 4) + writes
        key = packet[4:entries] + packet[entries : -1 : 1 + 4 * writes]
        found = self._rounds.get(key)
        if found is None:
            if len(self._rounds) >= MOST_LAYOUTS:
                self._rounds.clear()
            found = self._rounds[key] = _Round(BulkLayout.of(packet), self._rows)
        return found

    def _obey_bulk(self, asked: _Round, now_us: int) -> None:
        bears = self._bears
        words = asked.request.words
        if asked.known.all() and bears.alive.all():
            if asked.writes is not None:
                bears.state[asked.writes] = words if asked.all_plain else words[:, asked.columns]
                bears.feed(asked.index, now_us)
        else:
            for i, row in enumerate(asked.rows):
                if row >= 0 and bears.alive[row] and asked.writes is not None:
                    bears.state[row, asked.writes[1][0]] = words[i, asked.columns]
                    bears.feed(row, now_us)
        if asked.torque >= 0:
            for i, row in enumerate(asked.rows):
                if row >= 0 and bears.alive[row]:
                    bears.enable(row, int(words[i, asked.torque]), now_us)
                    bears.feed(row, now_us)
        if asked.replies is not None and len(self._questions) < MOST_QUESTIONS:
            self._questions.append(asked)

    def _answer_bulk(self, asked: _Round) -> bytes:
        bears, replies = self._bears, asked.replies
        if replies is None:
            return b""
        replies.words[:] = bears.state[asked.reads]
        replies.errors[:] = bears.errors[asked.index]
        packets = bytes(replies.seal())
        if asked.known.all() and bears.alive.all() and not self._others:
            return packets
        there = [i for i, row in enumerate(asked.rows) if row >= 0 and bears.alive[row]]
        parts = [packets[i * asked.step : (i + 1) * asked.step] for i in there]
        doubled = [asked.request.layout.ids[i] in self._others for i in there]
        return b"".join(
            _at_once(part, part[::-1]) if two else part
            for part, two in zip(parts, doubled, strict=True)
        )

    def _answer_one(self, request: Request) -> bytes:
        row, other = self._rows.get(request.id), self._others.get(request.id)
        if row is None:
            return b""
        reply = self._reply_of(row, request)
        return reply if other is None else _at_once(reply, self._reply_of(other, request))

    def _reply_of(self, row: int, request: Request) -> bytes:
        bears = self._bears
        error = int(bears.errors[row])
        if request.instruction is Instruction.PING:
            return Reply(request.id, error, bears.traits.firmware).encode()
        table = _TABLES[request.instruction]
        words = bears.state if table is Table.STATUS else bears.config
        data = b""
        for address in request.parameters:
            word = 0
            if known(table, address):
                word = int(words[row, address])
            else:
                error |= _UNKNOWN
            data += word.to_bytes(4, "little")
        return Reply(request.id, error, data).encode()
