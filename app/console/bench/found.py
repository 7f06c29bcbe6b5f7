"""The result of the console's bench: figures, bars and verdicts."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

# Bars of the 99th percentiles on an idle machine, and beside two programs at the lowest priority.
GUI_MS, GO_MS, STOP_MS = (20.0, 40.0), (15.0, 40.0), (10.0, 25.0)
GUI_SHARE, TICK_SHARE = 0.25, 0.10
# Eight hours of shows at this rate cost less than a tenth of what the console holds at its start.
FLAT_MB_PER_H = 5.0
WARM_UP_S = 600.0  # in which caches and pools may still fill
ENOUGH_S = 1800.0  # of watching after it; a shorter time cannot separate a slope from a step
Spread: TypeAlias = dict[str, float]


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
        gui_share: share of a core that the thread of the windows takes while the show plays.
        size_px: width and height of the console's window [px].
        empty_ms: wait of an event in an empty window [ms].
        holds_of_operator: how often the core missed the console and held the robot.
        refused: how often it refused a GO.
        loaded: two programs at the lowest priority ran beside it.
    """

    gui_ms: Spread
    go_ms: Spread
    stop_ms: Spread
    presses: tuple[int, int]
    unanswered: int
    repeated: int
    memory: tuple[tuple[float, float], ...]
    ticks_us: tuple[tuple[float, float], ...]
    gui_share: float = 0.0
    size_px: tuple[int, int] = (0, 0)
    empty_ms: Spread = field(default_factory=dict)
    holds_of_operator: int = 0
    refused: int = 0
    loaded: bool = False

    @property
    def rows(self) -> list[tuple[str, str, str, bool | None]]:
        """Each figure, its value, its bar, and whether it holds; None where there is no bar."""
        rows: list[tuple[str, str, str, bool | None]] = []
        bars: tuple[float | None, ...] = (
            None, *(bar[self.loaded] for bar in (GUI_MS, GO_MS, STOP_MS)),
        )  # fmt: skip
        for (what, found), bar in zip(
            (
                ("wait of an event in an empty window", self.empty_ms),
                ("wait of an event in the console", self.gui_ms),
                (f"GO to the first command, {self.presses[0]} presses", self.go_ms),
                (f"STOP to the damping command, {self.presses[1]} presses", self.stop_ms),
            ),
            bars,
            strict=True,
        ):
            if found:
                told = " / ".join(f"{found[name]:.1f}" for name in ("median", "p99", "max"))
                held = None if bar is None else found["p99"] <= bar
                rows.append((what, f"{told} ms", "" if bar is None else f"p99 ≤ {bar:g} ms", held))
        if self.gui_share:
            what = "thread of the windows, {} × {}".format(*self.size_px)
            told = f"{100.0 * self.gui_share:.1f} % of a core"
            rows.append((what, told, f"≤ {100.0 * GUI_SHARE:g} %", self.gui_share <= GUI_SHARE))
        for what, count in (
            ("holds because the console was silent", self.holds_of_operator),
            ("GO refused", self.refused),
        ):
            rows.append((what, str(count), "0", not count))
        held = abs(self.tick_share) <= TICK_SHARE
        alone_us, beside_us = (middle(column) for column in zip(*self.ticks_us, strict=True))
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
            "loaded": self.loaded,
            "empty_latency_ms": self.empty_ms,
            "gui_share": self.gui_share,
            "size_px": self.size_px,
            "holds_of_operator": self.holds_of_operator,
            "refused": self.refused,
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
        return middle(self.shares)


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


def middle(values: Sequence[float]) -> float:
    """Return the median; NaN if the sequence is empty or contains NaN."""
    known = bool(values) and not any(math.isnan(value) for value in values)
    return sorted(values)[len(values) // 2] if known else math.nan
