"""Test records, made as in a run."""

from pathlib import Path

import numpy as np

from core.link.event import Event
from core.link.partner import Human
from core.link.report import Report
from core.link.statement import Statement
from core.link.status import Status
from core.record.log_file import LogFile
from core.record.schema import tick_dtype
from core.record.tape import Tape
from shows.human import BONES
from tests.stand_in import HELLO


def blocks(ticks: int, last: bool = True) -> list[bytes]:
    """Return the blocks of a run that walks 0.1 m/s, limp for its first 100 ticks."""
    found: list[bytes] = []
    noise = np.random.default_rng(1)
    tape = Tape(tick_dtype(28, 5, HELLO.simulated), found.append)
    for tick in range(ticks):
        row = tape.row()
        row["t"][:] = tick * 1e-3
        row["q"][:] = noise.normal(size=28)
        row["q_command"][:] = row["q"]
        row["q_command"][0, 3] += 3.0 if tick < 100 else 0.25 if tick == 150 else 0.0
        row["tau_applied"][0, 5] = -6.0 if tick == 120 else 1.0
        row["mode"][:] = 1 if tick < 100 else 3
        row["base_position_est"][:] = (tick * 1e-4, 0.01 * (tick % 2), 0.7)
        row["tick_cpu_us"][:] = 900.0 if tick == 3 else 100.0
        tape.commit()
    tape.flush(last)
    return found


def write(
    path: Path,
    ticks: int = 2500,
    last: bool = True,
    skip: int | None = None,
    person: bool = False,
) -> Path:
    """Write a record; `skip` loses one block, a person stands beside the robot."""
    log = LogFile(path, HELLO, '{"endpoint":"tcp/127.0.0.1:1"}', reserve_bytes=0)
    for number, block in enumerate(blocks(ticks, last)):
        if number != skip:
            log.block(block)
        log.status(Status(log.last_stamp_s, falls=0, cues_played=number))
        if person:
            log.partner(Human(log.last_stamp_s, ((0.0, 0.0, 0.0),) * len(BONES)))
        if number % 10 == 0:
            log.event(Event(log.last_stamp_s, "core", f"block {number}"))
    log.event(Event(None, "voice", "no sound device", severity="warning"))
    if last:
        log.report(Report(True, Statement("done"), cues_played=7, distance_m=0.3))
    log.close()
    return path
