"""Figures of jumps, runs and changes of gait, like those of the dynamics filter's paper."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from core.constants import GRAVITY
from devices.interface import Floats

Curves: TypeAlias = Mapping[str, Floats]

LEFT, RIGHT, BODY, PLAN = "#1f5fa8", "#c2571a", "#2f8f4e", "#222222"
SHADE = "#dcdcdc"
FOOT_COLUMNS = ((2, LEFT, "left"), (5, RIGHT, "right"))


def jumping(pyplot: Any, curves: Curves) -> Any:
    """Two jumps: height of the CoM, vertical force, ZMP and CoM, height of the soles.

    Plans are dashed.
    """
    return _panels(pyplot, curves, "Two jumps of 1 s with a flight of 0.1 s", axis=0)


def running(pyplot: Any, curves: Curves) -> Any:
    """Three cycles of a run, the same."""
    return _panels(pyplot, curves, "A run of 0.05 m in 0.2 s a step, flights of 0.04 s", axis=1)


def changing(pyplot: Any, curves: Curves) -> Any:
    """Twelve seconds of random orders, the same."""
    return _panels(pyplot, curves, "Random orders: stand, walk, run, jump", axis=1)


def _panels(pyplot: Any, curves: Curves, title: str, axis: int) -> Any:
    figure, panels = pyplot.subplots(
        4, 1, sharex=True, figsize=(9.0, 9.0), layout="constrained", height_ratios=(2, 3, 3, 2)
    )
    t = curves["t"]
    for panel in panels:
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(alpha=0.25, linewidth=0.5)
        _shade(panel, t, curves["flight"])
    com, plan = curves["com"], curves["planned_com"]
    _pair(panels[0], t, 1000.0 * plan[:, 2], 1000.0 * com[:, 2], BODY, "CoM")
    panels[0].set_ylabel("height\nof the CoM [mm]")
    planned = curves["weight"] * (1.0 + curves["acceleration"][:, 2] / GRAVITY)
    panels[1].plot(t, planned, color=PLAN, linewidth=1.0, linestyle="--", label="planned, sum")
    for foot, (_, ink, name) in enumerate(FOOT_COLUMNS):
        panels[1].plot(t, curves["force"][:, foot], color=ink, linewidth=0.9, label=name)
    total = curves["force"].sum(axis=1)
    panels[1].plot(t, total, color=BODY, linewidth=0.7, alpha=0.8, label="sum", zorder=1.5)
    panels[1].set_ylabel("vertical force [N]")
    panels[1].set_ylim(0.0, 1.35 * max(float(planned.max()), 1.0))
    place = 1000.0 * (com[:, axis] - com[0, axis] + plan[0, axis])
    middle = 1000.0 * float(plan[0, axis]) if axis == 0 else 0.0
    _pair(panels[2], t, 1000.0 * plan[:, axis] - middle, place - middle, BODY, "CoM")
    zmp = np.where(curves["flight"] > 0.0, np.nan, 1000.0 * curves["pressure"][:, axis] - middle)
    panels[2].plot(t, zmp, color="#7a3fa0", linewidth=1.2, label="ZMP, planned")
    panels[2].set_ylabel(f"{'xy'[axis]} of ZMP\nand CoM [mm]")
    highest = 1.0
    for column, ink, name in FOOT_COLUMNS:
        found, plan = (1000.0 * curves[key][:, column] for key in ("true_soles", "soles"))
        panels[3].plot(t, found, color=ink, label=name, linewidth=1.2)
        panels[3].plot(t, plan, color=PLAN, linewidth=0.8, linestyle="--")
        highest = max(highest, float(found.max()), float(plan.max()))
    panels[3].set_ylim(-0.15 * highest, 1.5 * highest)
    panels[3].set_ylabel("height of the\nsoles [mm]")
    panels[3].set_xlabel("time [s]; shaded: planned flights")
    panels[0].set_title(title)
    panels[0].margins(y=0.25)
    panels[2].margins(y=0.25)
    for panel in panels:
        panel.legend(fontsize=8, ncols=4, loc="upper right")
    panels[0].set_xlim(float(t[0]), float(t[-1]))
    return figure


def _pair(panel: Any, t: Floats, plan: Floats, found: Floats, ink: str, name: str) -> None:
    """Draw what was planned and what was measured."""
    panel.plot(t, found, color=ink, linewidth=1.4, label=f"{name}, measured")
    panel.plot(t, plan, color=PLAN, linewidth=1.0, linestyle="--", label=f"{name}, planned")


def _shade(panel: Any, t: Floats, flight: Floats) -> None:
    """Shade the planned flights."""
    edges = np.flatnonzero(np.diff((flight > 0.0).astype(int), prepend=0, append=0))
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        panel.axvspan(t[first], t[min(last, t.size - 1)], color=SHADE, linewidth=0.0)
