"""Every gesture of the library, standing and walking: smooth, followed, and no fall."""

import math
from collections.abc import Callable

import numpy as np

from core.behave.reference import MotionState
from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.transitions import Smoothness, check_clip
from core.lab.laboratory import Laboratory
from core.lab.measure.shadows import rms
from core.lab.rehearsal import Rehearsed, Rows
from core.lab.script import START_S, Script
from core.link.commands import Command, Gesture
from core.plants.biped.plant import BipedPlant
from core.robot.profile import Profile
from core.run.launch import WalkOrder
from core.tick.performer import Performer
from devices.interface import Floats
from shows.folders import GESTURES

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
    watch = BodyWatch()
    standing, times = play(lab, seed, sorted(clips), walking=False, watch=watch)
    figures |= watch.errors(standing.rows)
    figures["falls_standing"] = float(standing.failed)
    _add_tracking(figures, lab, standing.rows, times, "")
    shortest, longest = transition_times(standing.rows, lab.profile.tick_s)
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
    profile = lab.profile
    arms = {limb.name for limb in profile.limbs if limb.kind == "arm"}
    upper = [profile.joints.rows[index].limb for index in profile.behaviour_joints]
    return any(upper[index] in arms for index in lab.gestures.clips[name].joints)


def play(
    lab: Laboratory,
    seed: int,
    names: list[str],
    walking: bool,
    thin: int = 1,
    watch: Callable[[Performer], None] | None = None,
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
    script = Script(now_s, orders, commands)
    return lab.run(seed, script, gestures=True, thin=thin, watch=watch), times


class BodyWatch:
    """Remembers the motion of the body that the walker refers to, tick by tick."""

    def __init__(self) -> None:
        self._found: list[tuple[float, Floats]] = []
        self._of_base = False  # the height is that of the base

    def __call__(self, performer: Performer) -> None:
        """Remember the motion of the last tick of a standing biped that moves its body."""
        plant = performer.plant
        if isinstance(plant, BipedPlant) and plant.stands and performer.profile.body is not None:
            self._found.append((plant.state.stamp_s, plant.walker.body_motion[0].copy()))
            self._of_base = performer.profile.holds_base

    def errors(self, rows: Rows) -> Figures:
        """Return the largest errors of attitude [°] and of the CoM [mm] in the truth.

        Heading and CoM count from where they are at the start of the record; the height is that of
        the base in a robot that holds this one.
        """
        if not self._found:
            return {}
        stamps = np.array([stamp_s for stamp_s, _ in self._found])
        motion = np.array([place for _, place in self._found])
        rows = rows[(rows["t"] >= START_S) & (rows["t"] <= stamps[-1])]
        wanted = np.array([np.interp(rows["t"], stamps, column) for column in motion.T]).T
        turned = rows["rpy_true"].astype(np.float64)
        com = rows["com_true"][:, [2, 1, 0]].astype(np.float64)
        if self._of_base:
            com[:, 0] = rows["base_position_true"][:, 2]
        first = slice(0, max(1, len(rows) // 1000))
        turned[:, 2] -= (turned[first, 2] - wanted[first, 2]).mean()
        com -= (com[first] - wanted[first, 3:]).mean(axis=0)
        angles, shifts = np.degrees(turned - wanted[:, :3]), 1e3 * (com - wanted[:, 3:])
        return {
            "body_tilt": float(np.abs(angles[:, :2]).max()),
            "body_yaw": float(np.abs(angles[:, 2]).max()),
            "body_com": float(np.abs(shifts).max()),
            "body_span": float(np.degrees(np.ptp(wanted[:, :3], axis=0)).max()),
        }


def _add_tracking(
    figures: Figures,
    lab: Laboratory,
    rows: Rows,
    times: list[tuple[str, float, float]],
    prefix: str,
) -> None:
    """Note the tracking errors of the joints outside the legs [rad]."""
    legs = lab.profile.leg_joints
    t = rows["t"]
    for name, start_s, end_s in times:
        chosen = rows[(t >= start_s) & (t < end_s)]
        if not chosen.size or t[-1] < end_s - 0.05:
            figures[f"{prefix}{name}_rms"] = figures[f"{prefix}{name}_worst"] = math.nan
            continue
        error = np.delete(chosen["q_true"] - chosen["q_command"], legs, axis=1)
        largest = np.abs(error).max(axis=1)
        figures[f"{prefix}{name}_rms"] = rms(largest)
        figures[f"{prefix}{name}_worst"] = float(largest.max())
    for figure in ("rms", "worst"):
        found = [figures[f"{prefix}{name}_{figure}"] for name, *_ in times]
        figures[f"{prefix}{figure}"] = math.nan if any(map(math.isnan, found)) else max(found)


def transition_times(rows: Rows, tick_s: float) -> tuple[float, float]:
    """Return the shortest and the longest transition of any limb after the start [s]."""
    chosen = rows[rows["t"] >= START_S - tick_s]
    found: list[float] = []
    for limb in range(chosen["motion_state"].shape[1]):
        inside = (chosen["motion_state"][:, limb] == MotionState.TRANSITION).astype(np.int8)
        edges = np.diff(inside, prepend=0, append=0)
        starts, ends = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0)
        whole = (starts > 0) & (ends < inside.size)
        found += (tick_s * (ends - starts)[whole]).tolist()
    return (min(found), max(found)) if found else (math.nan, math.nan)


def _curves(lab: Laboratory, seed: int) -> dict[str, Floats]:
    """Return the states of every limb through three gestures, for the figure."""
    done, times = play(lab, seed, list(FIGURE), walking=False)
    kept = done.rows[done.rows["t"] >= START_S - 1.0][::5]
    profile = lab.profile
    limbs = [limb for limb in profile.limbs if limb.kind != "leg"]
    shoulders = [profile.joints_of(limb.name)[0] for limb in limbs if limb.kind == "arm"]
    return {
        "t": kept["t"] - START_S,
        **{
            f"state_{limb.name}": kept["motion_state"][:, column].astype(float)
            for column, limb in enumerate(limbs)
        },
        **{
            f"angle_{name}": np.rad2deg(
                kept["q_true"][:, profile.joint_names.index(name)].astype(float)
            )
            for name in shoulders
        },
        "starts": np.array([start_s for _, start_s, _ in times]) - START_S,
    }


_BARS = (
    Bar(
        "jump",
        "largest jump of a joint's or the body's velocity at a change",
        "rad/s, m/s",
        at_most=1e-9,
    ),
    Bar("changes", "changes of state looked at"),
    Bar("unlike", "poses after STOP and resume that differ in a bit", at_most=0.0),
    Bar("resumed", "poses compared"),
    Bar("shortest", "shortest transition", "s", "1", at_least=0.99),
    Bar("longest", "longest transition", "s", "1", at_most=1.01),
    Bar("falls_standing", "falls, every gesture standing", at_most=0.0),
    Bar("falls_walking", "falls, every arm gesture at 0.16 m/s", at_most=0.0),
    Bar("body_tilt", "torso from its reference, roll and pitch", "°", at_most=1.5),
    Bar("body_yaw", "torso from its reference, yaw", "°", at_most=1.5),
    Bar("body_com", "CoM, or the base at its height, from its reference", "mm", at_most=10.0),
    Bar("body_span", "largest range of an angle of the torso", "°", at_least=5.0),
    Bar("worst", "largest tracking error, standing", "rad"),
    Bar("rms", "RMS of the worst joint's, worst gesture, standing", "rad"),
    Bar("walking_worst", "largest tracking error, walking", "rad"),
    Bar("walking_rms", "RMS of the worst joint's, worst gesture, walking", "rad"),
)


def _robot_bars(profile: Profile) -> tuple[Bar, ...]:
    """Return a row for each gesture of the library, standing and walking."""
    return tuple(
        Bar(f"{prefix}{name}_worst", f"{name}, {how}", "rad")
        for name in sorted(path.stem for path in GESTURES.glob("*.json"))
        for prefix, how in (("", "standing"), ("walking_", "walking"))
    )


EXPERIMENT = Experiment(
    "gestures", "every gesture, standing and walking", run, _BARS, robot_bars=_robot_bars
)
