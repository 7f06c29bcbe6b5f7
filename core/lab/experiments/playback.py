"""A motion that a hand has led, recorded, made a gesture and played: is it still that motion?

A hand pulls a floating arm along paths of growing speed, while a take is recorded as the recorder
does it. The take is made a gesture as the console does it: repaired, trimmed, smoothed, slowed to
the limits if it must be, and saved at the rate of gestures. A robot plays that, and its joints are
compared with those that the hand led.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import mujoco
import numpy as np

from core.behave.joints import UpperJoints
from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.experiments.floating import Arm
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rows
from core.lab.script import START_S, Script
from core.link.commands import BackDrive, Command, Gesture, GoToPose
from core.link.take import TakeBegin, TakeEnd, TakeZero
from core.robot.joint_table import joint_table
from core.robot.profile import Profile
from core.stage.flatten import prepare_gestures
from core.takes.recorder import OpenTake
from core.tick.performer import Performer
from devices.interface import Floats
from shows.joints import JointTable
from shows.motion import Motion
from shows.process.bench import Bench
from shows.process.cleaning import clean_up
from shows.process.saving import gesture_of
from shows.process.steps import Trim
from shows.take import TakeHead, read_take
from shows.take_motion import motion_of_take

RELEASE_S, TAKE_AT_S, LEAD_AT_S = 3.0, 3.5, 4.0  # after the start
LENGTH_S = 18.0  # in which a hand leads the arm
REST_S = 0.5  # of the take, after that
FADE_S = 1.0  # in which a hand begins and ends to move
SHARE = 0.2  # of a joint's range, by which it is led to both sides of its middle
SLOW_HZ, QUICK_HZ = 0.08, 0.35  # of the motion, at its beginning and at its end
PLAY_AT_S = 0.5
NAME = "led"
BLOCK = 50  # ticks in which the recorder gets the record
LATE_S, SMALL = 0.05, 0.8  # of the controls
WIDEST_S, FINE_S = 0.2, 5e-4  # of the search for the offset in time


@dataclass(frozen=True, slots=True)
class Led:
    """A take of an arm that a hand has led, as a gesture.

    Attributes:
        gesture: the gesture.
        times_s: of the ticks, since the gesture's first sample (k) [s].
        q: true angles of the arm's joints (k, m) [rad].
    """

    gesture: Motion
    times_s: Floats
    q: Floats


def run(lab: Laboratory, seed: int, length_s: float = LENGTH_S) -> Measured:
    """Measure one seed."""
    arm = Arm(lab.profile, 0)
    with tempfile.TemporaryDirectory(prefix="footlight-") as folder:
        led = _lead(lab, seed, arm, length_s, Path(folder))
    times_s, played = _play(lab, seed, arm, led.gesture)
    figures = compare(lab.profile, arm, led, times_s, played)
    figures["falls"] = float(len(lab.notes))
    return Measured(figures)


def compare(profile: Profile, arm: Arm, led: Led, times_s: Floats, played: Floats) -> Figures:
    """Return the differences of the angles that were played from those that were led.

    Args:
        profile: names the joints.
        arm: the arm.
        led: what was led.
        times_s: of the gesture, at the ticks in which it was played (k) [s].
        played: true angles of the arm's joints then (k, m) [rad].
    """
    figures: Figures = {}
    error = np.degrees(played - _at(led, times_s))
    for name, column in zip(joint_names(profile, arm), error.T, strict=True):
        figures[f"rms_{name}"] = float(np.sqrt(np.mean(column**2)))
    figures["offset"] = 1e3 * abs(offset_s(led, times_s, played))
    figures["late"] = 1e3 * abs(offset_s(led, times_s + LATE_S, played))
    middle = played.mean(axis=0)
    error = np.degrees(middle + SMALL * (played - middle) - _at(led, times_s))
    figures["small"] = float(np.sqrt(np.mean(error**2, axis=0)).max())
    figures["seconds"] = float(times_s[-1] - times_s[0])
    return figures


def joint_names(profile: Profile, arm: Arm) -> list[str]:
    """Return the names of the arm's joints."""
    return [profile.joint_names[column] for column in arm.columns]


def offset_s(led: Led, times_s: Floats, played: Floats) -> float:
    """Return by how much later the played angles come than those that were led [s].

    It is where the correlation of the velocities is largest.
    """
    inner = (times_s > times_s[0] + WIDEST_S) & (times_s < times_s[-1] - WIDEST_S)
    grid_s, step_s = times_s[inner], float(np.median(np.diff(times_s)))
    velocity = np.gradient(played[inner], step_s, axis=0)

    def likeness(shift_s: float) -> float:
        other = np.gradient(_at(led, grid_s - shift_s), step_s, axis=0)
        scale = np.linalg.norm(velocity) * np.linalg.norm(other)
        return float((velocity * other).sum() / scale)

    shifts = np.arange(-WIDEST_S, WIDEST_S, 0.01)
    best = float(shifts[np.argmax([likeness(shift) for shift in shifts])])
    fine = np.arange(best - 0.01, best + 0.01, FINE_S)
    return float(fine[np.argmax([likeness(shift) for shift in fine])])


def _at(led: Led, times_s: Floats) -> Floats:
    """Return the led angles at times (k, m) [rad]."""
    columns = [np.interp(times_s, led.times_s, column) for column in led.q.T]
    return np.column_stack(columns)


def path(profile: Profile, arm: Arm, times_s: Floats, length_s: float) -> Floats:
    """Return the angles along which a hand leads an arm (k, m) [rad].

    Each joint swings about the middle of its range, quicker and quicker, with its own phase.
    """
    table = joint_table(profile)
    lower, upper = table.lower[arm.columns], table.upper[arm.columns]
    middle, half = 0.5 * (lower + upper), 0.5 * (upper - lower)
    share = np.clip(times_s / length_s, 0.0, 1.0)
    turns = length_s * (SLOW_HZ * share + 0.5 * (QUICK_HZ - SLOW_HZ) * share**2)
    ends = np.clip(np.minimum(times_s, length_s - times_s) / FADE_S, 0.0, 1.0)
    fade = ends * ends * (3.0 - 2.0 * ends)
    phases = np.arange(len(arm.columns)) * 2.0 * np.pi / 3.0
    swing = np.sin(2.0 * np.pi * turns[:, None] + phases) * fade[:, None]
    angles: Floats = middle + np.minimum(SHARE * 2.0 * half, 0.35) * swing
    return angles


class _Hand:
    """A hand that holds an arm's hand and leads it along a path."""

    def __init__(self, lab: Laboratory, arm: Arm, body: Any, length_s: float) -> None:
        self._body, self._arm, self._tick_s = body, arm, lab.profile.tick_s
        self._times_s = np.arange(0.0, length_s, 0.005)
        self._data = mujoco.MjData(body.model)
        self._data.qpos[:] = body.world.initial_qpos
        q = path(lab.profile, arm, self._times_s, length_s)
        self._way = np.array(list(self._places(q)))

    def _places(self, q: Floats) -> Iterator[Floats]:
        """Give the place of the hand in the frame of the base for each posture."""
        data, model, base = self._data, self._body.model, self._body.world.base
        addresses = self._body.world.q_address[self._arm.columns]
        for row in q:
            data.qpos[addresses] = row
            mujoco.mj_kinematics(model, data)
            offset = data.body(self._arm.hand).xpos - data.xpos[base]
            yield data.xmat[base].reshape(3, 3).T @ offset

    def lead(self, since_s: float) -> None:
        """Pull for a tick toward the place of a time [s]."""
        if not 0.0 <= since_s <= self._times_s[-1]:
            return
        data, base = self._body.data, self._body.world.base
        place = np.array([np.interp(since_s, self._times_s, axis) for axis in self._way.T])
        target = data.xpos[base] + data.xmat[base].reshape(3, 3) @ place
        self._body.pull(self._arm.hand, np.zeros(3), target, self._tick_s, "hand")


def _lead(lab: Laboratory, seed: int, arm: Arm, length_s: float, folder: Path) -> Led:
    """Lead a floating arm, record that, and make a gesture of it."""
    profile, body = lab.profile, lab.body(seed)
    hand = _Hand(lab, arm, body, length_s)

    def pull(performer: Performer) -> None:
        hand.lead(performer.plant.state.stamp_s - START_S - LEAD_AT_S)

    start = path(profile, arm, np.zeros(1), length_s)[0]
    pose = dict(zip(joint_names(profile, arm), start.tolist(), strict=True))
    end_s = LEAD_AT_S + length_s + REST_S
    commands: list[tuple[float, Command]] = [
        (0.5, GoToPose(pose, 2.0)),
        (RELEASE_S, BackDrive({arm.limb: "floating"})),
    ]
    done = lab.run(seed, Script(end_s, commands=commands), body=body, watch=pull)
    table = joint_table(profile)
    start_s = START_S + TAKE_AT_S
    take = record(profile, arm, done.rows, start_s, folder / f"{NAME}.take")
    raw, gesture = make_gesture(take, arm, table)
    steps = clean_up(raw)
    trimmed_s = next((step.start_s for step in steps if isinstance(step, Trim)), 0.0)
    times_s = done.rows["t"] - start_s - trimmed_s
    return Led(gesture, times_s, done.rows["q_true"][:, arm.columns].astype(np.float64))


def record(profile: Profile, arm: Arm, rows: Rows, start_s: float, file: Path) -> Path:
    """Write a take of a record from a time on, as the recorder does; return its file."""
    joints = joint_table(profile)
    head = TakeHead(
        robot=profile.name,
        body="sim",
        joint_names=profile.joint_names,
        limb_names=UpperJoints.from_table(joints).limb_names,
        limbs=(arm.limb,),
        freedoms={arm.limb: "floating"},
    )
    take = OpenTake(TakeBegin(str(file), start_s), 0)
    take.begin(TakeZero(start_s, head))
    take.end_at(TakeEnd(float(rows["t"][-1]), "ended"))
    for first in range(0, len(rows), BLOCK):
        take.take(rows[first : first + BLOCK])
    take.finish("ended")
    return file


def make_gesture(take: Path, arm: Arm, joints: JointTable) -> tuple[Motion, Motion]:
    """Return the raw motion of a take, and the gesture that the console makes of it."""
    raw = motion_of_take(read_take(take), joints, (arm.limb,))
    clean = Bench(raw, joints, lambda name: raw).use(clean_up(raw))
    return raw, gesture_of(clean, NAME, NAME, joints)


def _play(lab: Laboratory, seed: int, arm: Arm, gesture: Motion) -> tuple[Floats, Floats]:
    """Return the gesture's times and the true angles of the joints while it is played."""
    show = prepare_gestures({gesture.name: gesture}, joint_table(lab.profile))
    phases: list[tuple[float, float]] = []

    def look(performer: Performer) -> None:
        playing = performer.manager.playing(arm.limb)
        if playing is not None:
            phases.append((performer.plant.state.stamp_s, playing[1]))

    script = Script(gesture.duration_s + 3.0, commands=[(PLAY_AT_S, Gesture(gesture.name))])
    motion = msgspec.structs.replace(lab.profile.motion, size_variation=0.0, tempo_variation=0.0)
    exact = msgspec.structs.replace(lab.profile, motion=motion)
    rows = lab.run(seed, script, profile=exact, show=show, watch=look).rows
    stamps_s, times_s = np.array(phases).T
    inner = (times_s > 0.0) & (times_s < gesture.duration_s)
    stamps_s, times_s = stamps_s[inner], times_s[inner]
    q = rows["q_true"][:, arm.columns].astype(np.float64)
    return times_s, np.column_stack([np.interp(stamps_s, rows["t"], column) for column in q.T])


def _joint_bars(profile: Profile) -> tuple[Bar, ...]:
    return tuple(
        Bar(f"rms_{name}", f"played from led, {name}, RMS", "°", at_most=1.5)
        for name in joint_names(profile, Arm(profile, 0))
    )


EXPERIMENT = Experiment(
    "playback",
    "a motion that a hand has led, played as a gesture",
    run,
    (
        Bar("offset", "played later than led, by correlation", "ms", at_most=10.0),
        Bar("late", f"control: played {1e3 * LATE_S:.0f} ms late", "ms", at_least=10.0),
        Bar("small", f"control: played × {SMALL:g}, worst joint, RMS", "°", at_least=1.5),
        Bar("seconds", "compared", "s"),
        Bar("falls", "falls", at_most=0.0),
    ),
    beside=False,
    robot_bars=_joint_bars,
)
