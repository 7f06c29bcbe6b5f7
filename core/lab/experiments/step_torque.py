"""Torques of the legs while stepping in place, and what a conventional hip would need instead."""

import math

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.measure.gait import cycles
from core.lab.rehearsal import Rows
from core.lab.script import START_S, Script
from core.run.launch import WalkOrder
from devices.interface import Floats

LEAD_S = 2.0  # of stepping before anything counts
LEARNING = 3.0  # time constants in which the torso learns its lean; reported, not judged
LENGTH_S = 20.0
JOINTS = ("hip_1", "hip_2", "hip_pitch", "knee", "ankle")
AXES = (math.radians(45.0), math.radians(135.0))  # of hip 1 and 2 in the roll-yaw plane


def conventional(hip_1: Floats, hip_2: Floats) -> tuple[Floats, Floats]:
    """Return the torques of a roll and a yaw joint that make the same moment [N·m].

    The axes of the pair lie at 45° and 135° in the plane of the roll and the yaw axis, at
    right angles to each other; near the upright posture moments add up as vectors.
    """
    roll = math.cos(AXES[0]) * hip_1 + math.cos(AXES[1]) * hip_2
    yaw = math.sin(AXES[0]) * hip_1 + math.sin(AXES[1]) * hip_2
    return roll, yaw


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    biped = lab.profile.as_biped
    learning_s = LEARNING / biped.lean.pitch_share * 2.0 * biped.gait.step_s
    length_s = LEAD_S + learning_s + LENGTH_S
    script = Script(length_s, [WalkOrder(dur=length_s, step=True)])
    done = lab.run(seed, script)
    rows = done.rows[done.rows["t"] >= START_S + LEAD_S]
    figures: Figures = {"falls": float(done.failed)}
    settled = rows["t"] >= START_S + LEAD_S + learning_s
    _add_early(figures, lab, rows[~settled])
    rows = rows[settled]
    found = cycles(rows)
    if found.start_s.size:  # whole cycles only
        end_s = found.start_s[-1] + found.duration_s[-1]
        rows = rows[(rows["t"] >= found.start_s[0]) & (rows["t"] < end_s)]
    names = lab.profile.joint_names
    stall = lab.profile.actuator_column("stall_torque")
    torque: dict[str, Floats] = {}
    for side in ("left", "right"):
        for joint in JOINTS:
            name = f"{side}_{joint}"
            column = names.index(name)
            torque[name] = np.abs(rows["tau_applied"][:, column].astype(float))
            figures[f"{name}_mean"] = float(torque[name].mean())
            figures[f"{name}_peak"] = float(torque[name].max())
            at_stall = torque[name] > 0.94 * stall[column]
            figures[f"{name}_at_limit"] = float(at_stall.mean())
        one, two = figures[f"{side}_hip_1_mean"], figures[f"{side}_hip_2_mean"]
        figures[f"{side}_unlike"] = abs(one - two) / max(one, two)
        pair = [rows["tau_applied"][:, names.index(f"{side}_hip_{i}")] for i in (1, 2)]
        roll, yaw = conventional(pair[0].astype(float), pair[1].astype(float))
        for kind, values in (("roll", roll), ("yaw", yaw)):
            figures[f"{side}_{kind}_mean"] = float(np.abs(values).mean())
            figures[f"{side}_{kind}_peak"] = float(np.abs(values).max())
    figures["cycle_s"] = float(found.duration_s.mean()) if found.duration_s.size else math.nan
    kept = rows[:4000]
    right = [names.index(f"right_{joint}") for joint in JOINTS]
    curves = {"t": kept["t"] - kept["t"][0], "torque": kept["tau_applied"][:, right].astype(float)}
    return Measured(figures, curves)


def _add_early(figures: Figures, lab: Laboratory, rows: Rows) -> None:
    """Note the hips' mean torques while the lean is being learned."""
    for name in ("left_hip_1", "left_hip_2", "right_hip_1", "right_hip_2"):
        torque = rows["tau_applied"][:, lab.profile.joint_names.index(name)].astype(float)
        figures[f"{name}_early"] = float(np.abs(torque).mean()) if torque.size else math.nan


def _bars() -> tuple[Bar, ...]:
    bars = [Bar("falls", "falls", at_most=0.0)]
    for side in ("right", "left"):
        for joint, paper in (("hip_1", "3.93 (hip yaw)"), ("hip_2", "3.98 (hip roll)")):
            name = f"{side}_{joint}"
            told = paper if side == "right" else ""
            what = f"mean |τ|, {side} {joint.replace('_', ' ')}"
            bars.append(Bar(f"{name}_mean", what, "N·m", told, at_most=5.0, at_least=3.0))
            bars.append(Bar(f"{name}_early", "before that, while the torso learns to lean", "N·m"))
        what = f"their difference, {side}, as a share"
        bars.append(Bar(f"{side}_unlike", what, "", "0.013" if side == "right" else "", 0.05))
        for joint in ("hip_1", "hip_2"):
            what = f"largest |τ|, {side} {joint.replace('_', ' ')}"
            bars.append(Bar(f"{side}_{joint}_peak", what, "N·m", at_most=8.0))
            bars.append(Bar(f"{side}_{joint}_at_limit", "of the time at its limit"))
        for kind in ("roll", "yaw"):
            what = f"{side} {kind} joint of a 0°/90° hip"
            bars.append(Bar(f"{side}_{kind}_mean", f"{what}, mean |τ|", "N·m"))
            bars.append(Bar(f"{side}_{kind}_peak", f"{what}, largest", "N·m"))
        for joint in ("hip_pitch", "knee", "ankle"):
            what = f"{side} {joint.replace('_', ' ')}"
            bars.append(Bar(f"{side}_{joint}_mean", f"mean |τ|, {what}", "N·m"))
            bars.append(Bar(f"{side}_{joint}_peak", f"largest |τ|, {what}", "N·m"))
    bars.append(Bar("cycle_s", "gait cycle", "s"))
    return tuple(bars)


EXPERIMENT = Experiment("step-torque", "torques of the legs while stepping in place", run, _bars())
