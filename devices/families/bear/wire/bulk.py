"""The bulk instruction: one request sets and reads status registers of many actuators.

    FF FF FE LEN 12 M RW R1..Rr W1..Ww {ID [4 bytes x w]} x M CHK       RW = r << 4 | w

answered by M ordinary replies in the listed order, if r > 0. Both sides work in buffers that
are made once: views of them are read and written, and no object is made for an actuator.
"""

from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
import numpy.typing as npt

from devices.compiled import compiled
from devices.families.bear.wire.faults import HEALTHY
from devices.families.bear.wire.packet import (
    BROADCAST,
    HEADER,
    LONGEST,
    OVERHEAD,
    Instruction,
    check_id,
)
from devices.families.bear.wire.registers import STATUS, Register, Table
from devices.wire.checksums import bear_sum
from devices.wire.errors import WireError

Values: TypeAlias = npt.NDArray[np.float32]
Words: TypeAlias = npt.NDArray[np.uint32]
Octets: TypeAlias = npt.NDArray[np.uint8]
Bools: TypeAlias = npt.NDArray[np.bool_]

MOST_REGISTERS = 15  # read or written: a half byte each
_FIXED = 7  # bytes before the registers' addresses
_BY_ADDRESS = {register.address: register for register in STATUS}


@compiled
def is_reply(data: Octets, first: int, step: int, actuator_id: int) -> bool:
    """Tell whether bytes from a place on are a sound reply of an actuator, so many bytes long."""
    if data[first] != 0xFF or data[first + 1] != 0xFF:
        return False
    if data[first + 2] != actuator_id or data[first + 3] != step - 4:
        return False
    total = 0
    for i in range(first, first + step):
        total += data[i]
    return total & 0xFF == 0xFD  # the header counts 0xFE, the rest 0xFF


@compiled
def take_whole(data: Octets, ids: Octets, packets: Octets, fresh: Bools) -> bool:
    """Take the replies of all actuators if they are whole, sound and in order; tell whether.

    Args:
        data: as it came, as long as the replies are.
        ids: of the actuators (n).
        packets: where the replies are put, one a row.
        fresh: who has answered (n).
    """
    count, step = packets.shape
    for i in range(count):
        if not is_reply(data, i * step, step, ids[i]):
            return False
    for i in range(count):
        for j in range(step):
            packets[i, j] = data[i * step + j]
        fresh[i] = True
    return True


@dataclass(frozen=True, slots=True)
class BulkLayout:
    """Whom a bulk request addresses, what it reads and what it sets.

    Attributes:
        ids: of the actuators, in the order of their replies (n).
        reads: status registers that each tells (r).
        writes: status registers that are set in each (w).
    """

    ids: tuple[int, ...]
    reads: tuple[Register, ...] = ()
    writes: tuple[Register, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what makes no packet."""
        for actuator_id in self.ids:
            check_id(actuator_id)
        if not self.ids or len(set(self.ids)) != len(self.ids):
            raise WireError(f"a bulk request names each actuator once, not {self.ids}")
        if not self.reads and not self.writes:
            raise WireError("a bulk request reads or sets something")
        if max(len(self.reads), len(self.writes)) > MOST_REGISTERS:
            raise WireError(f"a bulk request has room for {MOST_REGISTERS} registers each way")
        config = [r.name for r in (*self.reads, *self.writes) if r.table is not Table.STATUS]
        if config:
            raise WireError(f"a bulk request knows status registers only, not {', '.join(config)}")
        fixed = [register.name for register in self.writes if not register.writable]
        if fixed:
            raise WireError(f"{', '.join(fixed)} can only be read")
        if self.request_size > LONGEST:
            raise WireError(
                f"{len(self.ids)} actuators with {len(self.writes)} registers to set need"
                f" {self.request_size} bytes, and a packet has at most {LONGEST}"
            )

    @property
    def request_size(self) -> int:
        """Bytes of the request."""
        registers = len(self.reads) + len(self.writes)
        return _FIXED + registers + len(self.ids) * self.entry_size + 1

    @property
    def entry_size(self) -> int:
        """Bytes of one actuator in the request."""
        return 1 + 4 * len(self.writes)

    @property
    def reply_size(self) -> int:
        """Bytes of one actuator's reply."""
        return OVERHEAD + 4 * len(self.reads)

    def prefix(self) -> bytes:
        """Return the request up to its first actuator."""
        counts = len(self.reads) << 4 | len(self.writes)
        addresses = bytes(register.address for register in (*self.reads, *self.writes))
        fixed = (BROADCAST, self.request_size - 4, Instruction.BULK, len(self.ids), counts)
        return HEADER + bytes(fixed) + addresses

    @classmethod
    def of(cls, packet: bytes) -> Self:
        """Return the layout of a whole bulk request.

        Raises:
            WireError: it is none, or it names registers that do not exist.
        """
        if len(packet) < _FIXED or packet[4] != Instruction.BULK or packet[2] != BROADCAST:
            raise WireError("this is no bulk request")
        count, reads, writes = packet[5], packet[6] >> 4, packet[6] & 0x0F
        entries = _FIXED + reads + writes
        if len(packet) != entries + count * (1 + 4 * writes) + 1:
            raise WireError("a bulk request is not as long as it says")
        addresses = packet[_FIXED:entries]
        try:
            registers = [_BY_ADDRESS[address] for address in addresses]
        except KeyError as unknown:
            raise WireError(f"there is no status register {unknown}") from None
        ids = tuple(packet[entries : -1 : 1 + 4 * writes])
        return cls(ids, tuple(registers[:reads]), tuple(registers[reads:]))


class BulkRequest:
    """One bulk request in a buffer of its own, to send or as it came.

    Attributes:
        layout: of the request.
        packet: the bytes; whole after `seal` or a `load` that was good.
        values: what the registers are set to (n, w), a view of the packet.
        words: the same bytes as whole numbers, for registers that hold one (n, w).
    """

    def __init__(self, layout: BulkLayout) -> None:
        self.layout = layout
        self.packet = bytearray(layout.request_size)
        self._prefix = layout.prefix()
        self._ids = bytes(layout.ids)
        start, step = len(self._prefix), layout.entry_size
        self.packet[:start] = self._prefix
        self.packet[start:-1:step] = self._ids
        shape, strides = (len(layout.ids), len(layout.writes)), (step, 4)
        self.values: Values = np.ndarray(shape, "<f4", self.packet, start + 1, strides)
        self.words: Words = np.ndarray(shape, "<u4", self.packet, start + 1, strides)
        self._summed = memoryview(self.packet)[2:-1]
        self._entries = slice(start, -1, step)

    def seal(self) -> bytearray:
        """Close the packet with its checksum and return it; it is used again next time."""
        self.packet[-1] = bear_sum(self._summed)
        return self.packet

    def load(self, packet: bytes | bytearray) -> bool:
        """Take a packet that came over the wire, if it is sound and of this layout."""
        if (
            len(packet) != len(self.packet)
            or packet[: len(self._prefix)] != self._prefix
            or packet[self._entries] != self._ids
            or sum(packet) & 0xFF != 0xFD  # the header counts 0xFE, the rest 0xFF
        ):
            return False
        self.packet[:] = packet
        return True


class BulkReplies:
    """The replies to one bulk request in a buffer of their own, as they came or to send.

    Attributes:
        layout: of the request.
        size: bytes of all replies.
        packets: the bytes of the replies one after the other.
        values: what the registers hold (n, r), a view of the packets.
        words: the same bytes as whole numbers, for registers that hold one (n, r).
        errors: error bytes (n), a view of the packets.
        fresh: who has answered since `begin` (n).
        index: the actuators' ids (n).
    """

    def __init__(self, layout: BulkLayout) -> None:
        if not layout.reads:
            raise WireError("a bulk request that reads nothing is not answered")
        self.layout = layout
        count, step = len(layout.ids), layout.reply_size
        self.size = count * step
        self.packets = bytearray(self.size)
        self.index = np.array(layout.ids)
        self.fresh = np.zeros(count, dtype=np.bool_)
        self.row = {actuator_id: i for i, actuator_id in enumerate(layout.ids)}
        shape, strides = (count, len(layout.reads)), (step, 4)
        self.values: Values = np.ndarray(shape, "<f4", self.packets, 5, strides)
        self.words: Words = np.ndarray(shape, "<u4", self.packets, 5, strides)
        self.errors: Octets = np.ndarray((count,), "u1", self.packets, 4, (step,))
        self._octets: Octets = np.ndarray((count, step), "u1", self.packets)
        self._ids: Octets = np.array(layout.ids, dtype=np.uint8)
        self._octets[:, :2] = 0xFF
        self._octets[:, 2] = self._ids
        self._octets[:, 3] = step - 4
        self.errors[:] = HEALTHY

    @property
    def complete(self) -> bool:
        """Every actuator has answered."""
        return bool(self.fresh.all())

    def begin(self) -> None:
        """Forget who has answered; the values stay."""
        self.fresh[:] = False

    def load(self, data: bytes) -> bool:
        """Take all replies at once, if they came whole, sound, in order and nothing beside them."""
        if len(data) != self.size:
            return False
        octets = np.frombuffer(data, dtype=np.uint8)
        return take_whole(octets, self._ids, self._octets, self.fresh)

    def take(self, packet: bytes) -> bool:
        """Take one sound reply; return whether its actuator answers for the first time."""
        row = self.row[packet[2]]
        step = self.layout.reply_size
        self.packets[row * step : (row + 1) * step] = packet
        first = not self.fresh[row]
        self.fresh[row] = True
        return first

    def seal(self) -> bytearray:
        """Close every reply with its checksum and return them all."""
        sums = np.add.reduce(self._octets[:, 2:-1], axis=1, dtype=np.uint8)
        np.subtract(0xFF, sums, out=self._octets[:, -1])
        return self.packets
