"""The space of symbols: known motions as points, near each other if they look alike."""

from collections.abc import Sequence

import numpy as np

from core.mimesis.hidden_markov import HiddenMarkov, draw, log_likelihood
from devices.interface import Floats

PATHS = 20  # drawn for a divergence
DIMENSIONS, DRAWN = 4, 3
"""The space is computed in four dimensions, of which three are drawn."""


def likeness(models: Sequence[HiddenMarkov]) -> Floats:
    """Return the distances of models from state to state (m, m).

    It is the root of the mean Bhattacharyya distance of the states of equal number (closed form),
    which is quick enough while a performer teaches.
    """
    means = np.stack([model.means for model in models])
    variances = np.stack([model.variances for model in models])
    between = 0.5 * (variances[:, None] + variances[None])
    distance = 0.125 * ((means[:, None] - means[None]) ** 2 / between).sum(axis=3)
    distance += 0.5 * np.log(between / np.sqrt(variances[:, None] * variances[None])).sum(axis=3)
    result: Floats = np.sqrt(np.maximum(distance.mean(axis=2), 0.0))
    return result


def divergences(models: Sequence[HiddenMarkov], seed: int) -> Floats:
    """Return the root of the symmetric Kullback-Leibler divergence by sample (m, m).

    From drawn paths; slow, and the measure that `likeness` is compared with.
    """
    random = np.random.default_rng(seed)
    count = len(models)
    one_way = np.zeros((count, count))
    for i, model in enumerate(models):
        for path in [draw(model, random) for _ in range(PATHS)]:
            own = log_likelihood(model, path)
            for j, other in enumerate(models):
                if i != j and len(path) >= len(other.dwell):
                    one_way[i, j] += (own - log_likelihood(other, path)) / len(path) / PATHS
    result: Floats = np.sqrt(np.maximum(0.5 * (one_way + one_way.T), 0.0))
    return result


def places(distances: Floats, dimensions: int = DIMENSIONS) -> Floats:
    """Return points whose distances are nearest to the given ones (m, dimensions).

    By classical scaling (Torgerson); axes in the order of their spread, each with its largest
    coordinate positive, so that the picture stays the same.
    """
    count = len(distances)
    middle = np.eye(count) - 1.0 / count
    values, vectors = np.linalg.eigh(-0.5 * middle @ distances**2 @ middle)
    order = np.argsort(values)[::-1][:dimensions]
    points = np.zeros((count, dimensions))
    found = vectors[:, order] * np.sqrt(np.maximum(values[order], 0.0))
    signs = np.sign(found[np.abs(found).argmax(axis=0), np.arange(len(order))])
    points[:, : len(order)] = found * np.where(signs == 0.0, 1.0, signs)
    return points


def stress(distances: Floats, points: Floats) -> float:
    """Return Kruskal's stress: how far the points' distances are from the given ones, 0 to 1."""
    reached = np.linalg.norm(points[:, None] - points[None], axis=2)
    return float(np.sqrt(((reached - distances) ** 2).sum() / (distances**2).sum()))


def place_of(shares: Floats, points: Floats) -> Floats:
    """Return where a motion lies that is each of the known ones by a share (dimensions).

    Args:
        shares: of the known motions (m); where all are 0 it lies in the middle.
        points: of these (m, dimensions).
    """
    whole = float(shares.sum())
    result: Floats = shares @ points / whole if whole > 0.0 else points.mean(axis=0)
    return result
