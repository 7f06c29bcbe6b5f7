"""Runs the parts of the bench on this machine, judges their results and prints them."""

import json
import math
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from core.lab.bench import devices as bench_devices
from core.lab.bench import follow as bench_follow
from core.lab.bench import lateness as bench_lateness
from core.lab.bench import memory as bench_memory
from core.lab.bench import robots as bench_robots
from core.lab.bench import solvers as bench_solvers
from core.lab.bench import strides as bench_strides
from core.lab.bench import takes as bench_takes
from core.lab.bench import tick as bench_tick
from core.lab.bench.benchmark import STEPS, BenchError, Found, Listing, Order, Part, Tell
from core.lab.evaluate import PLAIN_WIDTH, STYLES, say, telling
from core.lab.experiment import Row, shown, summed_up
from core.lab.laboratory import Laboratory
from core.record.log_file import check_path
from core.robot.folders import default_robot
from core.robot.profile_file import load_profile
from core.run.warm_up import warm_up

PARTS: dict[str, Part] = {
    part.name: part
    for part in (
        bench_tick.PART,
        bench_solvers.PART,
        bench_devices.PART,
        bench_lateness.PART,
        bench_memory.PART,
        bench_takes.PART,
        bench_robots.PART,
        bench_strides.PART,
        bench_follow.PART,
    )
}


def chosen(name: str) -> list[Part]:
    """Return the parts that a name stands for.

    Raises:
        BenchError: no part has that name.
    """
    if name == "all":
        return list(PARTS.values())
    if name not in PARTS:
        known = ", ".join(PARTS)
        raise BenchError(f"the bench has no part {name!r}; choose all or one of {known}")
    return [PARTS[name]]


def rows_of(part: Part, found: Found) -> list[Row]:
    """Return a part's bars with their results; a missing one counts as not a number."""
    return [Row(bar, (found.figures.get(bar.figure, math.nan),)) for bar in part.bars]


def listing_table(listing: Listing) -> Table:
    """Return the measurements as a table."""
    table = Table(title=listing.title, title_justify="left")
    for place, heading in enumerate(listing.headings):
        table.add_column(heading, justify="left" if place == 0 else "right")
    for row in listing.rows:
        table.add_row(*row)
    return table


def verdict_table(part: Part, rows: Sequence[Row]) -> Table:
    """Return a part's bars as a table."""
    table = Table(title=f"{part.name}: {part.title}", title_justify="left")
    for heading in ("measured", "here", "bar", "verdict"):
        table.add_column(heading)
    for row in rows:
        unit = f" {row.bar.unit}" if row.bar.unit else ""
        verdict: str = row.verdict
        if verdict == "FAIL":
            verdict = f"FAIL by {shown(row.worst_miss)}"
        style = STYLES[row.verdict]
        told = f"[{style}]{verdict}[/]" if style else verdict
        table.add_row(row.bar.what, summed_up(row.values) + unit, row.bar.text, told)
    return table


def as_json(order: Order, results: dict[str, Found]) -> str:
    """Return everything that was measured, and the verdicts, as JSON; a number may be null."""
    report: dict[str, Any] = {
        "schema": 1,
        "machine": {"processor": _processor(), "python": platform.python_version()},
        "asked": {
            "seconds": order.seconds,
            "minutes": order.minutes,
            "hours": order.hours,
            "seed": order.seed,
        },
        "verdicts": {},
    }
    for name, found in results.items():
        report.update(found.report)
        report["verdicts"][name] = [
            {
                "figure": row.bar.figure,
                "what": row.bar.what,
                "unit": row.bar.unit,
                "value": row.values[0],
                "bar": row.bar.text,
                "verdict": row.verdict,
            }
            for row in rows_of(PARTS[name], found)
        ]
        report.setdefault("notes", {})[name] = found.notes
    return json.dumps(_plain(report), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _naming(name: str, told: Tell) -> Tell:
    """Return a function that reports a step after its part's name."""
    return lambda text: told(f"{name}, {text}")


def _plain(value: Any) -> Any:
    """Return a value with null in the place of numbers that are none."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _processor() -> str:
    """Return the name of the processor."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if "model name" in line]
    return names[0] if names else platform.machine()


def bench(name: str, order: Order, file: Path | None, robot: str = "") -> int:
    """Run parts of the bench, print their tables, and return 0 only if every bar holds.

    Args:
        name: of a part, or "all".
        order: how long, and with which seed.
        file: where to write everything as JSON.
        robot: name of the robot, a biped; empty takes the default robot.

    Raises:
        ProfileError: there is no such robot.
        BenchError: the robot is no biped, there is no such part, or a place to write to cannot
            be used.
        CoreError: a part cannot be run.
    """
    parts = chosen(name)
    if file is not None and not file.absolute().parent.is_dir():
        raise BenchError(f"{file} cannot be written: its folder does not exist")
    if file is not None and file.is_dir():
        raise BenchError(f"{file} cannot be written: it is a folder")
    if order.log is not None:
        check_path(Path(order.log))
    profile = load_profile(robot or default_robot())
    if profile.biped is None:
        raise BenchError(f"{profile.title} is no biped, and the bench walks")
    console = Console()
    if not console.is_terminal:
        console = Console(width=PLAIN_WIDTH)  # a file has no edge
    results: dict[str, Found] = {}
    with telling(Console(stderr=True), STEPS * len(parts)) as told:
        warm_up(profile)
        for part in parts:
            # One after the other: two at a time would measure each other.
            results[part.name] = part.run(Laboratory(robot=robot), order, _naming(part.name, told))
    passed = True
    for part in parts:
        found = results[part.name]
        rows = rows_of(part, found)
        for listing in found.listings:
            console.print(listing_table(listing))
        console.print(verdict_table(part, rows))
        for note in found.notes:
            say(console, note)
        say(console, "")
        passed = passed and all(row.verdict != "FAIL" for row in rows)
    try:
        if file is not None:
            file.write_text(as_json(order, results), encoding="utf-8")
    except OSError as error:
        raise BenchError(f"the results cannot be written: {error}") from error
    return 0 if passed else 1
