"""Stands in for `python -m core`: a loop without a robot, a real scribe, and idle siblings.

The seed of the launch says what the loop does besides: see `Conduct`.
"""

import math
import os
import signal
import sys
import time
from collections.abc import Sequence
from enum import IntEnum

import numpy as np

from core.link.client import Client
from core.link.event import Event
from core.link.hello import BatteryRange, Foot, Hello, WalkRange
from core.link.report import Report
from core.link.server import Server
from core.link.statement import Statement
from core.link.status import Status
from core.record import scribe
from core.record.schema import tick_dtype
from core.record.tape import Tape
from core.run.launch import LaunchConfig
from core.run.lifeline import Lifeline

JOINTS = tuple(f"joint_{i}" for i in range(28))
GROUPS = ("head", "left_arm", "right_arm", "left_hand", "right_hand")
HELLO = Hello(
    robot="kid_cosmo",
    body="sim",
    support="floor",
    pace="max",
    seed=0,
    simulated=True,
    joint_names=JOINTS,
    group_names=GROUPS,
    lower=(-1.0,) * 28,
    upper=(1.0,) * 28,
    stall_torque=(8.0,) * 28,
    mode_names=("OFF", "DAMPED", "STANDING_UP", "READY"),
    motion_state_names=("REST", "ACTION"),
    feet=(Foot("left_foot", "left_leg", "line", -0.1, 0.1),) * 2,
    walk=WalkRange(0.3, 0.1, 0.4),
    battery=BatteryRange(22.2, 20.4, 19.2, 17.4),
)


class Conduct(IntEnum):
    """How the loop behaves."""

    PLAIN = 0
    FALLS = 1
    DIES = 2
    DEAF = 3  # to SIGTERM
    REFUSES = 4


def command(role: str, config: LaunchConfig) -> Sequence[str]:
    """Return the command line of a role."""
    return (sys.executable, "-m", "tests.stand_in", role, config.to_json())


def loop(config: LaunchConfig, lifeline: Lifeline) -> int:
    """Walk nowhere for as long as the first walk order lasts; tick i is i ms after the start."""
    duration_s = config.walk[0].dur if config.walk else 60.0
    conduct = Conduct(config.seed)
    if conduct is Conduct.REFUSES:
        print("show.json is truncated", file=sys.stderr)
        return 2
    with Server(config.endpoint, config.robot, config.pace == "max") as server:
        missing = server.await_siblings(config.siblings, 20.0)
        if missing:
            print(f"these never came: {', '.join(missing)}", file=sys.stderr)
            return 1
        server.publish(HELLO)
        server.publish(Event(0.0, "core", "started"))
        tape = Tape(tick_dtype(28, 5, True), server.publish_batch)
        start_s = time.monotonic()
        tick = 0
        heard_s = math.inf  # time at which an operator was first heard
        reason = ""
        while tick < round(duration_s * 1000.0):
            asked = lifeline.ended and conduct is not Conduct.DEAF
            if asked:
                reason = "asked to end"
                break
            server.commands()
            row = tape.row()
            row["t"][:] = tick * 1e-3
            row["q"][:] = 0.001 * tick
            row["mode"][:] = 3 if tick >= 100 else 1
            row["tick_cpu_us"][:] = 100.0
            row["base_position_est"][:] = (tick * 1e-4, 0.0, 0.7)
            tape.commit()
            if tick % 20 == 0:
                mode = HELLO.mode_names[3 if tick >= 100 else 1]
                server.publish(Status(tick * 1e-3, mode=mode, cues_played=2))
            tick += 1
            if math.isinf(heard_s) and server.operator_age_s() < 1.0:
                heard_s = time.monotonic()
            if conduct is Conduct.DIES and time.monotonic() > heard_s + 0.5:
                os.kill(os.getpid(), signal.SIGKILL)
            if conduct is Conduct.FALLS and tick == 500:
                reason = "it fell at 0.50 s"
                break
            if config.pace == "real":
                time.sleep(max(0.0, start_s + tick * 1e-3 - time.monotonic()))
        server.publish(Event(tick * 1e-3, "core", reason or "done"))
        tape.flush(last=True)
        falls = int(conduct is Conduct.FALLS)
        report = Report(
            not reason, Statement(reason or "done"), tick * 1e-3, 1.0, cues_played=2, falls=falls
        )
        server.publish(report)
        return 1 if falls else 0


def idle(config: LaunchConfig, role: str, lifeline: Lifeline) -> int:
    """Beat until asked to end."""
    with Client(
        config.endpoint, config.robot, role, timeout_s=20.0, give_up=lambda: lifeline.ended
    ) as client:
        while not lifeline.ended:
            client.beat()
            time.sleep(0.02)
    return 0


def main(arguments: Sequence[str]) -> int:
    """Be one process of a run."""
    lifeline = Lifeline()
    role, config = arguments[0], LaunchConfig.from_json(arguments[1])
    np.seterr(all="raise")
    if role == "loop":
        return loop(config, lifeline)
    if role == "scribe":
        return scribe.run(config, lifeline)
    return idle(config, role, lifeline)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
