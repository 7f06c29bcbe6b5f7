"""The table of a comparison, its sentences, and all of it as JSON."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.table import Table

from core.lab.inertia.poses import ACCURACY, Grid, recipe_of
from core.lab.inertia.study import Row, reduction
from core.robot.profile import Profile

MOST_NAMED = 5  # poses out of reach that the table's sentences name
_FIGURES = ("range", "largest", "rms", "distance_max", "distance_mean")


def results_table(rows: Sequence[Row], grid: Grid) -> Table:
    """Return the table; below a figure stands how much it differs from the first row's."""
    title = f"Centroidal inertia, grid {grid}: end points along x and y, instants of a swing"
    table = Table(title=title, title_justify="left", show_lines=True)
    for heading in ("model", "kg", "poses", "CII range", "max |CII|", "CII rms"):
        table.add_column(heading, justify="left" if heading == "model" else "right")
    for heading in ("moments x, y, z", "distance max", "distance mean"):
        table.add_column(heading, justify="right")
    for row in rows:
        cells = [_figure(row, rows[0], name) for name in _FIGURES]
        axes = ", ".join(f"{100.0 * change:.1f}" for change in row.by_axis)
        poses = f"{row.reached}" if not row.poses.unreachable else f"{row.reached} of {grid.poses}"
        mass = f"{row.mass_kg:.2f}"
        table.add_row(row.design.title, mass, poses, *cells[:3], f"{axes} %", *cells[3:])
    return table


def _figure(row: Row, first: Row, name: str) -> str:
    """Return a figure in the table's form."""
    value = float(getattr(row, name))
    text = f"{value:.3f}" if name.startswith("distance") else f"{value:.3e}"
    change = _change(row, first, name)
    return text if row is first else f"{text}\n{100.0 * change:+.1f} %"


def _change(row: Row, first: Row, name: str) -> float:
    """Return by which share a figure is above the first row's; 0 if both are 0."""
    value, usual = float(getattr(row, name)), float(getattr(first, name))
    return value / usual - 1.0 if usual else 0.0


def sentences(rows: Sequence[Row]) -> list[str]:
    """Return the comparison of each robot with its other designs, and the poses out of reach."""
    found: list[str] = []
    usual: Row | None = None
    for row in rows:
        if usual is None or row.design.robot != usual.design.robot:
            usual = row
            found += _out_of_reach(row)
            continue
        changes = {
            "range of the CII": -reduction(usual, row),
            "largest distance": _change(usual, row, "distance_max"),
            "mean distance": _change(usual, row, "distance_mean"),
        }
        text = ", ".join(f"{what} {100.0 * change:+.1f} %" for what, change in changes.items())
        found.append(f"{usual.design.title} compared with {row.design.title}: {text}")
    return found


def _out_of_reach(row: Row) -> list[str]:
    """Return the sentences on the poses that a robot does not reach."""
    out = row.poses.unreachable
    if not out:
        return []
    named = [f"  {pose}" for pose in out[:MOST_NAMED]]
    rest = len(out) - len(named)
    if rest:
        named.append(f"  and {rest} more, which the JSON names")
    return [f"{row.design.title} does not reach {len(out)} of {row.cii.size} poses:", *named]


def as_json(rows: Sequence[Row], profiles: Sequence[Profile], grid: Grid) -> str:
    """Return the figures and the settings as JSON; shares, kg, m and s."""
    report: dict[str, Any] = {
        "schema": 1,
        "settings": {
            "grid": {"forward": grid.forward, "sideways": grid.sideways, "instants": grid.instants},
            "accuracy": ACCURACY,
            "robots": {
                profile.name: {
                    **msgspec.to_builtins(recipe_of(profile)),
                    "reference_deg": profile.postures[recipe_of(profile).posture],
                }
                for profile in profiles
            },
        },
        "rows": [_as_table(row, rows[0]) for row in rows],
    }
    return json.dumps(report, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _as_table(row: Row, first: Row) -> dict[str, Any]:
    moves = [{"kg": kg, "from": source, "to": target} for kg, source, target in row.design.moves]
    return {
        "model": row.design.title,
        "robot": row.design.robot,
        "variant": row.design.variant,
        "moves": moves,
        "mass_kg": row.mass_kg,
        "poses": row.reached,
        "cii_range": row.range,
        "cii_max": row.largest,
        "cii_rms": row.rms,
        "moments_change": [float(change) for change in row.by_axis],
        "distance_max": row.distance_max,
        "distance_mean": row.distance_mean,
        "against_first_row": {name: _change(row, first, name) for name in _FIGURES},
        "worst_error": row.poses.worst_error,
        "unreachable": [
            {"x": pose.x, "y": pose.y, "time_s": pose.time_s, "reason": pose.reason}
            for pose in row.poses.unreachable
        ],
    }
