"""Runs of 0.4 s and two flights of 0.04 s a cycle: straight on, curved, and on bad ground."""

import math
from typing import Any

import numpy as np

from core.constants import GRAVITY
from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.strides.body import move
from core.lab.experiments.strides.bump import Bumps
from core.lab.experiments.strides.conduct import (
    ABLATIONS,
    Run,
    ablations,
    add_flights,
    conduct,
    curves_of,
    flight_bars,
    run_at,
)
from core.lab.experiments.strides.planner import USUAL
from core.lab.experiments.strides.push import BARS, add_pushes
from core.lab.laboratory import SOFT_SOLIMP, Laboratory
from core.plants.dynamics_filter.gait import Gait

RATIO = "by that of the whole filter"
SPEED = 0.25  # 0.05 m a step of 0.2 s [m/s]
WAY_M = 10.0
LENGTH_S = 45.0
CYCLE_S = 0.4
FULL = 0.9  # of the speed, over a cycle, is full
SIDE_S, CURVE_S = 6.0, 8.0
YAW_RATE = 0.3  # [rad/s]
ROUGH_S = 6.0
HEAVY_KG = 0.35  # 5 % of the mass
ABLATED_S = 6.0
SETTLED_S = 1.0  # after the start, from which on errors count
BODY_FROM_S, BODY_S = 3.0, 6.0
SOFT_SOLREF = (0.02, 1.0)  # yields by 1.8 mm under the standing robot; the lab's usual one by 2.6
GROUNDS: dict[str, tuple[str, dict[str, Any]]] = {
    "soft": ("a floor that yields by 2 mm", {}),
    "softer": ("a floor that yields by 3 mm", {"soft": True}),
    "friction": ("friction 0.4", {"friction": 0.4}),
    "heavy": ("5 % more mass", {}),
    "bump": ("1 cm under every eleventh landing", {"bumps_m": 0.01}),
}


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    figures: Figures = {}
    found = conduct(lab, seed, LENGTH_S, [(0.0, run_at(SPEED))])
    ratios = found.ratios(Gait.RUN)
    add_flights(figures, "run", ratios)
    figures["run_falls"] = float(found.failed)
    figures["full_s"] = full_s(found)
    whole, stance = found.forces(Gait.RUN, SETTLED_S)
    figures["force_share"], figures["stance_force"] = whole / (lab.model.mass * GRAVITY), stance
    way = found.way()
    figures["way_m"] = float(way[:, 0].max())
    before = way[: int(np.argmax(way[:, 0] >= WAY_M)) or None]
    figures["drift_m"] = float(np.abs(before[:, 1]).max())
    figures["tilt_deg"] = found.tilt_deg()
    for name, length_s, order in (
        ("left", SIDE_S, run_at(0.0, 0.08)),
        ("curve", CURVE_S, run_at(SPEED, 0.0, YAW_RATE)),
    ):
        other = conduct(lab, seed, length_s, [(0.0, order)])
        add_flights(figures, name, other.ratios(Gait.RUN))
        figures[f"{name}_falls"] = float(other.failed)
    for name, (_, room) in GROUNDS.items():
        other = _on(lab, seed, name, room)
        add_flights(figures, name, other.ratios(Gait.RUN))
        figures[f"{name}_falls"] = float(other.failed)
    normal = found.capture_mm(SETTLED_S, ABLATED_S)
    figures["capture_mm"] = normal
    add_pushes(figures, lab, seed)
    _add_body(figures, lab)
    for name, profile in ablations(lab.profile).items():
        straight = [(0.0, run_at(SPEED))]
        other = conduct(lab, seed, ABLATED_S, straight, profile=profile, may_fall=True)
        add_flights(figures, name, other.ratios(Gait.RUN))
        figures[f"{name}_falls"] = float(other.failed)
        figures[f"{name}_capture_mm"] = other.capture_mm(SETTLED_S, ABLATED_S)
        figures[f"{name}_worse"] = figures[f"{name}_capture_mm"] / normal
    return Measured(figures, curves_of(lab, found, 3.0, 4.2))


def full_s(found: Run) -> float:
    """Return when the first cycle at full speed ends, in which the robot flew [s]."""
    since, way = found.since_s, found.way()[:, 0]
    flights = [one.begin_s - found.rows["t"][0] + since[0] for one in found.watch.flights]
    for end_s in flights[2:]:
        begin, end = np.searchsorted(since, (end_s - CYCLE_S, end_s))
        if way[end] - way[begin] >= FULL * SPEED * CYCLE_S:
            return float(end_s)
    return math.inf


def _on(lab: Laboratory, seed: int, name: str, room: dict[str, Any]) -> Run:
    """Run on bad ground, or with more mass than the control knows."""
    body = lab.body(seed, **room)
    look = None
    if name == "soft":
        soles = list(body.world.contact_geoms)
        body.model.geom_solref[soles] = SOFT_SOLREF
        body.model.geom_solimp[soles] = SOFT_SOLIMP
    elif name == "heavy":
        body.model.body_mass[body.world.base] += HEAVY_KG
    elif name == "bump":
        look = Bumps(body)
    order = [(0.0, run_at(SPEED))]
    return conduct(lab, seed, ROUGH_S, order, body=body, look=look)


def _add_body(figures: Figures, lab: Laboratory) -> None:
    """Note the ZMP of the whole body beside the plan, with and without parts of the filter."""
    parts = ablations(lab.profile)
    for key, profile in (
        ("zmp", lab.profile),
        ("zmp_spin", parts["spin"]),
        ("zmp_rate", parts["rate"]),
    ):
        motion = move(profile, [(2.0, USUAL[Gait.RUN])], BODY_S)
        error = 1000.0 * motion.zmp_error(BODY_FROM_S, lab.model.mass)
        figures[f"{key}_mm"] = float(np.sqrt((error**2).mean()))
        figures[f"{key}_p99_mm"] = float(np.percentile(error, 99.0))
    figures["zmp_spin_worse"] = figures["zmp_spin_mm"] / figures["zmp_mm"]
    figures["zmp_rate_worse"] = figures["zmp_rate_mm"] / figures["zmp_mm"]


def _ground_bars() -> tuple[Bar, ...]:
    return tuple(
        bar for name, (what, _) in GROUNDS.items() for bar in flight_bars(name, what, strict=False)
    )


def _ablation_bars() -> tuple[Bar, ...]:
    bars: list[Bar] = []
    for name, what in ABLATIONS.items():
        bars += [
            Bar(f"{name}_flight", f"{what}: flight by its plan, mean"),
            Bar(f"{name}_falls", "falls"),
            Bar(f"{name}_capture_mm", "rms error of the capture point", "mm"),
            # What footsteps that move are for is a disturbance: see `strides/filter`.
            Bar(f"{name}_worse", RATIO, at_least=None if name == "fixed" else 1.0),
        ]
    return tuple(bars)


EXPERIMENT = Experiment(
    "strides/run",
    "a run with flights of 0.04 s, 0.05 m a step of 0.2 s: 10 m, curves, bad ground, pushes",
    run,
    (
        Bar("run_flight", "flight by its plan, mean", "", "almost 1; 0.4", 1.15, 0.85),
        Bar("run_least", "least flight by its plan", at_least=0.7),
        Bar("run_most", "longest flight by its plan"),
        Bar("run_flights", "flights"),
        Bar("run_falls", "falls", at_most=0.0),
        Bar("force_share", "mean vertical force by the weight", "", "", 1.01, 0.99),
        Bar("stance_force", "mean vertical force in stance", "N", "", 88.4, 83.2),
        Bar("full_s", "from standing to a cycle at full speed", "s", "~ 10", at_most=1.5),
        Bar("way_m", "way without a stop", "m", "3 to 4", at_least=WAY_M),
        Bar("drift_m", "drift to the side over 10 m", "m", at_most=0.3),
        Bar("tilt_deg", "roll or pitch of the base, at most", "°"),
        Bar("capture_mm", "rms error of the capture point", "mm"),
        *flight_bars("left", "to the left, 0.08 m/s", strict=True),
        *flight_bars("curve", "a curve, 0.3 rad/s", strict=True),
        *_ground_bars(),
        *BARS,
        Bar("zmp_mm", "ZMP of the whole body beside the plan, rms", "mm", "neglected", 4.0),
        Bar("zmp_p99_mm", "99th percentile", "mm"),
        Bar("zmp_spin_mm", "angular momentum free: the same, rms", "mm"),
        Bar("zmp_spin_worse", RATIO, at_least=1.0),
        Bar("zmp_rate_mm", "λ = √(g/z): the same, rms", "mm"),
        Bar("zmp_rate_worse", RATIO, at_least=1.0),
        *_ablation_bars(),
    ),
)
