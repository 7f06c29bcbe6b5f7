"""Sway and squat (paper, "SwingCOM" of figure 5): tracking, and what friction does to it."""

from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.draco.coupled import (
    LEAD_S,
    Run,
    largest_load,
    pendulum_of,
    run,
    tilt_deg,
)
from core.lab.laboratory import Laboratory
from core.link.commands import StartSway
from core.plants.biped.walk.sway import AXES, SwayMotion
from core.plants.interface import Sway
from core.robot.profile import Profile
from devices.interface import Floats

SWAY = Sway("left", 0.05, 0.08, 2)
SQUAT = Sway("up", 0.03, 0.05, 2)
DEEP = Sway("up", 0.08, 0.1, 2)
REST_S = 3.0  # of standing, until friction alone holds it away from its place
BEGIN_S = LEAD_S + REST_S
AFTER_S = 2.0
FRICTION_NM = 1.9  # dry friction of each ankle's roll
WEAK_GAIN = 0.5  # the authors' on their hardware


def length_s(sway: Sway) -> float:
    """Return how long a sway and the rest after it take [s]."""
    return sway.cycles / sway.frequency_hz + AFTER_S


def reference_of(lab: Laboratory, sway: Sway, since_s: Floats) -> Floats:
    """Return the desired offset along the sway's axis at each time of an experiment (ticks) [m]."""
    motion, offsets = SwayMotion(lab.profile.as_biped.sway), np.zeros(since_s.size)
    for tick, time_s in enumerate(since_s.tolist()):
        motion.follow(time_s, sway if time_s >= BEGIN_S else None, True)
        offsets[tick] = motion.offset[AXES[sway.direction]]
    return offsets


def perform(
    lab: Laboratory, seed: int, sway: Sway, body: Any = None, profile: Profile | None = None
) -> Run:
    """Let the robot sway."""
    command = StartSway(sway.direction, sway.amplitude_m, sway.frequency_hz, sway.cycles)
    length = REST_S + length_s(sway)
    return run(lab, seed, length, [(REST_S, command)], body=body, profile=profile)


def way_of(found: Run) -> Floats:
    """Return the way from the place at rest at each tick (ticks, 3) [m].

    That is the way of the CoM across the floor, and of the base up.
    """
    way = found.away("base_position_true", BEGIN_S)
    way[:, :2] = found.away("com_true", BEGIN_S)[:, :2]
    return way


def add_tracking(figures: Figures, lab: Laboratory, name: str, sway: Sway, found: Run) -> None:
    """Note how well a sway was followed."""
    figures[f"{name}_falls"] = float(found.failed)
    figures["parted"] = max(figures.get("parted", 0.0), found.parted_rad)
    if found.failed:
        return
    axis, moving = AXES[sway.direction], found.since_s >= BEGIN_S
    way = way_of(found)[moving]
    error = way[:, axis] - reference_of(lab, sway, found.since_s)[moving]
    aside = way[:, [k for k in range(2) if k != axis]]
    figures[f"{name}_cm"] = 50.0 * float(np.ptp(way[:, axis]))
    figures[f"{name}_rmse_mm"] = 1000.0 * float(np.sqrt(np.mean(error**2)))
    figures[f"{name}_error_mm"] = 1000.0 * float(np.abs(error).max())
    figures[f"{name}_aside_mm"] = 1000.0 * float(np.abs(aside).max())
    figures[f"{name}_aside_rmse_mm"] = 1000.0 * float(np.sqrt(np.mean(aside**2, axis=0)).max())
    middle = lab.soles(found.rows[np.flatnonzero(moving)[0]]).mean(axis=0)[:2]
    place = found.rows["com_true"][moving, :2].astype(np.float64).mean(axis=0) - middle
    figures[f"{name}_place_mm"] = 1000.0 * float(np.hypot(*place))
    figures[f"{name}_tilt_deg"] = tilt_deg(found, BEGIN_S)
    figures[f"{name}_load"] = largest_load(lab, found, BEGIN_S)


def stiff_ankles(lab: Laboratory, seed: int) -> Any:
    """Return a robot with dry friction in the last joint of each leg, which holds it at rest."""
    body = lab.body(seed)
    joints = lab.model.leg_joints[:, -1].tolist()
    friction = list(body.settings.friction_coulomb)
    for joint in joints:
        friction[joint] = 0.0
    body = type(body)(replace(body.settings, friction_coulomb=tuple(friction)), seed)
    body.rub(joints, FRICTION_NM)
    return body


def weak(lab: Laboratory, standing: Run) -> Profile:
    """Return the profile with the weak gain of the capture point, and no integral."""
    lab.soles(standing.rows[-1])  # the model is at the standing posture now
    biped, (omega, _) = lab.profile.as_biped, pendulum_of(lab)
    balance = msgspec.structs.replace(biped.balance, capture_gain=WEAK_GAIN * omega)
    assert biped.sway is not None
    sway = msgspec.structs.replace(biped.sway, trim_rate=0.0)
    changed = msgspec.structs.replace(biped, balance=balance, sway=sway)
    return msgspec.structs.replace(lab.profile, biped=changed)


def run_sway(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed of the sway."""
    figures: Figures = {}
    found = perform(lab, seed, SWAY)
    add_tracking(figures, lab, "sway", SWAY, found)
    rubbing = perform(lab, seed, SWAY, stiff_ankles(lab, seed))
    add_tracking(figures, lab, "rubbing", SWAY, rubbing)
    loose = perform(lab, seed, SWAY, stiff_ankles(lab, seed), weak(lab, found))
    add_tracking(figures, lab, "weak", SWAY, loose)
    kept = slice(None, None, 10)
    curves = {
        "t": found.since_s[kept],
        "wanted": reference_of(lab, SWAY, found.since_s[kept]),
        "com": way_of(found)[kept],
        "rpy": np.rad2deg(found.away("rpy_true", BEGIN_S))[kept],
        "weak_t": loose.since_s[kept],
        "weak": way_of(loose)[kept],
    }
    return Measured(figures, curves)


def run_squat(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed of the squats."""
    figures: Figures = {}
    for name, sway in (("squat", SQUAT), ("deep", DEEP)):
        add_tracking(figures, lab, name, sway, perform(lab, seed, sway))
    return Measured(figures)


def _squat_bars(name: str, what: str) -> tuple[Bar, ...]:
    paper = "accurate" if name == "squat" else ""
    return (
        Bar(f"{name}_rmse_mm", f"{what}: RMSE of the height", "mm", paper, at_most=5.0),
        Bar(f"{name}_aside_rmse_mm", "RMSE of the CoM's x or y, the larger", "mm", at_most=5.0),
        Bar(f"{name}_aside_mm", "largest error of x or y", "mm"),
        Bar(f"{name}_place_mm", "CoM on average beside the middle of the soles", "mm"),
        Bar(f"{name}_load", "largest torque, share of the limit", at_most=0.9),
        Bar(f"{name}_falls", "falls", at_most=0.0),
    )


EXPERIMENTS = (
    Experiment(
        "draco/sway",
        "sway of ±5 cm to the sides at 0.08 Hz, as in the paper",
        run_sway,
        (
            Bar("sway_cm", "amplitude", "cm", "3"),
            Bar("sway_error_mm", "largest error of the CoM", "mm", at_most=5.0),
            Bar("sway_rmse_mm", "RMSE of the CoM", "mm"),
            Bar("sway_place_mm", "CoM on average beside the middle of the soles", "mm"),
            Bar("sway_tilt_deg", "roll, pitch and yaw of the torso", "°", "≤ 1", at_most=1.0),
            Bar("sway_load", "largest torque, share of the limit"),
            Bar("rubbing_cm", "with 1.9 N·m of friction at the ankles", "cm", "", 5.5, 4.5),
            Bar("weak_cm", "and the paper's gain, k 0.5", "cm", "3", at_most=3.5, at_least=2.0),
            Bar("sway_falls", "falls", at_most=0.0),
            Bar("parted", "coupled hinges part by", "rad", at_most=1e-6),
        ),
        beside=False,
    ),
    Experiment(
        "draco/squat",
        "squats of ±3 cm at 0.05 Hz; beyond the paper: ±8 cm at 0.1 Hz",
        run_squat,
        (
            *_squat_bars("squat", "±3 cm"),
            *_squat_bars("deep", "±8 cm"),
            Bar("parted", "coupled hinges part by", "rad", at_most=1e-6),
        ),
        beside=False,
    ),
)
