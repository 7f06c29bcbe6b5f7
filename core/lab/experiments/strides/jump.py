"""Jumps of 1 s with a flight of 0.1 s, in place and forward."""

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.strides.conduct import (
    Run,
    ablations,
    ablation_bars,
    add_flights,
    conduct,
    curves_of,
    far,
)
from core.lab.laboratory import Laboratory
from core.link.commands import StartJump
from core.plants.dynamics_filter.gait import Gait

COUNT = 5
ABLATED = 3  # jumps of each ablation
FORWARD_M, TURN_RAD = 0.05, 0.1
CYCLE_S, FLIGHT_S = 1.0, 0.1
AFTER_S = 1.5  # of standing after the last jump


def jumps(
    lab: Laboratory, seed: int, count: int, dx: float = 0.0, turn: float = 0.0, **room: object
) -> Run:
    """Let the robot jump, and stand for a moment."""
    length_s = 0.4 + count * CYCLE_S + AFTER_S
    order = StartJump(count, dx=dx, turn=turn)
    return conduct(lab, seed, length_s, [(0.0, order)], **room)  # type: ignore[arg-type]


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    figures: Figures = {}
    found = jumps(lab, seed, COUNT)
    add_flights(figures, "jump", found.ratios(Gait.JUMP))
    figures["jump_falls"] = float(found.failed)
    whole, stance = found.forces(Gait.JUMP)
    weight = lab.model.mass * 9.81
    figures["force_share"] = whole / weight
    figures["stance_force"] = stance
    soles = found.planned("soles")[:, [2, 5]]
    figures["apex_mm"] = 1000.0 * float(soles.max())
    rpy = np.rad2deg(np.abs(found.rows["rpy_true"][found.since_s > 0.0, :2]))
    figures["tilt_deg"] = float(rpy.max())
    ahead = jumps(lab, seed, COUNT, FORWARD_M)
    add_flights(figures, "forward", ahead.ratios(Gait.JUMP))
    figures["forward_falls"] = float(ahead.failed)
    figures["forward_m"] = far(ahead) / COUNT
    turned = jumps(lab, seed, ABLATED, 0.0, TURN_RAD)
    add_flights(figures, "turn", turned.ratios(Gait.JUMP))
    figures["turn_falls"] = float(turned.failed)
    yaw = turned.rows["rpy_true"][:, 2].astype(float)
    figures["turn_deg"] = float(np.rad2deg(yaw[-1] - yaw[turned.since_s <= 0.0][-1])) / ABLATED
    for name, (_, profile) in ablations(lab.profile).items():
        other = jumps(lab, seed, ABLATED, FORWARD_M, profile=profile, may_fall=True)
        ratios = other.ratios(Gait.JUMP)
        add_flights(figures, name, ratios)
        figures[f"{name}_falls"] = float(other.failed)
    return Measured(figures, curves_of(found))
