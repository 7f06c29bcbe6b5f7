"""The console's bench: a show is played without and with a console, whose keys are pressed.

Everything is measured across the processes on the host's monotonic clock. The robot is limp
where STOP is pressed: the path of a STOP to the body is the same, and nothing needs a lift.
"""

import math
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import msgspec

from app.console.bench.lateness import spread
from app.console.bench.probe import FILE, ORDER, PLAYED, PRESSED, Probed, ProbeOrder
from app.keeper import console_environment
from core.link.catalogue.refusals import REFUSED
from core.link.client import Client
from core.link.commands import Command, Go, LoadShow, ResetShow, StandUp
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
GUI_MS, GO_MS, STOP_MS, TICK_SHARE = 50.0, 30.0, 20.0, 0.10
# Eight hours of shows at this rate cost less than a tenth of what the console holds at its start.
FLAT_MB_PER_H = 5.0
WARM_UP_S = 600.0  # in which caches and pools may still fill
ENOUGH_S = 1800.0  # of watching after it; a shorter time cannot separate a slope from a step
Spread: TypeAlias = dict[str, float]


class ConsoleBenchError(Exception):
    """The bench could not be made."""


@dataclass(frozen=True, slots=True)
class Found:
    """The result of the bench.

    Attributes:
        gui_ms: wait of an event in the console: median, p99, max [ms].
        go_ms: GO pressed to the first command that it changed [ms].
        stop_ms: STOP pressed to the damping command [ms].
        presses: how many of each were answered.
        unanswered: presses without an answer.
        repeated: how often a cue had to be requested again, because the robot was held.
        memory: times [s] and the console's resident memory then [MB].
        ticks_us: for each turn, the median processor time of a tick while the show plays without
            a console, and beside one [µs].
    """

    gui_ms: Spread
    go_ms: Spread
    stop_ms: Spread
    presses: tuple[int, int]
    unanswered: int
    repeated: int
    memory: tuple[tuple[float, float], ...]
    ticks_us: tuple[tuple[float, float], ...]

    @property
    def rows(self) -> list[tuple[str, str, str, bool | None]]:
        """Each figure, its value, its bar, and whether it holds; None where there is no bar."""
        rows: list[tuple[str, str, str, bool | None]] = []
        for what, found, bar in (
            ("wait of an event in the console", self.gui_ms, GUI_MS),
            (f"GO to the first command, {self.presses[0]} presses", self.go_ms, GO_MS),
            (f"STOP to the damping command, {self.presses[1]} presses", self.stop_ms, STOP_MS),
        ):
            if found:
                told = " / ".join(f"{found[name]:.1f}" for name in ("median", "p99", "max"))
                rows.append((what, f"{told} ms", f"p99 ≤ {bar:g} ms", found["p99"] <= bar))
        held = abs(self.tick_share) <= TICK_SHARE
        alone_us, beside_us = (_middle(column) for column in zip(*self.ticks_us, strict=True))
        told = f"{alone_us:.0f} → {beside_us:.0f} µs ({100 * self.tick_share:+.1f} %)"
        what = "tick, without and with a console"
        if len(self.ticks_us) > 1:
            what += f", {len(self.ticks_us)} turns"
            told += f"; {100 * min(self.shares):+.0f} to {100 * max(self.shares):+.0f} %"
        rows.append((what, told, f"± {100 * TICK_SHARE:g} %", held))
        rows.append(("presses without an answer", str(self.unanswered), "0", not self.unanswered))
        if self.repeated:
            told = f"{self.repeated} of the show's"
            rows.append(("GO repeated, the robot was held", told, "", None))
        watched_s, growth = grown(self.memory)
        if watched_s > 0.0:
            flat = growth <= FLAT_MB_PER_H if watched_s >= ENOUGH_S else None
            what = f"growth of the console's memory, {watched_s / 60.0:.0f} min"
            told = f"{self.memory[0][1]:.0f} → {self.memory[-1][1]:.0f} MB ({growth:+.1f} MB/h)"
            rows.append((what, told, f"≤ {FLAT_MB_PER_H:g} MB/h", flat))
        return rows

    @property
    def holds(self) -> bool:
        """Whether every bar holds."""
        return all(held is not False for *_, held in self.rows)

    @property
    def report(self) -> dict[str, object]:
        """The content of the JSON."""
        growth = grown(self.memory)[1]
        return {
            "gui_latency_ms": self.gui_ms,
            "go_latency_ms": self.go_ms,
            "stop_latency_ms": self.stop_ms,
            "presses": {"go": self.presses[0], "stop": self.presses[1]},
            "unanswered": self.unanswered,
            "repeated": self.repeated,
            "console_memory": {
                "t_s": [time_s for time_s, _ in self.memory],
                "resident_mb": [mb for _, mb in self.memory],
                "growth_mb_per_h": growth if math.isfinite(growth) else None,
            },
            "console_tick_us": {
                "alone": [alone for alone, _ in self.ticks_us],
                "beside": [beside for _, beside in self.ticks_us],
                "share": self.tick_share,
            },
        }

    @property
    def shares(self) -> list[float]:
        """By how much a tick takes longer beside a console, turn by turn."""
        return [beside / alone - 1.0 for alone, beside in self.ticks_us]

    @property
    def tick_share(self) -> float:
        """The median of the turns' shares."""
        return _middle(self.shares)


def grown(memory: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return how long memory was watched once it was warm [s], and its growth meanwhile [MB/h].

    Args:
        memory: times [s] and sizes [MB]. A run too short to be warm counts from its start.
    """
    warm = [look for look in memory if look[0] >= WARM_UP_S] or list(memory)
    if len(warm) < 2:
        return 0.0, math.nan
    times_s, sizes = zip(*warm, strict=True)
    per_s = statistics.linear_regression(times_s, sizes).slope
    return times_s[-1] - times_s[0], 3600.0 * per_s


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
    """

    def __init__(
        self,
        client: Client,
        command: Callable[[Path], Sequence[str]],
        order: ProbeOrder,
        tell: Callable[[str], None],
        interrupted: Callable[[], bool] = lambda: False,
    ) -> None:
        self._client, self._command, self._order = client, command, order
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
                probed = self._press(folder, show)
            else:
                self._tell("the show plays without a console")
                alone_us = self._play_alone(self._order.seconds)
                probed = self._press(folder, show)
                turns = [(alone_us, _middle(self._ticks_us))]
        return Found(
            probed.gui_latency_ms,
            _ms(probed.go_ms),
            _ms(probed.stop_ms),
            (len(probed.go_ms), len(probed.stop_ms)),
            probed.unanswered,
            probed.repeated,
            probed.memory,
            tuple(turns),
        )

    def _turn(self, folder: Path, show: Path, number: int) -> tuple[float, float]:
        """Play for a while without a console and then beside one; return the ticks' times [µs]."""
        self._tell(f"the show plays without and with a console, turn {number + 1} of {TURNS}")
        alone_us = self._play_alone(TURN_S)
        self._play_beside(folder, show, ProbeOrder(seconds=TURN_S))
        return alone_us, _middle(self._ticks_us)

    def _press(self, folder: Path, show: Path) -> Probed:
        self._tell("the show plays beside a console, whose keys are pressed")
        return self._play_beside(folder, show, self._order)

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
        return _middle(self._ticks_us)

    def _play_beside(self, folder: Path, show: Path, order: ProbeOrder) -> Probed:
        self._ticks_us.clear()
        file = folder / "probe.json"
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
        """Beat, and note how long the ticks take while the show plays."""
        self._client.beat()
        for event in self._client.events():
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


def _middle(values: Sequence[float]) -> float:
    """Return the median; NaN if the sequence is empty or contains NaN."""
    known = bool(values) and not any(math.isnan(value) for value in values)
    return sorted(values)[len(values) // 2] if known else math.nan
