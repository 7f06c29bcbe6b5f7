"""The twin beside the simulator: the same runs, behind every wire, come out alike.

What the robot truly does is compared. What the drivers read of a wrist or a finger is up to 11 ms
old, so that a quick one seems to be behind; that is only reported.
"""

import math
from collections.abc import Callable

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments import gestures, walk
from core.lab.experiments.estimator import TILT_BAR, VELOCITY_BAR, errors
from core.lab.laboratory import Laboratory
from core.lab.measure.gait import cycles
from core.lab.measure.shadows import rms
from core.lab.rehearsal import Rehearsed, Rows
from core.run.autopilot import Autopilot
from core.safety.modes import ACTIVE, Mode
from devices.interface import Floats

THIN = 5  # ticks a row of the record: a show's would fill the memory
STEADY = 1e-6  # a command that changes by less within a cycle is the same [m/s]
UP = (Mode.READY, *ACTIVE)
HIP_JOINTS = 3  # the first joints of a leg
TAIL = 99.9  # percentile of the torque that is cut off at the motors' limits [%]


def show(lab: Laboratory, seed: int) -> Measured:
    """Play the sample show."""
    return _measured(lab, lab.run(seed, Autopilot(), show=lab.sample_show, thin=THIN))


def walking(lab: Laboratory, seed: int, part_s: float = walk.PART_S) -> Measured:
    """Walk at the paper's speed through idle, thumbs-up and waving."""
    return _measured(lab, walk.gesturing(lab, seed, part_s, THIN))


def every_gesture(lab: Laboratory, seed: int) -> Measured:
    """Play every gesture, standing."""
    names = sorted(lab.gestures.clips)
    done, _ = gestures.play(lab, seed, names, walking=False, thin=THIN)
    return _measured(lab, done)


def _measured(lab: Laboratory, done: Rehearsed) -> Measured:
    rows = done.rows[np.isin(done.rows["mode"], UP)]
    report = done.report
    figures: Figures = {
        "falls": float(report.falls),
        "ended": float(report.completed),
        "distance": report.distance_m,
    }
    if rows.size:
        figures |= body_figures(lab, rows) | estimate_figures(rows)
        figures["velocity"] = velocity_error(rows)
    return Measured(figures)


def body_figures(lab: Laboratory, rows: Rows) -> Figures:
    """Return the tracking errors of the joints and the load of the hips."""
    profile = lab.profile
    names = profile.joint_names
    worst = {}
    for figure, column in (("tracking", "q_true"), ("read", "q")):
        error = np.abs(rows[column] - rows["q_command"])
        worst[figure] = math.degrees(float(np.delete(error, profile.leg_joints, axis=1).max()))
    legs = [limb.name for limb in profile.limbs if limb.kind == "leg"]
    hips = [names.index(name) for leg in legs for name in profile.joints_of(leg)[:HIP_JOINTS]]
    torque = np.abs(rows["tau_applied"][:, hips].astype(float))
    roll, pitch = rows["rpy_true"][:, :2].astype(float).T
    tilt = np.arccos(np.cos(roll) * np.cos(pitch))
    return worst | {
        "hip_rms": float(np.sqrt((torque**2).mean(axis=0)).max()),
        "hip_peak": float(np.percentile(torque, TAIL, axis=0).max()),
        "tilt": math.degrees(float(tilt.max())),
    }


def estimate_figures(rows: Rows) -> Figures:
    """Return how far the estimate is from the truth."""
    velocity, tilt = errors(rows)
    return {
        "estimate": rms(np.linalg.norm(velocity, axis=1)),
        "roll": rms(tilt[:, 0]),
        "pitch": rms(tilt[:, 1]),
    }


def velocity_error(rows: Rows) -> float:
    """Return the rms over gait cycles of velocity minus a command that lasts for them [m/s]."""
    found = cycles(rows)
    asked = rows["velocity_command"][:, :2].astype(float)
    differences: list[Floats] = []
    ends_s = found.start_s + found.duration_s
    for start_s, end_s, mean in zip(found.start_s, ends_s, found.velocity, strict=True):
        first, last = np.searchsorted(rows["t"], (start_s, end_s))
        within = asked[first:last]
        if np.abs(within).max() > STEADY and np.ptp(within, axis=0).max() < STEADY:
            differences.append(mean - within[0])
    return rms(np.linalg.norm(differences, axis=1)) if differences else math.nan


def _experiment(name: str, title: str, run: Callable[[Laboratory, int], Measured]) -> Experiment:
    bars = (
        Bar("falls", "falls", at_most=0.0),
        Bar("ended", "did all that was asked, to its end", at_least=1.0),
        Bar("tracking", "largest true error of a joint above the legs", "°", alike=True),
        Bar("read", "the same, as it is read", "°"),
        *([VELOCITY] if name != "gestures" else []),
        Bar("estimate", "RMSE of the estimated velocity", "m/s", "", VELOCITY_BAR, alike=True),
        Bar("roll", "RMSE of the estimated roll", "°", at_most=TILT_BAR, alike=True),
        Bar("pitch", "RMSE of the estimated pitch", "°", at_most=TILT_BAR, alike=True),
        Bar("hip_rms", "largest rms torque of a hip joint", "N·m", alike=True),
        Bar("hip_peak", "largest torque of a hip joint in 99.9 % of the time", "N·m", alike=True),
        Bar("tilt", "largest tilt of the torso", "°", alike=True),
        Bar("distance", "walked", "m"),
    )
    return Experiment(f"twin/{name}", title, run, bars, beside=False, twin=True)


VELOCITY = Bar("velocity", "rms error of a gait cycle's velocity", "m/s", alike=True)
EXPERIMENTS = (
    _experiment("show", "the sample show, on the simulator and on the twin", show),
    _experiment("walk", "60 s at 0.16 m/s with gestures, on both", walking),
    _experiment("gestures", "every gesture, standing, on both", every_gesture),
)
