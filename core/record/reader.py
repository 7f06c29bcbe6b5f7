"""Reads a whole run from its file, also from a damaged one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from core.link.hello import Hello
from core.link.report import Report
from core.link.status import Status
from core.record.errors import RecordError
from core.record.run_file import RunFile

_Message = TypeVar("_Message", Status, Report)


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


def read(path: Path) -> Recording:
    """Read a run; `problem` describes the parts that cannot be read.

    Raises:
        RecordError: the file does not exist, is not a record, or holds no readable tick.
    """
    run = RunFile(path)
    blocks: list[npt.NDArray[np.void]] = []
    event_t: list[float] = []
    event_text: list[str] = []
    status = report = b""
    count = last_sequence = damaged = 0
    whole = False
    for index in range(len(run.places)):
        try:
            passage = run.passage(index)
        except RecordError:
            damaged += 1
            continue
        for block in passage.blocks:
            if len(block.rows):
                blocks.append(block.rows)
            count, last_sequence = count + 1, block.sequence
            whole = whole or block.last
        for event in passage.events:
            event_t.append(event.time_s)
            event_text.append(f"{event.actor}: {event.text}")
        status = passage.statuses[-1] if passage.statuses else status
        report = passage.report or report
        damaged += passage.bad
    run.close()
    if not blocks:
        raise RecordError(f"{path} has no readable tick", str(path))
    missing = max(0, last_sequence + 1 - count)
    return Recording(
        path=path,
        hello=run.hello,
        launch=run.launch,
        blocks=blocks,
        event_t=event_t,
        event_text=event_text,
        last_status=_decoded(status, Status),
        report=_decoded(report, Report),
        missing_blocks=missing,
        problem=problem_of(run, float(blocks[-1]["t"][-1]), missing, damaged, whole),
    )


def _decoded(data: bytes, kind: type[_Message]) -> _Message | None:
    """Return a message; None without one that can be read."""
    try:
        return msgspec.json.decode(data, type=kind) if data else None
    except (msgspec.DecodeError, ValueError):
        return None


def problem_of(run: RunFile, end_s: float, missing: int, damaged: int, whole: bool) -> str:
    """Return one sentence about missing parts, or an empty string.

    Args:
        run: the file.
        end_s: time of the last tick [s].
        missing: number of missing blocks.
        damaged: number of damaged parts.
        whole: the core ended the record.
    """
    what = []
    if not run.ended:
        what.append("its end is missing (the scribe was killed or the disk was full)")
    elif not whole:
        what.append("the core did not end it (it died, or the scribe was ended first)")
    if damaged:
        what.append(f"{damaged} damaged part{'s' if damaged > 1 else ''} left out")
    if missing:
        what.append(f"{missing} block{'s' if missing > 1 else ''} of ticks missing")
    return f"{run.path} is read up to {end_s:.2f} s: " + "; ".join(what) if what else ""
