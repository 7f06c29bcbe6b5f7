"""Reads a whole run from its file, also from a damaged one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from core.link.hello import Hello
from core.link.message import decoded
from core.link.partner import Human
from core.link.report import Report
from core.link.status import Status
from core.record.completeness import Completeness
from core.record.errors import RecordError
from core.record.run_file import RunFile
from shows.human import BONES


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
        humans: postures of the person who led the robot, their stamps on the core's clock.
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
    humans: list[Human]
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
    humans: list[Human] = []
    status = report = b""
    completeness = Completeness(run)
    for index in range(len(run.places)):
        try:
            passage = run.passage(index)
        except RecordError:
            completeness.lose()
            continue
        completeness.take(passage)
        blocks += [block.rows for block in passage.blocks if len(block.rows)]
        for event in passage.events:
            event_t.append(event.time_s)
            event_text.append(f"{event.actor}: {event.text}")
        for told in passage.humans:
            human = decoded(told.content, Human)
            if human is not None and len(human.positions) == len(BONES):
                humans.append(replace(human, stamp_s=told.time_s))
        status = passage.statuses[-1] if passage.statuses else status
        report = passage.report or report
    run.close()
    if not blocks:
        raise RecordError(f"{path} has no readable tick", str(path))
    return Recording(
        path=path,
        hello=run.hello,
        launch=run.launch,
        blocks=blocks,
        event_t=event_t,
        event_text=event_text,
        humans=humans,
        last_status=decoded(status, Status),
        report=decoded(report, Report),
        missing_blocks=completeness.missing,
        problem=completeness.problem(float(blocks[-1]["t"][-1])),
    )
