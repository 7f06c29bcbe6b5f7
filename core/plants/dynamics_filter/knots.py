"""Where the knots of a plan's pressure may lie: in or between the soles of its score (kernel)."""

import math

import numpy as np

from core.compiled import compiled
from core.plants.dynamics_filter.score import BOTH, LEFT, RIGHT, Kind, Score, between
from core.records import Indices
from devices.interface import Floats

END_S, HEIGHT, FLIES, FEET, ON_LEFT, ON_RIGHT = 0, 1, 4, 5, 6, 7
"""Columns of the phases: end [s], height of the CoM at the end with its derivatives (3), 1 for a
flight; and of the knot at the end: the feet among which it lies, as bits, and their steps."""
PLACE_X, PLACE_Y, YAW, SIDE, WEIGHT = range(5)
"""Columns of the steps: place [m], heading [rad], foot, and weight of its shift."""
HALF_LENGTH, HALF_WIDTH, FORWARD, INWARD, OUTWARD = range(5)
"""Numbers of the room: half the sole, and how far a footstep may be moved [m]."""


def sheets_of(score: Score) -> tuple[Floats, Floats]:
    """Return phases (n, 8) and steps (m, 5) of a score as numbers."""
    flies = Kind.FLIGHT  # an enumeration looks its members up slowly
    phases: list[float] = []
    for place, phase in enumerate(score.phases, 1):
        feet, places, flight = phase.toward, phase.places, 0.0
        if phase.kind is flies:
            # The pressure of a flight is that of the landing, which is free to be another one.
            landed = score.phases[place]
            feet, places, flight = landed.support, landed.places, 1.0
        phases += (phase.end_s, *phase.height, flight, feet, *places)
    steps: list[float] = []
    for step in score.steps:
        pose = step.pose
        steps += (pose.x, pose.y, pose.yaw, step.foot, step.weight)
    return np.array(phases).reshape(-1, 8), np.array(steps).reshape(-1, 5)


@compiled
def lay_knots(
    phases: Floats, steps: Floats, moves: Indices, room: Floats, held_place: Floats
) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats, Floats, Floats, Floats, Floats]:
    """Return the arrays of `Knots`.

    Args:
        phases: of `sheets_of` (n, 8); the last knot is that of the end.
        steps: of `sheets_of` (m, 5).
        moves: index of each footstep that the plan may move (k).
        room: see `HALF_LENGTH` (5).
        held_place: pressure at the end of the first phase that must not change (2) [m]; empty: it
            may.
    """
    n, k = phases.shape[0], moves.size
    places, axes, bounds = np.empty((n, 2)), np.empty((n, 2, 2)), np.empty((n, 2))
    follows, held, end_follows = np.zeros((n, k)), np.zeros(n), np.zeros(k)
    for i in range(n):
        feet, on_left, on_right = (
            int(phases[i, FEET]),
            int(phases[i, ON_LEFT]),
            int(phases[i, ON_RIGHT]),
        )
        if feet == BOTH:
            left, right = steps[on_left], steps[on_right]
            _lay_between(room, left, right, places[i], axes[i], bounds[i])
        else:
            own = steps[on_left if feet == 1 << LEFT else on_right]
            c, s = math.cos(own[YAW]), math.sin(own[YAW])
            places[i, 0], places[i, 1] = own[PLACE_X], own[PLACE_Y]
            axes[i, 0, 0], axes[i, 0, 1] = c, s
            axes[i, 1, 0], axes[i, 1, 1] = -s, c
            bounds[i, 0], bounds[i, 1] = room[HALF_LENGTH], room[HALF_WIDTH]
        share = 0.5 if feet == BOTH else 1.0
        for foot in (LEFT, RIGHT):
            for j in range(k):
                if moves[j] == (on_left if foot == LEFT else on_right):
                    if feet >> foot & 1:
                        follows[i, j] += share
                    if i == n - 1:
                        end_follows[j] += 0.5
    if held_place.size:
        places[0, 0], places[0, 1], held[0] = held_place[0], held_place[1], 1.0
        follows[0] = 0.0
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
