"""The file of a run, read chunk by chunk: only the places of the chunks are kept in memory."""

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np
import numpy.typing as npt
from mcap.data_stream import ReadDataStream
from mcap.opcode import Opcode
from mcap.records import Channel, Chunk, Metadata, Schema
from mcap.stream_reader import get_chunk_data_stream

from core.link.hello import Hello
from core.record.errors import RecordError
from core.record.log_file import EVENTS, HUMAN, MAGIC, PARTNER, REPORT, STATUS, TICKS
from core.record.schema import identity_of, is_readable, parse_description
from core.record.tape import Block, read_block

MAX_CHUNK_BYTES = 256 * 2**20
_FRAME = struct.Struct("<BQ")
_TIMES = struct.Struct("<QQ")
_MESSAGE = struct.Struct("<HIQQ")
_DESCRIBED: dict[int, Any] = {
    Opcode.CHANNEL: Channel,
    Opcode.SCHEMA: Schema,
    Opcode.METADATA: Metadata,
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chunk is.

    Attributes:
        offset: first byte of its record in the file.
        length: of the record [bytes].
        start_s: time of its first message [s].
        end_s: time of its last message [s].
    """

    offset: int
    length: int
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Noted:
    """An event.

    Attributes:
        time_s: on the core's clock [s].
        actor: who caused it.
        text: its sentence.
        severity: 2 information, 3 warning, 4 error.
    """

    time_s: float
    actor: str
    text: str
    severity: int


@dataclass(frozen=True, slots=True)
class Told:
    """A message of the partner's process.

    Attributes:
        time_s: its stamp on the core's clock [s].
        content: as JSON.
    """

    time_s: float
    content: bytes


@dataclass(slots=True)
class Passage:
    """The contents of a chunk.

    Attributes:
        blocks: of ticks.
        events: in order.
        statuses: as JSON.
        report: of the run, as JSON; empty if it is not here.
        humans: postures of the person who leads the robot.
        partners: reports of the partner's process.
        bad: number of messages that cannot be read.
    """

    blocks: list[Block] = field(default_factory=list)
    events: list[Noted] = field(default_factory=list)
    statuses: list[bytes] = field(default_factory=list)
    report: bytes = b""
    humans: list[Told] = field(default_factory=list)
    partners: list[Told] = field(default_factory=list)
    bad: int = 0

    @property
    def rows(self) -> npt.NDArray[np.void] | None:
        """The ticks as one array; None without any."""
        found = [block.rows for block in self.blocks if len(block.rows)]
        return np.concatenate(found) if found else None


class RunFile:
    """Reads a run; one thread at a time.

    Attributes:
        path: of the file.
        hello: description of the core.
        launch: launch configuration as JSON; empty if not known.
        dtype: of a tick.
        places: of the chunks, in order.
        ended: the file has its end.
    """

    def __init__(self, path: Path) -> None:
        """Find the chunks.

        Raises:
            RecordError: the file does not exist, is not a record, or its beginning is damaged.
        """
        self.path, self.ended = path, False
        self._schemas: dict[int, Schema] = {}
        self._channels: dict[int, Channel] = {}
        self._metadata: dict[str, dict[str, str]] = {}
        self._topics: dict[int, str] = {}
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise RecordError(f"{path} cannot be read: {error.strerror}", str(path)) from error
        try:
            self.places = tuple(self._scan(self._file))
            self.hello, self.dtype, self._identity = self._describe()
        except OSError as error:
            self._file.close()
            raise RecordError(f"{path} cannot be read: {error.strerror}", str(path)) from error
        except RecordError:
            self._file.close()
            raise
        self.launch = self._metadata["footlight"].get("launch", "")

    @property
    def arrays(self) -> tuple[str, ...]:
        """Names of the arrays of a tick."""
        return self.dtype.names or ()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def passage(self, index: int) -> Passage:
        """Read a chunk.

        Raises:
            RecordError: it is damaged.
        """
        found = Passage()
        for topic, time_ns, content in self._messages(self._unpacked(index)):
            try:
                if topic == TICKS:
                    found.blocks.append(read_block(content, self.dtype, self._identity))
                elif topic == EVENTS:
                    line = msgspec.json.decode(content)
                    found.events.append(
                        Noted(time_ns * 1e-9, line["name"], line["message"], int(line["level"]))
                    )
                elif topic == STATUS:
                    found.statuses.append(bytes(content))
                elif topic == REPORT:
                    found.report = bytes(content)
                elif topic == HUMAN:
                    found.humans.append(Told(time_ns * 1e-9, bytes(content)))
                elif topic == PARTNER:
                    found.partners.append(Told(time_ns * 1e-9, bytes(content)))
            except (msgspec.DecodeError, RecordError, KeyError, TypeError, ValueError):
                found.bad += 1
        return found

    # Inside

    def _scan(self, file: BinaryIO) -> Iterator[Place]:
        """Yield the chunks up to the end of the file or its first damage; note descriptions."""
        if file.read(len(MAGIC)) != MAGIC:
            raise RecordError(
                f"{self.path} is not a record of a run (it is not MCAP)", str(self.path)
            )
        end, offset = os.fstat(file.fileno()).st_size, file.tell()
        while offset + _FRAME.size <= end:
            file.seek(offset)
            opcode, length = _FRAME.unpack(file.read(_FRAME.size))
            offset += _FRAME.size
            if length > MAX_CHUNK_BYTES or offset + length > end:
                return
            if opcode == Opcode.CHUNK and length >= _TIMES.size:
                start_ns, end_ns = _TIMES.unpack(file.read(_TIMES.size))
                yield Place(offset, length, start_ns * 1e-9, end_ns * 1e-9)
            elif opcode in _DESCRIBED:
                self._note(opcode, file.read(length))
            elif opcode == Opcode.FOOTER:
                self.ended = True
                return
            offset += length

    def _note(self, opcode: int, content: bytes) -> None:
        try:
            record = _DESCRIBED[opcode].read(ReadDataStream(BytesIO(content)))
        except Exception:
            # Damaged bytes can raise any exception in the decoders.
            return
        if isinstance(record, Channel):
            self._channels[record.id] = record
        elif isinstance(record, Schema):
            self._schemas[record.id] = record
        else:
            self._metadata[record.name] = record.metadata

    def _describe(self) -> tuple[Hello, np.dtype[np.void], int]:
        """Return the robot, the type of a tick, and the fingerprint of its layout."""
        path = self.path
        for index in range(len(self.places)):
            if self._schema() is not None:
                break
            try:  # without the file's end, the first chunk has the descriptions
                for opcode, content in _records(self._unpacked(index)):
                    if opcode in _DESCRIBED:
                        self._note(opcode, bytes(content))
            except RecordError:
                continue
        about, schema = self._metadata.get("footlight", {}), self._schema()
        if "hello" not in about or schema is None:
            raise RecordError(
                f"{path} has no readable contents: the run ended before its first block, "
                "or its beginning is damaged",
                str(path),
            )
        try:
            hello = msgspec.json.decode(about["hello"], type=Hello)
        except (msgspec.DecodeError, ValueError) as error:
            raise RecordError(f"{path} has an unreadable description of its robot: {error}") from (
                error
            )
        dtype = parse_description(schema.data)
        if not is_readable(dtype, hello) or len(hello.stall_torque) != len(hello.joint_names):
            raise RecordError(f"{path} was written by another version of Footlight", str(path))
        self._topics = {number: channel.topic for number, channel in self._channels.items()}
        return hello, dtype, identity_of(schema.data)

    def _schema(self) -> Schema | None:
        """Return the description of a tick."""
        ticks = next((c for c in self._channels.values() if c.topic == TICKS), None)
        return None if ticks is None else self._schemas.get(ticks.schema_id)

    def _unpacked(self, index: int) -> memoryview:
        """Return the records of a chunk.

        Raises:
            RecordError: it is damaged.
        """
        place = self.places[index]
        self._file.seek(place.offset)
        try:
            chunk = Chunk.read(ReadDataStream(BytesIO(self._file.read(place.length))))
            if chunk.uncompressed_size > MAX_CHUNK_BYTES:
                raise ValueError("chunk too large")
            stream, length = get_chunk_data_stream(chunk, validate_crc=True)
            return memoryview(stream.read(length))
        except Exception as error:
            # Damaged bytes can raise any exception in the decoders.
            raise RecordError(f"a part of {self.path} is damaged", str(self.path)) from error

    def _messages(self, chunk: memoryview) -> Iterator[tuple[str, int, memoryview]]:
        """Yield topic, time [ns] and contents of each message of a chunk."""
        for opcode, content in _records(chunk):
            if opcode == Opcode.MESSAGE and len(content) >= _MESSAGE.size:
                channel, _, time_ns, _ = _MESSAGE.unpack_from(content)
                yield self._topics.get(channel, ""), time_ns, content[_MESSAGE.size :]


def _records(chunk: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Yield opcode and contents of each record of a chunk; the library takes ten times as long."""
    offset, end = 0, len(chunk)
    while offset + _FRAME.size <= end:
        opcode, length = _FRAME.unpack_from(chunk, offset)
        offset += _FRAME.size
        if length > end - offset:
            raise RecordError("a record in a chunk is longer than the chunk")
        yield opcode, chunk[offset : offset + length]
        offset += length
