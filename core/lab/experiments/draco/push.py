"""Standing on soles against pushes at the torso, without a step (paper, figure 5)."""

import math

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.draco.coupled import LEAD_S, Run, pendulum_of, run, tilt_deg
from core.lab.laboratory import Laboratory
from core.link.commands import Push

WAY_M, PUSH_S = 0.03, 4.0  # the paper's displacement, and how long the push lasts
HELD_S = 1.0  # at the end of the push, over which the displacement is averaged
AFTER_S = 6.0
CLOSE_M = 0.002
SHOVE_S, SHOVE_AFTER_S = 0.1, 4.0
DIRECTIONS = {"left": (0.0, 1.0, 12.0), "forward": (1.0, 0.0, 7.0)}  # direction; bar [N·s]
LARGEST = 24.0  # impulse that is tried [N·s]


def run_seed(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    still = run(lab, seed, 0.1, [])
    lab.soles(still.rows[-1])  # the model is at the standing posture now
    omega, gain = pendulum_of(lab)
    force = lab.model.mass * omega**2 * gain * WAY_M
    found = run(lab, seed, PUSH_S + AFTER_S, [(0.0, Push(0.0, force, 0.0, PUSH_S))])
    figures: Figures = {"force": force, "falls": float(found.failed), "parted": found.parted_rad}
    if not found.failed:
        _add_constant(figures, lab, found)
    half_span = 0.5 * float(np.hypot(*(lab.model.soles[0, :2] - lab.model.soles[1, :2])))
    contact = lab.profile.contacts[0]
    for name, (x, y, _) in DIRECTIONS.items():
        edge = half_span + contact.half_width if y else contact.toe
        largest, parted = _largest(lab, seed, x, y)
        figures[f"largest_{name}"] = largest
        figures[f"share_{name}"] = largest / (lab.model.mass * omega * edge)
        figures["parted"] = max(figures["parted"], parted)
    kept = found.rows[::10]
    curves = {
        "t": kept["t"].astype(np.float64) - kept["t"][0],
        "com": kept["com_true"].astype(np.float64),
        "rpy": np.rad2deg(kept["rpy_true"].astype(np.float64)),
        "force": kept["external_force"].astype(np.float64),
    }
    return Measured(figures, curves)


def _add_constant(figures: Figures, lab: Laboratory, found: Run) -> None:
    """Note displacement, return, tilt and feet of the constant push."""
    begin_s, end_s = LEAD_S, LEAD_S + PUSH_S
    way = found.away("com_true")[:, 1]
    figures["way_cm"] = 100.0 * float(way[found.between(end_s - HELD_S, end_s)].mean())
    far = np.flatnonzero((np.abs(way) > CLOSE_M) & (found.since_s >= end_s))
    last_s = float(found.since_s[far[-1]]) if far.size else end_s
    figures["return_s"] = math.inf if far.size and far[-1] == way.size - 1 else last_s - end_s
    figures["tilt_deg"] = tilt_deg(found, begin_s)
    first = np.searchsorted(found.since_s, begin_s)
    before = lab.soles(found.rows[first])
    moved = 0.0
    for second in np.arange(begin_s, found.since_s[-1], 0.25):
        after = lab.soles(found.rows[np.searchsorted(found.since_s, second)])
        moved = max(moved, float(np.linalg.norm(after - before, axis=1).max()))
    figures["feet_mm"] = 1000.0 * moved


def _largest(lab: Laboratory, seed: int, x: float, y: float) -> tuple[float, float]:
    """Return the largest whole impulse that the robot stands [N·s], and how far hinges part."""
    stood, fallen, parted = 0.0, LARGEST, 0.0
    while fallen - stood > 1.0:
        impulse = math.floor(0.5 * (stood + fallen))
        newtons = impulse / SHOVE_S
        push = Push(newtons * x, newtons * y, 0.0, SHOVE_S)
        found = run(lab, seed, SHOVE_AFTER_S, [(0.0, push)], may_fall=True, keep=False)
        if found.failed:
            fallen = impulse
        else:
            stood, parted = impulse, max(parted, found.parted_rad)
    return stood, parted


EXPERIMENT = Experiment(
    "draco/push",
    "standing on soles without a step: a push for 4 s, and pushes of 0.1 s",
    run_seed,
    (
        Bar("force", "push to the left for 4 s, m ω² k · 3 cm", "N"),
        Bar("way_cm", "it moves the CoM by", "cm", "3", at_least=2.7, at_most=3.5),
        Bar("return_s", "and it is back within 2 mm after", "s", "returns", at_most=2.0),
        Bar("tilt_deg", "roll, pitch and yaw of the torso, at most", "°", at_most=1.0),
        Bar("feet_mm", "the feet move by", "mm", at_most=1.0),
        Bar("falls", "falls", at_most=0.0),
        Bar("largest_left", "largest push of 0.1 s to the left", "N·s", "stands", at_least=12.0),
        Bar("share_left", "as a share of m ω d"),
        Bar("largest_forward", "largest push of 0.1 s forward", "N·s", at_least=7.0),
        Bar("share_forward", "as a share of m ω d"),
        Bar("parted", "coupled hinges part by", "rad", at_most=1e-6),
    ),
    beside=False,
)
