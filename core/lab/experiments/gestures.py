"""Every gesture of the library, standing and walking: smooth, followed, and no fall."""

import math

import numpy as np

from core.behave.reference import LIMBS, MotionState
from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.transitions import Smoothness, check_clip
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rehearsed, Rows
from core.lab.script import START_S, Script
from core.link.commands import Command, Gesture
from core.run.launch import WalkOrder
from devices.interface import Floats
from shows.storage import GESTURES

TRANSITION_S = 1.0  # the paper's
REST_S = 0.5  # between two gestures
LEAD_S = 2.0  # of walking before the first
SPEED = 0.16  # [m/s]
FIGURE = ("thumbs_up", "cheer", "wave")  # drawn as in the paper's figure 12


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    clips = lab.gestures.clips
    # The reference knows no state, true or estimated: once is enough.
    figures: Figures = {} if lab.true_state else _smoothness(lab, seed)
    standing, times = play(lab, seed, sorted(clips), walking=False)
    figures["falls_standing"] = float(standing.failed)
    _add_tracking(figures, lab, standing.rows, times, "")
    shortest, longest = transition_times(standing.rows)
    figures["shortest"], figures["longest"] = shortest, longest
    arms = [name for name in sorted(clips) if _moves_an_arm(lab, name)]
    walking, times = play(lab, seed, arms, walking=True)
    figures["falls_walking"] = float(walking.failed)
    figures["gestures_walking"] = float(len(arms))
    _add_tracking(figures, lab, walking.rows, times, "walking_")
    return Measured(figures, _curves(lab, seed))


def _smoothness(lab: Laboratory, seed: int) -> Figures:
    """Look at the motion manager's reference through every gesture."""
    found = Smoothness()
    for _, clip in sorted(lab.gestures.clips.items()):
        check_clip(lab.profile, clip, seed, found)
    return {
        "jump": found.jump,
        "changes": float(found.changes),
        "resumed": float(found.resumed),
        "unlike": float(found.unlike),
    }


def _moves_an_arm(lab: Laboratory, name: str) -> bool:
    names = lab.profile.joint_names
    legs = {i for i, joint in enumerate(names) if "hip" in joint or "knee" in joint}
    upper = [n for i, n in enumerate(names) if i not in legs and "ankle" not in n]
    moved = [upper[index] for index in lab.gestures.clips[name].joints]
    return any("shoulder" in joint or "elbow" in joint for joint in moved)


def play(
    lab: Laboratory, seed: int, names: list[str], walking: bool, thin: int = 1
) -> tuple[Rehearsed, list[tuple[str, float, float]]]:
    """Play gestures one after the other; return the run and when each began and ended."""
    now_s = LEAD_S if walking else 0.0
    times: list[tuple[str, float, float]] = []
    commands: list[tuple[float, Command]] = []
    for name in names:
        length_s = lab.gestures.clips[name].duration_s + 2.0 * TRANSITION_S
        commands.append((now_s, Gesture(name)))
        times.append((name, START_S + now_s, START_S + now_s + length_s))
        now_s += length_s + REST_S
    orders = [WalkOrder(vx=SPEED, dur=now_s)] if walking else []
    return lab.run(seed, Script(now_s, orders, commands), gestures=True, thin=thin), times


def _add_tracking(
    figures: Figures,
    lab: Laboratory,
    rows: Rows,
    times: list[tuple[str, float, float]],
    prefix: str,
) -> None:
    """Note how far the joints that are no legs are from where they shall be [rad]."""
    legs = lab.model.leg_joints.ravel()
    t = rows["t"]
    for name, start_s, end_s in times:
        chosen = rows[(t >= start_s) & (t < end_s)]
        if not chosen.size or t[-1] < end_s - 0.05:
            figures[f"{prefix}{name}_worst"] = math.nan
            continue
        error = np.delete(chosen["q_true"] - chosen["q_command"], legs, axis=1)
        figures[f"{prefix}{name}_rms"] = float(np.sqrt((error.max(axis=1) ** 2).mean()))
        figures[f"{prefix}{name}_worst"] = float(np.abs(error).max())
    worst = [figures[f"{prefix}{name}_worst"] for name, *_ in times]
    figures[f"{prefix}worst"] = math.nan if any(map(math.isnan, worst)) else max(worst)


def transition_times(rows: Rows) -> tuple[float, float]:
    """Return the shortest and the longest transition of any limb after the start [s]."""
    chosen = rows[rows["t"] >= START_S - 0.001]
    found: list[float] = []
    for limb in range(len(LIMBS)):
        inside = (chosen["motion_state"][:, limb] == MotionState.TRANSITION).astype(np.int8)
        edges = np.diff(inside, prepend=0, append=0)
        starts, ends = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0)
        whole = (starts > 0) & (ends < inside.size)
        found += (0.001 * (ends - starts)[whole]).tolist()
    return (min(found), max(found)) if found else (math.nan, math.nan)


def _curves(lab: Laboratory, seed: int) -> dict[str, Floats]:
    """Return the states of every limb through three gestures, for the figure."""
    done, times = play(lab, seed, list(FIGURE), walking=False)
    kept = done.rows[done.rows["t"] >= START_S - 1.0][::5]
    joints = [i for i, name in enumerate(lab.profile.joint_names) if "shoulder_pitch" in name]
    return {
        "t": kept["t"] - START_S,
        "states": kept["motion_state"].astype(float),
        "shoulders": np.rad2deg(kept["q_true"][:, joints].astype(float)),
        "starts": np.array([start_s for _, start_s, _ in times]) - START_S,
    }


def _bars() -> tuple[Bar, ...]:
    return (
        Bar("jump", "largest jump of a joint's velocity at a change", "rad/s", at_most=1e-9),
        Bar("changes", "changes of state looked at"),
        Bar("unlike", "poses after STOP and resume that differ in a bit", at_most=0.0),
        Bar("resumed", "poses compared", at_least=1.0),
        Bar("shortest", "shortest transition", "s", "1", at_least=0.3),
        Bar("longest", "longest transition", "s", "1", at_most=2.0),
        Bar("falls_standing", "falls, every gesture standing", at_most=0.0),
        Bar("falls_walking", "falls, every arm gesture at 0.16 m/s", at_most=0.0),
        Bar("worst", "largest tracking error, standing", "rad"),
        Bar("walking_worst", "largest tracking error, walking", "rad"),
        *(
            Bar(f"{prefix}{name}_worst", f"{name}, {how}", "rad")
            for name in sorted(path.stem for path in GESTURES.glob("*.json"))
            for prefix, how in (("", "standing"), ("walking_", "walking"))
        ),
    )


EXPERIMENT = Experiment("gestures", "every gesture, standing and walking", run, _bars())
