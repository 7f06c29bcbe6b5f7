"""The processes of a run: a table of their roles, and a supervisor that starts and ends them."""

import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from types import TracebackType
from typing import IO, Literal, Self, TypeAlias

import msgspec

from core.run.launch import Argument, LaunchConfig
from core.run.lifeline import PARENT_VARIABLE

ROOT = Path(__file__).resolve().parents[2]
LOOP = "loop"
SCRIBE = "scribe"
STAGEHAND = "stagehand"
TWIN: Literal["twin"] = "twin"
INCOMPLETE = 1  # exit status of a core that did not complete its task, for example after a fall
NOWHERE = "tcp/127.0.0.1:0"  # a twin without a core needs no link
REFUSED = 2  # exit status of a core that refused its configuration
LOOP_END_S = 10.0  # longest time to settle and to send the last block
SIBLING_END_S = 5.0
QUICK_S = 10.0  # a process that dies sooner is not started again at once
PATIENCE_S = (0.0, 0.0, 1.0, 2.0, 5.0, 10.0)  # delay of a start by the number of quick deaths
_WAIT_S = 0.02

CommandLine: TypeAlias = Callable[[str, LaunchConfig], Sequence[str]]


class Loss(Enum):
    """Effect of a process's death on its run; a process that refuses its input always ends it."""

    ENDS = auto()
    MISSED = auto()  # the run continues without it
    REPLACED = auto()  # the run continues, and the process is started again


def _ends(config: LaunchConfig) -> Loss:
    return Loss.ENDS


@dataclass(frozen=True, slots=True)
class Role:
    """One kind of process.

    Attributes:
        name: name of the role: `python -m core NAME`.
        needed: whether a run needs it.
        awaited: the core waits for its first heartbeat before it starts.
        finishes: it may end with success shortly before the core does.
        loss: effect of its death; see `Supervisor.revive`.
    """

    name: str
    needed: Callable[[LaunchConfig], bool]
    awaited: bool
    finishes: bool = False
    loss: Callable[[LaunchConfig], Loss] = _ends


# The core starts its watchdog itself: the two share a pipe that no other process may hold.
# A run with the autopilot exists for its record and its result, and ends if one is lost; a run
# with operators continues.
ROLES = (
    Role(LOOP, lambda config: True, awaited=False),
    Role(
        SCRIBE,
        lambda config: config.log is not None,
        awaited=True,
        finishes=True,
        loss=lambda config: Loss.ENDS if config.autopilot else Loss.MISSED,
    ),
    Role(
        STAGEHAND,
        lambda config: True,
        awaited=True,
        loss=lambda config: Loss.ENDS if config.autopilot else Loss.REPLACED,
    ),
    # An autopilot records no takes.
    Role(
        "recorder",
        lambda config: not config.autopilot,
        awaited=True,
        loss=lambda config: Loss.REPLACED,
    ),
    # Without it the robot plays its show, and no order to follow a person is in force.
    Role(
        "partner",
        lambda config: bool(config.source) or not config.autopilot,
        awaited=False,
        loss=lambda config: Loss.REPLACED,
    ),
    # It ends with its core.
    Role(TWIN, lambda config: config.body == TWIN, awaited=False, finishes=True),
    # At any other pace than real time, sound has no time and silence no meaning.
    Role(
        "voice",
        lambda config: config.pace == "real",
        awaited=True,
        loss=lambda config: Loss.REPLACED,
    ),
)


def core_command(role: str, config: Argument) -> Sequence[str]:
    """Return the command line of a process of the core."""
    # -P: do not import a folder named core in the working directory.
    return (sys.executable, "-P", "-m", "core", role, "--json", config.to_json())


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended.

    Attributes:
        completed: the core ended without a request and reported success.
        reason: one sentence; empty if it completed.
        first: role of the process that ended first; None if the run was ended from outside.
        core_status: exit status of the core's process; negative if a signal killed it.
        log_complete: the scribe wrote the last block.
    """

    completed: bool
    reason: str
    first: str | None
    core_status: int
    log_complete: bool


@dataclass(slots=True)
class _Child:
    """A running process and its output.

    Attributes:
        loss: effect of its death on this run.
        started_s: time of its start on the monotonic clock [s].
        quick_deaths: number of quick deaths in a row, this one included.
        again_s: time of the next start of a dead process; infinity for never [s].
        cut_short: it did not end on request, and was killed.
    """

    role: Role
    loss: Loss
    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    started_s: float
    quick_deaths: int = 0
    again_s: float | None = None
    cut_short: bool = False

    def outlived(self) -> bool:
        """Return whether the run continues after its end."""
        return self.loss is not Loss.ENDS and self.process.returncode != REFUSED

    def failed(self) -> bool:
        """Return whether it ended without a request and without success."""
        return not self.cut_short and self.process.poll() not in (None, 0, -signal.SIGTERM)

    def last_words(self) -> str:
        """Return the last line of its standard error output."""
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def fate(self) -> str:
        """Return how it ended, as the end of a sentence."""
        code = self.process.returncode
        words = self.last_words()
        if code is not None and code < 0:
            killed = f"was killed ({signal.Signals(-code).name})"
            return f"{killed}; it last wrote: {words}" if words else killed
        return f"ended unexpectedly: {words}" if words else f"ended with exit status {code}"


class Supervisor:
    """Starts the processes of a run and ends them together.

    Each child leads its own process group, so that Ctrl-C reaches the supervisor alone. It ends
    them in order: first the core, then the scribe, which has received all blocks by then. If the
    supervisor itself dies, the kernel signals every child (core/run/lifeline.py).
    """

    def __init__(
        self,
        config: LaunchConfig,
        roles: Sequence[Role] = ROLES,
        command: CommandLine = core_command,
    ) -> None:
        """Choose the processes of this run; starts nothing."""
        self._roles = [role for role in roles if role.needed(config)]
        awaited = (role.name for role in self._roles if role.awaited)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        if config.body == TWIN and config.ports is None:
            self._folder = tempfile.TemporaryDirectory(prefix="footlight-")
            config = msgspec.structs.replace(config, ports=self._folder.name)
        self.config = msgspec.structs.replace(config, siblings=(*config.siblings, *awaited))
        self._command = command
        self._children: list[_Child] = []

    def start(self) -> None:
        """Start every process.

        Raises:
            OSError: a process cannot be started; those already started are ended.
        """
        for role in self._roles:
            try:
                self._children.append(self._start_one(role))
            except OSError:
                self._kill_all()
                raise

    def _start_one(self, role: Role) -> _Child:
        environment = child_environment()
        errors = tempfile.TemporaryFile()
        try:
            process = subprocess.Popen(
                list(self._command(role.name, self.config)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=environment,
                process_group=0,
            )
        except OSError:
            errors.close()
            raise
        return _Child(role, role.loss(self.config), process, errors, time.monotonic())

    def revive(self) -> str:
        """Start dead processes again where the table says so; call it some times a second.

        Returns:
            A sentence for the operator about each death that the run survives, or an empty string.
        """
        reports = []
        for index, child in enumerate(self._children):
            if child.process.poll() is None or not child.outlived() or self._finished(child):
                continue
            now_s = time.monotonic()
            if child.again_s is None:
                child.again_s = self._again_s(child, now_s)
                replaced = child.again_s < math.inf
                plan = "it is started again" if replaced else "the run continues without it"
                reports.append(f"the {child.role.name} {child.fate()}; {plan}")
            if now_s < child.again_s:
                continue
            try:
                successor = self._start_one(child.role)
            except OSError:
                child.again_s = now_s + PATIENCE_S[-1]
                continue
            successor.quick_deaths = child.quick_deaths
            child.errors.close()
            self._children[index] = successor
        return "; ".join(reports)

    @staticmethod
    def _again_s(child: _Child, now_s: float) -> float:
        """Return the time at which a dead process is started again [s]."""
        if child.loss is Loss.MISSED:
            return math.inf
        quick = now_s - child.started_s < QUICK_S
        child.quick_deaths = child.quick_deaths + 1 if quick else 0
        return now_s + PATIENCE_S[min(child.quick_deaths, len(PATIENCE_S) - 1)]

    @staticmethod
    def _finished(child: _Child) -> bool:
        return child.role.finishes and child.process.returncode == 0

    def pids(self) -> dict[str, int]:
        """Return the process id of each role."""
        return {child.role.name: child.process.pid for child in self._children}

    def ended(self) -> str | None:
        """Return the role of a process whose end ends the run; None without one."""
        # The core comes first in the table: others end because of it.
        for child in self._children:
            if child.process.poll() is None or child.outlived() or self._finished(child):
                continue
            return child.role.name
        return None

    def end(self, hurry: Callable[[], bool] = lambda: False) -> Ending:
        """End every process in order and return how the run ended; `hurry` cuts the waits short."""
        try:
            first = self.ended()
            loop, scribe, others = self._sorted()
            if loop is not None:
                self._end_one(loop, LOOP_END_S, hurry)
            for child in others:
                self._signal(child, signal.SIGTERM)
            if scribe is not None:
                if loop is not None and loop.process.returncode in (0, INCOMPLETE):
                    self._wait(scribe, SIBLING_END_S, hurry)  # it has or gets the last block
                self._end_one(scribe, SIBLING_END_S, hurry)
            deadline = time.monotonic() + SIBLING_END_S
            for child in others:
                self._end_one(child, max(0.0, deadline - time.monotonic()), hurry)
            first = self._culprit(first)
            reason = self._reason(first)
            log_complete = scribe is None or scribe.process.returncode == 0
            completed = first == LOOP and loop is not None and loop.process.returncode == 0
            status = -1 if loop is None else loop.process.returncode
            return Ending(completed, "" if completed else reason, first, status, log_complete)
        finally:
            self._kill_all()

    def _sorted(self) -> tuple[_Child | None, _Child | None, list[_Child]]:
        by_name = {child.role.name: child for child in self._children}
        others = [child for child in self._children if child.role.name not in (LOOP, SCRIBE)]
        return by_name.get(LOOP), by_name.get(SCRIBE), others

    def _culprit(self, first: str | None) -> str | None:
        """Return the role that ended first; call it when all have ended.

        A core whose twin fails may end before it; the core reports only that the twin has ended,
        and the twin reports the reason.
        """
        by_name = {child.role.name: child for child in self._children}
        core, twin = by_name.get(LOOP), by_name.get(TWIN)
        if first != LOOP or core is None or core.process.returncode not in (INCOMPLETE, REFUSED):
            return first
        return TWIN if twin is not None and twin.failed() else first

    def _reason(self, first: str | None) -> str:
        if first is None:
            return "the run was ended from outside"
        child = next(c for c in self._children if c.role.name == first)
        if first != LOOP:
            return f"the {first} {child.fate()}; the run ends without it"
        if child.process.returncode in (INCOMPLETE, REFUSED):
            return child.last_words() or "the core ended the run"
        return f"the core {child.fate()}"

    def _end_one(self, child: _Child, patience_s: float, hurry: Callable[[], bool]) -> None:
        self._signal(child, signal.SIGTERM)
        if not self._wait(child, patience_s, hurry):
            child.cut_short = True
            self._signal(child, signal.SIGKILL)
            child.process.wait()

    def _wait(self, child: _Child, patience_s: float, hurry: Callable[[], bool]) -> bool:
        deadline = time.monotonic() + patience_s
        while child.process.poll() is None:
            if time.monotonic() > deadline or hurry():
                return False
            time.sleep(_WAIT_S)
        return True

    def _signal(self, child: _Child, number: signal.Signals) -> None:
        if child.process.poll() is None:
            child.process.send_signal(number)

    def _kill_all(self) -> None:
        for child in self._children:
            self._signal(child, signal.SIGKILL)
            child.process.wait()
            child.errors.close()
        self._children = []
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._kill_all()


def child_environment() -> dict[str, str]:
    """Return the environment of a child process: it finds this code and ends with its parent."""
    environment = dict(os.environ)
    environment[PARENT_VARIABLE] = str(os.getpid())
    paths = [str(ROOT), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    return environment


def lone_twin(robot: str, faults: str | None) -> Supervisor:
    """Return a supervisor of a twin without a core, for the doctor and commissioning.

    Args:
        robot: name of its profile.
        faults: file with its fault script; None without one.
    """
    config = LaunchConfig(
        endpoint=NOWHERE, robot=robot, body=TWIN, pace="max", support="gantry", faults=faults
    )
    return Supervisor(config, [role for role in ROLES if role.name == TWIN])
