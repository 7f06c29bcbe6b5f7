"""The report of a run on paper: summary, cues, alarms, loads and plots, as PDF."""

import html
import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QMarginsF, QUrl
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from app.console.live.plot import PATTERNS
from app.console.telemetry.traces import DASHES, Trace
from app.console.toolkit import theme
from app.runs.playback import clock_text
from app.runs.plots import ClockAxis
from app.runs.run import Run, RunError

PLOTS = (
    "body velocity", "walk command", "base tilt", "capture point", "planned forces",
    "tick time", "heat", "load", "battery",
)  # fmt: skip
MOST_LINES = 60  # of a table
JOINTS = 10
BINS = 1200
WIDTH_PX, HEIGHT_PX, SHOWN_PX = 1260, 400, 525
TEXT_PX = 18  # of the words in a plot, before it is made smaller
DOTS_PER_INCH = 96
INKS = ("#1f5fa8", "#b35a00", "#1e7a3c", "#333333")
STYLE = """
* { font-family: "DejaVu Sans"; font-size: 9pt; color: #111; }
h1 { font-size: 16pt; } h2 { font-size: 12pt; }
td, th { padding: 2px 8px; } th { text-align: left; color: #555; }
.plain { color: #555; }
"""


def write_report(run: Run, path: Path) -> None:
    """Write the report of a run whose digest is done, completely or not at all.

    Raises:
        RunError: it cannot be written.
        OSError: it cannot be written.
    """
    document = QTextDocument()
    document.setDefaultStyleSheet(STYLE)
    traces = [run.traces[key] for key in (*PLOTS, *_worst_joints(run)) if key in run.traces]
    for number, trace in enumerate(traces):
        name = QUrl(f"plot{number}")
        kind = QTextDocument.ResourceType.ImageResource
        document.addResource(kind.value, name, _picture(run, trace))
    document.setHtml(_page(run, traces))
    half = path.with_name(f".{path.name}.part")
    try:
        half.touch()
        writer = QPdfWriter(str(half))
        writer.setResolution(DOTS_PER_INCH)
        writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        writer.setPageMargins(QMarginsF(15.0, 15.0, 15.0, 15.0), QPageLayout.Unit.Millimeter)
        writer.setTitle(f"Run {run.path.name}")
        writer.setCreator("Footlight")
        document.print_(writer)
        del writer
        if not half.stat().st_size:
            raise RunError("the disk refused it")
        os.replace(half, path)
    finally:
        half.unlink(missing_ok=True)


def _page(run: Run, traces: Sequence[Trace]) -> str:
    digest, hello = run.digest, run.hello
    recorded = datetime.fromtimestamp(run.path.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
    kind = "in simulation" if hello.simulated else "on the robot"
    parts = [
        f"<h1>Run {html.escape(run.path.name)}</h1>",
        f'<p class="plain">{html.escape(hello.title or hello.robot)}, {kind}; '
        f"record ended {recorded}</p>",
    ]
    if digest.problem:
        parts.append(f"<p><b>Incomplete:</b> {html.escape(digest.problem)}</p>")
    parts.append(_table("Summary", (), digest.facts))
    cues = [
        (clock_text(c.start_s), c.number, c.name, f"{c.end_s - c.start_s:.2f} s")
        for c in digest.cues
    ]
    parts.append(_table("Cues", ("Begin", "Cue", "Name", "Length"), cues))
    parts.append(_table("Stops and faults", ("From", "Mode", "Length"), _stops(run)))
    alarms = [
        (clock_text(event.time_s), "warning" if event.severity == 3 else "error", event.actor,
         event.text)
        for event in digest.alarms()
    ]  # fmt: skip
    parts.append(_table("Warnings and errors", ("Time", "Kind", "Who", "What"), alarms))
    heads = ("Joint", "Largest torque", "Of stall", "At", "Winding")
    parts.append(_table("Worst loads", heads, _loads(run)))
    parts.append("<h2>Plots</h2>")
    parts += [f'<p><img src="plot{n}" width="{SHOWN_PX}"></p>' for n in range(len(traces))]
    return "".join(parts)


def _title(trace: Trace) -> str:
    """Return the heading of a plot, with its lines in their colours."""
    names = ", ".join(
        f'<span style="color: {INKS[i % len(INKS)]}">{html.escape(line.name)}</span>'
        for i, line in enumerate(trace.lines)
    )
    unit = f" [{html.escape(trace.unit)}]" if trace.unit else ""
    return f"<b>{html.escape(trace.title)}</b>{unit}: {names}"


def _table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; one that is too long ends with a line that tells so."""
    listed = list(rows)
    lines = [f"<h2>{title}</h2>"]
    if not listed:
        return f'{lines[0]}<p class="plain">none</p>'
    lines.append("<table>")
    if heads:
        lines.append("<tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>")
    for row in listed[:MOST_LINES]:
        cells = (html.escape(cell).replace("\n", "<br>") for cell in row)
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    lines.append("</table>")
    more = len(listed) - MOST_LINES
    return "".join(lines) + (f'<p class="plain">and {more} more</p>' if more > 0 else "")


def _stops(run: Run) -> list[tuple[str, ...]]:
    """Return begin, mode and length of each stop."""
    names = run.hello.mode_names
    times_s, numbers = run.digest.modes()
    known = np.where(np.isfinite(numbers), numbers, -1).astype(np.int64)
    stops = [names.index(name) for name in ("FAULT", "ESTOP") if name in names]
    begins = np.concatenate([[0], np.flatnonzero(np.diff(known)) + 1, [len(known)]])
    return [
        (clock_text(float(times_s[a]), 1), names[known[a]], f"{times_s[b - 1] - times_s[a]:.1f} s")
        for a, b in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True)
        if known[a] in stops
    ]


def _loads(run: Run) -> list[tuple[str, ...]]:
    """Return the joints with the largest share of stall."""
    digest, hello = run.digest, run.hello
    found = []
    for index, (name, stall) in enumerate(zip(hello.joint_names, hello.stall_torque, strict=True)):
        low, high, at_s = digest.extremes("tau_applied", index)
        torque = max(abs(low), abs(high))
        heat = ""
        if "winding_c" in digest.columns.names:
            heat = f"{digest.extremes('winding_c', index)[1]:.0f} °C"
        words = (f"{torque:.2f} N·m", f"{torque / max(stall, 1e-9):.0%}", clock_text(at_s, 1), heat)
        found.append((torque / max(stall, 1e-9), (name.replace("_", " "), *words)))
    found.sort(key=lambda row: -row[0])
    return [row for _, row in found[:JOINTS]]


def _worst_joints(run: Run) -> list[str]:
    """Return the plots of the most loaded joint."""
    rows = _loads(run)
    joint = rows[0][0] if rows else ""
    return [f"{joint} torque", f"{joint} position", f"{joint} temperature"]


def _picture(run: Run, trace: Trace) -> QImage:
    """Return a plot of the whole run, for paper."""
    plot = pg.PlotWidget(background="w", axisItems={"bottom": ClockAxis()})
    plot.resize(WIDTH_PX, HEIGHT_PX)
    item = plot.getPlotItem()
    item.hideButtons()
    item.setTitle(_title(trace), size=f"{TEXT_PX}px", color="#111", justify="left")
    item.showGrid(x=True, y=True, alpha=0.15)
    for name in ("left", "bottom"):
        axis = item.getAxis(name)
        axis.setPen("#555")
        axis.setTextPen("#222")
        axis.setTickFont(theme.font(TEXT_PX))
        axis.enableAutoSIPrefix(False)
        axis.setStyle(textFillLimits=[(0, 1.0)])
    item.getAxis("left").setWidth(4 * TEXT_PX)
    item.getAxis("bottom").setHeight(2 * TEXT_PX)
    least, most = -trace.least, trace.least
    for index, (times_s, values) in enumerate(run.lines(trace.lines, run.start_s, run.end_s, BINS)):
        known = np.isfinite(values)
        pen = pg.mkPen(INKS[index % len(INKS)], width=1.5)
        pen.setStyle(PATTERNS[DASHES[index % len(DASHES)]])
        item.plot(times_s[known], values[known], pen=pen)
        if known.any():
            low, high = float(values[known].min()), float(values[known].max())
            least = low if not index else min(least, low)
            most = high if not index else max(most, high)
    room = max(0.05 * (most - least), 0.2 * trace.least)
    for limit in trace.limits:
        if least - 4.0 * room < limit < most + 4.0 * room:
            item.addItem(pg.InfiniteLine(limit, angle=0, pen=pg.mkPen("#b00020", width=1.0)))
            least, most = min(least, limit), max(most, limit)
    item.setYRange(least - room, most + room, padding=0.0)
    item.setXRange(run.start_s, run.end_s, padding=0.0)
    image: QImage = plot.grab().toImage()
    plot.close()
    plot.deleteLater()
    return image
