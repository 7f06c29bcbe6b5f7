"""The retouch's plans: closed forms, bounds, and how near the robot's CoM stays to a performer's.

The plans alone; no robot and no simulator.
"""

import math
import time

import numpy as np
from scipy.integrate import solve_ivp

from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.plants.dynamics_filter.vertical import GRAVITY
from core.retouch.detach import detachment
from core.retouch.piece import effects, sample
from core.retouch.plan import WEIGHT, Planner, Wish
from core.retouch.region import Region
from core.retouch.stream import BodySample, Mode, Stream, standing_bounds
from devices.interface import Floats

ALPHA = 3.0
HALF_M = 0.1  # of the region in which the pressure may lie
INPUT_S, TICK_S, LENGTH_S = 0.030, 0.001, 20.0
SWAY_M = 0.06
FEASIBLE_HZ, INFEASIBLE_HZ = 0.5, 0.8  # the second one asks for a ZMP at 18.5 cm
DRAWN = 200
HALF = np.array([[0.5, 0.5], [0.5, -0.5]])


def run(lab: Laboratory, seed: int) -> Measured:
    """Measure one seed."""
    random = np.random.default_rng(seed)
    height = lab.profile.as_biped.gait.height
    planner = Planner(math.sqrt(GRAVITY / height), ALPHA)
    corners = [(x, y) for x in (-HALF_M, HALF_M) for y in (-HALF_M, HALF_M)]
    region = Region.around(corners)
    figures: Figures = {
        "ode": max(_beside_integral(planner.omega, random) for _ in range(20)),
        "kkt": max(_beside_dense(planner, random) for _ in range(DRAWN)),
        "detachment_s": max(_beside_search(planner, region, random) for _ in range(DRAWN)),
        "solve_us": _solve_us(planner, region, random),
    }
    modes: tuple[Mode, ...] = ("slide", "segment")
    for mode in modes:
        for name, rate_hz in (("feasible", FEASIBLE_HZ), ("infeasible", INFEASIBLE_HZ)):
            turn = float(random.uniform(0.0, 2.0 * math.pi))
            found = _follow(planner, region, mode, rate_hz, turn)
            for figure, value in found.items():
                if figure in ("rms_m", "latency_s"):
                    figures[f"{mode}_{name}_{figure}"] = value
                else:
                    figures[figure] = max(figures.get(figure, -math.inf), value)
    return Measured(figures)


def _beside_integral(omega: float, random: np.random.Generator) -> float:
    """Return how far a piece's end is from that of the integrated pendulum [m]."""
    motion = random.uniform(-0.2, 0.2, (4, 1))
    alpha, out = float(random.choice((1.0, 1.0 + 1e-9, 3.0, 6.0))), np.zeros((4, 1))
    sample(motion, omega, alpha, 0.4, out)
    x, rate, first, last = motion[:, 0].tolist()

    def fall(t: float, state: Floats) -> list[float]:
        pressure = last + (first - last) * math.exp(-alpha * omega * t)
        return [float(state[1]), omega**2 * (float(state[0]) - pressure)]

    end = solve_ivp(fall, (0.0, 0.4), [x, rate], method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    return float(np.abs(out[:2, 0] - end).max())


def _beside_dense(planner: Planner, random: np.random.Generator) -> float:
    """Return how far a plan without bounds is from the solution of its normal equations [m]."""
    start, duration_s = random.uniform(-0.1, 0.1, (2, 2)), 0.3
    position, velocity, first, last = random.uniform(-0.1, 0.1, (4, 2))
    wish = Wish(position, velocity, first, last)
    piece = planner.plan(start, wish, None, duration_s)
    if piece is None:
        return math.inf
    grows, decays, k, j, _ = effects(planner.omega, planner.alpha, duration_s)
    of_both = HALF @ np.array([[-k, 1.0 - grows + k], [j, 1.0 - decays - j]])
    worst = 0.0
    for axis in range(2):
        x, rate = start[0, axis], start[1, axis] / planner.omega
        missing = HALF @ np.array([grows * (x + rate), decays * (x - rate)])
        missing -= (wish.position[axis], wish.velocity[axis] / planner.omega)
        system = np.concatenate((math.sqrt(WEIGHT) * of_both, np.eye(2)))
        sides = np.concatenate((-math.sqrt(WEIGHT) * missing, (wish.first[axis], wish.last[axis])))
        solved = np.linalg.lstsq(system, sides, rcond=None)[0]
        worst = max(worst, float(np.abs(solved - piece.motion[2:, axis]).max()))
    return worst


def _beside_search(planner: Planner, region: Region, random: np.random.Generator) -> float:
    """Return how far a detachment is from the one that is searched [s]."""
    first, last = random.uniform(-0.2, 0.2, 2), random.uniform(-0.8, 0.8, 2) * HALF_M
    found = detachment(first, last, planner.alpha * planner.omega, region)
    times = np.arange(0.0, 2.0, 1e-4)
    way = last + (first - last) * np.exp(-planner.alpha * planner.omega * times)[:, None]
    inside = ((way @ region.normals.T) <= region.bounds + 1e-12).all(axis=1)
    return abs(found - float(times[inside.argmax()]))


def _solve_us(planner: Planner, region: Region, random: np.random.Generator) -> float:
    """Return the p99.9 of a plan's processor time [µs]."""
    bounds, spent = standing_bounds(region), []
    for start in random.uniform(-0.05, 0.05, (2000, 2, 2)):
        position, velocity = random.uniform(-0.1, 0.1, (2, 2))
        wish = Wish(position, velocity, np.zeros(2), np.zeros(2))
        before = time.thread_time_ns()
        planner.plan(start, wish, bounds, 0.3)
        spent.append((time.thread_time_ns() - before) / 1e3)
    return float(np.percentile(spent, 99.9))


def _follow(
    planner: Planner, region: Region, mode: Mode, rate_hz: float, turn: float
) -> dict[str, float]:
    """Let a stream follow a performer who sways, and return its figures."""
    bounds, stream = standing_bounds(region), Stream(planner, mode)
    stream.begin(np.zeros(2))
    figures = {"jump": 0.0, "outside_m": -math.inf, "slack_m": 0.0}
    errors, latencies = [], []
    every = round(INPUT_S / TICK_S)
    for tick in range(round(LENGTH_S / TICK_S)):
        now_s = tick * TICK_S
        if tick % every == 0:
            before = stream.at(now_s)
            stream.receive(now_s, swaying(now_s, rate_hz, turn), bounds)
            after = stream.at(now_s)
            jump = np.abs((after.position - before.position, after.velocity - before.velocity))
            figures["jump"] = max(figures["jump"], float(jump.max()))
            figures["slack_m"] = max(figures["slack_m"], stream.outside)
            latencies.append(stream.latency_s)
        motion = stream.at(now_s)
        figures["outside_m"] = max(figures["outside_m"], region.beyond(motion.pressure))
        if now_s > 2.0:
            wanted = swaying(now_s - stream.latency_s, rate_hz, turn).position
            errors.append(motion.position - wanted)
    figures["rms_m"] = float(np.sqrt((np.array(errors) ** 2).sum(axis=1).mean()))
    figures["latency_s"] = float(np.mean(latencies))
    return figures


def swaying(time_s: float, rate_hz: float, turn: float) -> BodySample:
    """Return a performer who sways across and has begun gently.

    Args:
        time_s: [s].
        rate_hz: [Hz].
        turn: phase at the begin [rad].
    """
    omega, grown = 2.0 * math.pi * rate_hz, min(time_s, 1.0)
    angle = omega * time_s + turn
    side = np.array([0.0, SWAY_M * grown])
    return BodySample(
        time_s,
        math.sin(angle) * side,
        omega * math.cos(angle) * side,
        -omega * omega * math.sin(angle) * side,
    )


EXPERIMENT = Experiment(
    "retouch",
    "plans of the retouch alone: closed forms, bounds, a performer who sways by 6 cm",
    run,
    (
        Bar("ode", "closed form beside the integral", "m", at_most=1e-10),
        Bar("kkt", "plan beside the normal equations", "m", at_most=1e-9),
        Bar("detachment_s", "detachment beside a search", "s", "verified", at_most=1e-3),
        Bar("solve_us", "a plan, processor time, p99.9", "µs", at_most=150.0),
        Bar("jump", "jump of x and ẋ at a plan", "", "", at_most=1e-9),
        Bar("outside_m", "ZMP outside the region", "m", "", at_most=1e-9),
        Bar("slack_m", "ξ_T outside its region", "m", "", at_most=1e-9),
        Bar("slide_feasible_rms_m", "slide, CoM's error where feasible", "m", at_most=0.005),
        Bar("slide_infeasible_rms_m", "slide, where not", "m", at_most=0.025),
        Bar("slide_feasible_latency_s", "slide, latency", "s", at_least=0.295, at_most=0.305),
        Bar("segment_feasible_rms_m", "segment, CoM's error where feasible", "m"),
        Bar("segment_infeasible_rms_m", "segment, where not", "m"),
        Bar("segment_feasible_latency_s", "segment, latency without a change of support", "s"),
    ),
    beside=False,
)
