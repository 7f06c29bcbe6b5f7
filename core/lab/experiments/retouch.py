"""The retouch's plans: closed forms, bounds, and how near the robot's CoM stays to a performer's.

The plans and the follower of the limbs alone; no simulator.
"""

import math
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
from scipy.integrate import solve_ivp

from core.behave.live import live_limits
from core.behave.manager import MotionManager
from core.constants import GRAVITY
from core.lab.experiment import Bar, Experiment, Figures, Measured
from core.lab.laboratory import Laboratory
from core.lab.measure.leader import AGE_S, captured
from core.link.partner import Follow
from core.partner.robot import robot_of
from core.plants.build import build_plant
from core.retouch.detach import detachment
from core.retouch.piece import effects, sample
from core.retouch.plan import WEIGHT, Planner, Wish
from core.retouch.region import Region
from core.retouch.stream import BodySample, Mode, Stream, standing_bounds
from core.robot.joint_table import joint_table
from core.tick.follow import FollowPerson
from core.tick.follow_steps import over_feet
from devices.interface import Floats, Support
from shows.body_limb import KIND
from shows.limbs import FOLLOWING

ALPHA = 3.0
HALF_M = 0.1  # of the region in which the pressure may lie
INPUT_S, TICK_S, LENGTH_S = 0.030, 0.001, 20.0
SWAY_M = 0.06
FEASIBLE_HZ, INFEASIBLE_HZ = 0.5, 0.8  # the second one asks for a ZMP at 18.5 cm
DRAWN = 200
ROOT = Path(__file__).parents[3]
TAKES = ROOT / "assets" / "takes"
PERFORMER = ROOT / "shows" / "library" / "duel" / "takes" / "performer.bvh"
WINDOW_S, MOVES_RAD = 0.5, 0.3  # in which a joint moves so far, so that its lag can be told
BLENDED_S = 1.0  # from the first posture, while the limbs go to the person
LAGS_S = np.arange(0.0, 0.3, 0.002)
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
    figures |= _segments(lab, planner, region, random) | _limbs(lab, random)
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


def _segments(
    lab: Laboratory, planner: Planner, region: Region, random: np.random.Generator
) -> Figures:
    """Measure the latency of mode segment with the performer of the sample show."""
    stream, bounds, found = Stream(planner, "segment"), standing_bounds(region), list[float]()
    stream.begin(np.zeros(2))
    for told in captured(PERFORMER, robot_of(lab.profile), True, random):
        rate, curve = np.array(told.com_velocity[:2]), np.array(told.com_acceleration[:2])
        seen = BodySample(told.stamp_s, over_feet(told), rate, curve, told.support)
        if stream.receive(told.stamp_s, seen, bounds):
            found.append(stream.latency_s)
    return {
        "segment_least_s": min(found),
        "segment_mean_s": float(np.mean(found)),
        "segment_most_s": max(found),
    }


def _limbs(lab: Laboratory, random: np.random.Generator) -> Figures:
    """Measure how late the reference of arms and head is behind a performer of takes."""
    profile, found = lab.profile, list[tuple[float, bool]]()
    table, plant = joint_table(profile), build_plant(profile, Support.FLOOR)
    robot = robot_of(profile)
    unlimited = replace(robot, speed=np.full(len(robot.rest), np.inf))
    for path in sorted(TAKES.glob("*.bvh")):
        manager = MotionManager(table, profile.posture("rest"), profile.motion)
        joints = manager.joints
        fastest = live_limits(joints, profile.motion)[1]
        limbs = [limb.name for limb in joints.limbs if limb.kind in FOLLOWING - {KIND}]
        follow = FollowPerson(manager, plant, lambda *_: None)
        follow.start(Follow(limbs=tuple(limbs)))
        told = list(captured(path, robot, True, random))
        waiting, reference = deque(told), list[Floats]()
        times = np.arange(told[0].stamp_s, told[-1].stamp_s, TICK_S)
        for now_s in times.tolist():
            follow.follow(now_s, None, True)
            if waiting[0].stamp_s + AGE_S <= now_s:
                one = waiting.popleft()
                follow.hear(now_s, one.stamp_s, msgspec.structs.replace(one, number=follow.number))
            reference.append(manager.update(now_s).q.copy())
        rows, true = np.array(reference), list(captured(path, unlimited, True, None))
        for part, limb in zip(joints.columns, joints.limbs, strict=True):
            for joint in range(part.start, part.stop) if limb.name in limbs else ():
                leads = np.array([one.joints[joint] for one in true])
                stamps = np.array([one.stamp_s for one in true])
                found += _lags(times, rows[:, joint], stamps, leads, float(fastest[joint]))
    usual = [lag_s for lag_s, can in found if can]
    return {
        "limbs_lag_s": float(np.median(usual)),
        "limbs_lag_p99_s": float(np.percentile(usual, 99)),
        "limbs_fast_lag_s": float(np.percentile([lag_s for lag_s, _ in found], 99)),
        "limbs_fast": 1.0 - len(usual) / len(found),
    }


def _lags(
    times: Floats, reference: Floats, stamps: Floats, leads: Floats, fastest: float
) -> Iterator[tuple[float, bool]]:
    """Yield at which lag a joint is nearest to what leads it, in each window in which that moves.

    Args:
        times: of the reference (t) [s].
        reference: positions (t) [rad].
        stamps: of what leads it (m) [s].
        leads: positions (m) [rad].
        fastest: speed of the joint as it follows [rad/s].

    Returns:
        Each [s], with whether what leads is no faster than the joint, in the window and before.
    """
    size, rates = round(WINDOW_S / TICK_S), np.abs(np.diff(leads) / np.diff(stamps))
    for begin in range(round(BLENDED_S / TICK_S), len(times) - size, size // 2):
        when, own = times[begin : begin + size], reference[begin : begin + size]
        if np.ptp(np.interp(when, stamps, leads)) < MOVES_RAD:
            continue
        errors = [own - np.interp(when - lag_s, stamps, leads) for lag_s in LAGS_S]
        near = (stamps[1:] >= when[0] - WINDOW_S) & (stamps[:-1] <= when[-1])
        off = [float(error @ error) for error in errors]
        yield float(LAGS_S[int(np.argmin(off))]), bool(rates[near].max() <= fastest)


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
        Bar(
            "segment_least_s", "segment in the duel, least", "s", "0.1", at_least=0.08, at_most=0.12
        ),
        Bar("segment_mean_s", "in the duel, mean", "s", "0.3", at_least=0.24, at_most=0.36),
        Bar("segment_most_s", "in the duel, most", "s", "0.5", at_least=0.4, at_most=0.6),
        Bar("limbs_lag_s", "a joint of arms and head behind a performer's stamps, median", "s"),
        Bar("limbs_lag_p99_s", "the same, p99 of half seconds", "s", at_most=0.080),
        Bar("limbs_fast_lag_s", "p99 with a person faster than the joints' limit", "s"),
        Bar("limbs_fast", "share of such half seconds"),
    ),
    beside=False,
    simulates=False,
)
