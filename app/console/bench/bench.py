"""The console's bench: a show is played without and with a console, whose keys are pressed.

Everything is measured across the processes on the host's monotonic clock. The robot is limp
where STOP is pressed: the path of a STOP to the body is the same, and nothing needs a lift.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

import msgspec

from app.console.bench.found import Found, Spread, middle
from app.console.bench.hogs import hogs
from app.console.bench.lateness import spread
from app.console.bench.probe import FILE, ORDER, PLAYED, PRESSED, Probed, ProbeOrder, begun
from app.keeper import console_environment
from core.link.catalogue.faults import OPERATOR_SILENT_HOLD
from core.link.catalogue.refusals import REFUSED
from core.link.catalogue.safety import FAULT_BEGAN, FAULT_BEGAN_WITH
from core.link.client import Client
from core.link.commands import Command, Go, LoadShow, ResetShow, StandUp
from core.link.statement import Statement
from core.link.status import Status
from core.link.wording import text
from shows.document import Cue, GestureClip, GestureTrack, HeadClip, HeadTrack, Show
from shows.storage import save_show

STATE_S = 90.0  # to load a show, and to stand up
SETTLED_S = 3.0
# The tick without and with a console is compared by turns, since a machine's phases differ by
# more than a console does.
TURNS, TURN_S = 5, 16.0
LATELY_S = 2.5  # of a cue, until the core's figures are its alone
PRESS_S = 8.0  # at most, on the average
OPEN_S = 120.0
EMPTY_S = 20.0  # for which an empty window is watched


class ConsoleBenchError(Exception):
    """The bench could not be made."""


def bench_show() -> Show:
    """Return a show with a cue that acts at once, and one that dances."""
    head = HeadTrack(clips=(HeadClip(length_s=0.3, yaw=0.1, blend_in_s=0.1, blend_out_s=0.1),))
    dance = GestureTrack(clips=(GestureClip(motion="dance"),))
    return Show(
        name="Bench",
        cues=(
            Cue(number=PRESSED, name="Pressed", tracks=(head,)),
            Cue(number=PLAYED, name="Played", tracks=(dance,)),
        ),
    )


class Bench:
    """Makes the bench on a core that runs, and has no other operator.

    Args:
        client: an operator's, whose heartbeat it sends.
        command: returns the command line of a console for a show.
        order: how long, and how often.
        tell: receives the current step.
        interrupted: returns whether to give up.
        loaded: keep every core busy at the lowest priority while the console is watched.
    """

    def __init__(
        self,
        client: Client,
        command: Callable[[Path], Sequence[str]],
        order: ProbeOrder,
        tell: Callable[[str], None],
        interrupted: Callable[[], bool] = lambda: False,
        loaded: bool = False,
    ) -> None:
        self._client, self._command, self._order = client, command, order
        self._loaded = loaded
        self._watched: Path | None = None  # the console that operates the robot, once it is there
        self._holds = self._refused = 0
        self._tell, self._interrupted = tell, interrupted
        self._ticks_us: list[float] = []
        self._sequence = -1
        self._error = ""  # the last error message

    def run(self) -> Found:
        """Measure.

        Raises:
            ConsoleBenchError: the robot or the console did not reach a state that the bench needs.
            OSError: the console cannot be started.
        """
        with tempfile.TemporaryDirectory(prefix="footlight-bench-") as name:
            folder = Path(name)
            show = folder / "bench"
            save_show(bench_show(), show, (), {})
            self._stand(show)
            if self._order.seconds >= TURN_S:
                turns = [self._turn(folder, show, number) for number in range(TURNS)]
                empty_ms, probed = self._press(folder, show)
            else:
                self._tell("the show plays without a console")
                alone_us = self._play_alone(self._order.seconds)
                empty_ms, probed = self._press(folder, show)
                turns = [(alone_us, middle(self._ticks_us))]
        return Found(
            probed.gui_latency_ms,
            _ms(probed.go_ms),
            _ms(probed.stop_ms),
            (len(probed.go_ms), len(probed.stop_ms)),
            probed.unanswered,
            probed.repeated,
            probed.memory,
            tuple(turns),
            probed.gui_share,
            probed.size_px,
            empty_ms,
            self._holds,
            self._refused,
            self._loaded,
        )

    def _turn(self, folder: Path, show: Path, number: int) -> tuple[float, float]:
        """Play for a while without a console and then beside one; return the ticks' times [µs]."""
        self._tell(f"the show plays without and with a console, turn {number + 1} of {TURNS}")
        alone_us = self._play_alone(TURN_S)
        self._play_beside(folder, show, ProbeOrder(seconds=TURN_S))
        return alone_us, middle(self._ticks_us)

    def _press(self, folder: Path, show: Path) -> tuple[Spread, Probed]:
        """Watch an empty window, and then the console."""
        with hogs() if self._loaded else nullcontext():
            self._tell("an empty window is watched")
            empty_ms = self._watch_empty(min(EMPTY_S, self._order.seconds))
            self._tell("the show plays beside a console, whose keys are pressed")
            self._holds = self._refused = 0
            return empty_ms, self._play_beside(folder, show, self._order)

    def _watch_empty(self, seconds: float) -> Spread:
        """Return the wait of an event in an empty window; the robot stands meanwhile."""
        command = [sys.executable, "-P", "-m", "app.console.bench.empty_window", str(seconds)]
        with tempfile.TemporaryFile() as told:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=told, env=console_environment()
            )
            try:
                patience_s = OPEN_S + seconds
                self._await("a window", lambda s: process.poll() is not None, patience_s)
            finally:
                if process.poll() is None:
                    process.kill()
                process.wait()
            told.seek(0)
            return msgspec.json.decode(told.read() or b"{}", type=dict[str, float])

    def _stand(self, show: Path) -> None:
        self._await("the core is up", lambda s: s.mode == "DAMPED")
        self._tell("the show is loaded")
        self._ask(LoadShow(str(show)), "the core loads the show", lambda s: s.show == "Bench")
        self._ask(StandUp(), "the robot stands", lambda s: s.mode == "READY")
        self._wait(SETTLED_S)

    def _play_alone(self, seconds: float) -> float:
        self._ticks_us.clear()
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s:
            self._ask(Go(PLAYED), "a cue plays", lambda s: s.running_cue == PLAYED)
            self._await("a cue ends", lambda s: not s.running_cues)
        self._ask(ResetShow(), "the show is reset", lambda s: s.standby_cue == PRESSED)
        return middle(self._ticks_us)

    def _play_beside(self, folder: Path, show: Path, order: ProbeOrder) -> Probed:
        self._ticks_us.clear()
        file = folder / "probe.json"
        begun(file).unlink(missing_ok=True)
        self._watched = begun(file)
        environment = console_environment()
        for name in ("CONFIG", "STATE", "CACHE"):
            environment[f"XDG_{name}_HOME"] = str(folder / name.lower())
        environment |= {FILE: str(file), ORDER: msgspec.json.encode(order).decode()}
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(
                list(self._command(show)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=environment,
                process_group=0,
            )
            try:
                patience_s = OPEN_S + 2.0 * order.seconds + PRESS_S * order.presses
                self._await(
                    "the console has done its part",
                    lambda s: process.poll() is not None,
                    patience_s,
                )
            finally:
                self._watched = None
                if process.poll() is None:
                    process.kill()
                process.wait()
            if process.returncode != 0 or not file.exists():
                errors.seek(0)
                words = errors.read().decode(errors="replace").strip().splitlines()
                why = words[-1] if words else f"exit status {process.returncode}"
                raise ConsoleBenchError(f"the console died ({why})")
        probed = msgspec.json.decode(file.read_bytes(), type=Probed)
        if probed.problem:
            why = f" ({self._error})" if self._error else ""
            raise ConsoleBenchError(f"{probed.problem}{why}")
        return probed

    def _ask(self, command: Command, what: str, holds: Callable[[Status], bool]) -> None:
        self._client.send(command)
        self._await(what, holds)

    def _await(
        self, what: str, holds: Callable[[Status], bool], patience_s: float = STATE_S
    ) -> None:
        deadline = time.monotonic() + patience_s
        while True:
            status = self._look()
            if status is not None and holds(status):
                return
            if self._interrupted():
                raise ConsoleBenchError("it was interrupted")
            if time.monotonic() > deadline:
                why = f" ({self._error})" if self._error else ""
                raise ConsoleBenchError(f"not within {patience_s:g} s: {what}{why}")
            time.sleep(0.02)

    def _wait(self, time_s: float) -> None:
        end_s = time.monotonic() + time_s
        self._await("some rest", lambda s: time.monotonic() > end_s)

    def _look(self) -> Status | None:
        """Beat, unless a console does; note how long the ticks take while the show plays."""
        if self._watched is None or not self._watched.exists():
            self._client.beat()
        for event in self._client.events():
            if event.code in (FAULT_BEGAN.code, FAULT_BEGAN_WITH.code):
                fault = event.fields["fault"]
                silent = isinstance(fault, Statement) and fault.code == OPERATOR_SILENT_HOLD.code
                self._holds += silent
            self._refused += event.code == REFUSED.code and event.fields.get("command") == "go"
            if event.severity == "error" or event.code == REFUSED.code:
                self._error = f"{event.actor}: {text(event)}"
        status = self._client.status()
        if status is not None and status.sequence != self._sequence:
            self._sequence = status.sequence
            if status.running_cue == PLAYED and status.cue_elapsed_s > LATELY_S:
                self._ticks_us.append(status.tick.median_us)
        return status


def _ms(found: Sequence[float]) -> Spread:
    return spread([ms / 1e3 for ms in found])
