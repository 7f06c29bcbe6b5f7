"""Walking at the paper's speed while gesturing, over the whole range of speeds, and beyond it."""

import math

import msgspec
import numpy as np

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.measure.gait import cycles, forward_velocity, ripple, steps
from core.lab.rehearsal import Rehearsed, Rows
from core.lab.script import START_S, Script
from core.link.commands import Command, Gesture
from core.run.launch import WalkOrder
from devices.interface import Floats

SPEED = 0.16  # [m/s], the paper's
LEAD_S = 3.0  # of the walk before anything counts: weight shift, first steps
PART_S = 20.0  # of each of the three parts
PARTS = ("idle", "thumbs_up", "wave")
BOX = (
    (0.3, 0.0, 0.0),
    (-0.2, 0.0, 0.0),
    (0.0, 0.1, 0.0),
    (0.0, -0.1, 0.0),
    (0.0, 0.0, 0.3),
    (0.0, 0.0, -0.3),
    (0.3, 0.1, 0.3),
    (-0.2, -0.1, -0.3),
    (0.3, -0.1, 0.3),
    (-0.2, 0.1, -0.3),
    (0.3, 0.1, -0.3),
    (-0.2, -0.1, 0.3),
    (0.3, -0.1, -0.3),
    (-0.2, 0.1, 0.3),
)
STEP_DEVIATION = 0.010  # [m/s]
BOX_ERROR = 0.02  # mean over the points [m/s], [rad/s]
INSIDE = 6  # points drawn from inside the box, other ones for each seed
HOLD_S = 5.0  # of each corner of the box
CHANGE_S = 2.0  # of it are the change from the one before
RUNG_S = 4.0  # of each speed of a ladder
LADDERS = {  # direction, first speed, step
    "forward": ((1.0, 0.0, 0.0), 0.30, 0.05),
    "backward": ((-1.0, 0.0, 0.0), 0.20, 0.05),
    "sideways": ((0.0, 1.0, 0.0), 0.10, 0.05),
    "turning": ((0.0, 0.0, 1.0), 0.30, 0.20),
}
RUNGS = 10
UNLIMITED = 5.0


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    figures, curves = _gesturing(lab, seed)
    figures.update(_box(lab, seed))
    for name in LADDERS:
        figures[f"largest_{name}"], figures[f"reached_{name}"] = _largest(lab, seed, name)
    return Measured(figures, curves)


def gesturing(lab: Laboratory, seed: int, part_s: float = PART_S, thin: int = 1) -> Rehearsed:
    """Walk at the paper's speed through idle, thumbs-up and waving, each for a time [s]."""
    length_s = LEAD_S + part_s * len(PARTS)
    commands: list[tuple[float, Command]] = [
        (LEAD_S + part_s * part, Gesture(name, loop=True))
        for part, name in enumerate(PARTS)
        if name != "idle"
    ]
    script = Script(length_s, [WalkOrder(vx=SPEED, dur=length_s)], commands)
    return lab.run(seed, script, gestures=True, thin=thin)


def _gesturing(lab: Laboratory, seed: int) -> tuple[Figures, dict[str, Floats]]:
    """Return the figures of such a walk."""
    done = gesturing(lab, seed)
    figures = gesturing_figures(lab, done)
    kept = done.rows[done.rows["t"] >= START_S][::5]
    arm = _gesturing_arm(lab)
    names = lab.profile.joint_names
    curves = {
        "t": kept["t"] - START_S,
        "forward_velocity": forward_velocity(kept),
        **{
            f"arm_{name}": np.rad2deg(kept["q_true"][:, names.index(name)].astype(float))
            for name in arm
        },
        "parts": LEAD_S + PART_S * np.arange(len(PARTS) + 1.0),
    }
    return figures, curves


def gesturing_figures(lab: Laboratory, done: Rehearsed) -> Figures:
    """Return the figures of a walk through the three parts, with its falls."""
    figures = analyse(done.rows, lab.profile.as_biped.balance.stand_height)
    figures["falls"] = float(done.failed)
    if done.failed:
        figures["mean_error"] = math.inf
    return figures


def _gesturing_arm(lab: Laboratory) -> tuple[str, ...]:
    """Return the joints of the arm that gestures first: the right one, if there are two."""
    arms = [limb for limb in lab.profile.limbs if limb.kind == "arm"]
    right = [limb for limb in arms if limb.side == "right"]
    return lab.profile.joints_of((right or arms)[0].name) if arms else ()


def analyse(rows: Rows, height: float) -> Figures:
    """Return the figures of a walk through the three parts."""
    first_s = START_S + LEAD_S
    found = cycles(rows)
    counted = found.within(first_s, first_s + PART_S * len(PARTS))
    means = {
        name: found.within(first_s + PART_S * part, first_s + PART_S * (part + 1)).mean()[0]
        for part, name in enumerate(PARTS)
    }
    chosen = rows[(rows["t"] >= first_s) & (rows["t"] < first_s + PART_S * len(PARTS))]
    stepped = steps(rows).within(first_s, first_s + PART_S * len(PARTS)).velocity[:, 0]
    step_s = 0.5 * float(counted.duration_s.mean()) if counted.duration_s.size else math.nan
    forward = counted.velocity[:, 0]
    return {
        "mean_velocity": float(counted.mean()[0]),
        "mean_error": abs(float(counted.mean()[0]) - SPEED),
        "cycle_deviation": float(forward.std()) if forward.size else math.nan,
        "raw_deviation": float(np.abs(forward_velocity(chosen) - SPEED).mean()),
        "step_deviation": float(np.abs(stepped - SPEED).mean()) if stepped.size else math.nan,
        "ripple": ripple(SPEED, step_s, height),
        "step_s": step_s,
        **{
            f"shift_{name}": abs(float(mean - means["idle"]))
            for name, mean in means.items()
            if name != "idle"
        },
    }


def _box(lab: Laboratory, seed: int) -> Figures:
    """Walk at every face and corner of the range of speeds and within it, one after the other."""
    left = [*BOX, *_inside(seed)]
    falls = 0
    errors: list[Floats] = []
    while left:
        orders = [WalkOrder(vx=vx, vy=vy, yaw=yaw, dur=HOLD_S) for vx, vy, yaw in left]
        done = lab.run(seed, Script(HOLD_S * len(left), orders))
        found = cycles(done.rows)
        held = len(left)
        if done.failed:
            held = int((done.rows["t"][-1] - START_S) / HOLD_S)
        for i in range(held):
            start_s = START_S + HOLD_S * i
            mean = found.within(start_s + CHANGE_S, start_s + HOLD_S).mean()
            errors.append(np.abs(mean - np.array(left[i])))
        falls += done.failed
        left = left[held + 1 :]
    table = np.array(errors).reshape(-1, 3)
    figures: Figures = {"box_falls": float(falls)}
    for axis, name in enumerate(("forward", "sideways", "turning")):
        column = table[:, axis]
        figures[f"box_{name}"] = float(column.mean()) if column.size else math.nan
        figures[f"box_{name}_worst"] = float(column.max()) if column.size else math.nan
    return figures


def _inside(seed: int) -> list[tuple[float, float, float]]:
    """Return points drawn from inside the box."""
    corners = np.array(BOX)
    drawn = np.random.default_rng(seed).uniform(
        corners.min(axis=0), corners.max(axis=0), (INSIDE, 3)
    )
    return [(vx, vy, yaw) for vx, vy, yaw in drawn.tolist()]


def _largest(lab: Laboratory, seed: int, ladder: str) -> tuple[float, float]:
    """Return the largest command of a ladder that is held without a fall, the limits lifted.

    And the speed that the robot then has: what it holds is not always what it was asked for.
    """
    (x, y, turn), first, step = LADDERS[ladder]
    biped = lab.profile.as_biped
    gait = msgspec.structs.replace(
        biped.gait,
        max_speed_forward=UNLIMITED,
        max_speed_sideways=UNLIMITED,
        max_yaw_rate=UNLIMITED,
    )
    speeds = [first + step * rung for rung in range(RUNGS)]
    orders = [WalkOrder(vx=x * v, vy=y * v, yaw=turn * v, dur=RUNG_S) for v in speeds]
    unlimited = msgspec.structs.replace(biped, gait=gait)
    profile = msgspec.structs.replace(lab.profile, biped=unlimited)
    done = lab.run(seed, Script(RUNG_S * RUNGS, orders), profile=profile, may_fall=True)
    held = int((done.rows["t"][-1] - START_S) / RUNG_S) if done.failed else RUNGS
    if not held:
        return 0.0, 0.0
    end_s = START_S + RUNG_S * held
    mean = cycles(done.rows).within(end_s - 0.5 * RUNG_S, end_s).mean()
    return speeds[held - 1], float(mean @ np.array(LADDERS[ladder][0]))


EXPERIMENT = Experiment(
    "walk",
    "60 s at 0.16 m/s through idle, thumbs-up and waving; the whole range of speeds",
    run,
    (
        Bar("falls", "falls in 60 s of gesturing", at_most=0.0),
        Bar(
            "mean_error",
            "|mean velocity over whole gait cycles − 0.16|",
            "m/s",
            "0.012 (average deviation)",
            at_most=0.012,
        ),
        Bar("mean_velocity", "mean velocity over whole gait cycles", "m/s", "0.16"),
        Bar("raw_deviation", "mean |deviation| from 0.16, tick by tick", "m/s", "0.012"),
        Bar("ripple", "of which a pendulum has, at this step time", "m/s"),
        Bar(
            "step_deviation",
            "mean |deviation| of a step's mean, where a pendulum has none",
            "m/s",
            "0.012",
            at_most=STEP_DEVIATION,
        ),
        Bar("cycle_deviation", "standard deviation of the cycles' means", "m/s"),
        Bar("step_s", "step time", "s", "0.3 to 0.5"),
        Bar("shift_thumbs_up", "thumbs-up moves the mean by", "m/s", at_most=0.005),
        Bar("shift_wave", "waving moves the mean by", "m/s", at_most=0.005),
        Bar("box_falls", "falls at 20 points on and in the box of speeds", at_most=0.0),
        Bar("box_forward", "mean error there, forward", "m/s", at_most=BOX_ERROR),
        Bar("box_forward_worst", "worst, forward", "m/s"),
        Bar("box_sideways", "mean error, sideways", "m/s", at_most=BOX_ERROR),
        Bar("box_sideways_worst", "worst, sideways", "m/s"),
        Bar("box_turning", "mean error, turning", "rad/s", at_most=BOX_ERROR),
        Bar("box_turning_worst", "worst, turning", "rad/s"),
        Bar("largest_forward", "largest command held, forward", "m/s"),
        Bar("reached_forward", "speed then", "m/s"),
        Bar("largest_backward", "largest command held, backward", "m/s"),
        Bar("reached_backward", "speed then", "m/s"),
        Bar("largest_sideways", "largest command held, sideways", "m/s"),
        Bar("reached_sideways", "speed then", "m/s"),
        Bar("largest_turning", "largest command held, turning", "rad/s"),
        Bar("reached_turning", "rate then", "rad/s"),
    ),
)
