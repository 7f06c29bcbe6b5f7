"""Many seeds of the show, also on difficult ground, and of walks."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from core.lab.experiment import Bar, Experiment, Measured
from core.lab.experiments.walk import SPEED, gesturing, gesturing_figures
from core.lab.laboratory import Laboratory
from core.lab.measure.meter import Meter
from core.run.autopilot import Autopilot
from core.run.launch import WalkOrder

LENGTH_S = 60.0
CHANGES_S = 120.0
CHANGE_S = 3.0
RANGE = ((-0.2, 0.3), (-0.1, 0.1), (-0.3, 0.3))  # [m/s], [m/s], [rad/s]
SINGLE = 0.6  # share of the commands that go into one direction only
MEAN_ERROR = 0.02  # of the velocity of a robot that differs from the model [m/s]


def random_orders(seed: int, length_s: float = CHANGES_S) -> tuple[WalkOrder, ...]:
    """Return velocities drawn from the range of speeds, one every 3 s."""
    random = np.random.default_rng(seed)
    orders: list[WalkOrder] = []
    for _ in range(round(length_s / CHANGE_S)):
        drawn = [float(random.uniform(low, high)) for low, high in RANGE]
        if random.random() < SINGLE:
            kept = int(random.integers(len(drawn)))
            drawn = [v if axis == kept else 0.0 for axis, v in enumerate(drawn)]
        orders.append(WalkOrder(vx=drawn[0], vy=drawn[1], yaw=drawn[2], dur=CHANGE_S))
    return tuple(orders)


def play(lab: Laboratory, seed: int, **room: Any) -> Measured:
    """Play the sample show; the room is friction and payload_kg, as in a launch."""
    return _measured(lab, seed, Autopilot(), lab.sample_show, room)


def walk(lab: Laboratory, seed: int, gesture: str, length_s: float = LENGTH_S) -> Measured:
    """Walk at the paper's speed with one gesture again and again."""
    operator = Autopilot((WalkOrder(vx=SPEED, dur=length_s),), (gesture,))
    return _measured(lab, seed, operator, lab.gestures, {})


def walk_parts(lab: Laboratory, seed: int) -> Measured:
    """Walk at the paper's speed through idle, thumbs-up and waving."""
    done = gesturing(lab, seed)
    return Measured({**gesturing_figures(lab, done), "ended": float(not done.failed)})


def wander(lab: Laboratory, seed: int, length_s: float = CHANGES_S) -> Measured:
    """Walk by commands drawn at random."""
    return _measured(lab, seed, Autopilot(random_orders(seed, length_s)), None, {})


def _measured(
    lab: Laboratory, seed: int, operator: Autopilot, show: Any, room: dict[str, Any]
) -> Measured:
    body = lab.body(seed, **room)
    meter = Meter(body)
    done = lab.run(seed, operator, body=body, show=show, keep=False, watch=meter)
    report = done.report
    return Measured(
        {
            "falls": float(report.falls),
            "ended": float(report.completed),
            "tilt": math.degrees(meter.tilt),
            "load": report.worst_load,
            "tracking": report.worst_tracking_rad,
            "distance": report.distance_m,
            "cues": float(report.cues_played),
            "duration": report.duration_s,
        }
    )


ENDS = (
    Bar("falls", "falls", at_most=0.0),
    Bar("ended", "did all that was asked, to its end", at_least=1.0),
)


def _experiment(
    name: str, title: str, run: Callable[[Laboratory, int], Measured], seeds: int
) -> Experiment:
    bars = (
        *ENDS,
        Bar("tilt", "largest tilt of the torso", "°"),
        Bar("load", "largest joint torque, as a share of stall"),
        Bar("tracking", "largest error of a joint above the legs", "rad"),
        Bar("distance", "walked", "m"),
    )
    return Experiment(f"endurance/{name}", title, run, bars, most_seeds=seeds)


EXPERIMENTS = (
    _experiment("show", "the sample show", play, 20),
    _experiment("friction", "the sample show, friction 0.5", partial(play, friction=0.5), 20),
    _experiment(
        "payload", "the sample show, 0.5 kg in the right hand", partial(play, payload_kg=0.5), 20
    ),
    _experiment(
        "wave", "60 s at 0.16 m/s, waving again and again", partial(walk, gesture="wave"), 10
    ),
    _experiment(
        "thumbs-up",
        "60 s at 0.16 m/s, thumbs-up again and again",
        partial(walk, gesture="thumbs_up"),
        10,
    ),
    Experiment(
        "endurance/walk",
        "60 s at 0.16 m/s through idle, thumbs-up and waving",
        walk_parts,
        (
            *ENDS,
            Bar(
                "mean_error",
                "|mean velocity over whole gait cycles − 0.16|",
                "m/s",
                at_most=MEAN_ERROR,
            ),
            Bar("step_deviation", "mean |deviation| of a step's mean", "m/s"),
            Bar("cycle_deviation", "standard deviation of the cycles' means", "m/s"),
        ),
        most_seeds=20,
    ),
    _experiment("changes", "120 s of commands drawn at random every 3 s", wander, 10),
)
