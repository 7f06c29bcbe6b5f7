"""What the plots show, as a table of numbers."""

import csv
import io
from collections.abc import Sequence

import numpy as np

from app.console.telemetry.bins import Floats, Singles
from app.console.telemetry.traces import Line, Trace

Sampled = tuple[Trace, Line, Floats, Singles]


def csv_of(columns: Sequence[Sampled], from_s: float, to_s: float) -> str:
    """Return the samples of some lines within a span of time as CSV.

    Lines of one rate share their rows; a line of another rate has the last value before a row.

    Args:
        columns: plot, line, times (n) [s] and values (n), in the plots' units.
        from_s: beginning of the span [s].
        to_s: its end [s].
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [f"{t.title} {line.name} [{t.unit}]".strip() for t, line, _, _ in columns]
    writer.writerow(["time [s]", *names])
    grid = max((times for _, _, times, _ in columns), key=len, default=np.zeros(0))
    grid = grid[(grid >= from_s) & (grid <= to_s)]
    table: list[Singles] = []
    for _, _, times_s, values in columns:
        places = np.searchsorted(times_s, grid, side="right") - 1
        known = places >= 0
        found = np.full(len(grid), np.nan, dtype=np.float32)
        if len(values):
            found[known] = values[places[known]]
        table.append(found)
    for i, time_s in enumerate(grid.tolist()):
        row = (f"{float(column[i]):.6g}" if column[i] == column[i] else "" for column in table)
        writer.writerow([f"{time_s:.4f}", *row])
    return out.getvalue()
