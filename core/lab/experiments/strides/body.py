"""The reference of the whole body without a simulator: its ZMP and angular momentum."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.constants import GRAVITY
from core.lab.experiments.strides.planner import TICK_S
from core.plants.biped.model import RobotModel
from core.plants.dynamics_filter.gait import GaitOrder
from core.plants.dynamics_filter.plan import sole_of
from core.plants.dynamics_filter.score import Kind
from core.plants.dynamics_filter.strider import Strider
from core.plants.runner.reference import BodyReference
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Floats

LEAST_SHARE = 0.2  # of the weight, below which a ZMP is not compared


@dataclass(frozen=True, slots=True, eq=False)
class BodyMotion:
    """What a body does that follows the plan exactly, tick by tick.

    Attributes:
        since_s: time (n) [s].
        kinds: of the phase (n).
        momentum: angular momentum about the CoM (n, 3) [N·m·s].
        force: vertical force (n) [N].
        zmp: of the whole body, by the rate of its momentum (n, 2) [m].
        planned: ZMP of the plan (n, 2) [m].
    """

    since_s: Floats
    kinds: Floats
    momentum: Floats
    force: Floats
    zmp: Floats
    planned: Floats

    def zmp_error(self, begin_s: float, mass: float) -> Floats:
        """Return the distance between both ZMPs in stance, from a time on (m) [m].

        Where the force is small a ZMP moves far for a small moment: those ticks are left out.
        """
        loaded = self.force > LEAST_SHARE * mass * GRAVITY
        chosen = (self.kinds != Kind.FLIGHT) & loaded & (self.since_s >= begin_s)
        error: Floats = np.linalg.norm(self.zmp[chosen] - self.planned[chosen], axis=1)
        return error

    def spin_range(self, begin_s: float) -> float:
        """Return how far the angular momentum of a flight is from its mean [N·m·s]."""
        worst, flight = 0.0, (self.kinds == Kind.FLIGHT) & (self.since_s >= begin_s)
        edges = np.flatnonzero(np.diff(flight.astype(int), prepend=0, append=0))
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            own = self.momentum[first:last]
            worst = max(worst, float(np.abs(own - own.mean(axis=0)).max()))
        return worst


def move(profile: Profile, orders: Sequence[tuple[float, GaitOrder]], end_s: float) -> BodyMotion:
    """Let the reference of the whole body follow a plan.

    Momentum is that of the configurations: velocities are differences of neighbouring ones, at the
    middle between them, so that what the equations of the reference leave out is in it.
    """
    runner = profile.as_runner
    strider = Strider(runner.strides, sole_of(profile))
    body, model = BodyReference(profile, runner.follow), RobotModel(profile)
    upper = np.zeros((3, model.upper_joints.size))
    rest = profile.posture("rest")
    state = State.upright(len(profile.joint_names))
    state.q[:] = rest
    model.update(state)
    left, right, com = body.start(state)
    upper[0] = state.q[model.upper_joints]
    strider.start(0.0, left, right, com)
    count, due = round(end_s / TICK_S), list(orders)
    times, kinds, planned = np.zeros(count), np.zeros(count), np.zeros((count, 2))
    places, linear, angular = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((count, 3))
    middle = State.upright(len(profile.joint_names))
    for i in range(count):
        now_s = (i + 1) * TICK_S
        while due and due[0][0] <= now_s:
            strider.ask(due.pop(0)[1])
        plan = strider.update(now_s)
        base, q = body.state.base.copy(), body.state.q.copy()
        body.update(plan, upper, np.zeros(2))
        _between(middle, base, q, body.state)
        model.update(middle)
        momentum = model.momentum_matrix @ model.v
        linear[i], angular[i], places[i] = momentum[:3], momentum[3:], model.com
        times[i], kinds[i], planned[i] = now_s, plan.kind, plan.pressure
    rate = np.asarray(np.gradient(linear, TICK_S, axis=0))
    spin_rate = np.asarray(np.gradient(angular, TICK_S, axis=0))
    force = rate + np.array((0.0, 0.0, model.mass * GRAVITY))
    upward = np.where(np.abs(force[:, 2]) > 1e-6, force[:, 2], np.nan)
    zmp = np.stack(
        (
            places[:, 0] - (places[:, 2] * force[:, 0] + spin_rate[:, 1]) / upward,
            places[:, 1] - (places[:, 2] * force[:, 1] - spin_rate[:, 0]) / upward,
        ),
        axis=1,
    )
    return BodyMotion(times, kinds, angular, force[:, 2], zmp, planned)


def _between(out: State, base: Floats, q: Floats, then: State) -> None:
    """Write the state in the middle between two configurations, with their difference as speed."""
    out.q[:] = 0.5 * (q + then.q)
    out.dq[:] = (then.q - q) / TICK_S
    first, last = base[:3], then.base[:3]
    turn = first.T @ last
    axis = 0.5 * np.array(
        (turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1])
    )
    size = float(np.linalg.norm(axis))
    vector = axis * (math.asin(min(1.0, size)) / size if size > 0.0 else 1.0)
    out.base[5] = vector / TICK_S
    half = 0.5 * vector
    skew = np.array(((0.0, -half[2], half[1]), (half[2], 0.0, -half[0]), (-half[1], half[0], 0.0)))
    out.base[:3] = first @ (np.eye(3) + skew + 0.5 * skew @ skew)
    out.base[3] = 0.5 * (base[3] + then.base[3])
    out.base[4] = (then.base[3] - base[3]) / TICK_S
