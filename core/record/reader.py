"""Reads a run from its file, also from a damaged one."""

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
from mcap.records import Channel, Chunk, Message, Metadata, Schema
from mcap.stream_reader import breakup_chunk

from core.link.hello import Hello
from core.link.report import Report
from core.link.status import Status
from core.record.errors import RecordError
from core.record.log_file import EVENTS, MAGIC, REPORT, STATUS, TICKS
from core.record.schema import is_readable, parse_description
from core.record.tape import read_block

MAX_CHUNK_BYTES = 256 * 2**20
_FRAME = struct.Struct("<BQ")


@dataclass(slots=True)
class Recording:
    """The contents of a run's file.

    Attributes:
        path: path of the file.
        hello: description of the core.
        launch: launch configuration as JSON; empty if not known.
        blocks: the ticks, one structured array for each block.
        event_t: times of the events [s].
        event_text: actors and sentences of the events.
        last_status: the last status; None without one.
        report: the report of the run; None if the run has none.
        missing_blocks: number of missing blocks.
        problem: one sentence about parts that could not be read; empty without any.
    """

    path: Path
    hello: Hello
    launch: str
    blocks: list[npt.NDArray[np.void]]
    event_t: list[float]
    event_text: list[str]
    last_status: Status | None
    report: Report | None
    missing_blocks: int
    problem: str

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the arrays of a tick."""
        return self.blocks[0].dtype.names or ()

    def column(self, name: str) -> npt.NDArray[Any]:
        """Return one array over all ticks."""
        return np.concatenate([block[name] for block in self.blocks])


@dataclass(slots=True)
class _Parts:
    """The records of a file, collected while it is read."""

    schemas: dict[int, Schema] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    metadata: dict[str, dict[str, str]] = field(default_factory=dict)
    bad_chunks: int = 0
    ended: bool = False

    def take(self, record: Any) -> None:
        if isinstance(record, Message):
            self.messages.append(record)
        elif isinstance(record, Channel):
            self.channels[record.id] = record
        elif isinstance(record, Schema):
            self.schemas[record.id] = record
        elif isinstance(record, Metadata):
            self.metadata[record.name] = record.metadata


def read(path: Path) -> Recording:
    """Read a run; `problem` describes the parts that cannot be read.

    Raises:
        RecordError: the file does not exist, is not a record, or holds no readable tick.
    """
    parts = _Parts()
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise RecordError(f"{path} is not a record of a run (it is not MCAP)", str(path))
            for opcode, content in _records(file):
                _take(parts, opcode, content)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}", str(path)) from error
    return _assemble(path, parts)


def _records(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the outer records up to the end of the file or its first damage."""
    while len(frame := file.read(_FRAME.size)) == _FRAME.size:
        opcode, length = _FRAME.unpack(frame)
        if length > MAX_CHUNK_BYTES:
            return
        content = file.read(length)
        if len(content) < length:
            return
        yield opcode, content
        if opcode == Opcode.FOOTER:
            return


def _take(parts: _Parts, opcode: int, content: bytes) -> None:
    kinds: dict[int, Any] = {
        Opcode.CHUNK: Chunk,
        Opcode.CHANNEL: Channel,
        Opcode.SCHEMA: Schema,
        Opcode.METADATA: Metadata,
    }
    kind = kinds.get(opcode)
    if kind is None:
        parts.ended = parts.ended or opcode == Opcode.FOOTER
        return
    try:
        record = kind.read(ReadDataStream(BytesIO(content)))
        if not isinstance(record, Chunk):
            parts.take(record)
            return
        if record.uncompressed_size > MAX_CHUNK_BYTES:
            raise ValueError("chunk too large")
        for inner in breakup_chunk(record, validate_crc=True):
            parts.take(inner)
    except Exception:
        # Damaged bytes can raise any exception in the decoders.
        parts.bad_chunks += 1


def _assemble(path: Path, parts: _Parts) -> Recording:
    about = parts.metadata.get("footlight", {})
    by_topic = {channel.topic: channel for channel in parts.channels.values()}
    ticks = by_topic.get(TICKS)
    schema = parts.schemas.get(ticks.schema_id) if ticks else None
    if "hello" not in about or ticks is None or schema is None:
        raise RecordError(
            f"{path} has no readable contents: the run ended before its first block, "
            "or its beginning is damaged",
            str(path),
        )
    try:
        hello = msgspec.json.decode(about["hello"], type=Hello)
    except (msgspec.DecodeError, ValueError) as error:
        raise RecordError(f"{path} has an unreadable description of its robot: {error}") from error
    dtype = parse_description(schema.data)
    if not is_readable(dtype, hello) or len(hello.stall_torque) != len(hello.joint_names):
        raise RecordError(f"{path} was written by another version of Footlight", str(path))
    blocks, sequences, bad_blocks = [], [], 0
    whole = False
    event_t: list[float] = []
    event_text: list[str] = []
    status: Status | None = None
    report: Report | None = None
    topics = {channel.id: channel.topic for channel in parts.channels.values()}
    for message in parts.messages:
        topic = topics.get(message.channel_id, "")
        try:
            if topic == TICKS:
                block = read_block(message.data, dtype)
                if len(block.rows):
                    blocks.append(block.rows)
                sequences.append(block.sequence)
                whole = whole or block.last
            elif topic == EVENTS:
                line = msgspec.json.decode(message.data)
                event_text.append(f"{line['name']}: {line['message']}")
                event_t.append(message.log_time * 1e-9)
            elif topic == STATUS:
                status = msgspec.json.decode(message.data, type=Status)
            elif topic == REPORT:
                report = msgspec.json.decode(message.data, type=Report)
        except (msgspec.DecodeError, RecordError, KeyError, TypeError, ValueError):
            bad_blocks += 1
    if not blocks:
        raise RecordError(f"{path} has no readable tick", str(path))
    expected = sequences[-1] + 1
    missing = max(0, expected - len(sequences))
    return Recording(
        path=path,
        hello=hello,
        launch=about.get("launch", ""),
        blocks=blocks,
        event_t=event_t,
        event_text=event_text,
        last_status=status,
        report=report,
        missing_blocks=missing,
        problem=_problem(path, parts, blocks, missing, bad_blocks, whole),
    )


def _problem(
    path: Path,
    parts: _Parts,
    blocks: list[npt.NDArray[np.void]],
    missing: int,
    bad: int,
    whole: bool,
) -> str:
    """Return one sentence about missing parts, or an empty string."""
    what = []
    if not parts.ended:
        what.append("its end is missing (the scribe was killed or the disk was full)")
    elif not whole:
        what.append("the core did not end it (it died, or the scribe was ended first)")
    damaged = parts.bad_chunks + bad
    if damaged:
        what.append(f"{damaged} damaged part{'s' if damaged > 1 else ''} left out")
    if missing:
        what.append(f"{missing} block{'s' if missing > 1 else ''} of ticks missing")
    if not what:
        return ""
    end_s = float(blocks[-1]["t"][-1])
    return f"{path} is read up to {end_s:.2f} s: " + "; ".join(what)
