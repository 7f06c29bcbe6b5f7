"""Beyond the paper: gestures while the robot sways, and steps in place."""

import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.draco.coupled import LEAD_S, largest_load, run, tilt_deg
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rows
from core.link.commands import Command, Gesture, StartSway
from core.robot.couplings import read_couplings
from core.run.launch import WalkOrder

LENGTH_S = 60.0
SWAY = StartSway("left", 0.04, 0.1)
GESTURE_EVERY_S = 5.0
STEPS_FROM_S = 3.0  # it rises first


def run_seed(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    figures: Figures = {}
    names = sorted(lab.gestures.clips)
    times = range(int(LENGTH_S / GESTURE_EVERY_S))
    gestures: list[tuple[float, Command]] = [
        (GESTURE_EVERY_S * k, Gesture(names[(seed + k) % len(names)])) for k in times if names
    ]
    found = run(lab, seed, LENGTH_S, [(0.0, SWAY), *gestures], gestures=True)
    figures["gestures"] = float(len(names))
    figures["sway_falls"] = float(found.failed)
    figures["sway_tilt_deg"] = tilt_deg(found, LEAD_S)
    figures["sway_load"] = largest_load(lab, found, LEAD_S)
    figures["parted"] = found.parted_rad
    order = WalkOrder(dur=STEPS_FROM_S + LENGTH_S, step=True)
    found = run(lab, seed, STEPS_FROM_S + LENGTH_S, [], walk=[order], stepping=True)
    figures["step_falls"] = float(found.failed)
    figures["parted"] = max(figures["parted"], found.parted_rad)
    steps = found.since_s >= LEAD_S + STEPS_FROM_S
    figures["step_knee_deg"] = _stance_knee_deg(lab, found.rows[steps])
    figures["step_load"] = largest_load(lab, found, LEAD_S + STEPS_FROM_S)
    way = found.rows["base_position_true"][steps][[0, -1], :2]
    figures["step_drift_m"] = float(np.hypot(*(way[1] - way[0])))
    return Measured(figures)


def _stance_knee_deg(lab: Laboratory, rows: Rows) -> float:
    """Return the median angle of the coupled joints of a leg while its foot stands [°]."""
    names, found = lab.profile.joint_names, []
    for side, one in enumerate(read_couplings(lab.profile.model_path)):
        angle = rows["q_true"][:, names.index(one.primary)] * (1.0 + one.ratio)
        found.append(np.rad2deg(angle[rows["contact_true"][:, side] > 0]))
    return float(np.median(np.concatenate(found)))


EXPERIMENT = Experiment(
    "draco/beyond",
    "beyond the paper, 60 s each: gestures in a sway of ±4 cm, steps in place",
    run_seed,
    (
        Bar("gestures", "gestures of its library that it plays in turn"),
        Bar("sway_falls", "gestures while swaying: falls", at_most=0.0),
        Bar("sway_tilt_deg", "roll, pitch and yaw of the torso", "°"),
        Bar("sway_load", "largest torque, share of the limit"),
        Bar("step_falls", "steps in place: falls", at_most=0.0),
        Bar("step_knee_deg", "knee of a standing leg, median", "°", at_most=45.0),
        Bar("step_load", "largest torque, share of the limit"),
        Bar("step_drift_m", "it drifts by", "m"),
        Bar("parted", "coupled hinges part by", "rad", at_most=1e-6),
    ),
    beside=False,
)
