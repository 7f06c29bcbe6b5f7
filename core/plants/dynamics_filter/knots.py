"""Where the knots of a plan's pressure may lie: in or between the soles of its score (kernel)."""

import math

import numpy as np

from core.compiled import compiled
from core.plants.dynamics_filter.pressure import Knots
from core.plants.dynamics_filter.score import BOTH, LEFT, RIGHT, Kind, Score, between
from core.records import Indices
from devices.interface import Floats

FEET, ON_LEFT, ON_RIGHT = range(3)
"""Columns of the regions: feet among which a knot lies, as bits, and the steps of both feet."""
PLACE_X, PLACE_Y, YAW, SIDE, WEIGHT = range(5)
"""Columns of the steps: place [m], heading [rad], foot, and weight of its shift."""
HALF_LENGTH, HALF_WIDTH, FORWARD, INWARD, OUTWARD = range(5)
"""Columns of the room: half the sole, and how far a footstep may be moved [m]."""


def knots_of(
    score: Score, moves: tuple[int, ...], room: tuple[float, ...], held: Floats | None
) -> Knots:
    """Return where the knots at the ends of a score's phases may lie.

    Args:
        score: of the plan.
        moves: index of each footstep that the plan may move.
        room: see `HALF_LENGTH` (5).
        held: pressure at the end of the first phase that must not change (2) [m]; None: it may.
    """
    phases, flies = score.phases, Kind.FLIGHT
    regions: list[int] = []
    for phase, following in zip(phases, (*phases[1:], phases[-1]), strict=True):
        # The pressure of a flight is that of the landing, which is free to be another one.
        if phase.kind is flies:
            regions += (following.support, *following.places)
        else:
            regions += (phase.toward, *phase.places)
    steps: list[float] = []
    for step in score.steps:
        pose = step.pose
        steps += (pose.x, pose.y, pose.yaw, step.foot, step.weight)
    knots = Knots(
        *lay_knots(
            np.array(regions).reshape(-1, 3),
            np.array(steps).reshape(-1, 5),
            np.array(moves, dtype=np.int64),
            np.array(room),
        )
    )
    if held is not None:
        knots.places[0], knots.held[0] = held, 1.0
        knots.follows[0] = 0.0
    return knots


@compiled
def lay_knots(
    regions: Indices, steps: Floats, moves: Indices, room: Floats
) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats, Floats, Floats, Floats, Floats]:
    """Return the arrays of `Knots`, none of which is held.

    Args:
        regions: of each knot; the last is that of the end (n, 3).
        steps: of the score (m, 5).
        moves: index of each footstep that the plan may move (k).
        room: see `HALF_LENGTH` (5).
    """
    n, k = regions.shape[0], moves.size
    places, axes, bounds = np.empty((n, 2)), np.empty((n, 2, 2)), np.empty((n, 2))
    follows, held, end_follows = np.zeros((n, k)), np.zeros(n), np.zeros(k)
    for i in range(n):
        feet = regions[i, FEET]
        if feet == BOTH:
            left, right = steps[regions[i, ON_LEFT]], steps[regions[i, ON_RIGHT]]
            _lay_between(room, left, right, places[i], axes[i], bounds[i])
        else:
            own = steps[regions[i, ON_LEFT if feet == 1 << LEFT else ON_RIGHT]]
            c, s = math.cos(own[YAW]), math.sin(own[YAW])
            places[i, 0], places[i, 1] = own[PLACE_X], own[PLACE_Y]
            axes[i, 0, 0], axes[i, 0, 1] = c, s
            axes[i, 1, 0], axes[i, 1, 1] = -s, c
            bounds[i, 0], bounds[i, 1] = room[HALF_LENGTH], room[HALF_WIDTH]
        share = 0.5 if feet == BOTH else 1.0
        for foot in (LEFT, RIGHT):
            for j in range(k):
                if moves[j] == regions[i, ON_LEFT + foot]:
                    if feet >> foot & 1:
                        follows[i, j] += share
                    if i == n - 1:
                        end_follows[j] += 0.5
    yaws, weights = np.empty(k), np.empty(k)
    lowest, highest = np.empty((k, 2)), np.empty((k, 2))
    for j in range(k):
        step = steps[moves[j]]
        yaws[j], weights[j] = step[YAW], step[WEIGHT]
        on_left = step[SIDE] == LEFT
        highest[j, 0], lowest[j, 0] = room[FORWARD], -room[FORWARD]
        highest[j, 1] = room[OUTWARD] if on_left else room[INWARD]
        lowest[j, 1] = -room[INWARD] if on_left else -room[OUTWARD]
    return places, axes, bounds, held, follows, end_follows, yaws, weights, lowest, highest


@compiled
def _lay_between(
    room: Floats, left: Floats, right: Floats, place: Floats, axes: Floats, bounds: Floats
) -> None:
    """Write the bounds between two soles: a parallelogram along the line through both."""
    x, y, yaw = between(
        left[PLACE_X], left[PLACE_Y], left[YAW], right[PLACE_X], right[PLACE_Y], right[YAW]
    )
    place[0], place[1] = x, y
    c, s = math.cos(yaw), math.sin(yaw)
    wx, wy = left[PLACE_X] - right[PLACE_X], left[PLACE_Y] - right[PLACE_Y]
    ahead, width = abs(c * wx + s * wy), math.hypot(wx, wy)
    determinant = wx * s - wy * c
    if determinant == 0.0:
        raise ZeroDivisionError("both soles are at one place")
    axes[0, 0], axes[0, 1] = s / determinant, -c / determinant
    axes[1, 0], axes[1, 1] = -wy / determinant, wx / determinant
    beyond = room[HALF_WIDTH] / width * max(0.0, 1.0 - ahead / room[HALF_LENGTH])
    bounds[0], bounds[1] = 0.5 + beyond, room[HALF_LENGTH]
