"""Figures of a comparison: distribution, map over the end points, course over a swing."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.lab.inertia.study import Row
from core.lab.measure.pyplot import load_pyplot
from devices.interface import Floats

_SIZE = (9.0, 5.6)  # [in]: 1280 by 800 pixels at 142 dpi, and the width of a printed page
_DPI = 200
_BINS = 60  # over the range of a robot's designs
_INK = ("#1f5fa8", "#c2571a", "#2f8f4e", "#7a3fa0")
_DASHES = ("-", "--", ":", "-.")  # for print without colours
_LONGEST_TITLE = 44


def draw(rows: Sequence[Row], folder: Path) -> list[Path]:
    """Draw the figures and return their paths.

    Args:
        rows: of the comparison; those of one robot follow each other.
        folder: where to write; made if it is missing.

    Raises:
        FigureError: matplotlib is missing.
        OSError: the folder cannot be written.
    """
    pyplot = load_pyplot()
    folder.mkdir(exist_ok=True)
    robots: dict[str, list[Row]] = {}
    for row in rows:
        robots.setdefault(row.design.robot, []).append(row)
    paths: list[Path] = []
    with pyplot.rc_context({"font.size": 10.0, "axes.titlesize": 10.0, "axes.grid": False}):
        for file, drawer in (
            ("distribution.png", _distribution),
            ("end_points.png", _end_points),
            ("swing.png", _swing),
        ):
            figure = drawer(pyplot, list(robots.values()))
            figure.savefig(folder / file, dpi=_DPI)
            pyplot.close(figure)
            paths.append(folder / file)
    return paths


def _distribution(pyplot: Any, robots: list[list[Row]]) -> Any:
    """Draw how often each CII occurs, from the smallest to the largest of the data."""
    figure, grid = _panels(pyplot, len(robots), 1)
    for (panel,), rows in zip(grid, robots, strict=True):
        scale, power = _scale(max(row.largest for row in rows))
        found = [row.cii[~np.isnan(row.cii)] / scale for row in rows]
        widest = max(float(np.ptp(one)) for one in found) or 1.0
        for i, (row, values) in enumerate(zip(rows, found, strict=True)):
            low, high = float(values.min()), float(values.max())
            bins = max(1, round(_BINS * (high - low) / widest))
            edges = np.linspace(low, high if high > low else low + 1e-3, bins + 1)
            ink, dash = _INK[i % len(_INK)], _DASHES[i % len(_DASHES)]
            counts, _ = np.histogram(values, edges)
            label = f"{_short(row)}: {low:.3g} to {high:.3g}"
            panel.stairs(counts, edges, fill=True, color=ink, alpha=0.18)
            panel.stairs(counts, edges, color=ink, linestyle=dash, linewidth=1.4, label=label)
        panel.set_yscale("log")
        panel.set_ylim(bottom=0.7)
        panel.set_ylabel("poses")
        panel.set_xlabel(f"CII [{power}]")
        panel.legend(fontsize=9, frameon=False, loc="upper right")
    figure.suptitle("Centroidal inertia isotropy: how often each value occurs")
    return figure


def _end_points(pyplot: Any, robots: list[list[Row]]) -> Any:
    """Draw the largest CII of a swing over its end point, seen from above, forward upward."""
    count = sum(len(rows) for rows in robots)
    columns = 1 if count == 1 else 2 if count <= 4 else 3
    figure, grid = _panels(pyplot, -(-count // columns), columns)
    panels = list(grid.flat)
    for rows in robots:
        scale, power = _scale(max(row.largest for row in rows))
        top = max(row.largest for row in rows) / scale
        for row in rows:
            panel = panels.pop(0)
            largest = np.where(np.isnan(row.cii), -np.inf, np.abs(row.cii)).max(axis=2)
            shown = np.ma.masked_invalid(largest / scale)
            sides = (*_edges(row.poses.y)[::-1], *_edges(row.poses.x))
            image = panel.imshow(
                shown[:, ::-1],
                extent=sides,
                origin="lower",
                aspect="auto",
                vmin=0.0,
                vmax=top,
                cmap="viridis",
            )
            panel.set_title(_short(row))
            panel.set_xlabel("left ←  y [m]  → right")
            panel.set_ylabel("x [m]")
            figure.colorbar(image, ax=panel, label=f"max |CII| [{power}]")
    for panel in panels:
        panel.set_visible(False)
    figure.suptitle("Largest CII of a swing, by its end point")
    return figure


def _swing(pyplot: Any, robots: list[list[Row]]) -> Any:
    """Draw CII and distance over a swing: median and extremes of all swings."""
    figure, grid = _panels(pyplot, len(robots), 2)
    for panels, rows in zip(grid, robots, strict=True):
        scale, power = _scale(max(row.largest for row in rows))
        for i, row in enumerate(rows):
            ink, dash = _INK[i % len(_INK)], _DASHES[i % len(_DASHES)]
            for panel, values in zip(panels, (row.cii / scale, row.distances), strict=True):
                low, middle, high = _over_swings(values)
                panel.fill_between(row.poses.time_s, low, high, color=ink, alpha=0.15, linewidth=0)
                panel.plot(row.poses.time_s, low, color=ink, linestyle=dash, linewidth=0.6)
                panel.plot(row.poses.time_s, high, color=ink, linestyle=dash, linewidth=0.6)
                panel.plot(
                    row.poses.time_s,
                    middle,
                    color=ink,
                    linestyle=dash,
                    linewidth=1.8,
                    label=_short(row),
                )
        panels[0].set_ylabel(f"CII [{power}]")
        panels[1].set_ylabel("distance")
        panels[0].legend(fontsize=9, frameon=False, loc="best")
        for panel in panels:
            panel.grid(alpha=0.25, linewidth=0.5)
    for panel in grid[-1]:
        panel.set_xlabel("time [s]")
    figure.suptitle("Course over a swing: median (thick) and extremes of all end points")
    return figure


def _over_swings(values: Floats) -> tuple[Floats, Floats, Floats]:
    """Return smallest, median and largest value at each instant; NaN where there is none."""
    found = np.full((3, values.shape[2]), np.nan)
    for k in range(values.shape[2]):
        there = values[:, :, k][~np.isnan(values[:, :, k])]
        if there.size:
            found[:, k] = there.min(), np.median(there), there.max()
    return found[0], found[1], found[2]


def _edges(points: Floats) -> tuple[float, float]:
    """Return the outer edges of cells around points."""
    half = 0.5 * float(points[1] - points[0]) if points.size > 1 else 0.005
    return float(points[0]) - half, float(points[-1]) + half


def _scale(largest: float) -> tuple[float, str]:
    """Return the power of ten below a number, and how it is written."""
    power = int(np.floor(np.log10(largest))) if largest > 0.0 else 0
    return 10.0**power, f"$10^{{{power}}}$"


def _short(row: Row) -> str:
    title = row.design.title
    return title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1]}…"


def _panels(pyplot: Any, rows: int, columns: int) -> tuple[Any, Any]:
    figure, grid = pyplot.subplots(
        rows, columns, figsize=_SIZE, layout="constrained", squeeze=False
    )
    return figure, grid
