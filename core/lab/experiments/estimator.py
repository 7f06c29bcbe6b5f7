"""The state estimator against the truth: error, convergence, honesty, invariance, slips.

Velocities are compared in the heading frame, each by its own yaw, because nothing measures the
yaw; roll and pitch do not depend on it.
"""

import math
from typing import Any

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.measure.shadows import Witness, heading_velocity, moved_alike, rms, wrong_starts
from core.lab.rehearsal import Rows
from core.lab.script import START_S, Script
from core.link.commands import Command, Gesture
from core.run.launch import WalkOrder
from core.tick.performer import Performer
from devices.interface import Floats

SPEED = 0.16  # [m/s]
LEAD_S = 3.0
LENGTH_S = 60.0
WRONG_TILT, WRONG_SPEED = math.radians(20.0), 0.5  # [rad], [m/s]
CONVERGENCE_S = 2.0
SLIP = 0.05  # [m]
SLIP_AT_S = 1.0
SLIP_S = 0.06  # on ice; then the floor holds it again
SLIP_FORCES = (20.0, 22.0, 24.0, 26.0, 28.0, 30.0, 35.0, 40.0)  # [N], until it slips enough
SLIDING_S = 0.3  # in which the foot comes to rest
WINDOW_S = 0.1
AFTER_S = 3.0
VELOCITY_BAR = 0.03  # [m/s]
TILT_BAR = 0.5  # [°]
NARROW = 0.95  # share within 1σ of a filter that believes in errors twice as large as they are
SURE = 0.5  # the same for one that believes in errors half as large: 0.38; an honest one has 0.68


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    figures: Figures = {}
    length_s = LEAD_S + LENGTH_S
    commands: list[tuple[float, Command]] = [
        (LEAD_S, Gesture("wave", loop=True)),
        (LEAD_S + 0.5 * LENGTH_S, Gesture("thumbs_up", loop=True)),
    ]
    body = lab.body(seed)
    witness = Witness(body, START_S + LEAD_S)
    script = Script(length_s, [WalkOrder(vx=SPEED, dur=length_s)], commands)
    done = lab.run(seed, script, body=body, watch=witness, gestures=True)
    rows = done.rows[done.rows["t"] >= START_S + LEAD_S]
    figures["falls"] = float(done.failed)
    velocity, tilt = errors(rows)
    figures["velocity"] = rms(np.linalg.norm(velocity, axis=1))
    for axis, name in enumerate("xyz"):
        figures[f"velocity_{name}"] = rms(velocity[:, axis])
    figures["roll"], figures["pitch"] = rms(tilt[:, 0]), rms(tilt[:, 1])
    world = rows["base_velocity_est"].astype(float) - rows["base_velocity_true"]
    figures["velocity_world"] = rms(np.linalg.norm(world, axis=1))
    yaw = rows["rpy_est"][:, 2].astype(float) - rows["rpy_true"][:, 2]
    figures["yaw_drift"] = float(np.abs(np.rad2deg(np.unwrap(yaw)))[-1])
    figures.update(witness.coverage())
    figures.update(_convergence(lab, seed))
    figures.update(_slip(lab, seed))
    return Measured(figures, {"t": rows["t"][::10] - START_S, "velocity_error": velocity[::10]})


def errors(rows: Rows) -> tuple[Floats, Floats]:
    """Return the errors of velocity (k, 3) [m/s] and of roll and pitch (k, 2) [°]."""
    estimated = heading_velocity(
        rows["base_velocity_est"].astype(float), rows["rpy_est"][:, 2].astype(float)
    )
    true = heading_velocity(
        rows["base_velocity_true"].astype(float), rows["rpy_true"][:, 2].astype(float)
    )
    tilt: Floats = np.rad2deg(rows["rpy_est"][:, :2].astype(float) - rows["rpy_true"][:, :2])
    return estimated - true, tilt


def _convergence(lab: Laboratory, seed: int) -> Figures:
    """Let filters that begin wrong run beside a walk, and one pair in two worlds."""
    body = lab.body(seed)
    start_s = START_S + LEAD_S
    shadows = wrong_starts(body, start_s, WRONG_TILT, WRONG_SPEED)
    alike = moved_alike(body, start_s, WRONG_TILT, WRONG_SPEED)

    def watch(performer: Performer) -> None:
        sample = body.read()
        for shadow in (*shadows, *alike.pair):
            shadow.follow(performer, sample)
        alike.compare()

    cycle_s = 2.0 * lab.profile.as_biped.gait.step_s
    length_s = LEAD_S + CONVERGENCE_S + cycle_s
    lab.run(seed, Script(length_s, [WalkOrder(vx=SPEED, dur=length_s)]), body=body, watch=watch)
    late = [shadow.errors(start_s + CONVERGENCE_S) for shadow in shadows]
    return {
        "converged_velocity": max(rms(np.linalg.norm(v, axis=1)) for v, _ in late),
        "converged_tilt": max(max(rms(t[:, 0]), rms(t[:, 1])) for _, t in late),
        "invariance": alike.difference,
    }


def _slip(lab: Laboratory, seed: int) -> Figures:
    """Push a foot that stands on ice until it slips by 5 cm."""
    figures: Figures = {"slip": 0.0, "slip_recovery": math.nan, "slip_falls": math.nan}
    for force in SLIP_FORCES:
        body = lab.body(seed)
        slipped = _slipper(body, force)
        done = lab.run(seed, Script(SLIP_AT_S + AFTER_S), body=body, watch=slipped)
        rows = done.rows[done.rows["t"] >= START_S + SLIP_AT_S]
        first = lab.soles(rows[0])[0]
        inside = rows[rows["t"] < START_S + SLIP_AT_S + SLIDING_S][::10]
        ways = [float(np.hypot(*(lab.soles(row)[0] - first)[:2])) for row in inside]
        if max(ways) >= SLIP or force == SLIP_FORCES[-1]:
            velocity, tilt = errors(rows)
            late = _recovery(
                rows["t"],
                np.linalg.norm(velocity, axis=1),
                np.abs(tilt).max(axis=1),
                lab.profile.tick_s,
            )
            figures["slip"] = max(ways)
            figures["slip_error"] = float(np.linalg.norm(velocity, axis=1).max())
            figures["slip_recovery"] = max(0.0, late - SLIP_S)
            figures["slip_falls"] = float(done.failed)
            break
    return figures


def _slipper(body: Any, force: float) -> Any:
    made = False

    def watch(performer: Performer) -> None:
        nonlocal made
        if not made and performer.plant.state.stamp_s >= START_S + SLIP_AT_S:
            made = True
            body.slip_contact(0, SLIP_S, 0.01)
            body.push_contact(0, np.array([force, 0.0, 0.0]), SLIP_S)

    return watch


def _recovery(t: Floats, speed: Floats, tilt: Floats, tick_s: float) -> float:
    """Return how long after the first tick the errors' rms over 0.1 s stay within the bars [s]."""
    count = round(WINDOW_S / tick_s)
    window = np.ones(count) / count
    bad = np.sqrt(np.convolve(speed**2, window, "valid")) > VELOCITY_BAR
    bad |= np.sqrt(np.convolve(tilt**2, window, "valid")) > TILT_BAR
    late = np.flatnonzero(bad)
    if not late.size:
        return 0.0
    return math.inf if late[-1] == bad.size - 1 else float(t[late[-1] + 1] - t[0])


def _pooled(figure: str, what: str) -> Bar:
    """Return a row of a share within 1σ: biases that last are drawn once a seed."""
    return Bar(figure, what, at_least=SURE, at_most=NARROW, pooled=True)


EXPERIMENT = Experiment(
    "estimator",
    "the state estimator over 60 s of walking with gestures, from wrong starts, and in a slip",
    run,
    (
        Bar("falls", "falls", at_most=0.0),
        Bar("velocity", "velocity RMSE, heading frame", "m/s", at_most=VELOCITY_BAR),
        Bar("velocity_x", "forward", "m/s"),
        Bar("velocity_y", "to the left", "m/s"),
        Bar("velocity_z", "up", "m/s"),
        Bar("roll", "roll RMSE", "°", at_most=TILT_BAR),
        Bar("pitch", "pitch RMSE", "°", at_most=TILT_BAR),
        Bar("velocity_world", "velocity RMSE, world frame", "m/s"),
        Bar("yaw_drift", "yaw after 60 s, which nothing measures", "°"),
        Bar("coverage_velocity", "velocity within 3σ, worst axis", at_least=0.95),
        Bar("coverage_tilt", "roll and pitch within 3σ, the worse", at_least=0.95),
        _pooled("narrow_velocity", "velocity within 1σ, mean of the axes"),
        _pooled("narrow_tilt", "roll and pitch within 1σ, their mean"),
        Bar("converged_velocity", "2 s after 20° and 0.5 m/s wrong: velocity", "m/s", "", 0.03),
        Bar("converged_tilt", "2 s after 20° and 0.5 m/s wrong: tilt", "°", "", TILT_BAR),
        Bar("invariance", "another world's yaw and origin: difference", at_most=1e-9),
        Bar("slip", "a standing foot slips", "m", at_least=SLIP),
        Bar("slip_error", "largest velocity error in it", "m/s"),
        Bar("slip_recovery", "recovered after its end", "s", at_most=1.0),
        Bar("slip_falls", "falls in it"),
    ),
    beside=False,
)
