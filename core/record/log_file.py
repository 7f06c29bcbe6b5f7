"""Writes the MCAP file of a run."""

import errno
import math
import os
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
from mcap.writer import CompressionType, Writer

from core.link.event import Event
from core.link.hello import Hello
from core.link.partner import Human, PartnerReport, Reply
from core.link.report import Report
from core.link.status import Status
from core.record import foxglove
from core.record.errors import RecordError
from core.record.schema import SCHEMA_ENCODING, SCHEMA_NAME, describe, dtype_of
from core.record.tape import read_block

MAGIC = b"\x89MCAP0\r\n"
CHUNK_BYTES = 256 * 1024
RESERVE_BYTES = 8 * 2**20
DRAWN_S = 0.02  # period of the topics that Foxglove draws: 50 Hz

TICKS = "/ticks"
POSE = "/pose"
JOINTS = "/joints"
STATUS = "/status"
EVENTS = "/events"
REPORT = "/report"
HUMAN = "/human"
PARTNER = "/partner"
REPLY = "/reply"
Partnered: TypeAlias = Human | PartnerReport | Reply
_OF_PARTNER: Final[dict[type[Partnered], str]] = {
    Human: HUMAN,
    PartnerReport: PARTNER,
    Reply: REPLY,
}
ASTRAY_S = 5.0  # a stamp of the partner that is farther from the newest tick is not believed


def check_path(path: Path) -> None:
    """Refuse a path at which a record cannot be written, before anything starts.

    Raises:
        RecordError: the folder is missing or not writable, or another kind of file exists there.
    """
    folder = path.parent
    if not folder.is_dir():
        raise RecordError(f"the log {path} cannot be written: there is no folder {folder}")
    if path.is_dir():
        raise RecordError(f"the log {path} is a folder: name a file in it")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise RecordError(f"the log {path} cannot be written: permission denied")
    if path.is_file() and path.stat().st_size > 0:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise RecordError(
                    f"the log {path} would replace a file that is not a record: choose another name"
                )


class LogFile:
    """Writes one run; data on the disk stays readable if the writer dies.

    The log has the core's clock: time zero is the start of the record.

    Attributes:
        last_stamp_s: time of the newest tick [s].
        missing_blocks: number of blocks that never arrived.
        refused_blocks: number of blocks with another layout.
    """

    def __init__(
        self, path: Path, hello: Hello, launch: str, reserve_bytes: int = RESERVE_BYTES
    ) -> None:
        """Create the file and describe the run.

        Args:
            path: path of the file; an earlier record is replaced, any other file is not.
            hello: description of the core.
            launch: launch configuration as JSON.
            reserve_bytes: space that stays free on the disk, for the file's end and for others.

        Raises:
            RecordError: the file cannot be created.
        """
        self._path = path
        self._reserve_bytes = reserve_bytes
        self.last_stamp_s = 0.0
        self.missing_blocks = 0
        self.refused_blocks = 0
        self._next_sequence = 0
        self._joint_names = hello.joint_names
        self._dtype = dtype_of(hello)
        self._drawn_every = max(1, round(DRAWN_S / hello.tick_s))  # ticks
        self._ticks = 0
        self._sealed = False
        self._zero_s: float | None = None  # of the core's clock on the host's monotonic clock
        self._status_json = msgspec.json.Encoder()
        check_path(path)
        try:
            self._stream = path.open("wb")
            self._writer = Writer(
                self._stream, chunk_size=CHUNK_BYTES, compression=CompressionType.ZSTD
            )
            self._writer.start(profile="footlight", library="footlight")
            self._channels = {
                POSE: self._channel(POSE, foxglove.POSE, foxglove.SCHEMAS[foxglove.POSE]),
                JOINTS: self._channel(JOINTS, foxglove.JOINTS, foxglove.SCHEMAS[foxglove.JOINTS]),
                EVENTS: self._channel(EVENTS, foxglove.LOG, foxglove.SCHEMAS[foxglove.LOG]),
                STATUS: self._channel(STATUS, "footlight.Status", _json_schema(Status)),
                REPORT: self._channel(REPORT, "footlight.Report", _json_schema(Report)),
                TICKS: self._channel(
                    TICKS, SCHEMA_NAME, describe(self._dtype), SCHEMA_ENCODING, "footlight.block"
                ),
                **{
                    topic: self._channel(topic, f"footlight.{kind.__name__}", _json_schema(kind))
                    for kind, topic in _OF_PARTNER.items()
                },
            }
            about = {"hello": msgspec.json.encode(hello).decode(), "launch": launch}
            self._writer.add_metadata("footlight", about)
            self._stream.flush()
        except OSError as error:
            raise RecordError(
                f"the log {path} cannot be written: {error.strerror}", str(path)
            ) from error

    def _channel(
        self,
        topic: str,
        name: str,
        schema: bytes,
        schema_encoding: str = "jsonschema",
        message_encoding: str = "json",
    ) -> int:
        identity = self._writer.register_schema(name, schema_encoding, schema)
        return self._writer.register_channel(topic, message_encoding, identity)

    def block(self, data: bytes) -> bool:
        """Write a block of ticks and its drawn topics; return whether it was the last.

        Raises:
            OSError: the disk cannot store it.
        """
        try:
            block = read_block(data, self._dtype)
        except RecordError:
            self.refused_blocks += 1
            return False
        self.missing_blocks += max(0, block.sequence - self._next_sequence)
        self._next_sequence = block.sequence + 1
        rows = block.rows
        first_s = float(rows["t"][0]) if len(rows) else self.last_stamp_s
        self._message(TICKS, first_s, data, block.sequence)
        if len(rows):
            self._draw(rows)
            if not self._sealed:
                self._ticks += len(rows)
                self.last_stamp_s = float(rows["t"][-1])
        return block.last

    def _draw(self, rows: Any) -> None:
        for row in rows[-self._ticks % self._drawn_every :: self._drawn_every]:
            stamp_s = float(row["t"])
            position, rpy = row["base_position_est"].tolist(), row["rpy_est"].tolist()
            self._message(POSE, stamp_s, foxglove.pose(stamp_s, position, rpy))
            q, dq, tau = (row[name].tolist() for name in ("q", "dq", "tau_applied"))
            state = foxglove.joints(stamp_s, self._joint_names, q, dq, tau)
            self._message(JOINTS, stamp_s, state)

    def status(self, status: Status) -> None:
        """Write a status.

        Raises:
            OSError: the disk cannot store it.
        """
        self._zero_s = status.host_stamp_s - status.stamp_s
        data = self._status_json.encode(status)
        self._message(STATUS, status.stamp_s, data, status.sequence)

    def event(self, event: Event) -> None:
        """Write an event; an event without a time gets the time of the newest tick.

        Raises:
            OSError: the disk cannot store it.
        """
        stamp_s = self.last_stamp_s if event.stamp_s is None else event.stamp_s
        self._message(EVENTS, stamp_s, foxglove.log(stamp_s, event))

    def report(self, report: Report) -> None:
        """Write the report of the run.

        Raises:
            OSError: the disk cannot store it.
        """
        self._message(REPORT, self.last_stamp_s, self._status_json.encode(report))

    def partner(self, message: Partnered) -> None:
        """Write a message of the partner's process; before the first status it is dropped.

        Its time is its stamp on the core's clock: of a posture, when the person was so.

        Raises:
            OSError: the disk cannot store it.
        """
        if self._zero_s is None:
            return
        stamp_s = message.stamp_s - self._zero_s
        if not abs(stamp_s - self.last_stamp_s) < ASTRAY_S:
            stamp_s = self.last_stamp_s
        data = self._status_json.encode(_finite(msgspec.to_builtins(message)))
        self._message(_OF_PARTNER[type(message)], stamp_s, data)

    def seal(self) -> None:
        """Write nothing more but the end of the file; later messages are counted and dropped."""
        self._sealed = True

    def _message(self, topic: str, stamp_s: float, data: bytes, sequence: int = 0) -> None:
        if self._sealed:
            return
        stamp_ns = foxglove.nanoseconds(stamp_s)
        self._writer.add_message(
            self._channels[topic], stamp_ns, data, stamp_ns, sequence & 0xFFFFFFFF
        )

    def flush(self) -> None:
        """Flush all complete chunks to the disk.

        Raises:
            OSError: the disk cannot store them, or its free space is below the reserve.
        """
        if self._sealed:
            return
        self._stream.flush()
        disk = os.statvfs(self._path)
        if disk.f_bavail * disk.f_frsize < self._reserve_bytes:
            raise OSError(errno.ENOSPC, "the disk is full")

    def close(self) -> None:
        """End the file with its index.

        Raises:
            OSError: the disk cannot store the end; the data before it can be read.
        """
        try:
            self._writer.add_metadata(
                "end",
                {
                    "missing_blocks": str(self.missing_blocks),
                    "refused_blocks": str(self.refused_blocks),
                    "ticks": str(self._ticks),
                },
            )
            self._writer.finish()  # type: ignore[no-untyped-call]
        finally:
            self._stream.close()


def _finite(value: Any) -> Any:
    """Return a message without the fields that are not finite: JSON has no such number."""
    if isinstance(value, dict):
        return {
            key: _finite(one)
            for key, one in value.items()
            if one is not None and one == one and one not in (math.inf, -math.inf)
        }
    return value


def _json_schema(kind: type[msgspec.Struct]) -> bytes:
    """Return a struct's JSON schema with the struct itself, not a reference, at the top."""
    schema = msgspec.json.schema(kind)
    definitions = schema["$defs"]
    for other in definitions.keys() - {kind.__name__}:
        definitions[other].pop("description", None)  # the file has every schema twice
    return msgspec.json.encode({**definitions[kind.__name__], "$defs": definitions})
