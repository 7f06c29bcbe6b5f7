"""Single packets of the BEAR protocol: encoding and decoding of requests and replies.

    request  FF FF ID LEN INST parameters CHK
    reply    FF FF ID LEN ERR  data       CHK

LEN counts the bytes after it. Layout and codes as in Westwood-Robotics/PyBEAR,
pybear/Packet.py, and omelia-iliffe/westwood-bear-rs, src/protocol.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from devices.families.bear.wire.registers import Register, Table
from devices.wire.checksums import bear_sum
from devices.wire.errors import WireError

HEADER = b"\xff\xff"
BROADCAST = 0xFE
LAST_ID = 0xFC  # the RoMeLa adapter uses FF FF FD for another protocol
OVERHEAD = 6  # bytes of a packet besides its parameters or data
LONGEST = 4 + 255
BLOCK = 0x40  # address at which Footlight's own boards take a whole message
PING_DATA = 4  # size of the answer to a ping: versions of firmware and hardware

_WORD = struct.Struct("<I")
_FLOAT = struct.Struct("<f")

Value: TypeAlias = int | float


class Instruction(IntEnum):
    """Instruction of a request."""

    PING = 0x01
    READ_STATUS = 0x02
    WRITE_STATUS = 0x03
    READ_CONFIG = 0x04
    WRITE_CONFIG = 0x05
    SAVE_CONFIG = 0x06
    SET_POSITION = 0x08
    BULK = 0x12


_READ = {Table.STATUS: Instruction.READ_STATUS, Table.CONFIG: Instruction.READ_CONFIG}
_WRITE = {Table.STATUS: Instruction.WRITE_STATUS, Table.CONFIG: Instruction.WRITE_CONFIG}


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the computer.

    Attributes:
        id: id of the actuator, or BROADCAST.
        instruction: code of the instruction.
        parameters: bytes that follow the instruction.
    """

    id: int
    instruction: Instruction
    parameters: bytes = b""

    def encode(self) -> bytes:
        """Return the packet.

        Raises:
            WireError: the id is reserved, or there are too many parameters.
        """
        if self.id != BROADCAST:
            check_id(self.id)
        return _packet(self.id, self.instruction, self.parameters)


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply of an actuator.

    Attributes:
        id: id of the actuator.
        error: its error byte (devices/families/bear/wire/faults.py).
        data: four bytes for each register that was read.
    """

    id: int
    error: int
    data: bytes = b""

    def encode(self) -> bytes:
        """Return the packet.

        Raises:
            WireError: the id is reserved, or there is too much data.
        """
        check_id(self.id)
        return _packet(self.id, self.error, self.data)

    def values(self, registers: Sequence[Register]) -> tuple[Value, ...]:
        """Return the values of the registers, in the order of the request.

        Raises:
            WireError: the length of the data does not match the registers.
        """
        if len(self.data) != 4 * len(registers):
            raise WireError(
                f"actuator {self.id} answered {len(self.data)} bytes for {len(registers)} registers"
            )
        return tuple(
            decode_value(register, self.data[4 * i : 4 * i + 4])
            for i, register in enumerate(registers)
        )


def check_id(actuator_id: int) -> None:
    """Refuse an id that no actuator may have.

    Raises:
        WireError: it is not 0 to 0xFC.
    """
    if not 0 <= actuator_id <= LAST_ID:
        raise WireError(f"actuator id {actuator_id} is not 0 to {LAST_ID}")


def encode_value(register: Register, value: Value) -> bytes:
    """Return a register's four bytes.

    Raises:
        WireError: the value does not fit the register, or is not finite.
    """
    try:
        if register.integer:
            return _WORD.pack(value)
        encoded = _FLOAT.pack(value)
        if value - value == 0.0:
            return encoded
    except (struct.error, OverflowError):
        pass
    kind = "a whole number of 32 bits" if register.integer else "a finite number"
    raise WireError(f"{register.name} takes {kind}, not {value}")


def decode_value(register: Register, data: bytes) -> Value:
    """Return the value of a register's four bytes; a float may be non-finite."""
    kind = _WORD if register.integer else _FLOAT
    value: Value = kind.unpack(data)[0]
    return value


def ping(actuator_id: int) -> bytes:
    """Return the request for an actuator's versions; the answer has PING_DATA bytes."""
    return Request(actuator_id, Instruction.PING).encode()


def read(actuator_id: int, registers: Sequence[Register]) -> bytes:
    """Return the request for registers of one table.

    Raises:
        WireError: there is no register, they are of both tables, or the answer would be too long.
    """
    table = _only_table(registers)
    if OVERHEAD + 4 * len(registers) > LONGEST:
        raise WireError(f"{len(registers)} registers do not fit one reply")
    addresses = bytes(register.address for register in registers)
    return Request(actuator_id, _READ[table], addresses).encode()


def write(actuator_id: int, values: Sequence[tuple[Register, Value]]) -> bytes:
    """Return the request that writes registers of one table; it has no reply.

    Raises:
        WireError: there is no register, they are of both tables, one is read-only or cannot
            take its value.
    """
    table = _only_table([register for register, _ in values])
    fixed = [register.name for register, _ in values if not register.writable]
    if fixed:
        raise WireError(f"{', '.join(fixed)} can only be read")
    parameters = b"".join(
        bytes((register.address,)) + encode_value(register, value) for register, value in values
    )
    return Request(actuator_id, _WRITE[table], parameters).encode()


def save_config(actuator_id: int) -> bytes:
    """Return the request that saves the configuration; it has no reply."""
    return Request(actuator_id, Instruction.SAVE_CONFIG).encode()


def set_position(actuator_id: int, position_rad: float, tolerance_rad: float) -> bytes:
    """Return the request that defines and saves the present position; it has no reply.

    Only some actuators support it (Panda, Kodiak, Mountain).

    Raises:
        WireError: a number is not finite or the tolerance negative.
    """
    if not (abs(position_rad) < 1e6 and 0.0 <= tolerance_rad < 1e6):
        raise WireError(f"position {position_rad} rad ± {tolerance_rad} rad is out of range")
    parameters = _FLOAT.pack(position_rad) + _FLOAT.pack(tolerance_rad)
    return Request(actuator_id, Instruction.SET_POSITION, parameters).encode()


def decode_request(packet: bytes) -> Request:
    """Decode a complete request.

    Raises:
        WireError: header, length, checksum or instruction are wrong.
    """
    code = _checked(packet)
    try:
        instruction = Instruction(code)
    except ValueError:
        raise WireError(f"instruction {code:#04x} is unknown") from None
    return Request(packet[2], instruction, packet[5:-1])


def decode_reply(packet: bytes) -> Reply:
    """Decode a complete reply.

    Raises:
        WireError: header, length or checksum are wrong.
    """
    error = _checked(packet)
    return Reply(packet[2], error, packet[5:-1])


def decode_writes(request: Request) -> tuple[tuple[int, bytes], ...]:
    """Return address and four bytes of every register that a write request sets.

    Raises:
        WireError: the parameters are not a sequence of these.
    """
    parameters = request.parameters
    if not parameters or len(parameters) % 5:
        raise WireError(f"a write of {len(parameters)} bytes does not hold whole registers")
    return tuple((parameters[i], parameters[i + 1 : i + 5]) for i in range(0, len(parameters), 5))


def _only_table(registers: Sequence[Register]) -> Table:
    tables = {register.table for register in registers}
    if len(tables) != 1:
        raise WireError("a request names registers of exactly one table")
    return tables.pop()


def _packet(packet_id: int, code: int, content: bytes) -> bytes:
    if len(content) > LONGEST - OVERHEAD:
        raise WireError(f"{len(content)} bytes do not fit one packet")
    body = bytes((packet_id, len(content) + 2, code)) + content
    return HEADER + body + bytes((bear_sum(body),))


def _checked(packet: bytes) -> int:
    """Return the byte after the length of a valid packet."""
    if len(packet) < OVERHEAD or packet[:2] != HEADER or packet[3] != len(packet) - 4:
        raise WireError("the bytes are no complete BEAR packet")
    if bear_sum(packet[2:-1]) != packet[-1]:
        raise WireError(f"a packet of {packet[2]} has a wrong checksum")
    return packet[4]
