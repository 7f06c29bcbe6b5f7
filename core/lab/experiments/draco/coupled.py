"""Runs that watch how far coupled hinges part."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rehearsed, Rows
from core.lab.script import START_S, Script
from core.link.commands import Command
from core.plants.biped.walk.pendulum import natural_frequency
from core.robot.profile import Profile
from core.tick.performer import Performer
from devices.interface import Floats

LEAD_S = 1.0  # of standing, before anything happens
STILL_S = 0.5  # of it, over which the posture at rest is averaged


@dataclass(slots=True)
class Watch:
    """Watches the couplings of a simulated robot.

    Attributes:
        body: the simulated robot.
        look: also called before every tick.
        parted_rad: largest angle between a joint that follows another and its place [rad].
    """

    body: Any
    look: Callable[[Performer], None] | None = None
    parted_rad: float = field(default=0.0)

    def __call__(self, performer: Performer) -> None:
        """Look at the state before a tick."""
        if self.look is not None:
            self.look(performer)
        self.parted_rad = max(self.parted_rad, self.body.coupling_error_rad)


@dataclass(frozen=True, slots=True)
class Run:
    """The record of a run.

    Attributes:
        done: its result.
        since_s: time of each tick since the start of the experiment (ticks) [s].
        parted_rad: see `Watch`.
    """

    done: Rehearsed
    since_s: Floats
    parted_rad: float

    @property
    def rows(self) -> Rows:
        """The record, one row a tick."""
        return self.done.rows

    @property
    def failed(self) -> bool:
        """The robot fell."""
        return self.done.failed

    def between(self, begin_s: float, end_s: float) -> Any:
        """Return which ticks lie in a time of the experiment (ticks)."""
        return (self.since_s >= begin_s) & (self.since_s < end_s)

    def away(self, name: str, since_s: float = LEAD_S) -> Floats:
        """Return how far an array is from its mean just before a time (ticks, k)."""
        values = self.rows[name].astype(np.float64)
        away: Floats = values - values[self.between(since_s - STILL_S, since_s)].mean(axis=0)
        return away


def run(
    lab: Laboratory,
    seed: int,
    length_s: float,
    commands: list[tuple[float, Command]],
    *,
    body: Any = None,
    profile: Profile | None = None,
    stepping: bool = False,
    gestures: bool = False,
    walk: Any = (),
    may_fall: bool = False,
    keep: bool = True,
    look: Callable[[Performer], None] | None = None,
) -> Run:
    """Stand for LEAD_S, and then carry out commands at their times.

    Args:
        lab: the robot's.
        seed: of noise and idle life.
        length_s: of the experiment, after the rest [s].
        commands: times since the end of the rest [s] and commands.
        body: the robot; None for one on a level floor.
        profile: another tuning than the robot's.
        stepping: it may step.
        gestures: the gestures of the library are available.
        walk: velocities.
        may_fall: a fall needs no note.
        keep: keep the record.
        look: called before every tick too.
    """
    body = lab.body(seed) if body is None else body
    watch = Watch(body, look)
    due = [(LEAD_S + at_s, command) for at_s, command in commands]
    done = lab.run(
        seed,
        Script(LEAD_S + length_s, walk, due),
        body=body,
        profile=profile,
        stepping=stepping,
        gestures=gestures,
        watch=watch,
        may_fall=may_fall,
        keep=keep,
    )
    since_s = done.rows["t"].astype(np.float64) - START_S if keep else np.zeros(0)
    return Run(done, since_s, watch.parted_rad)


def pendulum_of(lab: Laboratory) -> tuple[float, float]:
    """Return natural frequency [1/s] and gain of standing at the posture of the model."""
    balance = lab.profile.as_biped.balance
    omega = natural_frequency(lab.model.com_height - float(lab.model.soles[:, 2].mean()))
    return omega, balance.capture_gain / omega


def tilt_deg(found: Run, begin_s: float) -> float:
    """Return the largest roll, pitch or yaw of the torso beside that at rest [°]."""
    away = np.rad2deg(found.away("rpy_true", begin_s))[found.since_s >= begin_s]
    return float(np.abs(away).max())


def largest_load(lab: Laboratory, found: Run, begin_s: float) -> float:
    """Return the largest torque asked of a joint, as a share of its actuator's at standstill."""
    torque = np.abs(found.rows["tau_command"][found.since_s >= begin_s])
    return float((torque / lab.profile.actuator_column("stall_torque")).max())
