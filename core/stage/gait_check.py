"""The gait of a cue: its runs and jumps, planned as on stage, against what the joints can do.

The planner and the reference of the body are those of the robot; only the feedback is missing. A
posture in which the soles do not reach their places has no solution.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from core.behave.joints import UpperJoints
from core.plants.dynamics_filter.gait import Gait
from core.plants.dynamics_filter.plan import sole_of
from core.plants.dynamics_filter.score import Kind
from core.plants.dynamics_filter.strider import Strider
from core.plants.interface import Stepping
from core.plants.runner.orders import GaitChoice
from core.plants.runner.reference import BodyReference
from core.robot.profile import REST, Profile
from core.robot.state import State
from core.stage.dry_run import CueRun
from core.stage.servo_lag import ServoLag
from devices.interface import Floats
from shows.gaits import Jump
from shows.joints import JointTable

LEAD_S = 0.2  # a stretch begins so long before its first step [s]
SETTLE_S = 3.0  # within which the robot stands still after its last step [s]
RISE_S = 2.0  # in which it takes its usual height before the first stretch [s]
POSTURE_S = 0.02  # from one posture to the next that is kept [s]
LATE_S = 0.1  # a lift-off that comes so much later than out of standing is late [s]
# A servo may lag by so much for lack of torque. In the simulator, jumps whose legs lag by 0.07 rad
# fly 0.9 of their plan and land within 5 mm of their place; by 0.08 rad, 0.8 and 10 mm.
LAG_RAD = 0.075
_RUN, _WALK = Stepping(gait="run"), Stepping()
WORDS = {Gait.WALK: "walk", Gait.RUN: "run", Gait.JUMP: "jump", Gait.STAND: "stance"}


@dataclass(frozen=True, slots=True)
class Peak:
    """The greatest load of a joint in a cue.

    Attributes:
        joint: index of the joint in the profile's order.
        load: as a share of what it may have.
        time_s: in the cue [s].
        gait: of the robot at that time.
    """

    joint: int
    load: float
    time_s: float
    gait: Gait


@dataclass(slots=True)
class JumpsMade:
    """What becomes of the jumps of a clip.

    Attributes:
        time_s: when they are requested [s].
        count: number of them.
        made: number of those that are made.
        late_s: how much later than out of standing the first one leaves the ground [s].
    """

    time_s: float
    count: int
    made: int = 0
    late_s: float = 0.0


@dataclass(slots=True)
class GaitLoads:
    """What the gait of a cue asks of the body. Arrays are in the profile's order.

    Attributes:
        lag: how far each joint lags behind the plan, at most, as a share of LAG_RAD.
        span: greatest distance of each joint of the legs from the middle of its range, as a share
            of half of it.
        unsolved: first time without a solution, and the gait; None: there always is one [s].
        refused: first time at which the planner gives way to another gait, and the gait [s].
        jumps: what becomes of the jumps, in order.
        times_s: of the postures (k) [s].
        postures: positions of all joints (k, n) [rad].
    """

    lag: list[Peak] = field(default_factory=list)
    span: list[Peak] = field(default_factory=list)
    unsolved: tuple[float, Gait] | None = None
    refused: tuple[float, Gait] | None = None
    jumps: list[JumpsMade] = field(default_factory=list)
    times_s: list[float] = field(default_factory=list)
    postures: list[Floats] = field(default_factory=list)


class GaitCheck:
    """Plans the gait of cues.

    Args:
        profile: of a robot with `runner`.
        table: its joints.
        upper: the joints that behaviour moves, in the order of a dry run.

    Attributes:
        names: of all joints (n).
    """

    def __init__(self, profile: Profile, table: JointTable, upper: UpperJoints) -> None:
        runner = profile.as_runner
        self.names = profile.joint_names
        self._profile, self._runner, self._tick_s = profile, runner, profile.tick_s
        self._rest = profile.posture(REST)
        self._lower, self._upper = table.lower, table.upper
        self._upper_index = list(upper.table_index)

    def loads(self, run: CueRun) -> GaitLoads | None:
        """Return what the runs and jumps of a cue ask of the body; None if it has none."""
        stretches = tuple(_stretches(run))
        if not stretches:
            return None
        return _Rehearsal(self, run).play(stretches)


class _Rehearsal:
    """One cue, tick by tick."""

    def __init__(self, check: GaitCheck, run: CueRun) -> None:
        profile, runner = check._profile, check._runner
        self._check, self._run, self._tick_s = check, run, check._tick_s
        self._strider = Strider(runner.strides, sole_of(profile))
        self._orders = GaitChoice(runner, profile.tick_s)
        self._reference = reference = BodyReference(profile, runner.follow)
        model = reference.model
        places = {joint: place for place, joint in enumerate(check._upper_index)}
        self._rows = [places[int(joint)] for joint in model.upper_joints]
        self._count = model.joint_count
        self._legs = reference.legs
        lower, upper = check._lower[self._legs], check._upper[self._legs]
        self._middle, self._half = 0.5 * (lower + upper), 0.5 * (upper - lower)
        self._upper = np.zeros((3, len(self._rows)))
        self._still: Floats = np.zeros(2)
        self._flies = False
        self._loads = GaitLoads()
        # The greatest loads until now: value, time and gait of each joint.
        self._worst = {name: np.zeros((3, self._count)) for name in ("lag", "span")}
        self._servos = ServoLag(profile, self._count)
        self._now_s = 0.0

    def play(self, stretches: tuple[tuple[float, float], ...]) -> GaitLoads:
        """Return the loads of some stretches of the cue (begin, end) [s]."""
        measured = State.upright(len(self._check.names))
        measured.q[:] = self._check._rest
        left, right, com = self._reference.start(measured)
        self._strider.start(0.0, left, right, com)
        self._upper_at(stretches[0][0])
        while self._now_s < RISE_S:
            self._advance()
        for begin_s, end_s in stretches:
            self._stretch(begin_s, end_s)
        loads, found = self._loads, self._worst
        for name, peaks in (("lag", loads.lag), ("span", loads.span)):
            for joint in range(self._count):
                load, time_s, gait = found[name][:, joint].tolist()
                peaks.append(Peak(joint, load, time_s, Gait(int(gait))))
        return loads

    def _stretch(self, begin_s: float, end_s: float) -> None:
        offset_s = begin_s - self._now_s
        every, tick = max(1, round(POSTURE_S / self._tick_s)), 0
        while True:
            time_s = self._now_s + offset_s
            if time_s >= end_s and (self._strider.stands or time_s >= end_s + SETTLE_S):
                return
            self._upper_at(time_s)
            self._choose(time_s)
            self._advance()
            self._note(time_s)
            if tick % every == 0:
                self._loads.times_s.append(time_s)
                q = self._reference.state.q.copy()
                q[self._check._upper_index] = self._run.q[self._sample(time_s)]
                self._loads.postures.append(q)
            tick += 1

    def _advance(self) -> None:
        """Advance plan and body by a tick."""
        self._now_s += self._tick_s
        plan = self._strider.update(self._now_s)
        self._reference.update(plan, self._upper, self._still)

    def _sample(self, time_s: float) -> int:
        """Return the index of the dry run's sample at a time [s]."""
        times_s = self._run.time_s
        return min(int(time_s / times_s[1]), len(times_s) - 1) if len(times_s) > 1 else 0

    def _upper_at(self, time_s: float) -> None:
        """Write the motion of the joints above the legs at a time [s]."""
        run, i = self._run, self._sample(time_s)
        since_s = min(max(0.0, time_s - run.time_s[i]), run.time_s[1])
        rows = self._rows
        q, dq, ddq = run.q[i][rows], run.dq[i][rows], run.ddq[i][rows]
        self._upper[0] = q + since_s * (dq + 0.5 * since_s * ddq)
        self._upper[1], self._upper[2] = dq + since_s * ddq, ddq

    def _choose(self, time_s: float) -> None:
        """Give the planner the order that the plant would give it."""
        run, i = self._run, self._sample(time_s)
        jump: Jump | None = None
        for since_s, asked in run.jumps:
            if since_s <= time_s:
                jump = asked
        if jump is not None and jump is not self._orders.jump:
            self._loads.jumps.append(JumpsMade(time_s, jump.count))
        velocity = run.velocity[i] if time_s <= run.time_s[-1] else np.zeros(3)
        runs = bool(run.running[i])
        order = self._orders.choose(velocity, runs, _RUN if runs else _WALK, jump)
        self._strider.ask(order)

    def _note(self, time_s: float) -> None:
        """Keep the greatest loads."""
        reference, check, loads = self._reference, self._check, self._loads
        gait = self._strider.reference.gait or self._orders.order.gait
        flies = self._strider.reference.kind is Kind.FLIGHT and gait is Gait.JUMP
        if flies and not self._flies and loads.jumps:
            jumps = loads.jumps[-1]
            if not jumps.made:
                jumps.late_s = time_s - jumps.time_s - check._runner.strides.times.push_s
            jumps.made += 1
        self._flies = flies
        if self._strider.refused and loads.refused is None:
            loads.refused = time_s, self._orders.order.gait
        if reference.unsolved:
            if loads.unsolved is None:
                loads.unsolved = time_s, gait
            return
        count, legs = self._count, self._legs
        servos, flies = self._servos, self._strider.reference.support == 0
        speed = reference.state.dq[:count]
        servos.update(reference.model.mass_matrix, reference.torques, speed, flies)
        self._keep("lag", np.abs(servos.lag) / LAG_RAD, time_s, gait)
        of_legs = np.zeros(count)
        of_legs[legs] = np.abs(reference.state.q[legs] - self._middle) / self._half
        self._keep("span", of_legs, time_s, gait)

    def _keep(self, name: str, loads: Floats, time_s: float, gait: Gait) -> None:
        worst = self._worst[name]
        greater = loads > worst[0]
        worst[0, greater], worst[1, greater], worst[2, greater] = loads[greater], time_s, gait


def _stretches(run: CueRun) -> Iterator[tuple[float, float]]:
    """Yield begin and end of each time in which the robot steps or jumps, if it runs or jumps [s].

    A run that begins out of a walk is planned out of that walk.
    """
    times_s = run.time_s
    steps = run.velocity.any(axis=1) | run.running
    agile = run.running.copy()
    for i, (begin_s, jump) in enumerate(run.jumps):
        if jump is None:
            continue
        later_s = run.jumps[i + 1][0] if i + 1 < len(run.jumps) else math.inf
        during = (times_s >= begin_s) & (times_s < later_s)
        steps |= during
        agile |= during
    edges = np.flatnonzero(np.diff(np.concatenate(([False], steps, [False]))))
    for first, behind in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if agile[first:behind].any():
            begin_s = max(0.0, float(times_s[first]) - LEAD_S)
            yield begin_s, float(times_s[min(behind, len(times_s) - 1)])
