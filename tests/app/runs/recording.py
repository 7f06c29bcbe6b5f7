"""A recorded run made for tests: a knee that swings, two cues, a fault, and a few events."""

import math
from pathlib import Path

from msgspec.structs import replace

from core.link.event import Event
from core.link.hello import Hello
from core.link.message import Vector3
from core.link.partner import (
    CalibrationReport,
    CalibrationState,
    Follow,
    FollowStatus,
    Human,
    PartnerReport,
    Symbol,
)
from core.link.report import Report
from core.link.statement import Severity, Statement
from core.link.status import Status
from core.record.log_file import LogFile
from core.record.schema import dtype_of
from core.record.tape import Tape
from tests.app.console.rig import HELLO

KNEE = HELLO.joint_names.index("left_knee")
LENGTH_S = 30.0
SPIKE_S, SPIKE = 21.3, 40.0  # of the knee's torque, in a single tick [N·m]
FAULT_S = (25.0, 26.5)
CALIBRATED_S, FOLLOWED_S, LEAVES_S = 1.0, 4.0, 9.0
CUES = (("1", "Hello", 2.0, 5.0), ("2", "Bow", 8.0, 12.0))
EVENTS: tuple[tuple[float, str, str, Severity], ...] = (
    (2.0, "player", "cue 1 starts", "info"),
    (8.0, "player", "cue 2 starts", "info"),
    (25.0, "core", "the knee is <hot>", "error"),
    (27.0, "operator", "RESET", "warning"),
)


def knee_at(time_s: float) -> float:
    """Return the knee's position [rad]."""
    return 0.5 * math.sin(2.0 * math.pi * 0.5 * time_s)


def mode_at(time_s: float) -> str:
    """Return the robot's mode."""
    return "FAULT" if FAULT_S[0] <= time_s < FAULT_S[1] else "READY"


def write_run(
    path: Path,
    late_s: float = 0.0,
    last: bool = True,
    hello: Hello = HELLO,
    length_s: float = LENGTH_S,
    person: tuple[Vector3, ...] = (),
) -> Path:
    """Write a run; `late_s` delays all that happens in it.

    A person (22, 3) [m] is calibrated at 1 s and followed from 4 s on, and leaves at 9 s; the robot
    goes forward at 0.1 m/s then.
    """
    blocks: list[bytes] = []
    tape = Tape(dtype_of(hello), blocks.append)
    spike = round(1e3 * SPIKE_S)
    for tick in range(round(1e3 * length_s)):
        row, then_s = tape.row(), tick / 1e3 - late_s
        row["t"][:] = tick / 1e3
        row["q"][0, KNEE] = knee_at(then_s)
        row["tau_applied"][0, KNEE] = SPIKE if tick == spike else 3.0
        row["winding_c"][0, KNEE] = 40.0 + tick / 1e3
        row["mode"][:] = hello.mode_names.index(mode_at(then_s))
        row["base_position_est"][0] = (0.1 * then_s if person else 0.0, 0.0, 0.7)
        row["tick_cpu_us"][:] = 120.0
        row["contact_est"][:] = 1.0
        tape.commit()
    tape.flush(last)
    log = LogFile(path, hello, "{}", reserve_bytes=0)
    waiting = [Event(s + late_s, actor, text, severity=kind) for s, actor, text, kind in EVENTS]
    for block in blocks:
        log.block(block)
        now_s = log.last_stamp_s
        cue = next((c for c in CUES if c[2] <= now_s - late_s < c[3]), None)
        status = Status(now_s, 200.0 + now_s, battery_v=25.0, worst_load=0.5, cues_played=2)
        if cue is not None:
            status = replace(status, running_cue=cue[0], cue_name=cue[1])
        followed = bool(person) and now_s >= FOLLOWED_S
        if followed:
            follow = FollowStatus(1, Follow("answer"), "followed", 0.012, answer="recoil")
            status = replace(status, follow=follow)
        log.status(status)
        if person and now_s < LEAVES_S:
            log.partner(Human(199.98 + now_s, person))
            state: CalibrationState = "done" if now_s >= CALIBRATED_S else "none"
            symbols = (Symbol("punch", 4, "recoil", (0.0, 1.0, 0.0), score=0.8),)
            log.partner(
                PartnerReport(
                    200.0 + now_s,
                    calibration=CalibrationReport(state),
                    symbols=symbols,
                    heard="punch" if followed else "",
                    heard_s=0.5,
                )
            )
        while waiting and (waiting[0].stamp_s or 0.0) <= now_s:
            log.event(waiting.pop(0))
    if last:
        log.report(Report(True, Statement("done"), cues_played=2))
    log.close()
    return path
