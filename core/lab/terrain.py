"""Walking with gestures where the paper did not: slopes, bumps, ice, a load, a soft floor."""

from typing import Any

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.script import START_S, Script
from core.launch import WalkOrder
from core.link.messages import Command, Gesture

SPEED = 0.16  # [m/s]
LENGTH_S = 60.0
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
        rows = done.rows
        first = rows[np.searchsorted(rows["t"], START_S)]
        way = rows["base_position_true"][-1, :2] - first["base_position_true"][:2]
        figures[f"{name}_falls"] = float(done.failed)
        figures[f"{name}_time"] = float(rows["t"][-1] - START_S)
        figures[f"{name}_way"] = float(np.hypot(*way))
    return Measured(figures)


def _bars() -> tuple[Bar, ...]:
    bars: list[Bar] = []
    for name, (what, _) in TERRAINS.items():
        bars.append(Bar(f"{name}_falls", f"{what}: falls in 60 s", at_most=0.0))
        bars.append(Bar(f"{name}_time", f"{what}: walked for", "s"))
        bars.append(Bar(f"{name}_way", f"{what}: way", "m"))
    return tuple(bars)


EXPERIMENT = Experiment("terrain", "60 s at 0.16 m/s with gestures on bad ground", run, _bars())
