"""The bulk instruction: one request writes and reads status registers of many actuators.

    FF FF FE LEN 12 M RW R1..Rr W1..Ww {ID [4 bytes x w]} x M CHK       RW = r << 4 | w

If r > 0, M ordinary replies follow in the listed order. Both sides use preallocated buffers and
views of them; no object is created for an actuator.
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

MOST_REGISTERS = 15  # registers read or written: four bits each
_FIXED = 7  # bytes before the registers' addresses
_BY_ADDRESS = {register.address: register for register in STATUS}


@compiled
def is_reply(data: Octets, first: int, step: int, actuator_id: int) -> bool:
    """Return whether the bytes at an offset are a valid reply of an actuator, `step` bytes long."""
    if data[first] != 0xFF or data[first + 1] != 0xFF:
        return False
    if data[first + 2] != actuator_id or data[first + 3] != step - 4:
        return False
    total = 0
    for i in range(first, first + step):
        total += data[i]
    return total & 0xFF == 0xFD  # the header adds 0xFE, the rest 0xFF


@compiled
def take_whole(data: Octets, ids: Octets, packets: Octets, fresh: Bools) -> bool:
    """Store the replies of all actuators if they are complete, valid and in order; return whether.

    Args:
        data: received bytes, as long as the replies.
        ids: ids of the actuators (n).
        packets: destination of the replies, one for each row.
        fresh: whether each actuator has answered (n).
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
    """Addressees of a bulk request, and the registers that it reads and writes.

    Attributes:
        ids: ids of the actuators, in the order of their replies (n).
        reads: status registers that each actuator returns (r).
        writes: status registers that are written in each actuator (w).
    """

    ids: tuple[int, ...]
    reads: tuple[Register, ...] = ()
    writes: tuple[Register, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a layout that no packet can have."""
        for actuator_id in self.ids:
            check_id(actuator_id)
        if not self.ids or len(set(self.ids)) != len(self.ids):
            raise WireError(f"a bulk request names each actuator once, not {self.ids}")
        if not self.reads and not self.writes:
            raise WireError("a bulk request reads or writes at least one register")
        if max(len(self.reads), len(self.writes)) > MOST_REGISTERS:
            raise WireError(f"a bulk request has at most {MOST_REGISTERS} registers each way")
        config = [r.name for r in (*self.reads, *self.writes) if r.table is not Table.STATUS]
        if config:
            raise WireError(f"a bulk request takes status registers only, not {', '.join(config)}")
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
        """Size of the request in bytes."""
        registers = len(self.reads) + len(self.writes)
        return _FIXED + registers + len(self.ids) * self.entry_size + 1

    @property
    def entry_size(self) -> int:
        """Size of one actuator's entry in the request in bytes."""
        return 1 + 4 * len(self.writes)

    @property
    def reply_size(self) -> int:
        """Size of one actuator's reply in bytes."""
        return OVERHEAD + 4 * len(self.reads)

    def prefix(self) -> bytes:
        """Return the request up to its first actuator."""
        counts = len(self.reads) << 4 | len(self.writes)
        addresses = bytes(register.address for register in (*self.reads, *self.writes))
        fixed = (BROADCAST, self.request_size - 4, Instruction.BULK, len(self.ids), counts)
        return HEADER + bytes(fixed) + addresses

    @classmethod
    def of(cls, packet: bytes) -> Self:
        """Return the layout of a complete bulk request.

        Raises:
            WireError: the packet is no bulk request, or it names registers that do not exist.
        """
        if len(packet) < _FIXED or packet[4] != Instruction.BULK or packet[2] != BROADCAST:
            raise WireError("the packet is no bulk request")
        count, reads, writes = packet[5], packet[6] >> 4, packet[6] & 0x0F
        entries = _FIXED + reads + writes
        if len(packet) != entries + count * (1 + 4 * writes) + 1:
            raise WireError("the length of a bulk request contradicts its header")
        addresses = packet[_FIXED:entries]
        try:
            registers = [_BY_ADDRESS[address] for address in addresses]
        except KeyError as unknown:
            raise WireError(f"there is no status register {unknown}") from None
        ids = tuple(packet[entries : -1 : 1 + 4 * writes])
        return cls(ids, tuple(registers[:reads]), tuple(registers[reads:]))


class BulkRequest:
    """One bulk request and its buffer, to send or as received.

    Attributes:
        layout: layout of the request.
        packet: the bytes; complete after `seal` or a successful `load`.
        values: values that the registers are set to (n, w), a view of the packet.
        words: the same bytes as integers, for integer registers (n, w).
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
        """Write the checksum and return the packet; the next request reuses its buffer."""
        self.packet[-1] = bear_sum(self._summed)
        return self.packet

    def load(self, packet: bytes | bytearray) -> bool:
        """Load a received packet if it is valid and has this layout; return whether."""
        if (
            len(packet) != len(self.packet)
            or packet[: len(self._prefix)] != self._prefix
            or packet[self._entries] != self._ids
            or sum(packet) & 0xFF != 0xFD  # the header adds 0xFE, the rest 0xFF
        ):
            return False
        self.packet[:] = packet
        return True


class BulkReplies:
    """The replies to one bulk request and their buffer, as received or to send.

    Attributes:
        layout: layout of the request.
        size: bytes of all replies.
        packets: the bytes of all replies in order.
        values: values of the registers (n, r), a view of the packets.
        words: the same bytes as integers, for integer registers (n, r).
        errors: error bytes (n), a view of the packets.
        fresh: whether each actuator has answered since `begin` (n).
        index: row of each actuator by its id.
    """

    def __init__(self, layout: BulkLayout) -> None:
        if not layout.reads:
            raise WireError("a bulk request without reads has no replies")
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
        """Whether every actuator has answered."""
        return bool(self.fresh.all())

    def begin(self) -> None:
        """Mark every actuator as unanswered; the values are kept."""
        self.fresh[:] = False

    def load(self, data: bytes) -> bool:
        """Load all replies at once; return False unless they are complete, valid and in order."""
        if len(data) != self.size:
            return False
        octets = np.frombuffer(data, dtype=np.uint8)
        return take_whole(octets, self._ids, self._octets, self.fresh)

    def take(self, packet: bytes) -> bool:
        """Store one valid reply; return whether it is its actuator's first."""
        row = self.row[packet[2]]
        step = self.layout.reply_size
        self.packets[row * step : (row + 1) * step] = packet
        first = not self.fresh[row]
        self.fresh[row] = True
        return first

    def seal(self) -> bytearray:
        """Write the checksum of every reply and return all replies."""
        sums = np.add.reduce(self._octets[:, 2:-1], axis=1, dtype=np.uint8)
        np.subtract(0xFF, sums, out=self._octets[:, -1])
        return self.packets
