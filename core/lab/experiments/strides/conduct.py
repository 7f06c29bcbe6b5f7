"""Runs of the simulated robot by commands of gaits, and what its flights were like."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgspec
import numpy as np

from core.constants import GRAVITY
from core.errors import CoreError
from core.lab.experiment import Bar, Figures
from core.lab.laboratory import Laboratory
from core.lab.rehearsal import Rehearsed, Rows
from core.lab.script import START_S, Script
from core.link.commands import Command, StartJump, Walk
from core.plants.dynamics_filter.gait import Gait
from core.plants.dynamics_filter.score import Kind
from core.plants.interface import Plant
from core.plants.runner.plant import RunnerPlant
from core.robot.profile import Profile
from core.run.autopilot import Facts
from core.run.walk_sequence import REPEAT_S
from core.tick.performer import Performer
from devices.interface import Floats

Motion: TypeAlias = Walk | StartJump
Orders: TypeAlias = Sequence[tuple[float, Motion]]
"""Times since the start of an experiment [s], and what is ordered then until the next order."""

AIR_N = 0.5  # a smaller force of the ground is none
BESIDE_S = 0.05  # before and after a planned flight, in which the robot may fly
NEVER_S = 1e9
STOP = Walk()


def runner_of(plant: Plant) -> RunnerPlant:
    """Return a plant as the runner that it is.

    Raises:
        CoreError: it neither runs nor jumps.
    """
    if not isinstance(plant, RunnerPlant):
        raise CoreError("this robot neither runs nor jumps; choose another with --robot")
    return plant


def run_at(vx: float, vy: float = 0.0, yaw_rate: float = 0.0) -> Walk:
    """Return the command of a run; one without velocity is a run in place."""
    return Walk(vx, vy, yaw_rate, step=True, gait="run")


class Conductor(Script):
    """Stands the robot up, and then orders its gaits.

    Args:
        length_s: how long the run lasts after its start [s].
        orders: gaits in sequence, the first from the start on.

    Attributes:
        present: the newest order.
        made: when each order was given [s], since the start.
    """

    def __init__(self, length_s: float, orders: Orders) -> None:
        super().__init__(length_s)
        self._gaits = list(orders)
        self._given = -1
        self._next_s = START_S
        self.present: Motion = STOP
        self.made: list[float] = []

    def update(self, now_s: float, facts: Facts) -> list[Command]:
        """Return what to command at a time [s]."""
        commands = super().update(now_s, facts)
        if self.fell_s is not None or now_s < START_S:
            return commands
        new = False
        while (
            self._given + 1 < len(self._gaits)
            and now_s - START_S >= self._gaits[self._given + 1][0]
        ):
            self._given += 1
            self.present, new = self._gaits[self._given][1], True
            self.made.append(now_s - START_S)
        if isinstance(self.present, Walk) and (new or now_s >= self._next_s):
            self._next_s = now_s + REPEAT_S
            commands.append(self.present)
        elif isinstance(self.present, StartJump) and new:
            commands.append(self.present)
        return commands


@dataclass(slots=True)
class Flight:
    """A flight as it was planned when it began.

    Attributes:
        gait: to which it belongs.
        begin_s: planned lift-off [s].
        planned_s: planned duration [s].
    """

    gait: Gait
    begin_s: float
    planned_s: float


COLUMNS = {
    "t": slice(0, 1),
    "gait": slice(1, 2),
    "kind": slice(2, 3),
    "support": slice(3, 4),
    "refused": slice(4, 5),
    "slack": slice(5, 6),
    "com": slice(6, 9),
    "acceleration": slice(9, 12),
    "pressure": slice(12, 14),
    "soles": slice(14, 20),
    "capture": slice(20, 22),
}


@dataclass
class Watch:
    """Notes the plan of every tick.

    Attributes:
        look: also called before every tick.
        flights: planned flights, in sequence.
        plans: for each tick: time, gait, kind, support, order refused, error of the plan's end,
            then the CoM's position (3), its acceleration (3), the pressure (2), the place and
            height of both soles (6), and the error of the capture point (2).
    """

    look: Callable[[Performer], None] | None = None
    flights: list[Flight] = field(default_factory=list)
    plans: list[tuple[float, ...]] = field(default_factory=list)
    _in_flight: bool = False

    def __call__(self, performer: Performer) -> None:
        """Look at the last tick."""
        if self.look is not None:
            self.look(performer)
        plant = runner_of(performer.plant)
        strider, now_s = plant.strider, plant.state.stamp_s
        reference = strider.reference
        flies = reference.kind is Kind.FLIGHT
        if flies and not self._in_flight:
            score = strider.plan.score
            phase = score.phases[score.index_at(strider.now_s)]
            self.flights.append(Flight(reference.gait, strider.now_s, phase.end_s - strider.now_s))
        self._in_flight = flies
        com = reference.com
        self.plans.append(
            (
                now_s,
                reference.gait,
                reference.kind,
                reference.support,
                strider.refused,
                strider.plan.slack,
                *com[0].tolist(),
                *com[2].tolist(),
                *reference.pressure.tolist(),
                *reference.soles[:, 0].ravel().tolist(),
                *plant.feedback.capture.tolist(),
            )
        )


@dataclass(frozen=True, slots=True)
class Run:
    """The record of a run.

    Attributes:
        done: its result.
        watch: its plans.
        made: when each order was given [s].
        fell_s: when the robot fell [s]; None if it did not.
    """

    done: Rehearsed
    watch: Watch
    made: tuple[float, ...]
    fell_s: float | None

    @property
    def rows(self) -> Rows:
        """The record, one row a tick."""
        return self.done.rows

    @property
    def failed(self) -> bool:
        """The robot fell, or the core gave up."""
        return self.done.failed

    @property
    def since_s(self) -> Floats:
        """Time of each tick since the start of the experiment (ticks) [s]."""
        since: Floats = self.rows["t"].astype(np.float64) - START_S
        return since

    @property
    def force(self) -> Floats:
        """Vertical force of the ground at each tick (ticks) [N]."""
        upward = self.rows["contact_force_true"][..., 2].astype(np.float64)
        force: Floats = upward.reshape(len(upward), -1).sum(axis=1)
        return force

    def ratios(self, gait: Gait, begin_s: float = 0.0, end_s: float = NEVER_S) -> Floats:
        """Return how long the robot flew in each planned flight, as a share of its duration.

        It flies where the ground exerts less than `AIR_N` on it, from 50 ms before the planned
        flight until 50 ms after it.

        Args:
            gait: of the flights.
            begin_s: earliest lift-off since the start [s].
            end_s: latest [s].
        """
        since, in_air = self.since_s, self.force < AIR_N
        tick_s = float(np.median(np.diff(since)))
        found: list[float] = []
        last_s = since[-1] if self.fell_s is None else self.fell_s - START_S
        for flight in self.watch.flights:
            at_s = flight.begin_s - START_S
            if flight.gait is not gait or not begin_s <= at_s < end_s:
                continue
            end = at_s + flight.planned_s + BESIDE_S
            if end > last_s:
                continue
            near = (since >= at_s - BESIDE_S) & (since < end)
            found.append(float(in_air[near].sum()) * tick_s / flight.planned_s)
        return np.array(found)

    def forces(
        self, gait: Gait, begin_s: float = 0.0, end_s: float = NEVER_S
    ) -> tuple[float, float]:
        """Return the mean vertical force over whole cycles, and over their planned stances [N].

        The cycles are those from the first planned flight to the last.

        Args:
            gait: of the flights.
            begin_s: earliest lift-off since the start [s].
            end_s: latest [s].
        """
        times = [(flight.begin_s - START_S, flight) for flight in self.watch.flights]
        flights = [(at, one) for at, one in times if one.gait is gait and begin_s <= at < end_s]
        if len(flights) < 2:
            return math.nan, math.nan
        (first_s, _), (last_s, _) = flights[0], flights[-1]
        since = self.since_s
        mean = float(self.force[(since >= first_s) & (since < last_s)].mean())
        flown_s = sum(one.planned_s for _, one in flights[:-1])
        return mean, mean / (1.0 - flown_s / (last_s - first_s))

    def planned(self, name: str) -> Floats:
        """Return a column of the plans at each tick of the record (ticks, k)."""
        plans = np.array(self.watch.plans, dtype=np.float64)
        index = np.searchsorted(plans[:, 0], self.rows["t"], side="right") - 1
        chosen: Floats = plans[np.clip(index, 0, len(plans) - 1), COLUMNS[name]]
        return chosen

    def capture_mm(self, begin_s: float, end_s: float) -> float:
        """Return the rms error of the capture point in stance between two times [mm].

        It is infinite if the robot fell before the end.
        """
        if self.fell_s is not None and self.fell_s - START_S < end_s:
            return math.inf
        since = self.since_s
        stands = (since >= begin_s) & (since < end_s) & (self.planned("support")[:, 0] > 0.0)
        error = self.planned("capture")[stands]
        return 1000.0 * float(np.sqrt((error**2).sum(axis=1).mean()))

    def tilt_deg(self) -> float:
        """Return the largest roll or pitch of the base [°]."""
        rpy = self.rows["rpy_true"][self.since_s >= 0.0, :2]
        return float(np.rad2deg(np.abs(rpy)).max())

    def way(self) -> Floats:
        """Return the base's way from its place at the start, in its heading then (ticks, 2) [m]."""
        first = int(np.argmax(self.since_s >= 0.0))
        yaw = float(self.rows["rpy_true"][first, 2])
        c, s = math.cos(yaw), math.sin(yaw)
        way = self.rows["base_position_true"][:, :2].astype(np.float64)
        turned: Floats = (way - way[first]) @ np.array(((c, -s), (s, c)))
        return turned


def conduct(
    lab: Laboratory,
    seed: int,
    length_s: float,
    orders: Orders,
    *,
    body: Any = None,
    profile: Profile | None = None,
    look: Callable[[Performer], None] | None = None,
    may_fall: bool = False,
) -> Run:
    """Order gaits of a robot.

    Args:
        lab: the robot's.
        seed: of noise and idle life.
        length_s: of the experiment [s].
        orders: what is ordered when.
        body: the robot; None for one on a level floor.
        profile: another tuning than the robot's.
        look: called before every tick.
        may_fall: a fall needs no note.
    """
    script = Conductor(length_s, orders)
    watch = Watch(look)
    done = lab.run(
        seed,
        script,
        body=lab.body(seed) if body is None else body,
        profile=profile,
        watch=watch,
        may_fall=may_fall,
    )
    return Run(done, watch, tuple(script.made), script.fell_s)


def curves_of(lab: Laboratory, found: Run, begin_s: float, end_s: float) -> dict[str, Floats]:
    """Return what is drawn of a run between two times."""
    weight = lab.model.mass * GRAVITY
    since = found.since_s
    chosen = (since >= begin_s) & (since < end_s)
    rows = found.rows[chosen]
    force = rows["contact_force_true"].astype(np.float64)
    upward = force[..., 2].reshape(len(rows), 2, -1).sum(axis=2)
    return {
        "t": since[chosen],
        "com": rows["com_true"].astype(np.float64),
        "force": upward,
        "weight": np.full(len(rows), weight),
        "flight": (found.planned("kind")[chosen, 0] == Kind.FLIGHT).astype(np.float64),
        **{name: found.planned(name)[chosen] for name in ("pressure", "soles", "acceleration")},
        "planned_com": found.planned("com")[chosen],
        "true_soles": np.array([lab.soles(row).ravel() for row in rows]).reshape(-1, 6),
    }


def add_flights(figures: Figures, name: str, ratios: Floats) -> None:
    """Note the mean and the extremes of the flights' shares of the plan."""
    figures[f"{name}_flights"] = float(ratios.size)
    figures[f"{name}_flight"] = float(ratios.mean()) if ratios.size else math.nan
    figures[f"{name}_least"] = float(ratios.min()) if ratios.size else math.nan
    figures[f"{name}_most"] = float(ratios.max()) if ratios.size else math.nan


def tuned(
    profile: Profile, *, strides: Any = None, follow: Any = None, feet: Any = None
) -> Profile:
    """Return a profile with other settings of the filter, by name, of its feet, or of the body."""
    runner, replace = profile.as_runner, msgspec.structs.replace
    changed = replace(runner.strides, **(strides or {}))
    changed = replace(changed, feet=replace(changed.feet, **(feet or {})))
    body = replace(runner.follow, **(follow or {}))
    return replace(profile, runner=replace(runner, strides=changed, follow=body))


def flight_bars(name: str, what: str, strict: bool) -> tuple[Bar, ...]:
    """Return the rows of a motion's flights, which must be near the plan if `strict`."""
    low, high = (0.85, 1.15) if strict else (0.5, None)
    return (
        Bar(f"{name}_flight", f"{what}: flight by its plan, mean", "", "", high, low),
        Bar(f"{name}_least", "least"),
        Bar(f"{name}_falls", "falls", at_most=0.0),
    )


TINY_M = 1e-6  # a reach that is none


ABLATIONS = {
    "rate": "λ = √(g/z)",
    "spin": "angular momentum free",
    "torque": "no feed-forward torque",
    "fixed": "fixed footsteps",
}
"""Parts of the filter that the robot lacks, in words."""


def ablations(profile: Profile) -> dict[str, Profile]:
    """Return the robot without one part of the filter each, by `ABLATIONS`."""
    heights = profile.as_runner.strides.heights
    rate = math.sqrt(GRAVITY / heights.stand)
    tiny = {"reach_forward": TINY_M, "reach_out": TINY_M, "reach_in": TINY_M}
    return {
        "rate": tuned(profile, strides={"rate": rate}),
        "spin": tuned(profile, follow={"holds_spin": False}),
        "torque": tuned(profile, follow={"feed_forward": 0.0}),
        "fixed": tuned(profile, feet=tiny),
    }
