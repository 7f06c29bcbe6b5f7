"""A long run for the bench of the window of runs: a short one again and again."""

from pathlib import Path

import msgspec
from msgspec.structs import replace

from core.link.event import Event
from core.link.status import Status
from core.record.log_file import LogFile
from core.record.run_file import RunFile
from core.record.schema import fingerprint
from core.record.tape import HEADER, LAST, MAGIC, VERSION

PAUSE_S = 1e-3  # between two repetitions


def write_long_run(short: Path, long: Path, length_s: float) -> None:
    """Write a run of a length [s] that repeats the ticks and statuses of a short one.

    Raises:
        RecordError: the short run cannot be read, or the long one cannot be written.
    """
    run = RunFile(short)
    log = LogFile(long, run.hello, run.launch)
    sequence = ticks = 0
    begin_s = 0.0
    while log.last_stamp_s < length_s:
        log.event(Event(log.last_stamp_s, "bench", "the run begins again", severity="warning"))
        for index in range(len(run.places)):
            passage = run.passage(index)
            for block in passage.blocks:
                rows = block.rows.copy()
                rows["t"] += begin_s
                ends = bool(len(rows)) and float(rows["t"][-1]) >= length_s
                head = (LAST if ends else 0, sequence, len(rows), ticks)
                layout = rows.dtype.itemsize, fingerprint(rows.dtype)
                log.block(HEADER.pack(MAGIC, VERSION, *head, *layout) + rows.tobytes())
                sequence, ticks = sequence + 1, ticks + len(rows)
            for data in passage.statuses:
                status = msgspec.json.decode(data, type=Status)
                log.status(replace(status, stamp_s=status.stamp_s + begin_s))
            if log.last_stamp_s >= length_s:
                break
        begin_s = log.last_stamp_s + PAUSE_S
    run.close()
    log.close()
