"""CPU time of a tick's device input and output: the real drivers on a twin's serial lines."""

import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.__main__ import robot_unit, wired_body
from core.lab.bench.benchmark import (
    QUANTILE_HEADINGS,
    BenchError,
    Found,
    Listing,
    Order,
    Pacer,
    Part,
    Tell,
    patched,
    quantile_cells,
    quantiles,
    uncollected,
)
from core.lab.experiment import Bar
from core.lab.laboratory import ENDPOINT, Laboratory
from core.robot.folders import HARDWARE, robot_folder
from core.run.launch import LaunchConfig
from core.run.processes import ROLES, TWIN, Supervisor
from devices.interface import Body, Handset, JointCommand

LONGEST_S = 20.0  # of the twin's time, until every device answers and the motors have their supply
SETTLED_S = 0.5  # of driving, before anything is measured
ALONE = 10  # actuators of the line that is measured alone
_ROWS = re.compile(r"rows = \[.*?\n\]", re.DOTALL)


class Rounds:
    """Ticks of a body on a twin, and their processor times.

    Attributes:
        all_us: processor time of reading and writing in each tick that was measured [µs].
        line_us: of it, that of the actuators' lines [µs].
    """

    def __init__(self, body: Body, handset: Handset | None, tick_s: float) -> None:
        self._body, self._handset, self._tick_s = body, handset, tick_s
        self._now_s = body.clock.now_s()
        self._line_ns = 0
        self.all_us: list[float] = []
        self.line_us: list[float] = []

    def clocked(self, call: Callable[..., None]) -> Callable[..., None]:
        """Return a call whose time counts as that of the actuators' lines."""

        def timed(*arguments: Any) -> None:
            start_ns = time.thread_time_ns()
            call(*arguments)
            self._line_ns += time.thread_time_ns() - start_ns

        return timed

    def wake(self) -> None:
        """Bring every device to life, and the motors their supply.

        Raises:
            BenchError: that took too long.
        """
        asked = False
        while not (asked and self._body.powered()):
            self.tick(self._body.damp)
            if not asked and all(channel.closed for channel in self._body.stop_channels()):
                self._body.restore()
                asked = True
            if self._now_s > LONGEST_S:
                told = "; ".join(f"{t.device}: {t.text}" for t in self._body.troubles())
                raise BenchError(f"the twin did not come to life: {told}")

    def hold(self, command: JointCommand, seconds: float, pacer: Pacer | None = None) -> None:
        """Hold a posture for a time, and record the time of each tick if there is a pacer."""
        for tick in range(round(seconds / self._tick_s)):
            spent_ns = self.tick(lambda: self._body.write(command))
            if pacer is not None:
                self.all_us.append(1e-3 * spent_ns)
                self.line_us.append(1e-3 * self._line_ns)
                pacer.reach((tick + 1) * self._tick_s)

    def tick(self, act: Callable[[], None]) -> int:
        """Wait for the next tick, read and act; return the CPU time of both [ns]."""
        self._now_s += self._tick_s
        self._body.clock.wait_until(self._now_s)
        self._line_ns = 0
        start_ns = time.thread_time_ns()
        self._body.read()
        if self._handset is not None:
            self._handset.read(self._now_s)
        act()
        return time.thread_time_ns() - start_ns


def measured(lab: Laboratory, order: Order, hardware: str | None, pacer: Pacer) -> Rounds:
    """Return the CPU times of ticks that hold a posture on a twin.

    Args:
        lab: whose robot it is.
        order: how long, and with which seed.
        hardware: file with the devices on each line; None for the robot's own.
        pacer: receives the progress.
    """
    profile = lab.profile
    command = JointCommand.zeros(len(profile.joint_names))
    command.q[:] = profile.posture("crouch")
    command.kp[:], command.kd[:] = profile.column("kp"), profile.column("kd")
    config = LaunchConfig(
        endpoint=ENDPOINT,
        body=TWIN,
        pace="max",
        seed=order.seed,
        hardware=hardware,
        support="gantry",
    )
    twin = [role for role in ROLES if role.name == TWIN]
    with Supervisor(config, twin) as supervisor, uncollected():
        body, handset = wired_body(supervisor.config, profile)
        rounds = Rounds(body, handset, profile.tick_s)
        timed = [
            (kind, name, rounds.clocked(getattr(kind, name)))
            for kind in {type(group) for group in body.actuators}
            for name in ("read_into", "write")
        ]
        with patched(timed):
            rounds.wake()
            rounds.hold(command, SETTLED_S)
            rounds.hold(command, order.seconds, pacer)
        body.close()
    return rounds


def one_line(lab: Laboratory, folder: Path) -> str:
    """Write a hardware file with the actuators of two lines, on one line; return its path."""
    unit, _ = robot_unit(LaunchConfig(endpoint=ENDPOINT, body=TWIN), lab.profile)
    lines = Counter(row.line for row in unit.actuator_rows)
    fullest = [line for line, _ in lines.most_common(2)]
    most = [row for row in unit.actuator_rows if row.line in fullest][:ALONE]
    rows = "".join(
        f'    ["{row.joint}", "{most[0].line}", {number}, {row.gear}, {row.sign}],\n'
        for number, row in enumerate(most, 1)
    )
    text = (robot_folder(lab.profile.name) / HARDWARE).read_text(encoding="utf-8")
    path = folder / "hardware.toml"
    path.write_text(_ROWS.sub(f"rows = [\n{rows}]", text, count=1), encoding="utf-8")
    return str(path)


def run(lab: Laboratory, order: Order, tell: Tell) -> Found:
    """Hold a posture on the twin with every device, then with ten actuators on one line."""
    every = measured(lab, order, None, Pacer(tell, order.seconds, "s", 5))
    with tempfile.TemporaryDirectory(prefix="footlight-") as folder:
        path = one_line(lab, Path(folder))
        alone = measured(lab, order, path, Pacer(tell, order.seconds, "s", 5))
    unit, _ = robot_unit(LaunchConfig(endpoint=ENDPOINT, body=TWIN), lab.profile)
    lines = {row.line for row in unit.actuator_rows}
    found = {
        "every device": quantiles(every.all_us),
        f"{len(unit.actuator_rows)} actuators on {len(lines)} lines": quantiles(every.line_us),
        "10 actuators on one line": quantiles(alone.line_us),
    }
    figures = {
        "every": found["every device"]["median"],
        "every_tail": found["every device"]["p99_9"],
        "line": found["10 actuators on one line"]["median"],
        "line_tail": found["10 actuators on one line"]["p99_9"],
        "ticks": float(min(len(every.all_us), len(alone.all_us))),
    }
    listed = tuple((name, *quantile_cells(row, 0)) for name, row in found.items())
    headings = ("input and output of", *QUANTILE_HEADINGS)
    title = "A tick's device input and output (processor time)"
    return Found(figures, {"devices_us": found}, (Listing(title, headings, listed),), NOTES)


NOTES = (
    "The robot's drivers on pseudo-terminals, with a twin at their other ends. What the kernel "
    "does for the twin within one of our writes counts as ours; an adapter's own time does not "
    "appear.",
)

PART = Part(
    "devices",
    "a tick's device input and output",
    run,
    (
        Bar("every", "all devices, median", "µs", at_most=200.0),
        Bar("every_tail", "all devices, p99.9", "µs"),
        Bar("line", "ten actuators on one line, median", "µs", at_most=150.0),
        Bar("line_tail", "ten actuators on one line, p99.9", "µs"),
        Bar("ticks", "ticks counted", at_least=1.0),
    ),
)
