"""Walking with gestures where the paper did not: slopes, bumps, ice, a load, a soft floor."""

from typing import Any

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rows
from core.lab.script import START_S, Script
from core.link.commands import Command, Gesture
from core.run.launch import WalkOrder

SPEED = 0.16  # [m/s]
LENGTH_S = 60.0
POINTS_S = 2.0
GESTURES = ((5.0, "wave"), (25.0, "thumbs_up"), (45.0, "cheer"))
TERRAINS: dict[str, tuple[str, dict[str, Any]]] = {
    "up": ("3° uphill", {"slope": 3.0}),
    "down": ("3° downhill", {"slope": -3.0}),
    "bumps": ("bumps of 1 cm", {"bumps_m": 0.01}),
    "friction": ("friction 0.4", {"friction": 0.4}),
    "payload": ("1 kg in the right hand", {"payload_kg": 1.0}),
    "soft": ("a soft floor", {"soft": True}),
}


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    figures: Figures = {}
    commands: list[tuple[float, Command]] = [
        (start_s, Gesture(name, loop=True)) for start_s, name in GESTURES
    ]
    for name, (_, room) in TERRAINS.items():
        script = Script(LENGTH_S, [WalkOrder(vx=SPEED, dur=LENGTH_S)], commands)
        done = lab.run(seed, script, body=lab.body(seed, **room), gestures=True)
        end_s = START_S + LENGTH_S if script.fell_s is None else script.fell_s
        figures[f"{name}_falls"] = float(done.failed)
        figures[f"{name}_time"] = end_s - START_S
        figures[f"{name}_way"] = gone(done.rows, START_S, end_s)
    return Measured(figures)


def gone(rows: Rows, start_s: float, end_s: float) -> float:
    """Return the length of the true way on the ground between two times [m].

    It is summed up between points that lie 2 s apart, so that the sway of steps does not count.
    """
    times = np.append(np.arange(start_s, end_s, POINTS_S), end_s)
    places = np.minimum(np.searchsorted(rows["t"], times), rows.size - 1)
    way = np.diff(rows["com_true"][places, :2].astype(float), axis=0)
    return float(np.hypot(way[:, 0], way[:, 1]).sum())


def _bars() -> tuple[Bar, ...]:
    bars: list[Bar] = []
    for name, (what, _) in TERRAINS.items():
        bars.append(Bar(f"{name}_falls", f"{what}: falls in 60 s", at_most=0.0))
        bars.append(Bar(f"{name}_time", f"{what}: walked, before a fall, for", "s"))
        bars.append(Bar(f"{name}_way", f"{what}: that far", "m"))
    return tuple(bars)


EXPERIMENT = Experiment("terrain", "60 s at 0.16 m/s with gestures on bad ground", run, _bars())
