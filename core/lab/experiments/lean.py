"""Somebody leans on the standing robot: a steady force on its torso from each of eight sides."""

import math

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.push import response, shove
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rows
from core.lab.script import START_S, Script

FORCE, LEAN_S = 20.0, 1.0  # [N], [s]
AFTER_S = 5.0  # in which it comes to rest
STOOD = 0.01  # a foot that has moved by less has not stepped [m]
SIDES = tuple(range(0, 360, 45))  # [°] from x of the world, in which the robot first looks
PERIOD_S = LEAN_S + AFTER_S


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    figures: Figures = {"falls": 0.0, "stepped": 0.0, "excursion": 0.0, "settling": 0.0}
    left = list(SIDES)
    while left:
        commands = [(PERIOD_S * i, shove(FORCE * LEAN_S, d, LEAN_S)) for i, d in enumerate(left)]
        script = Script(PERIOD_S * len(left), commands=commands)
        done = lab.run(seed, script)
        stood = len(left)
        if script.fell_s is not None:
            stood = max(0, math.floor((script.fell_s - START_S) / PERIOD_S))
            figures["falls"] += 1.0
        for i, degrees in enumerate(left[:stood]):
            start_s = START_S + PERIOD_S * i
            _add(figures, lab, done.rows, start_s, degrees)
        for degrees in left[stood : stood + 1]:
            figures[f"excursion_{degrees}"] = math.nan
        left = left[stood + 1 :]
    return Measured(figures)


def _add(figures: Figures, lab: Laboratory, rows: Rows, start_s: float, degrees: int) -> None:
    """Note how the robot answers one lean, which does not fell it."""
    excursion, settled_s = response(rows, start_s, LEAN_S, start_s + PERIOD_S)
    first, last = (np.searchsorted(rows["t"], s) for s in (start_s, start_s + PERIOD_S))
    way = lab.soles(rows[last - 1]) - lab.soles(rows[first])
    figures["stepped"] += float(np.abs(way).max() >= STOOD)
    figures["excursion"] = max(figures["excursion"], excursion)
    figures["settling"] = max(figures["settling"], settled_s)
    figures[f"excursion_{degrees}"] = excursion


EXPERIMENT = Experiment(
    "lean",
    "20 N for 1 s on the torso of the standing robot, from 8 sides",
    run,
    (
        Bar("falls", "falls", at_most=0.0),
        Bar("stepped", "times that it steps"),
        Bar("excursion", "largest excursion of the CoM without a fall", "m"),
        Bar("settling", "speed below 0.01 m/s after, at the latest", "s"),
        *(Bar(f"excursion_{d}", f"excursion, toward {d}°", "m") for d in SIDES),
    ),
)
