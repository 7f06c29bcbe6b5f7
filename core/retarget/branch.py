"""Which of several solutions of an arm suit a whole motion: the cheapest way through all of them.

An arm often reaches a posture in several ways, of which its limits leave one or two. Samples that
are solved one after the other can end in a way that leads nowhere; this finds where to change over.
"""

from typing import Final

import numpy as np

from devices.interface import Floats

INTERVAL_S: Final = 0.125
"""Time between the samples that are solved anew [s]."""
MOST: Final = 6
"""Solutions of a sample that are considered, besides that of the path."""
_APART_RAD: Final = 0.25  # solutions that are nearer to each other are one
_WORSE: Final = 2.0  # by which a solution's cost may exceed the best one's
_CHANGE_COST: Final = 1.5  # of each second that a change lasts longer than it may
_TRAVEL_COST: Final = 1e-3  # of the square of each step [1/rad²]


def distinct(solutions: Floats, costs: Floats) -> tuple[Floats, Floats]:
    """Return the best solutions of a sample that lie apart (MOST, n), and their costs (MOST).

    Fewer solutions are filled up with the best one at an infinite cost.

    Args:
        solutions: positions of the joints (s, n) [rad].
        costs: their costs (s).
    """
    chosen: list[int] = []
    for index in np.argsort(costs, kind="stable"):
        if costs[index] > costs.min() + _WORSE or len(chosen) == MOST:
            break
        if all(np.abs(solutions[index] - solutions[i]).max() > _APART_RAD for i in chosen):
            chosen.append(int(index))
    spare = MOST - len(chosen)
    filled = np.concatenate((costs[chosen], np.full(spare, np.inf)))
    return solutions[chosen + chosen[:1] * spare], filled


def cheapest_way(solutions: Floats, costs: Floats, interval_s: float, speed: Floats) -> Floats:
    """Return one solution for each sample, so that all together cost least (Viterbi 1967).

    A way costs the sum of its solutions' costs by the time that each lasts, and a price for each
    change that takes longer than the time between samples at the joints' largest speeds.

    Args:
        solutions: positions of the joints (k, s, n) [rad].
        costs: their costs (k, s), at least one of each sample finite.
        interval_s: time between samples [s].
        speed: largest speeds of the joints (n) [rad/s].

    Returns:
        Positions (k, n) [rad].
    """
    total = costs[0] * interval_s
    origins = np.zeros(costs.shape, dtype=np.int64)
    for k in range(1, len(costs)):
        steps = np.abs(solutions[k][None] - solutions[k - 1][:, None])
        late = np.maximum((steps / speed).max(axis=2) - interval_s, 0.0)
        ways = total[:, None] + _CHANGE_COST * late + _TRAVEL_COST * (steps**2).sum(axis=2)
        origins[k] = ways.argmin(axis=0)
        total = ways.min(axis=0) + costs[k] * interval_s
    choice = int(total.argmin())
    way = np.empty((len(costs), solutions.shape[2]))
    for k in range(len(costs) - 1, -1, -1):
        way[k] = solutions[k, choice]
        choice = int(origins[k, choice])
    return way
