"""A run in a terminal: a live panel, plain lines elsewhere, a table at the end."""

import math
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.table import Table

from core.link.event import Event
from core.link.hello import Hello
from core.link.report import Report
from core.link.status import Status
from core.link.wording import text

LINE_EVERY_S = 5.0
RECENT_EVENTS = 5
_STYLES = {"info": "dim", "warning": "yellow", "error": "bold red"}


def clock(seconds: float) -> str:
    """Return a time as minutes and seconds."""
    whole = max(0, int(seconds)) if math.isfinite(seconds) else 0
    return f"{whole // 60}:{whole % 60:02d}"


def line(status: Status, hello: Hello | None = None) -> str:
    """Return a status as one line, without the parts that the robot lacks."""
    walks, battery = _has(hello)
    x, y, _ = status.base_position
    vx, vy, _ = status.base_velocity
    cue = f"cue {status.running_cue} {status.cue_name}".strip() if status.running_cue else ""
    left = max(0.0, status.show_length_s - _elapsed_s(status))
    parts = [
        clock(status.stamp_s),
        status.mode,
        cue,
        f"left {clock(left)}" if status.show_length_s > 0.0 else "",
        f"at {x:+.2f} {y:+.2f} m  {math.hypot(vx, vy):.2f} m/s" if walks else "",
        f"battery {status.battery_charge:.0%}" if battery else "",
        f"tick {status.tick.median_us:.0f} µs",
        ", ".join(status.flags),
    ]
    return "  ".join(part for part in parts if part)


def _has(hello: Hello | None) -> tuple[bool, bool]:
    """Return whether the robot walks and has a battery; both before its first hello."""
    if hello is None:
        return True, True
    return hello.walk is not None, hello.battery is not None


def _elapsed_s(status: Status) -> float:
    """Return the time on the show's clock, or on the core's where no show is loaded [s]."""
    return status.show_s if status.show else status.stamp_s


def panel(status: Status, events: Sequence[Event], hello: Hello | None = None) -> Table:
    """Return a status and the last events as a table, without the parts that the robot lacks."""
    walks, battery = _has(hello)
    x, y, z = status.base_position
    vx, vy, _ = status.base_velocity
    command_x, command_y, command_yaw = status.velocity_command
    tick = status.tick
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", min_width=9)
    table.add_column()
    table.add_row("mode", f"{status.mode}   {', '.join(status.flags)}")
    if status.running_cue:
        elapsed = f"{clock(status.cue_elapsed_s)} of {clock(status.cue_length_s)}"
        table.add_row("cue", f"{status.running_cue} {status.cue_name}   {elapsed}")
    else:
        table.add_row("cue", f"standby {status.standby_cue}" if status.standby_cue else "")
    elapsed_s = _elapsed_s(status)
    left = clock(max(0.0, status.show_length_s - elapsed_s))
    total = f"{status.show}   {clock(elapsed_s)}, left {left}" if status.show_length_s else ""
    table.add_row("show" if status.show else "walk", _plain(total or status.show))
    if walks:
        place = f"{x:+.2f} {y:+.2f} {z:+.2f} m   walked {status.distance_m:.1f} m"
        table.add_row("position", place)
        table.add_row(
            "velocity",
            f"{vx:+.2f} {vy:+.2f} m/s   asked {command_x:+.2f} {command_y:+.2f} m/s "
            f"{command_yaw:+.2f} rad/s",
        )
    if battery:
        table.add_row("battery", f"{status.battery_charge:.0%}   {status.battery_v:.1f} V")
    table.add_row(
        "load",
        f"{status.worst_load_joint} {status.worst_load:.0%} of stall   "
        f"{status.hottest_joint} {status.hottest_c:.0f} °C",
    )
    table.add_row(
        "tick",
        f"{tick.median_us:.0f} µs, p99 {tick.p99_us:.0f} µs   {tick.overruns} overruns   "
        f"falls {status.falls}",
    )
    for event in events:
        style = _STYLES[event.severity]
        table.add_row("", f"[{style}]{_plain(event.actor)}: {_plain(text(event))}[/]")
    return table


def _plain(text: str) -> str:
    return text.replace("[", r"\[")


def table(title: str, rows: Sequence[tuple[str, str]]) -> Table:
    """Return names and values as a table."""
    found = Table(title=title, show_header=False, title_justify="left")
    found.add_column(style="bold")
    found.add_column()
    for name, value in rows:
        found.add_row(name, _plain(value))
    return found


def report_table(report: Report) -> Table:
    """Return the figures of a run."""
    pace = report.duration_s / report.wall_s if report.wall_s > 0.0 else 0.0
    tracking = math.degrees(report.worst_tracking_rad)
    rows = (
        ("ended", text(report.reason)),
        ("duration", f"{report.duration_s:.1f} s, {pace:.2f} times real time"),
        ("cues played", str(report.cues_played)),
        ("distance walked", f"{report.distance_m:.2f} m"),
        ("falls", str(report.falls)),
        ("worst tracking", f"{tracking:.1f}° {report.worst_tracking_joint}"),
        ("worst joint load", f"{report.worst_load:.0%} of stall {report.worst_load_joint}"),
        (
            "tick",
            f"median {report.tick_median_us:.0f} µs, p99 {report.tick_p99_us:.0f} µs, "
            f"p99.9 {report.tick_p99_9_us:.0f} µs, {report.overruns} overruns",
        ),
    )
    return table("The run", rows)


def verdict_table(title: str, rows: Sequence[tuple[str, ...]]) -> Table:
    """Return the preflight results by cue: number, name, length, verdict, reason."""
    return cells_table(title, ("cue", "name", "length", "verdict", "why"), rows)


def cells_table(title: str, heads: Sequence[str], rows: Sequence[tuple[str, ...]]) -> Table:
    """Return rows of cells under their heads as a table."""
    found = Table(title=_plain(title), title_justify="left")
    for name in heads:
        found.add_column(name)
    for row in rows:
        found.add_row(*(_plain(cell) for cell in row))
    return found


def findings_table(rows: Sequence[tuple[str, ...]]) -> Table:
    """Return the doctor's findings: subject, state, finding, remedy."""
    found = Table(title="Before the show", title_justify="left")
    for name in ("what", "state", "found", "what to do"):
        found.add_column(name, no_wrap=name == "state", overflow="fold")
    for row in rows:
        found.add_row(*(_plain(cell) for cell in row))
    return found


class Progress:
    """Shows a run while it runs: a live panel in a terminal, a line now and then elsewhere."""

    def __init__(self, console: Console, live: bool) -> None:
        """Choose the form; `live` asks for the panel, which a terminal alone can show."""
        self._console = console
        self._live = Live(console=console, auto_refresh=False) if live else None
        self._events: list[Event] = []
        self._next_line_s = 0.0
        self._mode = ""
        self._hello: Hello | None = None

    def meet(self, hello: Hello | None) -> None:
        """Take the robot's parts from a hello, if there is one."""
        self._hello = hello or self._hello

    def show(self, status: Status | None, events: Sequence[Event]) -> None:
        """Show the newest status and the events since the last call."""
        if self._live is not None:
            self._events = [*self._events, *events][-RECENT_EVENTS:]
            if status is not None:
                self._live.update(panel(status, self._events, self._hello), refresh=True)
            return
        for event in events:
            self._print(f"{event.actor}: {text(event)}")
        now_s = time.monotonic()
        if status is not None and (status.mode != self._mode or now_s >= self._next_line_s):
            self._mode = status.mode
            self._next_line_s = now_s + LINE_EVERY_S
            self._print(line(status, self._hello))

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()
